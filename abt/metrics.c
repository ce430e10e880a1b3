// SPDX-License-Identifier: GPL-2.0
/* abt metrics: the same for a monitoring system, as Prometheus and OpenMetrics have it. */
#include <errno.h>
#include <inttypes.h>
#include <libmnl/libmnl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abt.h"
#include "host.h"
#include "link.h"
#include "offload.h"
#include "pool.h"
#include "show.h"
#include "version.h"
#include "words.h"

#define PATH_ROOM	4096

enum kind { GAUGE, COUNTER };

/* Samples with one name. The unit is its end; counters end in _total as well. */
struct family {
	const char *name;
	enum kind kind;
	const char *unit;	/* "": none */
	const char *help;
};

/* Connections of a direction by the reason of their last decision. */
struct tally {
	uint64_t reason[DIRECTIONS][TCP_ABT_REASON_MAX + 1];
	uint64_t is_short[DIRECTIONS];
};

/* As OpenMetrics 1.0 has it; else as Prometheus 0.0.4, which takes a unit for a comment. */
static bool openmetrics;

static void begin(const struct family *family)
{
	const char *end = family->kind == COUNTER && !openmetrics ? "_total" : "";

	printf("# HELP %s%s %s\n", family->name, end, family->help);
	printf("# TYPE %s%s %s\n", family->name, end, family->kind == COUNTER ? "counter" : "gauge");
	if (*family->unit)
		printf("# UNIT %s %s\n", family->name, family->unit);
}

/* The name, before the labels. */
static void sample(const struct family *family)
{
	printf("%s%s", family->name, family->kind == COUNTER ? "_total" : "");
}

static void single(const struct family *family, uint64_t value)
{
	begin(family);
	sample(family);
	printf(" %" PRIu64 "\n", value);
}

/* A pool's figure. Return: is there one? */
typedef bool (*figure_t)(const struct pool *pool, uint64_t *value);

#define FIGURE(_field, _there)							\
	static bool figure_##_field(const struct pool *pool, uint64_t *value)	\
	{									\
		*value = pool->_field;						\
		return _there;							\
	}

FIGURE(size, true)
FIGURE(charged, true)
FIGURE(demand, true)
FIGURE(level, pool->has_level)
FIGURE(conns, true)
FIGURE(grants, true)
FIGURE(shrinks, true)
FIGURE(refused, true)

static const struct {
	struct family family;
	figure_t of;
} pool_families[] = {
	{ { "tcp_abt_pool_size_bytes", GAUGE, "bytes", "What the pool has." }, figure_size },
	{ { "tcp_abt_pool_charged_bytes", GAUGE, "bytes", "What the pool has handed out." }, figure_charged },
	{ { "tcp_abt_pool_demand_bytes", GAUGE, "bytes", "What connections ask for, all together." }, figure_demand },
	{ { "tcp_abt_pool_level_bytes", GAUGE, "bytes",
	    "Largest grant of the pool; absent while all demands are met." }, figure_level },
	{ { "tcp_abt_pool_connections", GAUGE, "", "Connections that draw on the pool." }, figure_conns },
	{ { "tcp_abt_pool_grants", COUNTER, "", "Times that a connection's charge grew." }, figure_grants },
	{ { "tcp_abt_pool_shrinks", COUNTER, "", "Times that a connection's charge shrank." }, figure_shrinks },
	{ { "tcp_abt_pool_refused", COUNTER, "", "Times that growth found less than it asked for." },
	  figure_refused },
};

static void put_pools(void)
{
	struct pools pools;
	uint64_t value;
	size_t f;
	int i;

	pools_get(&pools);
	for (f = 0; f < sizeof(pool_families) / sizeof(pool_families[0]); f++) {
		begin(&pool_families[f].family);
		for (i = 0; i < pools.count; i++) {
			const struct pool *pool = &pools.all[i];

			if (!pool_families[f].of(pool, &value))
				continue;
			sample(&pool_families[f].family);
			printf("{direction=\"%s\",scope=\"%s\"} %" PRIu64 "\n",
			       direction_word(pool->direction), scope_word(pool->scope), value);
		}
	}
}

static void count_conn(const struct nlmsghdr *answer, void *to)
{
	struct tally *tally = to;
	struct conn conn;
	int d;

	read_conn(answer, &conn);
	for (d = 0; d < DIRECTIONS; d++) {
		const struct buffer *buffer = &conn.buffer[d];

		if (!buffer->told || buffer->reason > TCP_ABT_REASON_MAX)
			continue;
		tally->reason[d][buffer->reason]++;
		tally->is_short[d] += buffer->grant < buffer->demand;
	}
}

static void put_conns(void)
{
	static const struct family by_reason = {
		"tcp_abt_connections", GAUGE, "", "Connections, by the reason of the last decision on a buffer."
	};
	static const struct family is_short = {
		"tcp_abt_connections_short", GAUGE, "", "Connections that are granted less than they ask for."
	};
	struct tally tally = { 0 };
	struct request request;
	int d, reason;

	request_begin(&request, TCP_ABT_CMD_CONN_GET, NLM_F_DUMP);
	request_send(&request, count_conn, &tally);
	begin(&by_reason);
	for (d = 0; d < DIRECTIONS; d++)
		for (reason = 0; reason <= TCP_ABT_REASON_MAX; reason++)
			printf("%s{direction=\"%s\",reason=\"%s\"} %" PRIu64 "\n", by_reason.name,
			       direction_word(d), reason_word(reason), tally.reason[d][reason]);
	begin(&is_short);
	for (d = 0; d < DIRECTIONS; d++)
		printf("%s{direction=\"%s\"} %" PRIu64 "\n", is_short.name, direction_word(d),
		       tally.is_short[d]);
}

static void count_path(const struct nlmsghdr *answer, void *to)
{
	uint64_t *count = to;
	struct path path;

	read_path(answer, &path);
	if (path.state <= TCP_ABT_PATH_STATE_MAX)
		count[path.state]++;
}

static void put_paths(void)
{
	static const struct family by_state = {
		"tcp_abt_paths", GAUGE, "", "Paths from peers, those without connections as well, by whether windows are shared."
	};
	uint64_t count[TCP_ABT_PATH_STATE_MAX + 1] = { 0 };
	struct request request;
	uint32_t state;

	request_begin(&request, TCP_ABT_CMD_PATH_GET, NLM_F_DUMP);
	request_send(&request, count_path, count);
	begin(&by_state);
	for (state = 0; state <= TCP_ABT_PATH_STATE_MAX; state++)
		printf("%s{state=\"%s\"} %" PRIu64 "\n", by_state.name, path_state_word(state), count[state]);
}

/* The name of a device may hold what means something in a label. */
static void label(const char *text)
{
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			putchar('\\');
		putchar(*text);
	}
}

static void put_adapters(void)
{
	static const struct {
		struct family family;
		size_t offset;
	} families[] = {
		{ { "tcp_abt_adapter_size_bytes", GAUGE, "bytes", "What an adapter has for connections' buffers." },
		  offsetof(struct adapter, memory.size) },
		{ { "tcp_abt_adapter_charged_bytes", GAUGE, "bytes", "What of it is granted." },
		  offsetof(struct adapter, memory.charged) },
		{ { "tcp_abt_adapter_demand_bytes", GAUGE, "bytes", "What its connections ask for, all together." },
		  offsetof(struct adapter, memory.demand) },
		{ { "tcp_abt_adapter_refused", COUNTER, "", "Times that growth found less than it asked for." },
		  offsetof(struct adapter, memory.refused) },
		{ { "tcp_abt_adapter_connections", GAUGE, "", "Connections that the adapter has taken on." },
		  offsetof(struct adapter, conns) },
		{ { "tcp_abt_adapter_connections_waiting", GAUGE, "", "Connections that wait for room in the adapter." },
		  offsetof(struct adapter, waiting) },
		{ { "tcp_abt_adapter_connections_refused", COUNTER, "",
		    "Times that a connection was refused, by the driver or for want of room." },
		  offsetof(struct adapter, refused) },
		{ { "tcp_abt_adapter_updates", COUNTER, "", "Times that the driver was told news of a connection." },
		  offsetof(struct adapter, updates) },
	};
	struct adapters adapters;
	char device[IF_NAMESIZE];
	size_t f, i;

	adapters_get(&adapters);
	for (f = 0; f < sizeof(families) / sizeof(families[0]); f++) {
		begin(&families[f].family);
		for (i = 0; i < adapters.count; i++) {
			const struct adapter *adapter = &adapters.all[i];

			sample(&families[f].family);
			fputs("{device=\"", stdout);
			label(device_text(adapter->ifindex, device));
			printf("\"} %" PRIu64 "\n",
			       *(const uint64_t *)((const char *)adapter + families[f].offset));
		}
	}
	free(adapters.all);
}

/* The kernel's counters for all network namespaces: told in the first one only. */
static void put_host(void)
{
	static const struct family in_use = {
		"tcp_abt_host_memory_bytes", GAUGE, "bytes", "What TCP's buffers take of memory, as the kernel counts it."
	};
	static const struct family limit = {
		"tcp_abt_host_memory_limit_bytes", GAUGE, "bytes", "The three limits of net.ipv4.tcp_mem."
	};
	static const char *const limits[] = { "low", "pressure", "high" };
	struct host host;
	int i;

	if (access("/proc/sys/net/ipv4/tcp_mem", F_OK))
		return;
	host_read(&host, "");
	single(&in_use, host.in_use);
	begin(&limit);
	for (i = 0; i < 3; i++)
		printf("%s{limit=\"%s\"} %" PRIu64 "\n", limit.name, limits[i], host.tcp_mem[i]);
	host_free(&host);
}

static void put_all(void)
{
	static const struct family loaded = {
		"tcp_abt_loaded", GAUGE, "", "Is the module loaded?"
	};
	static const struct family build = {
		"tcp_abt_build_info", GAUGE, "", "The version of abt, which told this."
	};
	bool found = link_find();

	begin(&build);
	printf("%s{version=\"%s\"} 1\n", build.name, ABT_VERSION);
	single(&loaded, found);
	put_host();
	if (found) {
		put_pools();
		put_conns();
		put_paths();
		put_adapters();
	}
	if (openmetrics)
		puts("# EOF");
}

/* A reader finds the file before or the whole new one, never a part. */
static void put_into(const char *path)
{
	char fresh[PATH_ROOM];

	if (snprintf(fresh, sizeof(fresh), "%s.new", path) >= (int)sizeof(fresh))
		die("%s: the name is too long", path);
	if (!freopen(fresh, "w", stdout))
		die("%s: %s", fresh, strerror(errno));
	put_all();
	if (fflush(stdout) || ferror(stdout) || rename(fresh, path)) {
		int error = errno;

		unlink(fresh);
		die("%s: %s", path, strerror(error));
	}
}

int do_metrics(int argc, char **argv)
{
	const char *path = NULL;

	for (; argc; argc--, argv++) {
		if (word_is(*argv, "help")) {
			puts("Usage: abt metrics [ openmetrics ] [ to FILE ]");
			return 0;
		}
		if (word_is(*argv, "openmetrics"))
			openmetrics = true;
		else if (!strcmp(*argv, "to"))
			path = argument(&argc, &argv, "to");
		else
			die("metrics \"%s\": expected openmetrics, to FILE or nothing", *argv);
	}
	if (path)
		put_into(path);
	else
		put_all();
	return 0;
}
