// SPDX-License-Identifier: GPL-2.0
/* abt top: the connections that hold memory, want more, and why they do not get it, as it changes. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "abt.h"
#include "filter.h"
#include "pool.h"
#include "words.h"

#define INTERVAL_S	2	/* as top's own is about */
#define ROWS		24	/* of a screen that does not say how many it has */
#define HEAD_ROWS	2	/* beside a line a pool */

/* One direction of a connection is a line. */
struct line {
	const struct conn *conn;
	uint32_t direction;
};

static volatile sig_atomic_t ended;

static void on_signal(int signal)
{
	(void)signal;
	ended = 1;
}

static const struct buffer *buffer_of(const struct line *line)
{
	return &line->conn->buffer[line->direction];
}

/* The largest charge first; of the same, the largest demand. */
static int compare(const void *left, const void *right)
{
	const struct buffer *l = buffer_of(left), *r = buffer_of(right);

	if (l->charged != r->charged)
		return l->charged < r->charged ? 1 : -1;
	return l->demand < r->demand ? 1 : l->demand > r->demand ? -1 : 0;
}

static int rows_of_screen(void)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_row)
		return ROWS;
	return size.ws_row;
}

static void show_line(const struct line *line)
{
	const struct buffer *b = buffer_of(line);
	char remote[END_TEXT], charged[TEXT], used[TEXT], demand[TEXT], grant[TEXT];

	printf("%-30.30s %5u %s %6s %6s %6s %6s ", end_text(&line->conn->remote, remote),
	       line->conn->local.port, direction_word(line->direction),
	       size_text(b->charged, charged), size_text(b->used, used),
	       size_text(b->demand, demand), size_text(b->grant, grant));
	colour(stdout, reason_colour(b->reason));
	puts(reason_word(b->reason));
	colour(stdout, PLAIN);
}

static void show_pools(const struct pools *pools)
{
	char charged[TEXT], size[TEXT], demand[TEXT], level[TEXT];
	int i;

	for (i = 0; i < pools->count; i++) {
		const struct pool *pool = &pools->all[i];

		printf("%s %-4s %6s of %6s, demand %6s, ", direction_word(pool->direction),
		       scope_word(pool->scope), size_text(pool->charged, charged),
		       size_text(pool->size, size), size_text(pool->demand, demand));
		colour(stdout, pool->has_level ? SHORT : GOOD);
		printf("%s%s", pool->has_level ? "short: at most " : "enough",
		       pool->has_level ? size_text(pool->level, level) : "");
		colour(stdout, PLAIN);
		printf(", %u conns\n", pool->conns);
	}
}

static size_t lines_of(const struct conns *conns, struct line **lines)
{
	size_t count = 0, i;
	uint32_t direction;

	*lines = calloc(DIRECTIONS * conns->count + 1, sizeof(**lines));
	if (!*lines)
		die("no memory for %zu connections", conns->count);
	for (i = 0; i < conns->count; i++)
		for (direction = 0; direction < DIRECTIONS; direction++)
			(*lines)[count++] = (struct line) { &conns->all[i], direction };
	qsort(*lines, count, sizeof(**lines), compare);
	return count;
}

static void show_screen(const struct filter *filter, bool clear)
{
	struct conns conns = { 0 };
	struct pools pools;
	struct line *lines;
	size_t count, most, i;

	pools_get(&pools);
	conns_get(&conns, filter);
	count = lines_of(&conns, &lines);
	if (clear)
		fputs("\033[H\033[J", stdout);
	show_pools(&pools);
	colour(stdout, BOLD);
	printf("%-30s %5s %-4s %6s %6s %6s %6s %s\n", "REMOTE", "PORT", "DIR", "HOLDS", "USES",
	       "WANTS", "MAY", "WHY");
	colour(stdout, PLAIN);
	most = clear ? (size_t)rows_of_screen() - HEAD_ROWS - pools.count : count;
	for (i = 0; i < count && i < most; i++)
		show_line(&lines[i]);
	fflush(stdout);
	free(lines);
	free(conns.all);
}

int do_top(int argc, char **argv)
{
	uint64_t interval = INTERVAL_S, count = 0, shown = 0;
	bool clear = isatty(STDOUT_FILENO);
	struct filter filter;

	if (argc && word_is(*argv, "help")) {
		puts("Usage: abt top [ interval SECONDS ] [ count TIMES ] [ FILTER ]...\n"
		     "FILTER is that of abt conn.");
		return 0;
	}
	for (; argc && (word_is(*argv, "interval") || word_is(*argv, "count")); argc--, argv++) {
		if (word_is(*argv, "interval"))
			interval = number(argument(&argc, &argv, "interval"), "interval", 1, 3600);
		else
			count = number(argument(&argc, &argv, "count"), "count", 1, UINT32_MAX);
	}
	filter_parse(&filter, argc, argv);
	link_open();
	signal(SIGINT, on_signal);
	signal(SIGTERM, on_signal);
	while (!ended) {
		show_screen(&filter, clear);
		if (++shown == count)
			break;
		poll(NULL, 0, interval * 1000);
	}
	return 0;
}
