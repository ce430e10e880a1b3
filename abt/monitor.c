// SPDX-License-Identifier: GPL-2.0
/* abt monitor: every decision as it is made. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "abt.h"
#include "filter.h"
#include "json.h"
#include "monitor.h"
#include "show.h"
#include "words.h"

struct monitor {
	struct filter filter;
	uint64_t lost;		/* of the kernel's count, when we looked last */
	bool began;
};

static void show_time(void)
{
	struct timespec now;
	struct tm tm;
	char text[TEXT];

	clock_gettime(CLOCK_REALTIME, &now);
	localtime_r(&now.tv_sec, &tm);
	strftime(text, sizeof(text), "%H:%M:%S", &tm);
	printf("%s.%03ld ", text, now.tv_nsec / 1000000);
}

static void show_decision(const struct conn *conn)
{
	const struct buffer *b = &conn->buffer[conn->direction];
	char old[TEXT], applied[TEXT], demand[TEXT], grant[TEXT], local[END_TEXT], remote[END_TEXT];

	show_time();
	printf("%s > %s\n    %s %s %s -> %s wants %s may %s ", end_text(&conn->local, local),
	       end_text(&conn->remote, remote), direction_word(conn->direction),
	       policy_word(b->policy), size_text(conn->old, old), size_text(b->applied, applied),
	       size_text(b->demand, demand), size_text(b->grant, grant));
	colour(stdout, reason_colour(b->reason));
	puts(reason_word(b->reason));
	colour(stdout, PLAIN);
	if (options.stats)
		printf("    cwnd %u mss %u rtt %s rcvrtt %s alpha %u.%03u used %s\n", conn->cwnd,
		       conn->mss, time_text(conn->srtt_us, local),
		       time_text(conn->rcv_rtt_us, remote), conn->alpha / 1000,
		       conn->alpha % 1000, size_text(b->used, old));
}

static void json_decision(const struct conn *conn)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	json_open(NULL, '{');
	json_number("time_ms", now.tv_sec * 1000ULL + now.tv_nsec / 1000000);
	json_ends(conn);
	json_inputs(conn);
	json_text("direction", direction_word(conn->direction));
	json_number("old", conn->old);
	json_buffer("buffer", &conn->buffer[conn->direction]);
	json_number("lost", conn->lost);
	json_close('}');
}

static void say_lost(uint64_t count, const char *who)
{
	fflush(stdout);
	fprintf(stderr, "abt: %" PRIu64 " decisions were not told: %s\n", count, who);
}

static void on_decision(const struct nlmsghdr *told, void *to)
{
	struct monitor *monitor = to;
	struct conn conn;

	if (!told) {
		fputs("abt: decisions were lost: we were too slow to read them\n", stderr);
		return;
	}
	read_conn(told, &conn);
	if (conn.direction >= DIRECTIONS)
		return;
	if (monitor->began && conn.lost != monitor->lost)
		say_lost(conn.lost - monitor->lost, "there were more than the module tells in a second");
	monitor->lost = conn.lost;
	monitor->began = true;
	if (!filter_matches(&monitor->filter, &conn))
		return;
	if (options.json)
		json_decision(&conn);
	else
		show_decision(&conn);
	fflush(stdout);
}

void monitor_run(const struct filter *filter)
{
	struct monitor monitor = { .filter = *filter };

	link_listen();
	for (;;)
		link_take(on_decision, &monitor);
}

int do_monitor(int argc, char **argv)
{
	struct filter filter;

	if (argc && word_is(*argv, "help")) {
		puts("Usage: abt monitor [ ADDRESS ] [ local ADDRESS ] [ remote ADDRESS ] [ dev NAME ]\n"
		     "                   [ short ]");
		return 0;
	}
	filter_parse(&filter, argc, argv);
	link_open();
	monitor_run(&filter);
	return 0;
}
