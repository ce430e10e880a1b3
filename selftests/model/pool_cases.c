// SPDX-License-Identifier: GPL-2.0
/* One pool, and one under another: what members are told, granted and charged. */
#ifdef __KERNEL__
#include <linux/delay.h>
#endif

#include "cases.h"
#include "pool/level.h"
#include "pool/pool.h"
#include "pool/room.h"
#include "pool/stake.h"

#define MIB		(1U << 20)
#define MEMBERS		8
#define CROWD		5000	/* more than a segment has bytes */
#define A_SEGMENT	4608U

static struct abt_pool host, net;
static struct abt_stake stakes[MEMBERS];
static atomic_t generation;

static void host_init(u64 size)
{
	memset(&host, 0, sizeof(host));
	memset(stakes, 0, sizeof(stakes));
	abt_pool_init(&host, NULL, &generation, size);
}

static void net_init(u64 size)
{
	memset(&net, 0, sizeof(net));
	abt_pool_init(&net, &host, &generation, size);
}

static void join(struct abt_pool *pool, u32 from, u32 to)
{
	for (u32 i = from; i < to; i++)
		abt_stake_join(&stakes[i], pool);
}

static void leave(u32 from, u32 to)
{
	for (u32 i = from; i < to; i++)
		abt_stake_leave(&stakes[i]);
}

/* What a connection does at an event: says its demand, takes what it is given. */
static u32 event(u32 i, u32 demand, u32 floor)
{
	u32 grant = max(abt_stake_demand(&stakes[i], demand), floor);

	return abt_stake_charge(&stakes[i], grant, floor);
}

/* Rounds of everyone's events, with a tick after each, until at rest. */
static void settle(const u32 *demands, u32 n)
{
	for (u32 round = 0; round < 4; round++) {
		for (u32 i = 0; i < n; i++)
			event(i, demands[i], 0);
		run_timer(&host.tick);
	}
}

static struct abt_pool_stat stat_of(struct abt_pool *pool)
{
	struct abt_pool_stat stat;

	abt_pool_stat(pool, &stat);
	return stat;
}

static void expect_empty(struct abt_test *t, struct abt_pool *pool)
{
	struct abt_pool_stat stat = stat_of(pool);

	EXPECT(t, stat.members, ==, 0);
	EXPECT(t, stat.charged, ==, 0);
	EXPECT(t, stat.demand, ==, 0);
	EXPECT(t, stat.level, ==, ABT_LEVEL_NONE);
	abt_pool_exit(pool);
}

static const u32 four_mib[] = { 4 * MIB, 4 * MIB, 4 * MIB, 4 * MIB };

static void all_leave(struct abt_test *t, u32 members)
{
	leave(0, members);
	expect_empty(t, &host);
}

/* ATBT's 900 for 100 / 350 / 400, and SABT's 300 for 20 / 200 / 800; then nothing is left to do. */
static void papers_examples(struct abt_test *t)
{
	static const struct {
		u32 size, demands[3], charged[3], level;
	} rows[] = {
		{ 900, { 100, 350, 400 }, { 100, 350, 400 }, ABT_LEVEL_NONE },
		{ 300, { 20, 200, 800 }, { 20, 140, 140 }, 140 },
	};

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		host_init(rows[i].size);
		join(&host, 0, 3);
		settle(rows[i].demands, 3);
		for (u32 j = 0; j < 3; j++)
			EXPECT_AT(t, i, stakes[j].charged, ==, rows[i].charged[j]);
		EXPECT_AT(t, i, stat_of(&host).level, ==, rows[i].level);
		EXPECT_AT(t, i, timer_pending(&host.tick), ==, false);
		all_leave(t, 3);
	}
}

/* SABT's own answer to its example: the 80 that the first leaves go as 200 : 800. */
static void sabt_example(struct abt_test *t)
{
	static const u32 demands[] = { 20, 200, 800 };

	host_init(300);
	abt_pool_set_share(&host, ABT_SHARE_PROPORTIONAL);
	join(&host, 0, 3);
	settle(demands, 3);
	EXPECT(t, stakes[0].charged, ==, 20);
	EXPECT(t, stakes[1].charged, ==, 115);	/* 116, but for what Q16 leaves */
	EXPECT(t, stakes[2].charged, ==, 163);
	EXPECT(t, stat_of(&host).level, ==, 100);

	abt_pool_resize(&host, 1020);
	settle(demands, 3);
	EXPECT(t, stakes[2].charged, ==, 800);
	EXPECT(t, stat_of(&host).level, ==, ABT_LEVEL_NONE);
	EXPECT(t, stat_of(&host).slope_q16, ==, 0);

	abt_pool_resize(&host, 300);
	abt_pool_set_share(&host, ABT_SHARE_MAXMIN);
	settle(demands, 3);
	EXPECT(t, stakes[1].charged, ==, 140);
	EXPECT(t, stat_of(&host).slope_q16, ==, 0);
	all_leave(t, 3);
}

/* A slope that moves is news, and the tick finds it. */
static void slope_is_told(struct abt_test *t)
{
	u32 demands[] = { 20000, 200000, 800000 };
	int before;

	host_init(300000);
	abt_pool_set_share(&host, ABT_SHARE_PROPORTIONAL);
	join(&host, 0, 3);
	settle(demands, 3);
	before = atomic_read(&generation);
	demands[0] = 60000;
	event(0, demands[0], 0);
	run_timer(&host.tick);
	EXPECT(t, atomic_read(&generation), >, before);
	settle(demands, 3);
	EXPECT(t, stakes[0].charged, ==, 60000);
	EXPECT(t, stakes[1].charged, <=, 108000);
	EXPECT(t, stakes[1].charged, >=, 107900);
	EXPECT(t, stakes[2].charged, <=, 132000);
	EXPECT(t, stakes[2].charged, >=, 131900);
	all_leave(t, 3);
}

/* Into contention and out of it the level moves at once, with news of it. */
static void contention_begins_and_ends_at_once(struct abt_test *t)
{
	int news;

	host_init(MIB);
	join(&host, 0, 2);
	news = atomic_read(&generation);
	EXPECT(t, event(0, MIB, 0), ==, MIB);
	EXPECT(t, stat_of(&host).level, ==, ABT_LEVEL_NONE);
	run_timer(&host.tick);
	EXPECT(t, atomic_read(&generation), ==, news);
	EXPECT(t, timer_pending(&host.tick), ==, false);

	EXPECT(t, event(1, MIB, 1000), ==, 1000);	/* full: the floor alone */
	EXPECT(t, stat_of(&host).level, ==, MIB / 2);
	EXPECT(t, atomic_read(&generation), !=, news);
	EXPECT(t, timer_pending(&host.tick), ==, true);
	EXPECT(t, stat_of(&host).refused, ==, 1);

	EXPECT(t, event(0, MIB, 1000), ==, MIB / 2);
	EXPECT(t, event(1, MIB, 1000), ==, MIB / 2);

	news = atomic_read(&generation);
	EXPECT(t, event(0, MIB / 4, 1000), ==, MIB / 4);
	EXPECT(t, event(1, MIB / 2, 1000), ==, MIB / 2);
	EXPECT(t, stat_of(&host).level, ==, ABT_LEVEL_NONE);
	EXPECT(t, atomic_read(&generation), !=, news);
	EXPECT(t, run_timer(&host.tick), ==, true);
	EXPECT(t, run_timer(&host.tick), ==, false);	/* it stopped */
	all_leave(t, 2);
}

/* Four that want all, a fifth that comes, one that goes: equal shares each time. */
static void newcomer_gets_its_share(struct abt_test *t)
{
	static const u32 all[MEMBERS] = { MIB, MIB, MIB, MIB, MIB, MIB, MIB, MIB };

	host_init(MIB);
	for (u32 n = 1; n <= MEMBERS; n++) {
		join(&host, n - 1, n);
		settle(all, n);
		for (u32 i = 0; i < n; i++)
			EXPECT_AT(t, n, stakes[i].charged, ==, MIB / n);
		EXPECT_AT(t, n, stat_of(&host).charged, <=, MIB);
	}
	for (u32 n = MEMBERS - 1; n; n--) {
		leave(n, n + 1);
		settle(all, n);
		for (u32 i = 0; i < n; i++)
			EXPECT_AT(t, n, stakes[i].charged, ==, MIB / n);
	}
	all_leave(t, 1);
}

/* A floor is given however full the pool; nothing is taken by asking for more. */
static void floors_and_refusals(struct abt_test *t)
{
	host_init(10000);
	join(&host, 0, 3);
	EXPECT(t, abt_stake_charge(&stakes[0], 10000, 100), ==, 10000);
	EXPECT(t, abt_stake_charge(&stakes[1], 5000, 100), ==, 100);
	EXPECT(t, stat_of(&host).charged, ==, 10100);
	EXPECT(t, abt_stake_charge(&stakes[1], 5000, 100), ==, 100);
	EXPECT(t, abt_stake_charge(&stakes[2], 0, 100), ==, 100);
	EXPECT(t, abt_stake_charge(&stakes[2], 0, 50), ==, 50);
	EXPECT(t, stat_of(&host).charged, ==, 10150);
	EXPECT(t, abt_stake_charge(&stakes[0], 8000, 100), ==, 8000);
	EXPECT(t, abt_stake_charge(&stakes[1], 5000, 100), ==, 1950);
	EXPECT(t, stat_of(&host).charged, ==, 10000);
	EXPECT(t, abt_stake_charge(&stakes[1], U32_MAX, 100), ==, 1950);
	all_leave(t, 3);
}

/* A pool cut under what is charged: all give back at their next events. */
static void resize_under_load(struct abt_test *t)
{
	host_init(16 * MIB);
	join(&host, 0, 4);
	settle(four_mib, 4);
	EXPECT(t, stat_of(&host).charged, ==, 16 * MIB);
	abt_pool_resize(&host, 4 * MIB);
	EXPECT(t, stat_of(&host).level, ==, MIB);
	EXPECT(t, stat_of(&host).charged, ==, 16 * MIB);
	settle(four_mib, 4);
	EXPECT(t, stat_of(&host).charged, ==, 4 * MIB);
	abt_pool_resize(&host, 64 * MIB);
	EXPECT(t, stat_of(&host).level, ==, ABT_LEVEL_NONE);
	settle(four_mib, 4);
	EXPECT(t, stat_of(&host).charged, ==, 16 * MIB);
	all_leave(t, 4);
}

/* Under the kernel's memory pressure three quarters are shared out; after it, all. */
static void pressure_takes_a_quarter(struct abt_test *t)
{
	host_init(16 * MIB);
	join(&host, 0, 4);
	settle(four_mib, 4);
	abt_pool_press(&host, true);
	EXPECT(t, stat_of(&host).level, ==, 3 * MIB);
	settle(four_mib, 4);
	EXPECT(t, stat_of(&host).charged, ==, 12 * MIB);
	EXPECT(t, abt_pool_at_ease(&host), ==, false);
	EXPECT(t, abt_pool_cap(&host), ==, 16 * MIB);
	abt_pool_press(&host, false);
	run_timer(&host.tick);
	settle(four_mib, 4);
	EXPECT(t, stat_of(&host).charged, ==, 16 * MIB);
	all_leave(t, 4);
}

/* What members round up by is not shared out, but for what there is beside; half always is. */
static void rounding_is_not_shared_out(struct abt_test *t)
{
	host_init(16 * MIB);
	join(&host, 0, 2);
	settle(four_mib, 2);
	abt_pool_set_rounding(&host, MIB, 2 * MIB);
	EXPECT(t, abt_pool_whole(&host), ==, 16 * MIB);
	join(&host, 2, 4);
	EXPECT(t, stat_of(&host).members, ==, 4);
	EXPECT(t, abt_pool_whole(&host), ==, 14 * MIB);
	settle(four_mib, 4);
	run_timer(&host.tick);
	EXPECT(t, stat_of(&host).level, ==, 14 * MIB / 4);
	settle(four_mib, 4);
	EXPECT(t, stat_of(&host).charged, ==, 14 * MIB);
	EXPECT(t, abt_pool_cap(&host), ==, 16 * MIB);

	abt_pool_set_rounding(&host, 4 * MIB, 0);
	EXPECT(t, abt_pool_whole(&host), ==, 8 * MIB);
	abt_pool_set_rounding(&host, 0, 0);
	run_timer(&host.tick);
	EXPECT(t, abt_pool_whole(&host), ==, 16 * MIB);
	settle(four_mib, 4);
	EXPECT(t, stat_of(&host).charged, ==, 16 * MIB);
	all_leave(t, 4);
}

/* First come, first served: no level, the last one finds what is left. */
static void fcfs_hands_out_what_is_left(struct abt_test *t)
{
	host_init(10 * MIB);
	abt_pool_set_share(&host, ABT_SHARE_FCFS);
	join(&host, 0, 3);
	EXPECT(t, event(0, 8 * MIB, 3000), ==, 8 * MIB);
	EXPECT(t, event(1, 8 * MIB, 3000), ==, 2 * MIB);
	EXPECT(t, event(2, 8 * MIB, 3000), ==, 3000);
	EXPECT(t, stat_of(&host).level, ==, ABT_LEVEL_NONE);

	abt_pool_set_share(&host, ABT_SHARE_MAXMIN);
	EXPECT(t, stat_of(&host).level, ==, 10 * MIB / 3);
	abt_pool_set_share(&host, ABT_SHARE_FCFS);
	EXPECT(t, stat_of(&host).level, ==, ABT_LEVEL_NONE);
	all_leave(t, 3);
}

/*
 * A level that creeps has to be told as well as one that jumps: at no time may it
 * stand further than 1/64 from where it stood when there was news last. One that stands is not told.
 */
static void creeping_level_is_told(struct abt_test *t)
{
	u32 told, level, demand = MIB;
	int news;

	host_init(MIB);
	join(&host, 0, 2);
	event(0, 4 * MIB, 0);
	event(1, demand, 0);
	run_timer(&host.tick);
	told = stat_of(&host).level;
	news = atomic_read(&generation);
	for (u32 i = 0; i < 400; i++) {
		u64 size = MIB + i * (MIB / 200);

		abt_pool_resize(&host, size);
		run_timer(&host.tick);
		level = stat_of(&host).level;
		if (atomic_read(&generation) != news) {
			news = atomic_read(&generation);
			told = level;
		}
		EXPECT_AT(t, i, level - told, <=, told >> 6);
	}
	for (u32 i = 0; i < 4; i++) {
		abt_stake_demand(&stakes[0], (5 + i) * MIB);
		run_timer(&host.tick);
	}
	EXPECT(t, atomic_read(&generation), ==, news);
	all_leave(t, 2);
}

/* How often connections were told of something since the counter stood there. */
static int tellings_since(u32 news)
{
	u32 more = (u32)atomic_read(&generation) - news;

	return (int)(more / ABT_NEWS_ALL + more % ABT_NEWS_ALL);
}

/* What a demand that comes and goes by so much, many times, makes connections do. */
static int news_of_a_demand_between(u32 less, u32 more)
{
	int news = atomic_read(&generation);

	for (u32 i = 0; i < 100; i++) {
		abt_stake_demand(&stakes[1], i & 1 ? more : less);
		run_timer(&host.tick);
	}
	return tellings_since(news);
}

/*
 * Demands that are now a little less than a pool and now a little more are told of once. It is
 * contended until 1/32 of it is left. A demand that others left no room for is told of that room.
 */
static void the_edge_is_told_once(struct abt_test *t)
{
	host_init(4 * MIB);
	join(&host, 0, 2);
	event(0, 2 * MIB, 0);
	event(1, 2 * MIB + 1000, 0);
	EXPECT(t, abt_pool_contended(&host), ==, true);
	EXPECT(t, news_of_a_demand_between(2 * MIB - 10000, 2 * MIB + 10000), <=, 1);
	EXPECT(t, abt_pool_contended(&host), ==, true);

	event(1, 2 * MIB - 4 * MIB / 32, 0);
	run_timer(&host.tick);
	EXPECT(t, abt_pool_contended(&host), ==, false);
	EXPECT(t, news_of_a_demand_between(2 * MIB - 200000, 2 * MIB - 10000), ==, 0);
	EXPECT(t, news_of_a_demand_between(2 * MIB - 200000, 2 * MIB + 200000), >=, 99);
	all_leave(t, 2);
}

/* Does a member that asks for @from and then for @to have the pool look for its level again? */
static bool moves_the_level(u32 from, u32 to)
{
	event(0, from, 0);
	run_timer(&host.tick);
	event(0, to, 0);
	return timer_pending(&host.tick);
}

/*
 * A demand that is cut before and after it moves leaves the level as it is, so no tick looks for
 * it. In proportional shares each demand counts.
 */
static void the_cut_move_no_level(struct abt_test *t)
{
	host_init(4 * MIB);
	join(&host, 0, 4);
	settle(four_mib, 4);
	EXPECT(t, stat_of(&host).level, ==, MIB);
	EXPECT(t, moves_the_level(4 * MIB, 2 * MIB), ==, false);
	EXPECT(t, stat_of(&host).demand, ==, 14 * MIB);
	EXPECT(t, stat_of(&host).level, ==, MIB);
	EXPECT(t, moves_the_level(4 * MIB, MIB / 2), ==, true);
	EXPECT(t, moves_the_level(4 * MIB, MIB + 1), ==, true);	/* in the level's bucket */
	EXPECT(t, moves_the_level(MIB / 2, 4 * MIB), ==, true);
	abt_pool_set_share(&host, ABT_SHARE_PROPORTIONAL);
	EXPECT(t, moves_the_level(4 * MIB, 2 * MIB), ==, true);
	all_leave(t, 4);
}

/* A level that rises while a demand moves, which was above the old one, is found once more. */
static void a_move_meanwhile_is_heard(struct abt_test *t)
{
	host_init(4 * MIB);
	join(&host, 0, 4);
	settle(four_mib, 4);
	event(0, 3 * MIB, 0);
	EXPECT(t, timer_pending(&host.tick), ==, false);
	spin_lock_bh(&host.levels);
	host.size = 15 * MIB;
	abt_level_refresh(&host);
	spin_unlock_bh(&host.levels);
	EXPECT(t, timer_pending(&host.tick), ==, true);
	run_timer(&host.tick);
	EXPECT(t, host.level, ==, ABT_LEVEL_NONE);
	all_leave(t, 4);
}

/* So long, for the pool too. A kernel's clock is its own. */
static void pass(u32 ms)
{
#ifdef __KERNEL__
	msleep(ms);
#else
	jiffies += ms;
#endif
}

/* As long as anything that a pool waits for: refused growth, and the end of a small cut [ms]. */
#define LONGEST_WAIT_MS	5000

/* All that a pool has to do for now, and later because of that, is done. */
static void comes_to_rest(struct abt_pool *pool)
{
	for (u32 i = 0; i < 4; i++) {
		pass(LONGEST_WAIT_MS);
		run_timer(&pool->tick);
		run_timer(&pool->retry);
	}
}

/*
 * Demands that fall step by step end a contention, though nobody asks for the pool's figures,
 * which would gather them: on the way down, and if the last connection leaves.
 */
static void ends_without_a_look(struct abt_test *t)
{
	host_init(4 * MIB);
	join(&host, 0, 2);
	event(0, 2 * MIB, 0);
	event(1, 3 * MIB, 0);
	comes_to_rest(&host);
	EXPECT(t, abt_pool_contended(&host), ==, true);
	event(1, 8 * MIB / 5, 0);
	comes_to_rest(&host);
	event(0, 2 * MIB, 0);
	comes_to_rest(&host);
	event(0, MIB / 8, 0);
	comes_to_rest(&host);
	event(1, MIB / 8, 0);
	comes_to_rest(&host);
	EXPECT(t, abt_pool_contended(&host), ==, false);
	leave(0, 2);
	comes_to_rest(&host);
	EXPECT(t, abt_pool_contended(&host), ==, false);
	join(&host, 0, 1);
	event(0, 3 * MIB, 0);
	EXPECT(t, abt_pool_contended(&host), ==, false);
	all_leave(t, 1);
}

/*
 * News of a level that moved concerns those alone that get more or less by it. A pool that turns
 * short, or is so no more, is news for all; so is one that refused growth though it is not short.
 */
static void levels_concern_some(struct abt_test *t)
{
	u32 news;

	host_init(4 * MIB);
	join(&host, 0, 3);
	event(0, MIB, 0);
	news = atomic_read(&generation);
	event(1, 4 * MIB, 0);
	event(2, 4 * MIB, 0);
	run_timer(&host.tick);
	EXPECT(t, (u32)atomic_read(&generation) - news, >=, ABT_NEWS_ALL);
	abt_stake_demand(&stakes[1], 4 * MIB);
	abt_stake_demand(&stakes[2], 4 * MIB);

	news = atomic_read(&generation);
	abt_stake_demand(&stakes[2], MIB + MIB / 4);
	run_timer(&host.tick);
	EXPECT(t, (u32)atomic_read(&generation) - news, ==, ABT_NEWS_LEVEL);
	EXPECT(t, abt_stake_regrant(&stakes[0]), ==, false);
	EXPECT(t, abt_stake_regrant(&stakes[1]), ==, true);
	abt_stake_demand(&stakes[1], 4 * MIB);
	EXPECT(t, abt_stake_regrant(&stakes[1]), ==, false);

	news = atomic_read(&generation);
	abt_stake_demand(&stakes[1], MIB);
	run_timer(&host.tick);
	EXPECT(t, (u32)atomic_read(&generation) - news, >=, ABT_NEWS_ALL);
	all_leave(t, 3);

	host_init(4 * MIB);
	join(&host, 0, 2);
	event(0, 2 * MIB, 0);
	abt_stake_charge(&stakes[0], 4 * MIB, 0);
	event(1, MIB, 0);
	EXPECT(t, abt_pool_contended(&host), ==, true);
	news = atomic_read(&generation);
	abt_stake_charge(&stakes[0], 2 * MIB, 0);
	run_timer(&host.tick);
	EXPECT(t, abt_pool_contended(&host), ==, false);
	EXPECT(t, (u32)atomic_read(&generation) - news, >=, ABT_NEWS_ALL);
	all_leave(t, 2);
}

/* The bytes that charges are odd by are nothing that came back; what a member gives back is. */
static void an_odd_byte_is_not_told(struct abt_test *t)
{
	int news;

	host_init(4 * MIB);
	join(&host, 0, 4);
	settle(four_mib, 4);
	comes_to_rest(&host);
	abt_stake_charge(&stakes[1], MIB - 1, 0);
	news = atomic_read(&generation);
	for (u32 i = 0; i < 4; i++) {
		abt_stake_charge(&stakes[0], MIB, 0);
		EXPECT(t, abt_stake_charge(&stakes[0], MIB + 2, 0), ==, MIB + 1);
		abt_stake_charge(&stakes[0], MIB, 0);
		comes_to_rest(&host);
	}
	EXPECT(t, stat_of(&host).refused, >=, 4);
	EXPECT(t, atomic_read(&generation), ==, news);
	abt_stake_charge(&stakes[1], MIB / 2, 0);
	comes_to_rest(&host);
	EXPECT(t, atomic_read(&generation), !=, news);
	all_leave(t, 4);
}

/* What one segment takes is worth telling of, however many members have a byte too much each. */
static void a_segment_is_told_of_among_many(struct abt_test *t)
{
	static struct abt_stake many[CROWD];
	int news;

	host_init((u64)(CROWD - 1) * A_SEGMENT);
	abt_pool_set_share(&host, ABT_SHARE_FCFS);
	memset(many, 0, sizeof(many));
	for (u32 i = 0; i < CROWD; i++) {
		abt_stake_join(&many[i], &host);
		abt_stake_charge(&many[i], abt_stake_demand(&many[i], A_SEGMENT), 0);
	}
	EXPECT(t, many[CROWD - 1].charged, ==, 0);
	comes_to_rest(&host);
	news = atomic_read(&generation);
	abt_stake_charge(&many[0], 0, 0);
	comes_to_rest(&host);
	EXPECT(t, atomic_read(&generation), !=, news);
	for (u32 i = 0; i < CROWD; i++)
		abt_stake_leave(&many[i]);
	expect_empty(t, &host);
}

/* A demand that falls within a tick of another that rises by as much is no news. */
static void a_swap_is_not_told(struct abt_test *t)
{
	u32 demands[] = { 4 * MIB, 4 * MIB, MIB / 2, MIB / 4 };
	int news;

	host_init(4 * MIB);
	join(&host, 0, 4);
	settle(demands, 4);
	comes_to_rest(&host);
	news = atomic_read(&generation);
	event(2, MIB / 4, 0);
	pass(1);
	event(3, MIB / 2, 0);
	comes_to_rest(&host);
	EXPECT(t, atomic_read(&generation), ==, news);
	all_leave(t, 4);
}

/* Whoever was refused hears of what came back, and then the tick rests. */
static void refused_are_told(struct abt_test *t)
{
	int news;

	host_init(10 * MIB);
	abt_pool_set_share(&host, ABT_SHARE_FCFS);
	join(&host, 0, 2);
	event(0, 10 * MIB, 0);
	EXPECT(t, event(1, 2 * MIB, 3000), ==, 3000);
	news = atomic_read(&generation);
	run_timer(&host.tick);
	EXPECT(t, atomic_read(&generation), ==, news);
	event(0, 9 * MIB, 0);
	run_timer(&host.tick);
	EXPECT(t, atomic_read(&generation), !=, news);
	EXPECT(t, event(1, MIB, 3000), ==, MIB);
	run_timer(&host.tick);
	EXPECT(t, timer_pending(&host.tick), ==, false);
	all_leave(t, 2);
}

/* Where members hold more than they ask for, and somebody is refused, they are told. */
static void holders_are_told(struct abt_test *t)
{
	int news;

	host_init(10 * MIB);
	join(&host, 0, 2);
	event(0, 4 * MIB, 12 * MIB);
	EXPECT(t, abt_pool_contended(&host), ==, true);
	run_timer(&host.tick);
	event(1, 2 * MIB, 3000);
	news = atomic_read(&generation);
	run_timer(&host.tick);
	run_timer(&host.retry);
	EXPECT(t, atomic_read(&generation), !=, news);
	all_leave(t, 2);
}

/* The largest of many is cut by less than a bucket's width. It is told that it is so no more. */
static void the_end_of_a_small_cut_is_told(struct abt_test *t)
{
	enum { MANY = 100 };
	static const u32 largest = MIB + MIB / 16 - 4096;
	static struct abt_stake many[MANY];
	u32 n;

	memset(many, 0, sizeof(many));
	host_init((u64)(MANY - 1) * MIB + largest - MIB);
	for (n = 0; n < MANY; n++) {
		abt_stake_join(&many[n], &host);
		abt_stake_demand(&many[n], n ? MIB : largest);
	}
	run_timer(&host.tick);
	EXPECT(t, abt_stake_demand(&many[0], largest), <, largest);
	abt_stake_demand(&many[1], 0);
	run_timer(&host.tick);
	EXPECT(t, stat_of(&host).level, ==, ABT_LEVEL_NONE);
	EXPECT(t, host.told, !=, ABT_LEVEL_NONE);
	pass(LONGEST_WAIT_MS);
	run_timer(&host.retry);
	EXPECT(t, host.told, ==, ABT_LEVEL_NONE);
	for (n = 0; n < MANY; n++)
		abt_stake_leave(&many[n]);
	expect_empty(t, &host);
}

/* A refusal at a pool of which next to nothing is left, and given back. Is it told of? */
static bool refused_and_told(u32 ms)
{
	int news = atomic_read(&generation);

	event(1, 2 * MIB, 0);
	abt_stake_charge(&stakes[1], 0, 0);
	pass(ms);
	run_timer(&host.tick);
	return atomic_read(&generation) != news;
}

/*
 * Members that are refused again and again, while nothing comes back, are told of it less
 * and less often. What comes back is told of at the next tick, and a calm makes it as it was.
 */
static void refused_in_vain_are_told_seldom(struct abt_test *t)
{
	u32 told = 0;

	host_init(10 * MIB);
	abt_pool_set_share(&host, ABT_SHARE_FCFS);
	join(&host, 0, 2);
	event(0, 10 * MIB - 1000, 0);
	pass(20 * ABT_POOL_TICK_MS);
	EXPECT(t, refused_and_told(ABT_POOL_TICK_MS), ==, true);
	for (u32 i = 0; i < 64; i++)
		told += refused_and_told(ABT_POOL_TICK_MS);
	EXPECT(t, told, >=, 2);
	EXPECT(t, told, <=, 8);		/* 64 ticks in doubled waits: 6 */
	EXPECT(t, timer_pending(&host.retry), ==, true);

	event(0, 9 * MIB, 0);
	EXPECT(t, refused_and_told(ABT_POOL_TICK_MS), ==, true);
	EXPECT(t, event(1, MIB, 0), ==, MIB);

	abt_stake_charge(&stakes[1], 0, 0);
	event(0, 10 * MIB - 1000, 0);
	EXPECT(t, refused_and_told(2 * ABT_POOL_TICK_MS), ==, true);
	all_leave(t, 2);
}

/* A refusal, and what was refused is there at the next tick. Is it told of by then? */
static bool refused_and_had(u32 i, u32 want, u32 holder, u32 full, u32 less)
{
	int news = atomic_read(&generation);

	abt_stake_charge(&stakes[holder], full, 0);
	abt_stake_charge(&stakes[i], want, 0);
	abt_stake_charge(&stakes[holder], less, 0);
	pass(ABT_POOL_TICK_MS);
	run_timer(&host.tick);
	return atomic_read(&generation) != news;
}

/* Whoever is refused now and then has what comes back at once, however little it is of the pool. */
static void refused_now_and_then_are_told_at_once(struct abt_test *t)
{
	enum { GIVE = MIB / 2 };

	host_init(64 * MIB);
	join(&host, 0, 2);
	event(0, 64 * MIB - GIVE, 0);
	abt_stake_demand(&stakes[1], GIVE);
	for (u32 i = 0; i < 10; i++) {
		pass(20 * ABT_POOL_TICK_MS);
		EXPECT_AT(t, i, refused_and_had(1, GIVE, 0, 64 * MIB - GIVE / 2,
						64 * MIB - GIVE), ==, true);
		EXPECT_AT(t, i, abt_stake_charge(&stakes[1], GIVE, 0), ==, GIVE);
		abt_stake_charge(&stakes[1], 0, 0);
	}
	all_leave(t, 2);
}

/* After news, what many refused in vain before had to wait for is no matter any more. */
static void refused_after_news_are_told_at_once(struct abt_test *t)
{
	host_init(64 * MIB);
	join(&host, 0, 4);
	event(0, 64 * MIB - 1000, 0);
	for (u32 i = 0; i < 64; i++)
		refused_and_told(ABT_POOL_TICK_MS);
	abt_stake_charge(&stakes[0], 32 * MIB, 0);
	abt_stake_demand(&stakes[2], 32 * MIB);
	run_timer(&host.tick);
	pass(10 * ABT_POOL_TICK_MS);
	EXPECT(t, refused_and_had(3, MIB, 2, 32 * MIB, 12 * MIB), ==, true);
	all_leave(t, 4);
}

/*
 * One newcomer among many: the level hardly moves, the pool is full. The others
 * have to hear of it all the same, or the newcomer stays at its floor.
 */
static void one_among_many_is_heard(struct abt_test *t)
{
	enum { MANY = 500 };
	static struct abt_stake many[MANY + 1];
	u32 n, share;
	int news;

	host_init(MANY * MIB);
	memset(many, 0, sizeof(many));
	for (n = 0; n < MANY; n++) {
		abt_stake_join(&many[n], &host);
		abt_stake_demand(&many[n], 2 * MIB);
	}
	run_timer(&host.tick);
	for (n = 0; n < MANY; n++) {
		share = abt_stake_demand(&many[n], 2 * MIB);
		EXPECT_AT(t, n, abt_stake_charge(&many[n], share, 3000), ==, MIB);
	}
	run_timer(&host.tick);

	abt_stake_join(&many[MANY], &host);
	abt_stake_demand(&many[MANY], 2 * MIB);
	EXPECT(t, abt_stake_charge(&many[MANY], MIB, 3000), ==, 3000);
	host.told_at = jiffies - msecs_to_jiffies(1000);	/* the last news was long ago */
	news = atomic_read(&generation);
	run_timer(&host.tick);
	EXPECT(t, atomic_read(&generation), !=, news);
	news = atomic_read(&generation);
	run_timer(&host.tick);
	EXPECT(t, atomic_read(&generation), ==, news);	/* once */

	for (n = 0; n <= MANY; n++)
		abt_stake_leave(&many[n]);
	expect_empty(t, &host);
}

/* A namespace that limits itself: its own level holds, the host sees no more. */
static void namespace_limits_itself(struct abt_test *t)
{
	host_init(16 * MIB);
	net_init(2 * MIB);
	join(&net, 0, 2);
	join(&host, 2, 3);
	for (u32 round = 0; round < 4; round++) {
		event(0, 8 * MIB, 0);
		event(1, 8 * MIB, 0);
		event(2, 8 * MIB, 0);
		run_timer(&net.tick);
		run_timer(&host.tick);
	}
	EXPECT(t, stakes[0].charged, ==, MIB);
	EXPECT(t, stakes[1].charged, ==, MIB);
	EXPECT(t, stakes[2].charged, ==, 8 * MIB);
	EXPECT(t, stat_of(&net).charged, ==, 2 * MIB);
	EXPECT(t, stat_of(&host).charged, ==, 10 * MIB);
	EXPECT(t, stat_of(&host).demand, ==, 10 * MIB);
	EXPECT(t, stat_of(&host).level, ==, ABT_LEVEL_NONE);
	EXPECT(t, abt_pool_cap(&net), ==, 2 * MIB);
	EXPECT(t, abt_pool_cap(&host), ==, 16 * MIB);
	leave(0, 3);
	expect_empty(t, &net);
	expect_empty(t, &host);
}

/* One that asks for more than the host has gets no more than the host gives. */
static void namespace_cannot_take_more(struct abt_test *t)
{
	host_init(4 * MIB);
	net_init((u64)MIB << 20);
	join(&host, 0, 1);
	join(&net, 1, 3);
	EXPECT(t, event(0, MIB, 3000), ==, MIB);
	EXPECT(t, abt_stake_charge(&stakes[1], 8 * MIB, 3000), ==, 3 * MIB);
	EXPECT(t, stat_of(&net).charged, ==, 3 * MIB);	/* not the 8 it had room for */
	EXPECT(t, abt_stake_charge(&stakes[2], 8 * MIB, 3000), ==, 3000);
	EXPECT(t, stat_of(&host).charged, ==, 4 * MIB + 3000);
	EXPECT(t, stat_of(&net).charged, ==, 3 * MIB + 3000);
	EXPECT(t, abt_pool_cap(&net), ==, 4 * MIB);
	leave(0, 3);
	expect_empty(t, &net);
	expect_empty(t, &host);
}

/* Counters: a grant that found all, one that found part, one nothing, a shrink. */
static void counters_count(struct abt_test *t)
{
	static const struct {
		u32 stake, want, grants, shrinks, refused;
	} rows[] = {
		{ 0, 600, 1, 0, 0 },
		{ 1, 600, 2, 0, 1 },
		{ 1, 600, 2, 0, 2 },
		{ 0, 600, 2, 0, 2 },
		{ 0, 500, 2, 1, 2 },
		{ 1, 500, 3, 1, 2 },
	};

	host_init(1000);
	join(&host, 0, 2);
	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		struct abt_pool_stat stat;

		abt_stake_charge(&stakes[rows[i].stake], rows[i].want, 0);
		stat = stat_of(&host);
		EXPECT_AT(t, i, stat.grants, ==, rows[i].grants);
		EXPECT_AT(t, i, stat.shrinks, ==, rows[i].shrinks);
		EXPECT_AT(t, i, stat.refused, ==, rows[i].refused);
	}
	all_leave(t, 2);
}

#define KEPT_OF_HOST	64U	/* the host's pool has so much [ABT_KEPT_BYTES], the namespace's a quarter */

/* What members keep beyond their charges is, with these, half of each pool up the tree. */
static void what_is_kept_is_half(struct abt_test *t)
{
	u32 kept[3];

	host_init((u64)KEPT_OF_HOST * ABT_KEPT_BYTES);
	net_init((u64)KEPT_OF_HOST / 4 * ABT_KEPT_BYTES);
	join(&host, 0, 1);
	join(&net, 1, 3);
	kept[1] = abt_stake_keep(&stakes[1], 0, 100);
	EXPECT(t, kept[1], ==, KEPT_OF_HOST / 8);
	kept[2] = abt_stake_keep(&stakes[2], 0, 1);
	EXPECT(t, kept[2], ==, 0);
	kept[0] = abt_stake_keep(&stakes[0], 0, 100);
	EXPECT(t, kept[0], ==, KEPT_OF_HOST / 2 - kept[1]);
	/* who gives back leaves room for others */
	kept[1] = abt_stake_keep(&stakes[1], kept[1], 0);
	EXPECT(t, kept[1], ==, 0);
	kept[2] = abt_stake_keep(&stakes[2], 0, 4);
	EXPECT(t, kept[2], ==, 4);
	/* a charge takes of it at the next look, with the reserve that comes with it */
	abt_stake_charge(&stakes[1], 6 * ABT_KEPT_BYTES, 0);
	kept[2] = abt_stake_keep(&stakes[2], kept[2], 4);
	EXPECT(t, kept[2], <=, 2);
	kept[0] = abt_stake_keep(&stakes[0], kept[0], 0);
	kept[2] = abt_stake_keep(&stakes[2], kept[2], 0);
	EXPECT(t, atomic64_read(&host.kept), ==, 0);
	EXPECT(t, atomic64_read(&net.kept), ==, 0);
	all_leave(t, 3);
}

const struct abt_case abt_pool_cases[] = {
	{ "pool: the papers' examples through stakes", papers_examples },
	{ "pool: contention begins and ends at once", contention_begins_and_ends_at_once },
	{ "pool: a newcomer gets its share, one that leaves gives it back",
	  newcomer_gets_its_share },
	{ "pool: floors and refusals", floors_and_refusals },
	{ "pool: resized under load", resize_under_load },
	{ "pool: memory pressure takes a quarter", pressure_takes_a_quarter },
	{ "pool: rounding is not shared out", rounding_is_not_shared_out },
	{ "pool: first come, first served", fcfs_hands_out_what_is_left },
	{ "pool: SABT's example, in proportion", sabt_example },
	{ "pool: a slope that moves is told", slope_is_told },
	{ "pool: a creeping level is told", creeping_level_is_told },
	{ "pool: demands of just its size are told of once", the_edge_is_told_once },
	{ "pool: demands that stay cut move no level", the_cut_move_no_level },
	{ "pool: a demand that moves while the level does is heard", a_move_meanwhile_is_heard },
	{ "pool: a swap of demands is not told", a_swap_is_not_told },
	{ "pool: a segment's memory is told of among many", a_segment_is_told_of_among_many },
	{ "pool: the odd bytes of charges are not told", an_odd_byte_is_not_told },
	{ "pool: a contention ends without a look", ends_without_a_look },
	{ "pool: a level that moved concerns some, a turn all", levels_concern_some },
	{ "pool: the end of a small cut is told", the_end_of_a_small_cut_is_told },
	{ "pool: whoever was refused is told of what came back", refused_are_told },
	{ "pool: who holds more than he asks for is told", holders_are_told },
	{ "pool: whoever is refused in vain is told seldom", refused_in_vain_are_told_seldom },
	{ "pool: whoever is refused now and then is told at once",
	  refused_now_and_then_are_told_at_once },
	{ "pool: whoever is refused after news is told at once",
	  refused_after_news_are_told_at_once },
	{ "pool: one newcomer among many is heard", one_among_many_is_heard },
	{ "pool: a namespace limits itself", namespace_limits_itself },
	{ "pool: a namespace cannot take more than the host gives",
	  namespace_cannot_take_more },
	{ "pool: counters", counters_count },
	{ "pool: what is kept beyond charges is half", what_is_kept_is_half },
	{ }
};
