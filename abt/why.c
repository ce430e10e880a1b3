// SPDX-License-Identifier: GPL-2.0
/* abt why: the last decision about a connection, and its inputs, in words. */
#include <stdio.h>
#include <stdlib.h>

#include "abt.h"
#include "filter.h"
#include "json.h"
#include "monitor.h"
#include "path.h"
#include "pool.h"
#include "show.h"
#include "words.h"

/* The meaning of a reason, with advice where there is any. */
static const char *const meaning[TCP_ABT_REASON_MAX + 1] = {
	[TCP_ABT_REASON_INIT] = "nothing was decided yet: no data went this way",
	[TCP_ABT_REASON_GROW] = "it has all that it asks for",
	[TCP_ABT_REASON_SHRINK] = "it asks for less than before, and has all of it",
	[TCP_ABT_REASON_SHARE] = "more than half of the pool is handed out, so it has its share, at most twice what it used lately",
	[TCP_ABT_REASON_POOL] = "the pool had less left than its share; the rest follows when others gave theirs back",
	[TCP_ABT_REASON_HOLD] = "it is to have less, but what was promised has to drain first",
	[TCP_ABT_REASON_FLOOR] = "it has the least that a connection gets",
	[TCP_ABT_REASON_ADMIN] = "tcp_rmem or tcp_wmem was written while the module was on, and is its limit",
	[TCP_ABT_REASON_APP] = "the application set this buffer itself (SO_SNDBUF, SO_RCVBUF): it is left alone",
	[TCP_ABT_REASON_STOCK] = "the kernel tunes this direction: the policy is stock, or the round trip is shorter than epoch_min_us and memory is plenty",
	[TCP_ABT_REASON_OBSERVE] = "mode is observe: this is what would be applied",
};

/* The inputs of the demand. */
static void explain_demand(const struct conn *conn, uint32_t direction)
{
	const struct buffer *b = &conn->buffer[direction];
	char window[TEXT], rtt[TEXT], base[TEXT], text[256];

	switch (b->policy) {
	case TCP_ABT_POLICY_ATBT:
	case TCP_ABT_POLICY_SABT:
		printf("      from cwnd %u x mss %u = %s, rtt %s%s\n", conn->cwnd, conn->mss,
		       size_text((uint64_t)conn->cwnd * conn->mss, window),
		       time_text(conn->srtt_us, rtt),
		       b->policy == TCP_ABT_POLICY_SABT ? ", and its losses" : "");
		break;
	case TCP_ABT_POLICY_DRS:
	case TCP_ABT_POLICY_TBT_PLR:
		snprintf(text, sizeof(text),
			 "from the most that arrived in a round trip, which is %s now (base %s), alpha %u.%03u",
			 time_text(conn->rcv_rtt_us, rtt), time_text(conn->min_rtt_us, base),
			 conn->alpha / 1000, conn->alpha % 1000);
		fill("      ", text);
		break;
	case TCP_ABT_POLICY_FIXED:
		printf("      from the knob fixed_%s\n", direction_word(direction));
		break;
	}
}

static void explain_pool(const struct pools *pools, uint32_t direction)
{
	const struct pool *pool = pools_tightest(pools, direction);
	char demand[TEXT], size[TEXT], level[TEXT], text[256];

	if (!pool)
		return;
	snprintf(text, sizeof(text),
		 "%u connections ask for %s, the %s's pool has %s: at most %s%s",
		 pool->conns, size_text(pool->demand, demand),
		 pool->scope == TCP_ABT_SCOPE_HOST ? "host" : "namespace",
		 size_text(pool->size, size),
		 pool->has_level ? size_text(pool->level, level) : "twice what each used lately",
		 pool->has_level ? " each" : "");
	fill("      ", text);
	printf("      more for all: abt set %s_pool BYTES\n", direction_word(direction));
}

/* Pools and paths, as they are now. */
struct shared {
	struct pools pools;
	struct paths paths;
};

static void explain_path(const struct path *path)
{
	char held[TEXT], level[TEXT], text[256];

	snprintf(text, sizeof(text), "%u connections share their path, which holds %s: windows of at most %s each",
		 path->members, size_text(path->held, held), size_text(path->level, level));
	fill("      ", text);
}

static void explain(const struct conn *conn, uint32_t direction, const struct shared *shared)
{
	const struct path *path = path_of(&shared->paths, conn);
	const struct buffer *b = &conn->buffer[direction];
	char applied[TEXT], used[TEXT], demand[TEXT], grant[TEXT];

	printf("  %s: buffer %s, %s of it in use\n", direction_word(direction),
	       size_text(b->applied, applied), size_text(b->used, used));
	if (b->policy != TCP_ABT_POLICY_STOCK) {
		printf("    %s asks for %s\n", policy_word(b->policy), size_text(b->demand, demand));
		explain_demand(conn, direction);
		printf("    and may have %s: ", size_text(b->grant, grant));
	} else {
		fputs("    ", stdout);
	}
	colour(stdout, reason_colour(b->reason));
	fputs(reason_word(b->reason), stdout);
	colour(stdout, PLAIN);
	putchar('\n');
	if (b->reason <= TCP_ABT_REASON_MAX)
		fill("      ", meaning[b->reason]);
	if (b->grant < b->demand)
		explain_pool(&shared->pools, direction);
	if (direction == TCP_ABT_DIRECTION_RECEIVE && path && path->has_level)
		explain_path(path);
	if (b->idle)
		puts("      no data went this way for a second or more");
}

static void json_why(const struct conn *conn, uint32_t direction)
{
	const struct buffer *b = &conn->buffer[direction];

	json_buffer(direction_word(direction), b);
	json_text(direction == TCP_ABT_DIRECTION_SEND ? "send_why" : "recv_why",
		  b->reason <= TCP_ABT_REASON_MAX ? meaning[b->reason] : "?");
}

static void show_why(const struct conn *conn, const struct shared *shared)
{
	uint32_t direction;

	if (options.json) {
		json_open(NULL, '{');
		json_ends(conn);
		json_inputs(conn);
	} else {
		show_ends(conn);
	}
	for (direction = 0; direction < DIRECTIONS; direction++) {
		if (options.json)
			json_why(conn, direction);
		else
			explain(conn, direction, shared);
	}
	if (options.json)
		json_close('}');
}

int do_why(int argc, char **argv)
{
	struct conns conns = { 0 };
	struct filter filter;
	struct shared shared;
	bool follow = argc > 1 && word_is(argv[argc - 1], "follow");
	size_t i;

	if (!argc || word_is(*argv, "help")) {
		fputs("Usage: abt why ADDRESS [ FILTER ]... [ follow ]\n"
		      "FILTER is that of abt conn. follow: then each further decision, until Ctrl-C.\n",
		      argc ? stdout : stderr);
		return !argc;
	}
	filter_parse(&filter, argc - follow, argv);
	link_open();
	pools_get(&shared.pools);
	paths_get(&shared.paths);
	conns_get(&conns, &filter);
	if (!conns.count && !follow)
		die("no connection that fits (\"abt conn\" lists them; one that was silent since the module came is not known yet)");
	if (options.json)
		json_open(NULL, '[');
	for (i = 0; i < conns.count; i++)
		show_why(&conns.all[i], &shared);
	if (options.json)
		json_close(']');
	free(conns.all);
	free(shared.paths.all);
	if (follow) {
		fflush(stdout);
		monitor_run(&filter);
	}
	return 0;
}
