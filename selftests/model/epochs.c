// SPDX-License-Identifier: GPL-2.0
/*
 * epochs PATHS MEMBERS SECONDS - what a member's report to its path costs, by the numbers of paths and of members on each.
 * Prints a heading and a line: basic blocks that a report runs, in the mean and at the most.
 *
 * The path's code is compiled with -fsanitize-coverage=trace-pc, so that each basic block calls a function of this program:
 * work without chance, on any machine. Each peer has a base round trip of 10 to 200 ms, and a queue of its own that grows and
 * shrinks, so that peers are compared with each other as often as the module ever does that. Members report once a round trip.
 */
#include <stdio.h>
#include <stdlib.h>

#include "load.h"
#include "path/member.h"
#include "path/merge.h"
#include "path/path.h"
#include "path/remote.h"

#define LEAST_BASE_US	10000U
#define BASES_US	190000U
#define QUEUE_US	60000U		/* the longest that a peer sees, in parts of its base at the most */
#define WINDOW		(1U << 20)
#define HEADROOM_Q16	(ABT_Q16_ONE / 5)
#define MEMBERS_MAX	1000000U
/* reports of one tick are in a list; a round trip is fewer ticks than there are lists [us] */
#define TICK_US		1000U
#define TICKS		1024U

struct peer {
	struct abt_remote remote;
	u32 base_us;
};

struct conn {
	struct abt_path_member member;
	struct peer *peer;
	struct conn *next;
};

static struct conn *due[TICKS];
static u64 blocks;

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
	blocks++;
}

static void *many(u32 count, size_t bytes)
{
	void *all = calloc(count, bytes);

	if (!all) {
		perror("epochs");
		exit(1);
	}
	return all;
}

static void add(struct conn *c, u64 tick)
{
	c->next = due[tick % TICKS];
	due[tick % TICKS] = c;
}

/* The queue of a peer goes up and down in some seconds, each at another time. */
static u32 rtt_us(const struct peer *peer, u64 now_us)
{
	u32 most_us = min(QUEUE_US, peer->base_us);
	u32 phase = (u32)(((now_us >> 10) + peer->base_us) % 4096);

	return peer->base_us + (u32)((u64)most_us * (phase < 2048 ? phase : 4096 - phase) / 2048);
}

static u32 report(struct conn *c, u64 now_us)
{
	u32 base_us = c->peer->base_us, trip_us = rtt_us(c->peer, now_us);

	abt_path_report(&c->member, &(struct abt_path_report) {
		.now_us = now_us,
		.rtt_us = trip_us,
		.base_us = base_us,
		.held = (u32)((u64)WINDOW * base_us / trip_us),
		.carried = (u32)((u64)WINDOW * base_us / trip_us),
		.asks = 2 * WINDOW,
		.bytes = WINDOW,
		.headroom_q16 = HEADROOM_Q16,
	});
	return trip_us;
}

int main(int argc, char **argv)
{
	struct abt_test numbers = { .random = ABT_TEST_SEED };
	u64 reports = 0, all = 0, most = 0, begin_us = 1ULL << 40, ticks;
	u32 paths, members;
	struct peer *peers;
	struct conn *conns;

	if (argc != 4) {
		fprintf(stderr, "usage: epochs PATHS MEMBERS SECONDS\n");
		return 2;
	}
	paths = number("epochs", argv[1], "paths", 1);
	members = number("epochs", argv[2], "members of each", 1);
	ticks = number("epochs", argv[3], "seconds", 1) * (u64)(1000000 / TICK_US);
	if ((u64)paths * members > MEMBERS_MAX) {
		fprintf(stderr, "epochs: %u paths of %u members: expected %u members in all at the most\n",
			paths, members, MEMBERS_MAX);
		return 2;
	}
	peers = many(paths, sizeof(*peers));
	conns = many(paths * members, sizeof(*conns));
	for (u32 i = 0; i < paths; i++) {
		abt_remote_init(&peers[i].remote, 1);
		peers[i].base_us = LEAST_BASE_US + abt_test_below(&numbers, BASES_US);
	}
	for (u32 i = 0; i < paths * members; i++) {
		conns[i].peer = &peers[i % paths];
		abt_path_enter(&conns[i].member, &conns[i].peer->remote);
		add(&conns[i], abt_test_below(&numbers, conns[i].peer->base_us) / TICK_US);
	}
	/* the first half is left out: paths begin there */
	for (u64 tick = 0; tick < ticks; tick++) {
		struct conn *c = due[tick % TICKS], *next;

		due[tick % TICKS] = NULL;
		for (; c; c = next) {
			u64 before = blocks;
			u32 trip_us = report(c, begin_us + tick * TICK_US);

			next = c->next;
			add(c, tick + max(trip_us / TICK_US, 1U));
			if (tick < ticks / 2)
				continue;
			reports++;
			all += blocks - before;
			most = max(most, blocks - before);
		}
	}
	printf("paths\tmembers\treports\tblocks\tmost\n%u\t%u\t%llu\t%.1f\t%llu\n", paths, members, reports,
	       (double)all / (double)reports, most);
	return 0;
}
