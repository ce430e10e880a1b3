// SPDX-License-Identifier: GPL-2.0
/* Peers behind emulated bottlenecks: which are merged, and what rates their connections have. */
#include "cases.h"
#include "path/member.h"
#include "path/merge.h"
#include "path/path.h"
#include "path/remote.h"

#define PEERS		9
#define CONNS		16
#define LINKS		2
#define HEADROOM_Q16	(ABT_Q16_ONE / 5)
/* what a bottleneck carries [bytes/us]: 200 Mbit/s */
#define CARRIES		25u
/* the queue that a bottleneck has room for [us] */
#define ROOM_US		60000u
/* until peers are merged and windows are as they stay [us] */
#define SETTLED_US	40000000u

/**
 * struct conn - a connection
 * @m: its part in the path
 * @peer: number of its peer
 * @link: number of its bottleneck
 * @asks: window that it asks for
 * @cwnd: what its sender's congestion control lets it have
 * @window: its window
 * @least_us: its least round trip so far, which it takes for its base
 * @next_us: when it reports next
 * @told_us: when it reported last
 * @bytes: that it carried since it was looked at last
 */
struct conn {
	struct abt_path_member m;
	u32 peer;
	u32 link;
	u32 asks;
	u32 cwnd;
	u32 window;
	u32 least_us;
	u64 next_us;
	u64 told_us;
	u64 bytes;
};

/**
 * struct network - peers and their connections
 * @extra_us: round trips over a link are longer by so much
 */
static struct network {
	struct abt_remote remote[PEERS];
	u32 base_us[PEERS];
	struct conn conn[CONNS];
	u32 conns;
	u32 extra_us[LINKS];
	u64 now_us;
} n;

static void begin(void)
{
	static u64 later_us;	/* peers are compared by one clock of the host's */

	memset(&n, 0, sizeof(n));
	later_us += 1ULL << 40;
	n.now_us = later_us;
}

static void add_peer_of(u32 i, u32 base_us, u64 net)
{
	abt_remote_init(&n.remote[i], net);
	n.base_us[i] = base_us;
}

static void add_peer(u32 i, u32 base_us)
{
	add_peer_of(i, base_us, 1);
}

static void add_conn(u32 peer, u32 link)
{
	struct conn *c = &n.conn[n.conns++];

	c->peer = peer;
	c->link = link;
	c->asks = 64 << 10;
	c->cwnd = 64 << 10;
	c->window = 64 << 10;
	c->least_us = U32_MAX;
	c->told_us = n.now_us;
	c->next_us = n.now_us + n.base_us[peer] + n.conns;
	abt_path_enter(&c->m, &n.remote[peer]);
}

static void end(void)
{
	for (u32 i = 0; i < n.conns; i++)
		abt_path_quit(&n.conn[i].m);
	for (u32 i = 0; i < PEERS; i++) {
		if (!n.remote[i].path)
			continue;
		abt_merge_forget(&n.remote[i]);
		abt_remote_exit(&n.remote[i]);
	}
}

/* Bytes per us of a link's windows, with a queue of so many us. */
static u64 rate_q16(u32 link, u32 queue_us)
{
	u64 sum = 0;

	for (u32 i = 0; i < n.conns; i++)
		if (n.conn[i].link == link)
			sum += ((u64)n.conn[i].window << 16) /
			       (n.base_us[n.conn[i].peer] + queue_us);
	return sum;
}

static u32 queue_us(u32 link)
{
	u32 low = 0, high = 10000000;

	while (low < high) {
		u32 middle = (low + high) / 2;

		if (rate_q16(link, middle) > (u64)CARRIES << 16)
			low = middle + 1;
		else
			high = middle;
	}
	return low + n.extra_us[link];
}

static void report(struct conn *c)
{
	u32 base_us = n.base_us[c->peer];
	u32 rtt_us = base_us + queue_us(c->link);
	u32 bytes = (u32)((u64)c->window * (n.now_us - c->told_us) / rtt_us);
	u32 held;

	c->least_us = min(c->least_us, rtt_us);
	held = (u32)((u64)c->window * c->least_us / rtt_us);
	abt_path_report(&c->m, &(struct abt_path_report) {
		.now_us = n.now_us,
		.rtt_us = rtt_us,
		.base_us = c->least_us,
		.held = held,
		.carried = held,
		.asks = c->asks,
		.bytes = bytes,
		.headroom_q16 = HEADROOM_Q16,
	});
	c->bytes += bytes;
	/* as DRS, and as congestion control: a sixteenth more a round trip, 3/10 less if the queue is full */
	c->asks = max(2 * held, 64u << 10);
	if (rtt_us - base_us > ROOM_US)
		c->cwnd = max(c->window / 10 * 7, 16u << 10);
	else if (c->cwnd < 2 * c->window)
		c->cwnd += c->cwnd / 16;
	c->window = min(min(c->asks, c->cwnd), c->m.share);
	c->told_us = n.now_us;
	c->next_us = n.now_us + rtt_us;
}

static void run_for(u64 us)
{
	u64 until_us = n.now_us + us;

	for (;;) {
		struct conn *c = &n.conn[0];

		for (u32 i = 1; i < n.conns; i++)
			if (n.conn[i].next_us < c->next_us)
				c = &n.conn[i];
		if (c->next_us > until_us)
			break;
		n.now_us = c->next_us;
		report(c);
	}
	n.now_us = until_us;
}

/* Mbit/s of a connection over a while. */
static void measure(u64 us)
{
	for (u32 i = 0; i < n.conns; i++)
		n.conn[i].bytes = 0;
	run_for(us);
}

static u32 mbps(u32 i, u64 us)
{
	return (u32)(n.conn[i].bytes * 8 / us);
}

/* A peer with one connection, some round trips before the next. */
static void one_starts(u32 i, u32 base_us, u32 link, u64 net)
{
	add_peer_of(i, base_us, net);
	add_conn(i, link);
	run_for(2000000);
}

static const u32 bases[] = { 20000, 60000, 120000, 200000 };

static void four_peers_start(u64 net_of_the_last)
{
	begin();
	for (u32 i = 0; i < 4; i++)
		one_starts(i, bases[i], 0, i < 3 ? 1 : net_of_the_last);
	run_for(SETTLED_US);
}

static void four_peers_are_one_path(struct abt_test *t)
{
	four_peers_start(1);
	measure(SETTLED_US);
	for (u32 i = 0; i < 4; i++) {
		EXPECT_AT(t, i, n.remote[i].path->peers, ==, 4);
		EXPECT_AT(t, i, n.remote[i].base_us, >=, bases[i] - bases[i] / 64);
		EXPECT_AT(t, i, n.remote[i].base_us, <=, bases[i] + 10000);
		EXPECT_AT(t, i, mbps(i, SETTLED_US), >=, 44);
		EXPECT_AT(t, i, mbps(i, SETTLED_US), <=, 56);
	}
	EXPECT(t, queue_us(0), <=, 20000);
	end();
}

/* What another namespace receives is none of ours. */
static void namespaces_are_not_merged(struct abt_test *t)
{
	four_peers_start(2);
	for (u32 i = 0; i < 4; i++)
		EXPECT_AT(t, i, n.remote[i].path->peers, ==, i < 3 ? 3 : 1);
	end();
}

/* A peer's route changes: its own bottleneck is used, and the others have the rest. */
static void another_bottleneck_is_another_path(struct abt_test *t)
{
	four_peers_start(1);
	n.conn[3].link = 1;
	run_for(SETTLED_US);
	EXPECT(t, n.remote[3].path->peers, ==, 1);
	EXPECT(t, n.remote[3].apart_until_us, >, n.remote[3].path->time_us);
	EXPECT(t, n.remote[0].path->peers, ==, 3);
	measure(SETTLED_US);
	EXPECT(t, mbps(3, SETTLED_US), >=, 190);
	for (u32 i = 0; i < 3; i++)
		EXPECT_AT(t, i, mbps(i, SETTLED_US), >=, 60);
	end();
}

/* Nine look alike; one of them has a bottleneck of its own, and goes alone. */
static void an_intruder_goes_alone(struct abt_test *t)
{
	begin();
	for (u32 i = 0; i < 9; i++) {
		add_peer(i, 50000);
		add_conn(i, i == 8);
		run_for(500000);
	}
	add_conn(8, 1);
	run_for(3 * SETTLED_US);
	measure(10 * SETTLED_US);
	for (u32 i = 0; i < 8; i++)
		EXPECT_AT(t, i, mbps(i, 10 * SETTLED_US), >=, 22);
	EXPECT(t, mbps(8, 10 * SETTLED_US) + mbps(9, 10 * SETTLED_US), >=, 180);
	EXPECT(t, n.remote[8].path->peers, ==, 1);
	end();
}

/* The least round trips that a peer remembers are of a shorter route: others' do not suffer. */
static void a_longer_route_breaks_no_base(struct abt_test *t)
{
	begin();
	for (u32 i = 0; i < 4; i++)
		one_starts(i, 50000 + i * 1000, 0, 1);
	run_for(SETTLED_US);
	n.base_us[3] += 60000;
	n.conn[3].least_us = U32_MAX;
	n.conn[3].next_us += 12000000;
	for (u32 k = 0; k < 10; k++) {
		run_for(SETTLED_US);
		for (u32 i = 0; i < 3; i++)
			EXPECT_AT(t, k, abt_remote_floor(&n.remote[i]), >=, 45000);
	}
	measure(SETTLED_US);
	for (u32 i = 0; i < 4; i++)
		EXPECT_AT(t, i, mbps(i, SETTLED_US), >=, 40);
	end();
}

/* One that comes to them with a base of a shorter route changes nobody else's. */
static void members_keep_their_floors(struct abt_test *t)
{
	begin();
	for (u32 i = 0; i < 4; i++)
		one_starts(i, 50000, i == 3, 1);
	run_for(SETTLED_US);
	EXPECT(t, n.remote[0].path->peers, ==, 3);
	n.base_us[3] += 40000;
	n.conn[3].link = 0;
	n.conn[3].least_us = U32_MAX;
	for (u32 k = 0; k < 30; k++) {
		run_for(1000000);
		for (u32 i = 0; i < 3; i++)
			EXPECT_AT(t, k, abt_remote_floor(&n.remote[i]), >=, 45000);
	}
	end();
}

/* However much more of a queue another sees. */
static void a_floor_falls_by_half(struct abt_test *t)
{
	begin();
	add_peer(0, 50000);
	add_conn(0, 0);
	run_for(1000000);
	abt_remote_lower_floor(&n.remote[0], 60000);
	EXPECT(t, abt_remote_floor(&n.remote[0]), ==, 25000);
	end();
}

/* A base of a thirtieth of the others': its least buffer alone is a long queue. */
static void a_near_one_is_apart(struct abt_test *t)
{
	begin();
	for (u32 i = 0; i < 3; i++)
		one_starts(i, i ? 100000 + i * 20000 : 4000, 0, 1);
	run_for(2 * SETTLED_US);
	EXPECT(t, n.remote[0].path->peers, ==, 1);
	EXPECT(t, n.remote[1].path->peers, ==, 2);
	end();
}

/* Merged, and for minutes nothing tells that it is right: a peer goes, but not one that is alone. */
static void merges_lapse(struct abt_test *t)
{
	four_peers_start(2);
	for (u32 i = 0; i < 4; i++) {
		EXPECT_AT(t, i, abt_merge_lapses(&n.remote[i]), ==, false);
		n.remote[i].agreed_us -= 1 << 28;
		EXPECT_AT(t, i, abt_merge_lapses(&n.remote[i]), ==, i < 3);
	}
	run_for(SETTLED_US);
	EXPECT(t, n.remote[0].path->peers, ==, 3);
	end();
}

/* Who has no connection is alone, and those that stay share on. */
static void a_peer_goes(struct abt_test *t)
{
	four_peers_start(1);
	abt_path_quit(&n.conn[3].m);
	n.conns--;
	abt_merge_forget(&n.remote[3]);
	EXPECT(t, n.remote[3].path->peers, ==, 1);
	EXPECT(t, n.remote[0].path->peers, ==, 3);
	run_for(SETTLED_US / 4);
	measure(SETTLED_US);
	for (u32 i = 0; i < 3; i++)
		EXPECT_AT(t, i, mbps(i, SETTLED_US), >=, 60);
	end();
}

/* As long a queue, but two bottlenecks: one of two connections, one of six. */
static void two_bottlenecks_keep_their_rates(struct abt_test *t)
{
	u32 few = 0, many = 0;

	begin();
	add_peer(0, 50000);
	add_peer(1, 50000);
	for (u32 i = 0; i < 8; i++)
		add_conn(i >= 2, i >= 2);
	run_for(2 * SETTLED_US);
	measure(300000000);
	for (u32 i = 0; i < 8; i++)
		*(i < 2 ? &few : &many) += mbps(i, 300000000);
	EXPECT(t, few, >=, 197);
	EXPECT(t, many, >=, 195);
	end();
}

/* Reports of members that their shares limit, so many bytes each, for some intervals of the meter. */
static void glances(struct abt_watch *w, u32 bytes)
{
	struct abt_glance g = {
		.base_us = 100000,
		.trip_us = 120000,
		.rtt_us = 120000,
		.members = 4,
		.queued = true,
		.seen = true,
		.bytes = bytes,
		.limited = true,
	};

	for (; g.now_us < 4000000 && w->shared; g.now_us += 30000)
		abt_watch_report(w, &g);
}

/* Sharing took rate before, because others had it that are on the path now: that is over. */
static void what_was_before_is_not_judged(struct abt_test *t)
{
	struct abt_watch w = { .shared = true, .rate = 100000, .same_rate = 100000 };

	abt_watch_join(&w, 0, 0);
	glances(&w, 1000);
	EXPECT(t, w.shared, ==, true);
}

/* The rate that came with a peer is there, or sharing took it: however many come. */
static void a_join_hides_no_loss(struct abt_test *t)
{
	struct abt_watch w = { .shared = true, .rate = 40000, .last_rate = 40000 };

	abt_watch_join(&w, 0, 20000);
	EXPECT(t, w.rate, ==, 60000);
	abt_watch_join(&w, 0, 0);
	EXPECT(t, w.rate, ==, 60000);
	glances(&w, 1000);
	EXPECT(t, w.stopped, ==, true);
}

/* A path that tells an old time is not compared in its place again. */
static void comparisons_go_forward(struct abt_test *t)
{
	begin();
	add_peer(0, 50000);
	add_conn(0, 0);
	run_for(1000000);
	EXPECT(t, abt_merge_is_due(n.now_us + 10000), ==, true);
	abt_merge_look(&n.remote[0], n.now_us + 10000);
	EXPECT(t, abt_merge_is_due(n.now_us), ==, false);
	abt_merge_look(&n.remote[0], n.now_us);
	EXPECT(t, abt_merge_is_due(n.now_us + 10000), ==, false);
	end();
}

/* Whoever comes, goes and is put together: a path counts those that are on it. */
static void paths_count_their_peers(struct abt_test *t)
{
	begin();
	for (u32 i = 0; i < PEERS; i++)
		add_peer(i, 10000 + i * 10000);
	for (u32 i = 0; i < CONNS; i++)
		add_conn(i % PEERS, 0);
	for (u64 step = 0; step < t->steps / 16; step++) {
		u32 i = abt_test_below(t, CONNS), peer = n.conn[i].peer;
		u64 bases_us = 0;
		u32 peers = 0;

		n.now_us += abt_test_below(t, 60000);
		if (abt_test_below(t, 256)) {
			n.conn[i].window = (16 << 10) + abt_test_below(t, 512 << 10);
			n.extra_us[0] = step / 512 % 64 * 1000;
			report(&n.conn[i]);
		} else {
			abt_path_quit(&n.conn[i].m);
			if (abt_test_below(t, 2))
				abt_merge_forget(&n.remote[peer]);
			abt_path_enter(&n.conn[i].m, &n.remote[peer]);
		}
		for (u32 p = 0; p < PEERS; p++) {
			if (n.remote[p].path != n.remote[peer].path)
				continue;
			peers++;
			bases_us += n.remote[p].base_us;
		}
		EXPECT_AT(t, step, n.remote[peer].path->peers, ==, peers);
		EXPECT_AT(t, step, n.remote[peer].path->bases_us, ==, bases_us);
	}
	end();
}

const struct abt_case abt_merge_cases[] = {
	{ "merge: four peers are one path", four_peers_are_one_path },
	{ "merge: namespaces are not merged", namespaces_are_not_merged },
	{ "merge: another bottleneck is another path", another_bottleneck_is_another_path },
	{ "merge: an intruder goes alone", an_intruder_goes_alone },
	{ "merge: a longer route breaks no base", a_longer_route_breaks_no_base },
	{ "merge: members keep their floors", members_keep_their_floors },
	{ "merge: a floor falls by half", a_floor_falls_by_half },
	{ "merge: a near one is apart", a_near_one_is_apart },
	{ "merge: merges lapse", merges_lapse },
	{ "merge: a peer goes", a_peer_goes },
	{ "merge: two bottlenecks keep their rates", two_bottlenecks_keep_their_rates },
	{ "merge: what was before is not judged", what_was_before_is_not_judged },
	{ "merge: a join hides no loss", a_join_hides_no_loss },
	{ "merge: comparisons go forward", comparisons_go_forward },
	{ "merge: paths count their peers", paths_count_their_peers },
	{ }
};
