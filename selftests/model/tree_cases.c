// SPDX-License-Identifier: GPL-2.0
/*
 * A host's pool and two namespaces' under it, against an exact model, through
 * random joins, leaves, demands, charges, resizes, ways of sharing and ticks.
 */
#ifndef __KERNEL__
#include <linux/smp.h>
#endif

#include "cases.h"
#include "exact.h"
#include "pool/pool.h"
#include "pool/stake.h"

enum { HOST, NET_A, NET_B, POOLS };

#define MEMBERS		48
#define SHARES		(ABT_SHARE_FCFS + 1)
#define NOWHERE		POOLS

/* In steps: how often figures and levels are looked at, and all come to rest. */
#define FIGURES_EVERY	16
#define LEVELS_EVERY	256
#define REST_EVERY	2048

/*
 * Rounds of all events until all are at rest: levels of namespaces come first, then
 * the host's, then grants; the last finds what the one before gave back.
 */
#define ROUNDS		4

/* What a pool has to show. */
struct pool_model {
	u64 size, charged;
	u32 members;
	enum abt_share share;
};

/* What a member has to show: what it asked for, and as each pool on its way up knows it. */
struct member_model {
	u32 leaf;		/* NOWHERE: in none */
	u32 charged;
	u32 demand;
	u32 entered[POOLS];
};

static struct abt_pool pools[POOLS];
static struct abt_stake stakes[MEMBERS];
static struct pool_model pool_models[POOLS];
static struct member_model members[MEMBERS];
static atomic_t generation;

/*
 * With several processors growth may be refused until the next tick, and a floor that goes beyond a
 * pool's size may come before growth out of another processor's reserve, not after it. Figures are
 * looked at now and then alone, because that has the pools gather what their parts know.
 */
static bool several;

/* The next pool up the tree. */
static u32 up(u32 pool)
{
	return pool == HOST ? NOWHERE : (u32)HOST;
}

static u64 some_size(struct abt_test *t)
{
	return 65536 + ((u64)abt_test_random(t) >> abt_test_below(t, 16));
}

static u32 some_bytes(struct abt_test *t)
{
	return abt_test_random(t) >> (2 + abt_test_below(t, 26));
}

static void tree_init(struct abt_test *t)
{
	memset(pools, 0, sizeof(pools));
	memset(stakes, 0, sizeof(stakes));
	memset(pool_models, 0, sizeof(pool_models));
	memset(members, 0, sizeof(members));
	for (u32 p = 0; p < POOLS; p++) {
		pool_models[p].size = some_size(t);
		abt_pool_init(&pools[p], p == HOST ? NULL : &pools[HOST],
			      &generation, pool_models[p].size);
	}
	for (u32 m = 0; m < MEMBERS; m++)
		members[m].leaf = NOWHERE;
}

static bool draws_on(u32 m, u32 pool)
{
	return members[m].leaf == pool ||
	       (members[m].leaf != NOWHERE && up(members[m].leaf) == pool);
}

/* Demands that are entered in a pool. Return: how many. */
static u32 demands_in(u32 pool, u32 *demands)
{
	u32 n = 0;

	for (u32 m = 0; m < MEMBERS; m++) {
		if (draws_on(m, pool))
			demands[n++] = members[m].entered[pool];
	}
	return n;
}

static void join(u32 m, u32 leaf)
{
	abt_stake_join(&stakes[m], &pools[leaf]);
	members[m] = (struct member_model) { .leaf = leaf };
	for (u32 p = leaf; p != NOWHERE; p = up(p))
		pool_models[p].members++;
}

static void leave(u32 m)
{
	abt_stake_leave(&stakes[m]);
	for (u32 p = members[m].leaf; p != NOWHERE; p = up(p)) {
		pool_models[p].members--;
		pool_models[p].charged -= members[m].charged;
	}
	members[m] = (struct member_model) { .leaf = NOWHERE };
}

/* All that are left leave; then nothing is in a pool, and no tick is under way. */
static void tree_exit(struct abt_test *t)
{
	for (u32 m = 0; m < MEMBERS; m++) {
		if (members[m].leaf != NOWHERE)
			leave(m);
	}
	for (u32 p = POOLS; p-- > 0;) {
		struct abt_pool_stat stat;

		abt_pool_stat(&pools[p], &stat);
		EXPECT_AT(t, p, stat.charged, ==, 0);
		EXPECT_AT(t, p, stat.members, ==, 0);
		EXPECT_AT(t, p, stat.level, ==, ABT_LEVEL_NONE);
		abt_pool_exit(&pools[p]);
	}
}

/* A level is read as it stands: that it is right is checked elsewhere. */
static u32 passed_on(const struct abt_pool *pool, u32 bytes)
{
	u64 grant = pool->level + (((u64)pool->slope_q16 * bytes) >> 16);

	return (u32)min_t(u64, grant, bytes);
}

static u32 demand(struct abt_test *t, u64 step, u32 m, u32 bytes)
{
	u32 grant = abt_stake_demand(&stakes[m], bytes);

	members[m].demand = bytes;
	for (u32 p = members[m].leaf; p != NOWHERE; p = up(p)) {
		members[m].entered[p] = bytes;
		bytes = passed_on(&pools[p], bytes);
	}
	EXPECT_AT(t, step, grant, ==, bytes);
	return grant;
}

/* What a charge has to come to: the least that a pool on the way up has left. */
static u32 charge_expected(u32 m, u32 want, u32 floor)
{
	u32 had = members[m].charged, more, must;

	want = max(want, floor);
	if (want <= had)
		return want;
	more = want - had;
	must = floor > had ? floor - had : 0;
	for (u32 p = members[m].leaf; p != NOWHERE; p = up(p)) {
		const struct pool_model *pool = &pool_models[p];
		u64 left = pool->size > pool->charged ?
			   pool->size - pool->charged : 0;

		more = (u32)max_t(u64, min_t(u64, more, left), must);
	}
	return had + more;
}

static void charge(struct abt_test *t, u64 step, u32 m, u32 want, u32 floor)
{
	u32 had = members[m].charged;
	u32 expected = charge_expected(m, want, floor);
	u32 got = abt_stake_charge(&stakes[m], want, floor);

	if (!several)
		EXPECT_AT(t, step, got, ==, expected);
	EXPECT_AT(t, step, got, <=, max(max(want, floor), had));
	EXPECT_AT(t, step, got, >=, min(max(want, floor), max(had, floor)));
	for (u32 p = members[m].leaf; p != NOWHERE; p = up(p)) {
		struct pool_model *pool = &pool_models[p];

		pool->charged += (u64)got - had;
		/* it grew past the size: only a floor may do that */
		if (!several && got > had && pool->charged > pool->size)
			EXPECT_AT(t, step, got, <=, floor);
	}
	members[m].charged = got;
}

/* The next step is another processor's. In a kernel its scheduler says where a test runs. */
static void change_processor(struct abt_test *t)
{
#ifndef __KERNEL__
	shim_processor = abt_test_below(t, shim_processors);
#endif
}

static void one_step(struct abt_test *t, u64 step)
{
	u32 m = abt_test_below(t, MEMBERS), p = abt_test_below(t, POOLS);
	u32 what = abt_test_below(t, 100);

	change_processor(t);
	if (what < 2) {
		pool_models[p].size = some_size(t);
		abt_pool_resize(&pools[p], pool_models[p].size);
	} else if (what < 3) {
		pool_models[p].share = (enum abt_share)abt_test_below(t, SHARES);
		abt_pool_set_share(&pools[p], pool_models[p].share);
	} else if (what < 8) {
		run_timer(&pools[p].tick);
	} else if (members[m].leaf == NOWHERE) {
		join(m, p);
	} else if (what < 12) {
		leave(m);
	} else if (what < 50) {
		demand(t, step, m, some_bytes(t));
	} else {
		charge(t, step, m, some_bytes(t), abt_test_below(t, 8000));
	}
}

/* At each step: what is shown is what the members have, and a level means a tick. */
static void check_figures(struct abt_test *t, u64 step)
{
	for (u32 p = 0; p < POOLS; p++) {
		u64 charged = 0, demands = 0;
		struct abt_pool_stat stat;
		bool contended;

		for (u32 m = 0; m < MEMBERS; m++) {
			if (!draws_on(m, p))
				continue;
			charged += stakes[m].charged;
			demands += members[m].entered[p];
		}
		abt_pool_stat(&pools[p], &stat);
		EXPECT_AT(t, step, stat.size, ==, pool_models[p].size);
		EXPECT_AT(t, step, stat.members, ==, pool_models[p].members);
		EXPECT_AT(t, step, stat.charged, ==, pool_models[p].charged);
		EXPECT_AT(t, step, stat.charged, ==, charged);
		EXPECT_AT(t, step, stat.demand, ==, demands);

		contended = pool_models[p].share != ABT_SHARE_FCFS &&
			    demands > stat.size;
		EXPECT_AT(t, step, stat.level != ABT_LEVEL_NONE, ==, contended);
		if (pools[p].hungry || (contended && pools[p].stale))
			EXPECT_AT(t, step, timer_pending(&pools[p].tick) ||
				  timer_pending(&pools[p].retry) ||
				  stat.charged >= stat.size, ==, true);
	}
}

/* After a tick: the level, and the slope, by brute force. */
static void check_level(struct abt_test *t, u64 step, u32 p)
{
	u32 demands[MEMBERS];
	u32 n = demands_in(p, demands);
	struct abt_pool_stat stat;
	bool none;

	abt_pool_stat(&pools[p], &stat);
	none = stat.level == ABT_LEVEL_NONE;
	if (pool_models[p].share == ABT_SHARE_MAXMIN) {
		expect_level(t, step, stat.level, none, demands, n, stat.size);
	} else if (pool_models[p].share == ABT_SHARE_PROPORTIONAL && !none) {
		EXPECT_AT(t, step, stat.level, ==,
			  min_t(u64, div_u64(stat.size, n), ABT_BYTES_MAX));
		expect_proportional(t, step, demands, n, stat.size,
				    stat.level, stat.slope_q16);
	}
}

static void check_levels(struct abt_test *t, u64 step)
{
	for (u32 p = 0; p < POOLS; p++) {
		run_timer(&pools[p].tick);
		check_level(t, step, p);
	}
}

/* Does a pool on the way up hand out on a first come basis, and has nothing left? */
static bool came_too_late(u32 m)
{
	for (u32 p = members[m].leaf; p != NOWHERE; p = up(p)) {
		if (pool_models[p].share == ABT_SHARE_FCFS &&
		    pools[p].charged >= pools[p].size)
			return true;
	}
	return false;
}

/*
 * All ask anew and take what they are told, and levels are of what they ask: then all
 * have what they were granted, unless others came first.
 */
static void check_rest(struct abt_test *t, u64 step)
{
	u32 grants[MEMBERS] = { 0 };

	for (u32 round = 0; round < ROUNDS; round++) {
		for (u32 m = 0; m < MEMBERS; m++) {
			if (members[m].leaf == NOWHERE)
				continue;
			grants[m] = demand(t, step, m, members[m].demand);
			charge(t, step, m, grants[m], 0);
		}
		for (u32 p = POOLS; p-- > 0;)
			run_timer(&pools[p].tick);
	}
	check_levels(t, step);
	for (u32 m = 0; m < MEMBERS; m++) {
		EXPECT_AT(t, step, stakes[m].charged, <=, grants[m]);
		if (!came_too_late(m))
			EXPECT_AT(t, step, stakes[m].charged, ==, grants[m]);
	}
	for (u32 p = 0; p < POOLS; p++) {
		if (pool_models[p].share != ABT_SHARE_FCFS)
			EXPECT_AT(t, step, pools[p].charged, <=, pools[p].size);
	}
}

static void random_steps(struct abt_test *t)
{
	tree_init(t);
	for (u64 step = 0; step < t->steps && !t->failures; step++) {
		one_step(t, step);
		if (!several || step % FIGURES_EVERY == 0)
			check_figures(t, step);
		if (step % LEVELS_EVERY == 0)
			check_levels(t, step);
		if (step % REST_EVERY == 0)
			check_rest(t, step);
	}
	tree_exit(t);
}

#define PROCESSORS	4

static void set_processors(u32 processors)
{
#ifndef __KERNEL__
	shim_processors = processors;
	shim_processor = 0;
#endif
}

static void random_steps_on_several(struct abt_test *t)
{
	several = true;
	set_processors(PROCESSORS);
	random_steps(t);
	set_processors(1);
	several = false;
}

/*
 * Members with events in any order, each taking what it is told: after a few
 * rounds all have min(demand, exact level) to a bucket's width, none too much.
 */
static void settles_max_min(struct abt_test *t)
{
	for (u32 set = 0; set < 2000; set++) {
		u32 demands[MEMBERS], sorted[MEMBERS];
		u32 n = 1 + abt_test_below(t, MEMBERS);
		u64 exact, total = 0;

		tree_init(t);
		for (u32 m = 0; m < n; m++) {
			demands[m] = sorted[m] = some_bytes(t);
			total += demands[m];
			join(m, HOST);
		}
		abt_pool_resize(&pools[HOST], 1 + div_u64(total * abt_test_below(t, 120), 100));
		exact = exact_level(sorted, n, pools[HOST].size);
		for (u32 event = 0; event < 20 * n; event++) {
			u32 m = event < 16 * n ? abt_test_below(t, n) : event % n;
			u32 grant = abt_stake_demand(&stakes[m], demands[m]);

			abt_stake_charge(&stakes[m], grant, 0);
			if (event % 7 == 0)
				run_timer(&pools[HOST].tick);
			EXPECT_AT(t, set, pools[HOST].charged, <=, pools[HOST].size);
		}
		for (u32 m = 0; m < n; m++) {
			u64 due = demands[m] < exact ? demands[m] : exact;

			EXPECT_AT(t, set, stakes[m].charged, <=, due);
			EXPECT_AT(t, set, stakes[m].charged +
				  exact_bucket_width(due), >=, due);
		}
		tree_exit(t);
	}
}

const struct abt_case abt_tree_cases[] = {
	{ "tree: random steps against an exact model", random_steps },
	{ "tree: the same on several processors", random_steps_on_several },
	{ "tree: events in any order settle at max-min", settles_max_min },
	{ }
};
