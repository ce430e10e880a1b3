// SPDX-License-Identifier: GPL-2.0
/* A path's shares, against an emulated bottleneck: windows in, round trips and rates out. */
#include "cases.h"
#include "path/delays.h"
#include "path/member.h"
#include "path/merge.h"
#include "path/path.h"
#include "path/remote.h"

#define MEMBERS		8
#define BASE_US		100000u
/* what the bottleneck carries in a base round trip [bytes] */
#define HOLDS		(8u << 20)
#define HEADROOM_Q16	(ABT_Q16_ONE / 5)
/* round trips until the rate is steady, and windows have given way by a sixteenth each */
#define SETTLED		150
/* four packets, which BBR has under way when it looks at the base [bytes] */
#define FEW		(4u * 1448)
/* for so many round trips, 200 ms at least, and again after so many, 10 s */
#define LOOK_TRIPS	3
#define LOOKS_APART	80
/* sharing stops beside other traffic after so many round trips: three intervals of a rate */
#define OTHERS_TRIPS	27
/* and while others leave, after as many as this */
#define LEAVERS_TRIPS	100
/* of one that is alone, after four, because it gives way more slowly */
#define ALONE_TRIPS	36

/**
 * struct bottleneck - members, and what else stands in the queue
 * @remote: the peer of all members
 * @member: its members
 * @asks: window that each asks for
 * @window: window that each has
 * @now_us: time
 * @other: window of traffic that is not ours
 * @fills: windows up to which such traffic fills the queue, whatever ours are; 0: it does not
 * @alone: what the bottleneck of member 0 carries that it has for itself; 0: it has not
 * @jitter_us: round trips are longer by so much, for no queue
 * @lossy: segments are lost
 * @room_us: the queue has room for so much, and the rest is lost [us]; 0: for all
 * @pauses: members from this one on are streams whose senders pause, round trips of which are
 *	twice as long; 0: none
 * @told: it is known that they pause
 * @drains: all members drain their windows, to what the path held at first
 * @yield: members that have next to nothing under way, by themselves, a bit each
 * @faster: the path holds so many times more than at first; 0: it does not
 * @waits: ACKs wait, so that windows have to be larger by this part for the same rate [percent]
 */
static struct bottleneck {
	struct abt_remote remote;
	struct abt_path_member member[MEMBERS];
	u32 asks[MEMBERS];
	u32 window[MEMBERS];
	u64 now_us;
	u32 other;
	u32 fills;
	u32 alone;
	u32 jitter_us;
	bool lossy;
	u32 room_us;
	u32 pauses;
	bool told;
	bool spares;
	bool drains;
	u32 yield;
	u32 faster;
	u32 waits;
} b;

static void come(u32 i, u32 asks, u32 window)
{
	abt_path_enter(&b.member[i], &b.remote);
	b.asks[i] = asks;
	b.window[i] = window;
}

/* Together the members begin with what one of them asks for. */
static void start(u32 members, u32 asks)
{
	memset(&b, 0, sizeof(b));
	abt_remote_init(&b.remote, 1);
	for (u32 i = 0; i < members; i++)
		come(i, asks, asks / members);
}

static void quit(u32 i)
{
	abt_path_quit(&b.member[i]);
	b.member[i].path = NULL;
}

static void fall_silent(u32 i)
{
	b.asks[i] = 0;
	b.window[i] = 0;
}

static void stop(void)
{
	for (u32 i = 0; i < MEMBERS; i++)
		if (b.member[i].path)
			quit(i);
	abt_merge_forget(&b.remote);
	abt_remote_exit(&b.remote);
}

/* What is under way of a window, if the rest of it is for ACKs that wait. */
static u32 moves(u32 i)
{
	return (u32)((u64)b.window[i] * 100 / (100 + b.waits));
}

static u64 sum(void)
{
	u64 all = b.other;

	for (u32 i = !!b.alone; i < MEMBERS; i++)
		if (b.member[i].path)
			all += moves(i);
	return max_t(u64, all, b.fills);
}

static u32 queued_us(u64 windows, u32 holds)
{
	return windows <= holds ? BASE_US : (u32)(windows * BASE_US / holds);
}

static u32 rtt_us(void)
{
	return queued_us(sum(), b.faster ? b.faster * HOLDS : HOLDS) + b.jitter_us;
}

static u32 rtt_us_of(u32 i)
{
	return b.alone && !i ? queued_us(b.window[i], b.alone) : rtt_us();
}

static bool overflows(void)
{
	return b.room_us && rtt_us() > BASE_US + b.room_us;
}

/* A round trip: all members report in turn, each window that changes is under way at once. */
static void round_trip(u32 headroom_q16)
{
	for (u32 i = 0; i < MEMBERS; i++) {
		bool pauses = b.pauses && i >= b.pauses;
		u32 trip_us = rtt_us_of(i) + (pauses ? BASE_US : 0);

		b.now_us += rtt_us() / MEMBERS;
		if (!b.member[i].path || !b.asks[i])
			continue;
		abt_path_report(&b.member[i], &(struct abt_path_report) {
			.now_us = b.now_us,
			.rtt_us = overflows() ? BASE_US + b.room_us : trip_us,
			.base_us = BASE_US,
			.held = (u32)((u64)b.window[i] * BASE_US / trip_us),
			.carried = (u32)((u64)moves(i) * BASE_US / trip_us),
			.asks = b.asks[i],
			.bytes = (u32)((u64)moves(i) * rtt_us() / trip_us),
			.headroom_q16 = headroom_q16,
			.line = i ? 0 : abt_line_take(&b.member[0].line),
			.paused = pauses && b.told,
			.spares = b.spares,
			.lossy = b.lossy || overflows(),
			.drains = b.drains,
		});
		b.window[i] = min(b.asks[i], b.member[i].share);
		if (b.drains)
			b.window[i] = min(b.window[i], HOLDS / b.remote.path->members);
		if (b.yield & BIT(i))
			b.window[i] = min(b.window[i], FEW);
	}
}

static void round_trips(u32 count)
{
	while (count--)
		round_trip(HEADROOM_Q16);
}

/* Until sharing is tried again; bounded, should it not have stopped. */
static void wait_while_stopped(void)
{
	for (u32 n = 0; n < 10000 && b.remote.path->watch.stopped; n++)
		round_trips(1);
}

/* Until sharing stops; bounded, should it not. Return: round trips, from when it began. */
static u32 trips_until_stopped(void)
{
	u32 shared = 0;

	for (u32 n = 0; n < 1000 && !b.remote.path->watch.stopped; n++) {
		round_trips(1);
		shared += b.remote.path->watch.shared;
	}
	return shared;
}

/* Four times the path in all: shares become equal, and the queue is the headroom. */
static void queue_is_the_headroom(struct abt_test *t)
{
	for (u32 n = 1; n <= MEMBERS; n++) {
		start(n, 4 * HOLDS / n);
		round_trips(SETTLED);
		EXPECT_AT(t, n, b.remote.path->watch.shared, ==, true);
		EXPECT_AT(t, n, rtt_us(), <=, BASE_US / 100 * 125);
		EXPECT_AT(t, n, rtt_us(), >=, BASE_US / 100 * 105);
		for (u32 i = 0; i < n; i++)
			EXPECT_AT(t, i, b.window[i] / 1000, ==, b.window[0] / 1000);
		stop();
	}
}

/* A queue that a drain took away does not come back longer, because the path holds no more. */
static void a_drain_shows_no_room(struct abt_test *t)
{
	for (u32 n = 1; n <= MEMBERS; n++) {
		start(n, 4 * HOLDS / n);
		round_trips(SETTLED);
		b.drains = true;
		round_trips(3);
		b.drains = false;
		for (u32 trip = 0; trip < 8; trip++) {
			round_trips(1);
			EXPECT_AT(t, trip, sum(), <=, HOLDS / 100 * 130);
		}
		EXPECT_AT(t, n, sum(), >=, HOLDS);
		stop();
	}
}

/* But if the path became faster meanwhile, what arrives tells that, and it is filled as soon as without a drain. */
static void a_drain_hides_no_room(struct abt_test *t)
{
	start(4, 4 * HOLDS);
	round_trips(SETTLED);
	b.drains = true;
	round_trips(3);
	b.drains = false;
	b.faster = 2;
	round_trips(3);
	EXPECT(t, sum(), >=, 2 * HOLDS / 16 * 15);
	stop();
}

/* A queue with room for hardly more than the headroom overflows no more once it is known. */
static void a_queue_that_overflows_is_shorter(struct abt_test *t)
{
	for (u32 n = 2; n <= MEMBERS; n++) {
		start(n, 4 * HOLDS / n);
		b.room_us = BASE_US / 100 * 22;
		round_trips(SETTLED);
		for (u32 trip = 0; trip < SETTLED; trip++) {
			round_trips(1);
			EXPECT_AT(t, n, overflows(), ==, false);
			EXPECT_AT(t, n, sum(), >=, HOLDS);
			EXPECT_AT(t, n, sum(), <=, HOLDS / 100 * 117);
		}
		stop();
	}
}

/* A deep one has the headroom, though it overflowed before windows were shared. */
static void a_deep_queue_keeps_the_headroom(struct abt_test *t)
{
	start(4, 2 * HOLDS);
	b.room_us = BASE_US;
	round_trips(SETTLED);
	EXPECT(t, sum(), >=, HOLDS / 100 * 118);
	stop();
}

/* Segments that are lost beside next to no queue leave a sixteenth, and not for ever. */
static void losses_leave_some_headroom(struct abt_test *t)
{
	start(4, HOLDS / 400 * 102);
	for (u32 i = 0; i < 4; i++)
		b.window[i] = b.asks[i];
	b.lossy = true;
	round_trips(8);
	b.lossy = false;
	for (u32 i = 0; i < 4; i++)
		b.asks[i] = HOLDS;
	round_trips(SETTLED);
	EXPECT(t, sum(), >=, HOLDS / 100 * 105);
	EXPECT(t, sum(), <=, HOLDS / 100 * 112);
	round_trips(2 * (ABT_OVERFLOW_KNOWN_US / BASE_US));
	EXPECT(t, sum(), >=, HOLDS / 100 * 118);
	stop();
}

/* In a short queue a path that becomes faster is filled, some round trips later. */
static void a_short_queue_hides_no_room(struct abt_test *t)
{
	start(4, 4 * HOLDS);
	b.room_us = BASE_US / 100 * 22;
	round_trips(SETTLED);
	b.faster = 2;
	round_trips(30);
	EXPECT(t, sum(), >=, 2 * HOLDS / 16 * 15);
	stop();
}

/* Percent of what the path carries that it did carry over so many round trips. */
static u32 used_over(u32 trips)
{
	u64 used = 0;

	for (u32 trip = 0; trip < trips; trip++) {
		round_trips(1);
		used += min_t(u64, sum(), HOLDS);
	}
	return (u32)(used * 100 / trips / HOLDS);
}

/* Members of a short queue are replaced, one after another, by ones that start small. */
static void a_short_queue_is_filled_by_who_follows(struct abt_test *t)
{
	start(8, 4 * HOLDS);
	b.room_us = BASE_US / 100 * 22;
	round_trips(SETTLED);
	for (u32 trip = 0; trip < 50; trip++) {
		u32 next = trip % 8;

		quit(next);
		come(next, HOLDS / 64, HOLDS / 64);
		for (u32 i = 0; i < 8; i++)
			b.asks[i] = min(2 * b.asks[i], 4 * HOLDS);
		EXPECT_AT(t, trip, used_over(4), >=, 95);
	}
	stop();
}

/* ACKs wait, as on a radio link: what windows are larger for that is no queue. */
static void a_short_queue_leaves_room_for_waits(struct abt_test *t)
{
	for (u32 waits = 10; waits <= 100; waits += 15) {
		start(4, 2 * HOLDS);
		b.room_us = BASE_US / 100 * 30;
		round_trips(SETTLED);
		b.waits = waits;
		for (u32 n = 0; n < 10; n++) {
			b.lossy = true;
			round_trips(1);
			b.lossy = false;
			EXPECT_AT(t, waits, used_over(39), >=, n ? 98 : 90);
		}
		stop();
	}
}

/* The queue is gone while a member looks at the base by itself: that shows no room for the others. */
static void a_look_shows_no_room(struct abt_test *t)
{
	start(3, 4 * HOLDS);
	round_trips(SETTLED);
	b.yield = BIT(0);
	for (u32 trip = 0; trip < LOOK_TRIPS; trip++) {
		round_trips(1);
		EXPECT_AT(t, trip, b.window[1], <=, HOLDS / 100 * 50);
	}
	b.yield = 0;
	for (u32 trip = 0; trip < 4; trip++) {
		round_trips(1);
		EXPECT_AT(t, trip, sum(), <=, HOLDS / 100 * 140);
	}
	stop();
}

/* A member's pause is its peer's own, so round trips in it count when peers are compared. */
static void a_look_spoils_no_delays(struct abt_test *t)
{
	struct abt_delays seen;

	start(4, 4 * HOLDS);
	round_trips(SETTLED);
	abt_delays_begin(&seen, b.now_us);
	b.remote.delays = &seen;
	for (u32 trip = 0; trip < SETTLED; trip++) {
		b.yield = trip % 24 < 4 ? BIT(0) : 0;
		round_trips(1);
	}
	b.remote.delays = NULL;
	for (u32 i = 0; i < ABT_DELAYS_SLOTS; i++)
		EXPECT_AT(t, i, seen.mean_us[i], !=, ABT_DELAYS_NONE);
	stop();
}

/* Where all windows fit, nothing is shared. */
static void no_queue_no_share(struct abt_test *t)
{
	start(4, HOLDS / 4);
	round_trips(50);
	EXPECT(t, b.remote.path->watch.shared, ==, false);
	for (u32 i = 0; i < 4; i++)
		EXPECT_AT(t, i, b.member[i].share, ==, ABT_PATH_ALL);
	stop();
}

/* A member that asks for little has all of it, the others have the rest. */
static void small_one_keeps_its_own(struct abt_test *t)
{
	start(4, 2 * HOLDS);
	b.asks[0] = HOLDS / 64;
	round_trips(SETTLED);
	EXPECT(t, b.window[0], ==, HOLDS / 64);
	EXPECT(t, b.window[1], ==, b.window[2]);
	EXPECT(t, sum(), >=, HOLDS);
	stop();
}

/* A newcomer has its share within some round trips, though the path is full. */
static void newcomer_has_its_share(struct abt_test *t)
{
	start(3, 2 * HOLDS);
	fall_silent(2);
	round_trips(SETTLED);
	b.asks[2] = 2 * HOLDS;
	b.window[2] = HOLDS / 64;
	round_trips(12);
	EXPECT(t, b.window[2], ==, b.window[0]);
	EXPECT(t, rtt_us(), <=, BASE_US / 100 * 130);
	stop();
}

/* What a silent member held is shared out among the others. */
static void silent_one_counts_for_nothing(struct abt_test *t)
{
	start(2, 2 * HOLDS);
	round_trips(SETTLED);
	EXPECT(t, b.window[0], <=, HOLDS);
	fall_silent(1);
	round_trips(60);
	EXPECT(t, b.remote.path->members, ==, 1);
	EXPECT(t, sum(), >=, HOLDS);
	b.asks[1] = 2 * HOLDS;
	b.window[1] = HOLDS / 64;
	round_trips(12);
	EXPECT(t, b.remote.path->members, ==, 2);
	stop();
}

/*
 * Other traffic takes what we give away: sharing stops, before much is taken, and for longer each
 * time.
 */
static void other_traffic_ends_sharing(struct abt_test *t)
{
	start(2, 2 * HOLDS);
	b.other = 2 * HOLDS;
	for (u32 i = 0, before = 0; i < 4; i++) {
		EXPECT_AT(t, i, trips_until_stopped(), <=, OTHERS_TRIPS);
		EXPECT_AT(t, i, b.remote.path->watch.stopped, ==, true);
		EXPECT_AT(t, i, b.remote.path->watch.free_us, >, before);
		before = b.remote.path->watch.free_us;
		round_trips(1);
		EXPECT_AT(t, i, b.member[0].share, ==, ABT_PATH_ALL);
		EXPECT_AT(t, i, b.window[0], ==, 2 * HOLDS);
		wait_while_stopped();
	}
	b.other = 0;
	round_trips(SETTLED);
	EXPECT(t, b.remote.path->watch.shared, ==, true);
	EXPECT(t, rtt_us(), <=, BASE_US / 100 * 125);
	stop();
}

/*
 * Traffic that keeps the queue as long as it was takes as much as we give away, and that is little
 * in each round trip.
 */
static void a_queue_that_stays_ends_sharing(struct abt_test *t)
{
	start(2, 2 * HOLDS / 3);
	b.fills = 4 * HOLDS / 3;
	EXPECT(t, trips_until_stopped(), <=, OTHERS_TRIPS);
	EXPECT(t, b.remote.path->watch.stopped, ==, true);
	stop();
}

/* BBR looks at the base, each member when it will: that is no rate that sharing took. */
static void a_look_at_the_base_takes_no_rate(struct abt_test *t)
{
	for (u32 n = 1; n <= MEMBERS; n++) {
		start(n, 4 * HOLDS / n);
		round_trips(SETTLED);
		for (u32 look = 0; look < 20; look++) {
			for (u32 trip = 0; trip < LOOK_TRIPS + 1; trip++) {
				b.yield = trip < LOOK_TRIPS ? 0x55 : 0;
				b.yield |= trip ? 0xaa : 0;
				round_trips(1);
				EXPECT_AT(t, n, b.remote.path->watch.stopped, ==, false);
			}
			b.yield = 0;
			round_trips(LOOKS_APART);
			EXPECT_AT(t, n, b.remote.path->watch.stopped, ==, false);
			EXPECT_AT(t, n, rtt_us(), <=, BASE_US / 100 * 130);
		}
		stop();
	}
}

/* A member that does so now and then keeps nobody from seeing that sharing takes rate. */
static void looks_hide_nothing(struct abt_test *t)
{
	u32 trips = 0;

	start(4, 2 * HOLDS);
	b.other = 2 * HOLDS;
	while (trips < 1000 && !b.remote.path->watch.stopped) {
		b.yield = trips % 5 ? 0 : BIT(0);
		round_trips(1);
		trips += b.remote.path->watch.shared;
	}
	EXPECT(t, trips, <=, 3 * OTHERS_TRIPS);
	stop();
}

/* Members that leave one after another have what they had no more: sharing took none of it. */
static void who_leaves_takes_his_own(struct abt_test *t)
{
	start(MEMBERS, HOLDS);
	round_trips(SETTLED);
	for (u32 i = MEMBERS - 1; i; i--) {
		quit(i);
		round_trips(6);
		EXPECT_AT(t, i, b.remote.path->watch.stopped, ==, false);
	}
	EXPECT(t, b.remote.path->watch.shared, ==, true);
	stop();
}

/* Where they are replaced at once, nobody knows: sharing stops. */
static void who_is_replaced_ends_sharing(struct abt_test *t)
{
	u32 trips = 0;

	start(MEMBERS, HOLDS);
	b.other = 2 * HOLDS;
	for (; trips < 1000 && !b.remote.path->watch.stopped; trips++) {
		round_trips(1);
		if (!b.remote.path->watch.shared) {
			trips = 0;
		} else if (trips % 4 == 0) {
			quit(trips / 4 % MEMBERS);
			come(trips / 4 % MEMBERS, HOLDS, b.window[trips / 4 % MEMBERS]);
		}
	}
	EXPECT(t, trips, <=, 2 * OTHERS_TRIPS);
	stop();
}

/* Nor does it go on because one of the others looks at the base now and then. */
static void looks_hide_no_replacement(struct abt_test *t)
{
	for (u32 every = 8; every <= 40; every += 8) {
		u32 trips = 0;

		start(4, 2 * HOLDS);
		round_trips(SETTLED);
		b.other = 2 * HOLDS;
		for (; trips < 1000 && !b.remote.path->watch.stopped; trips++) {
			u32 i = 1 + trips / 3 % 3;

			b.yield = trips % every ? 0 : BIT(0);
			if (trips % 3 == 0) {
				quit(i);
				come(i, 2 * HOLDS, HOLDS / 16);
			}
			round_trips(1);
		}
		EXPECT_AT(t, every, trips, <=, 4 * OTHERS_TRIPS);
		stop();
	}
}

/* If the next one begins a round trip later, the intervals between tell that nothing is taken. */
static void who_follows_takes_no_rate(struct abt_test *t)
{
	for (u32 every = 10; every < 16; every++) {
		start(4, HOLDS);
		round_trips(SETTLED);
		for (u32 trip = 0; trip < 3 * SETTLED; trip++) {
			u32 i = trip / every % 4;

			if (trip % every == 0)
				quit(i);
			if (trip % every == 1)
				come(i, HOLDS, b.window[i]);
			round_trips(1);
			EXPECT_AT(t, every, b.remote.path->watch.stopped, ==, false);
		}
		stop();
	}
}

/*
 * A group of members comes and goes, each time for so many round trips; without connections, or
 * silent. Nobody else is on the path.
 */
static void group(struct abt_test *t, u32 first, u32 on, u32 off, bool silent)
{
	start(4, HOLDS);
	round_trips(SETTLED);
	for (u32 trip = 0; trip < 4 * SETTLED; trip++) {
		for (u32 i = first; i < 4; i++) {
			if (trip % (on + off) == on && silent) {
				fall_silent(i);
			} else if (trip % (on + off) == on) {
				quit(i);
			} else if (trip && trip % (on + off) == 0 && silent) {
				b.asks[i] = HOLDS;
				b.window[i] = HOLDS / 16;
			} else if (trip && trip % (on + off) == 0) {
				come(i, HOLDS, HOLDS / 16);
			}
		}
		round_trips(1);
		EXPECT_AT(t, trip, b.remote.path->watch.stopped, ==, false);
	}
	stop();
}

static void groups_take_no_rate(struct abt_test *t)
{
	group(t, 2, 8, 4, false);
	group(t, 2, 10, 2, false);
	group(t, 1, 6, 8, false);
	group(t, 1, 6, 12, true);
	group(t, 1, 14, 6, true);
	group(t, 1, 14, 14, true);
}

/* Beside other traffic those that stay are seen to lose rate, however many leave. */
static void who_leaves_hides_nothing(struct abt_test *t)
{
	for (u32 tenths = 6; tenths <= 20; tenths += 2) {
		u32 trips = 0;

		start(MEMBERS, 4 * HOLDS);
		round_trips(SETTLED);
		b.other = tenths * (HOLDS / 10);
		for (; trips < 1000 && !b.remote.path->watch.stopped; trips++) {
			if (trips % 8 == 7 && trips / 8 < MEMBERS - 2)
				quit(trips / 8);
			round_trips(1);
		}
		EXPECT_AT(t, tenths, trips, <=, LEAVERS_TRIPS);
		stop();
	}
}

/* Who has a bottleneck for himself, wider than the others' shares, has it most of the time. */
static void own_bottleneck_is_used(struct abt_test *t)
{
	u32 narrow = 0, trips = 2000;

	start(MEMBERS, 2 * HOLDS);
	b.alone = HOLDS;
	for (u32 n = 0; n < trips; n++) {
		round_trips(1);
		narrow += b.window[0] < b.alone;
	}
	EXPECT(t, narrow, <=, trips / 10);
	EXPECT(t, b.remote.path->watch.shared, ==, true);
	EXPECT(t, rtt_us(), <=, BASE_US / 100 * 130);
	stop();
}

/* Half of the round trip is jitter: most of the time windows are not shared. */
static void jitter_is_no_queue(struct abt_test *t)
{
	u32 shared = 0, trips = 2000;

	start(4, HOLDS / 4);
	b.jitter_us = BASE_US / 2;
	for (u32 n = 0; n < trips; n++) {
		round_trips(1);
		shared += b.remote.path->watch.shared;
	}
	EXPECT(t, shared, <=, trips / 20);
	stop();
}

/* A quarter of the round trip is jitter: one that is alone would give way to it, by a little each trip. */
static void jitter_takes_no_rate_of_one_alone(struct abt_test *t)
{
	start(1, 5 * (HOLDS / 4));
	b.jitter_us = BASE_US / 4;
	EXPECT(t, trips_until_stopped(), <=, ALONE_TRIPS);
	EXPECT(t, b.remote.path->watch.stopped, ==, true);
	EXPECT(t, b.window[0], >=, HOLDS / 4 * 3);
	stop();
}

static void nothing_is_shared(struct abt_test *t)
{
	for (u32 n = 0; n < 200; n++) {
		round_trips(1);
		EXPECT_AT(t, n, b.remote.path->watch.shared, ==, false);
	}
}

/* Streams whose senders pause see no queue: each has the window for its next burst. */
static void a_pause_is_no_queue(struct abt_test *t)
{
	start(4, HOLDS / 64);
	b.pauses = 1;
	b.told = true;
	quit(0);
	nothing_is_shared(t);
	stop();
}

/* A long round trip of a connection that is alone, and spares its window, is no queue; of two it is. */
static void a_spared_window_makes_no_queue(struct abt_test *t)
{
	start(1, HOLDS * 2);
	b.spares = true;
	nothing_is_shared(t);
	stop();
	start(2, HOLDS);
	b.spares = true;
	round_trips(SETTLED);
	EXPECT(t, b.remote.path->watch.shared, ==, true);
	stop();
}

/* A newcomer beside streams is not held to what they hold, whatever they say of a queue. */
static void streams_hold_no_newcomer(struct abt_test *t)
{
	start(4, HOLDS / 64);
	b.pauses = 1;
	fall_silent(0);
	for (u32 n = 0; n < SETTLED && !b.remote.path->watch.shared; n++)
		round_trips(1);
	EXPECT(t, b.remote.path->watch.shared, ==, true);
	b.asks[0] = HOLDS;
	b.window[0] = HOLDS / 256;
	round_trips(2);
	EXPECT(t, b.window[0], ==, HOLDS);
	stop();
}

/* Many small members that see a queue do not speak for one that holds most and sees none. */
static void small_ones_speak_for_few(struct abt_test *t)
{
	start(MEMBERS, HOLDS / 256);
	b.pauses = 1;
	b.asks[0] = HOLDS / 2;
	b.window[0] = HOLDS / 2;
	nothing_is_shared(t);
	stop();
}

/* A burst makes a queue for a round trip: nothing is shared. */
static void burst_is_no_queue(struct abt_test *t)
{
	start(4, HOLDS / 8);
	for (u32 n = 0; n < 200; n++) {
		b.jitter_us = n % 4 ? 0 : BASE_US / 2;
		round_trips(1);
		EXPECT_AT(t, n, b.remote.path->watch.shared, ==, false);
	}
	stop();
}

/* Among short exchanges, each of them silent most of the time, a long one has what they leave. */
static void long_one_among_short_ones(struct abt_test *t)
{
	start(MEMBERS, 2 * HOLDS);
	for (u32 i = 1; i < MEMBERS; i++)
		b.window[i] = 0;
	for (u32 n = 0; n < 400; n++) {
		for (u32 i = 1; i < MEMBERS; i++) {
			b.asks[i] = (n + i) % 40 ? 0 : HOLDS / 64;
			b.window[i] = b.asks[i];
		}
		round_trips(1);
		if (n > 40)
			EXPECT_AT(t, n, b.window[0], >=, HOLDS / 16 * 15);
	}
	EXPECT(t, rtt_us(), <=, BASE_US / 100 * 130);
	stop();
}

/* A round trip in which a short one comes and goes. */
static void with_a_short_one(u32 i)
{
	come(i, HOLDS / 256, HOLDS / 256);
	round_trips(1);
	quit(i);
	fall_silent(i);
}

/* Short ones that come and go do not keep the others from seeing that sharing takes rate. */
static void short_ones_hide_nothing(struct abt_test *t)
{
	u64 windows = 0;
	u32 trips = 2000;

	start(4, 2 * HOLDS);
	quit(3);
	round_trips(SETTLED);
	EXPECT(t, b.remote.path->watch.shared, ==, true);
	b.other = 2 * HOLDS;
	for (u32 n = 0; n < trips; n++) {
		if (n % 5)
			round_trips(1);
		else
			with_a_short_one(3);
		windows += sum() - b.other;
	}
	EXPECT(t, windows / trips, >=, 3 * HOLDS);
	stop();
}

/* Who is alone and loses segments has the window that it asks for. */
static void lossy_one_alone_shares_nothing(struct abt_test *t)
{
	start(1, 2 * HOLDS);
	round_trips(SETTLED);
	EXPECT(t, b.remote.path->watch.shared, ==, true);
	b.lossy = true;
	round_trips(1);
	EXPECT(t, b.window[0], ==, 2 * HOLDS);
	b.lossy = false;
	round_trips(50);
	EXPECT(t, b.window[0], ==, 2 * HOLDS);
	round_trips(2 * SETTLED);
	EXPECT(t, b.remote.path->watch.shared, ==, true);
	stop();
}

/* With the others gone, who is left has all of the path. */
static void the_last_one_has_all(struct abt_test *t)
{
	start(4, 2 * HOLDS);
	round_trips(SETTLED);
	for (u32 i = 1; i < 4; i++) {
		quit(i);
		round_trips(20);
	}
	EXPECT(t, b.window[0], >=, HOLDS);
	EXPECT(t, b.remote.path->watch.stopped, ==, false);
	stop();
}

/* A connection whose base is ten times the path's has a path of its own. */
static void another_way_counts_for_nothing(struct abt_test *t)
{
	const struct abt_path_report far = {
		.rtt_us = 12 * BASE_US,
		.base_us = 10 * BASE_US,
		.held = HOLDS,
		.bytes = HOLDS,
		.asks = 2 * HOLDS,
		.headroom_q16 = HEADROOM_Q16,
	};
	struct abt_path_member *m = &b.member[2];

	start(3, 2 * HOLDS);
	fall_silent(2);
	for (u32 i = 0; i < SETTLED; i++) {
		struct abt_path_report r = far;

		round_trips(1);
		r.now_us = b.now_us;
		abt_path_report(m, &r);
		EXPECT_AT(t, i, m->share, ==, ABT_PATH_ALL);
	}
	EXPECT(t, b.remote.path->members, ==, 2);
	EXPECT(t, b.remote.path->watch.shared, ==, true);
	EXPECT(t, rtt_us(), <=, BASE_US / 100 * 125);
	stop();
}

/* No headroom, no share. */
static void headroom_0_shares_nothing(struct abt_test *t)
{
	start(2, 2 * HOLDS);
	for (u32 i = 0; i < 20; i++)
		round_trip(0);
	EXPECT(t, b.window[0], ==, 2 * HOLDS);
	stop();
}

/* Member 0 has seen two trains of a bottleneck that holds so much. */
static void tell_line(u32 holds)
{
	for (u32 n = 0; n < 2; n++)
		abt_line_train(&b.member[0].line, holds / 4, BASE_US / 4, BASE_US);
}

/* If the bottleneck is known, windows are shared before a queue stands, and none comes to stand. */
static void a_known_line_is_shared(struct abt_test *t)
{
	start(2, 2 * HOLDS);
	fall_silent(1);
	b.window[0] = HOLDS / 4;
	tell_line(HOLDS);
	round_trips(1);
	EXPECT(t, b.window[0], <=, HOLDS / 100 * 125);
	EXPECT(t, b.window[0], >=, HOLDS / 100 * 115);
	b.window[1] = HOLDS / 64;
	for (u32 n = 0; n < SETTLED; n++) {
		b.asks[1] = min(6 * b.window[1], 2 * HOLDS);	/* as growth asks */
		round_trips(1);
		EXPECT_AT(t, n, rtt_us(), <=, BASE_US / 100 * 200);
	}
	EXPECT(t, rtt_us(), <=, BASE_US / 100 * 125);
	EXPECT(t, b.window[1], ==, b.window[0]);
	stop();
}

/* A bottleneck that turns out to carry more is not the one that was known. */
static void a_slow_line_is_forgotten(struct abt_test *t)
{
	start(1, 2 * HOLDS);
	b.window[0] = HOLDS / 8;
	tell_line(HOLDS / 4);
	round_trips(1);
	EXPECT(t, b.window[0], <=, HOLDS / 3);
	round_trips(2);
	EXPECT(t, b.window[0], ==, 2 * HOLDS);
	stop();
}

/* A path that holds a few packets of segmentation offload is not shared for that. */
static void a_short_line_is_not_shared(struct abt_test *t)
{
	start(1, 2 * HOLDS);
	b.window[0] = 100000;
	tell_line(600000);
	round_trips(1);
	EXPECT(t, b.member[0].share, ==, ABT_PATH_ALL);
	tell_line(700000);
	round_trips(1);
	EXPECT(t, b.member[0].share, !=, ABT_PATH_ALL);
	stop();
}

/* A round trip without a queue of member 0, which is alone. */
static void calm_trip(u32 held, u32 carried)
{
	b.now_us += BASE_US;
	abt_path_report(&b.member[0], &(struct abt_path_report) {
		.now_us = b.now_us,
		.rtt_us = BASE_US,
		.base_us = BASE_US,
		.held = held,
		.carried = carried,
		.asks = 4 * HOLDS,
		.bytes = carried,
		.headroom_q16 = HEADROOM_Q16,
		.line = abt_line_take(&b.member[0].line),
	});
}

/* More than the bottleneck holds is another one's; if ACKs seem to wait, only if it waits as well. */
static void waits_are_judged_by_what_came(struct abt_test *t)
{
	static const struct {
		u32 held, carried;
		bool known;
	} rows[] = {
		{ HOLDS, HOLDS, true },
		{ HOLDS / 2 * 3, HOLDS / 2 * 3, false },
		{ HOLDS / 2 * 3, HOLDS / 20 * 19, true },
		{ HOLDS / 2 * 3, HOLDS / 2, false },
	};

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		start(1, 4 * HOLDS);
		tell_line(HOLDS);
		for (u32 n = 0; n < 3; n++)
			calm_trip(HOLDS / 2, HOLDS / 2);
		EXPECT_AT(t, i, b.member[0].share, !=, ABT_PATH_ALL);
		calm_trip(rows[i].held, rows[i].carried);
		EXPECT_AT(t, i, b.member[0].share != ABT_PATH_ALL, ==, rows[i].known);
		stop();
	}
}

/* What is known counts for some round trips, of a path that does not fill. */
static void a_known_line_ends(struct abt_test *t)
{
	start(1, 2 * HOLDS);
	b.window[0] = HOLDS / 4;
	tell_line(2 * HOLDS);
	round_trips(1);
	EXPECT(t, b.member[0].share, !=, ABT_PATH_ALL);
	b.asks[0] = HOLDS / 2;
	round_trips(40);
	EXPECT(t, b.member[0].share, ==, ABT_PATH_ALL);
	stop();
}

/* A member that has seen no train, and no queue, may have another bottleneck. */
static void another_line_is_not_bound(struct abt_test *t)
{
	start(2, 2 * HOLDS);
	b.window[0] = HOLDS / 8;
	b.window[1] = HOLDS / 8;
	tell_line(HOLDS / 2);
	round_trips(1);
	EXPECT(t, b.member[0].share, !=, ABT_PATH_ALL);
	EXPECT(t, b.member[1].share, ==, ABT_PATH_ALL);
	stop();
}

/* Who loses segments, and is alone, needs a window that its cwnd can grow back into. */
static void a_loss_ends_what_is_known(struct abt_test *t)
{
	start(1, 2 * HOLDS);
	b.window[0] = HOLDS / 4;
	b.lossy = true;
	tell_line(HOLDS);
	round_trips(1);
	EXPECT(t, b.member[0].share, ==, ABT_PATH_ALL);
	stop();
}

/* Members that were silent for longer than 32 bits can tell hold nothing. */
static void a_long_silence_is_one(struct abt_test *t)
{
	static const u64 silent_us[] = { 1ULL << 30, 1ULL << 31, 5ULL << 29, 1ULL << 32, 1ULL << 33 };

	for (u32 i = 0; i < ARRAY_SIZE(silent_us); i++) {
		start(4, 2 * HOLDS);
		fall_silent(3);
		round_trips(SETTLED);
		EXPECT_AT(t, i, b.remote.path->members, ==, 3);
		for (u32 m = 0; m < 3; m++)
			fall_silent(m);
		b.asks[3] = 2 * HOLDS;
		b.window[3] = HOLDS / 4;
		b.now_us += silent_us[i];
		round_trips(2);
		EXPECT_AT(t, i, b.remote.path->members, ==, 1);
		EXPECT_AT(t, i, b.member[3].share, ==, ABT_PATH_ALL);
		stop();
	}
}

/* A reader that was away tells an old time: nothing is taken for silence, nor for calm. */
static void time_goes_on_alone(struct abt_test *t)
{
	start(2, 2 * HOLDS);
	round_trips(SETTLED);
	EXPECT(t, b.remote.path->watch.shared, ==, true);
	for (u32 i = 1; i <= 20; i++) {
		abt_path_report(&b.member[0], &(struct abt_path_report) {
			.now_us = b.now_us - i * 30000,
			.rtt_us = BASE_US,
			.base_us = BASE_US,
			.held = b.member[0].held,
			.asks = 2 * HOLDS,
			.headroom_q16 = HEADROOM_Q16,
		});
		EXPECT_AT(t, i, b.remote.path->watch.shared, ==, true);
		EXPECT_AT(t, i, b.remote.path->members, ==, 2);
	}
	stop();
}

/* Whoever comes and goes: sums are those of the members. */
static void sums_are_the_members(struct abt_test *t)
{
	start(0, 0);
	for (u64 step = 0; step < t->steps; step++) {
		u32 i = abt_test_below(t, MEMBERS), held = 0, waits = 0, queued = 0, active = 0;

		b.now_us += abt_test_below(t, 200000);
		if (!b.member[i].path)
			abt_path_enter(&b.member[i], &b.remote);
		if (abt_test_below(t, 64))
			abt_path_report(&b.member[i], &(struct abt_path_report) {
				.now_us = b.now_us,
				.rtt_us = 1 + abt_test_below(t, 1000000),
				.base_us = 1 + abt_test_below(t, 1000000),
				.held = abt_test_below(t, HOLDS),
				.carried = abt_test_below(t, HOLDS),
				.asks = abt_test_below(t, 4 * HOLDS),
				.headroom_q16 = HEADROOM_Q16,
			});
		else
			quit(i);
		for (u32 m = 0; m < MEMBERS; m++) {
			if (!b.member[m].path || list_empty(&b.member[m].active))
				continue;
			held += b.member[m].held;
			waits += b.member[m].waits;
			queued += b.member[m].queued;
			active++;
		}
		EXPECT_AT(t, step, b.remote.path->held_now, ==, held);
		EXPECT_AT(t, step, b.remote.path->waits, ==, waits);
		EXPECT_AT(t, step, b.remote.path->queued, ==, queued);
		EXPECT_AT(t, step, b.remote.path->members, ==, active);
	}
	stop();
}

const struct abt_case abt_path_cases[] = {
	{ "path: the queue is the headroom", queue_is_the_headroom },
	{ "path: no queue, no share", no_queue_no_share },
	{ "path: a small one keeps its own", small_one_keeps_its_own },
	{ "path: a newcomer has its share", newcomer_has_its_share },
	{ "path: a silent one counts for nothing", silent_one_counts_for_nothing },
	{ "path: other traffic ends sharing", other_traffic_ends_sharing },
	{ "path: a queue that stays ends sharing", a_queue_that_stays_ends_sharing },
	{ "path: jitter takes no rate of one alone", jitter_takes_no_rate_of_one_alone },
	{ "path: a look at the base takes no rate", a_look_at_the_base_takes_no_rate },
	{ "path: looks hide nothing", looks_hide_nothing },
	{ "path: who leaves takes his own", who_leaves_takes_his_own },
	{ "path: who is replaced ends sharing", who_is_replaced_ends_sharing },
	{ "path: looks hide no replacement", looks_hide_no_replacement },
	{ "path: who follows takes no rate", who_follows_takes_no_rate },
	{ "path: groups take no rate", groups_take_no_rate },
	{ "path: who leaves hides nothing", who_leaves_hides_nothing },
	{ "path: an own bottleneck is used", own_bottleneck_is_used },
	{ "path: jitter is no queue", jitter_is_no_queue },
	{ "path: a pause is no queue", a_pause_is_no_queue },
	{ "path: a spared window makes no queue", a_spared_window_makes_no_queue },
	{ "path: streams hold no newcomer", streams_hold_no_newcomer },
	{ "path: small ones speak for few", small_ones_speak_for_few },
	{ "path: a burst is no queue", burst_is_no_queue },
	{ "path: a long one among short ones", long_one_among_short_ones },
	{ "path: short ones hide nothing", short_ones_hide_nothing },
	{ "path: a drain shows no room", a_drain_shows_no_room },
	{ "path: a drain hides no room", a_drain_hides_no_room },
	{ "path: a queue that overflows is shorter", a_queue_that_overflows_is_shorter },
	{ "path: a deep queue keeps the headroom", a_deep_queue_keeps_the_headroom },
	{ "path: losses leave some headroom", losses_leave_some_headroom },
	{ "path: a short queue hides no room", a_short_queue_hides_no_room },
	{ "path: a short queue is filled by who follows", a_short_queue_is_filled_by_who_follows },
	{ "path: a short queue leaves room for waits", a_short_queue_leaves_room_for_waits },
	{ "path: a look shows no room", a_look_shows_no_room },
	{ "path: a look spoils no delays", a_look_spoils_no_delays },
	{ "path: a lossy one alone shares nothing", lossy_one_alone_shares_nothing },
	{ "path: the last one has all", the_last_one_has_all },
	{ "path: who comes another way counts for nothing", another_way_counts_for_nothing },
	{ "path: headroom 0 shares nothing", headroom_0_shares_nothing },
	{ "path: time goes on alone", time_goes_on_alone },
	{ "path: a known line is shared", a_known_line_is_shared },
	{ "path: a slow line is forgotten", a_slow_line_is_forgotten },
	{ "path: a short line is not shared", a_short_line_is_not_shared },
	{ "path: waits are judged by what came", waits_are_judged_by_what_came },
	{ "path: a known line ends", a_known_line_ends },
	{ "path: another line is not bound", another_line_is_not_bound },
	{ "path: a loss ends what is known", a_loss_ends_what_is_known },
	{ "path: a long silence is one", a_long_silence_is_one },
	{ "path: sums are those of the members", sums_are_the_members },
	{ }
};
