// SPDX-License-Identifier: GPL-2.0
/* The two pools of a host: loans, what is handed out twice, and how both are called back. */
#include "cases.h"
#include "pool/loan.h"
#include "pool/room.h"
#include "pool/stake.h"

#define MIB		(1U << 20)
#define SIZE		(32U * MIB)	/* of each pool */
#define MEMBERS		8		/* of each pool */

/* Rounds of all events, ticks and looks until all are at rest. */
#define ROUNDS		8

static struct abt_pool pools[ABT_DIRS];
static struct abt_stake stakes[ABT_DIRS][MEMBERS];
static struct abt_loan loan;
static atomic_t generation;
static u64 in_use;	/* memory that sockets use */

static u64 used(void)
{
	return in_use;
}

static void pools_init(void)
{
	enum abt_dir dir;
	u32 i;

	memset(pools, 0, sizeof(pools));
	memset(stakes, 0, sizeof(stakes));
	memset(&loan, 0, sizeof(loan));
	for (dir = 0; dir < ABT_DIRS; dir++)
		abt_pool_init(&pools[dir], NULL, &generation, SIZE);
	in_use = 2ULL * SIZE;
	abt_loan_init(&loan, pools, used);
	loan.on = true;
	/* the cases look themselves, and not at the same time as the work */
	pools[ABT_SND].lends = NULL;
	pools[ABT_RCV].lends = NULL;
	for (dir = 0; dir < ABT_DIRS; dir++)
		for (i = 0; i < MEMBERS; i++)
			abt_stake_join(&stakes[dir][i], &pools[dir]);
}

static void pools_exit(struct abt_test *t)
{
	enum abt_dir dir;
	u32 i;

	for (dir = 0; dir < ABT_DIRS; dir++)
		for (i = 0; i < MEMBERS; i++)
			abt_stake_leave(&stakes[dir][i]);
	abt_loan_balance(&loan);
	EXPECT(t, abt_loan_balance(&loan), ==, false);
	abt_loan_exit(&loan);
	for (dir = 0; dir < ABT_DIRS; dir++)
		abt_pool_exit(&pools[dir]);
}

/* What a member does at an event: says its demand, takes what it is given. */
static void event(enum abt_dir dir, u32 i, u32 demand)
{
	struct abt_stake *stake = &stakes[dir][i];

	abt_stake_charge(stake, abt_stake_demand(stake, demand), 0);
}

static void all_ask(enum abt_dir dir, u32 demand)
{
	u32 i;

	for (i = 0; i < MEMBERS; i++)
		event(dir, i, demand);
}

/* Levels follow a loan at the next tick. */
static void look(void)
{
	enum abt_dir dir;

	abt_loan_balance(&loan);
	for (dir = 0; dir < ABT_DIRS; dir++)
		run_timer(&pools[dir].tick);
}

static u64 overcommitted(void)
{
	return pools[ABT_SND].overcommit + pools[ABT_RCV].overcommit;
}

/*
 * Both pools never have more than there is and half as much again, nor do their members. Charges
 * fall after that was called back, as members give back.
 */
static void expect_bounded(struct abt_test *t, u64 where)
{
	u64 whole = abt_pool_whole(&pools[ABT_SND]) + abt_pool_whole(&pools[ABT_RCV]);

	EXPECT_AT(t, where, overcommitted(), <=, SIZE);
	EXPECT_AT(t, where, whole - overcommitted(), <=, 2ULL * SIZE);
	EXPECT_AT(t, where, pools[ABT_SND].charged + pools[ABT_RCV].charged, <=, 3ULL * SIZE);
}

static void settle(struct abt_test *t, u32 send, u32 receive)
{
	u32 round;

	for (round = 0; round < ROUNDS; round++) {
		all_ask(ABT_SND, send);
		all_ask(ABT_RCV, receive);
		expect_bounded(t, round);
		look();
		expect_bounded(t, round);
	}
}

static void nothing_is_lent_in_plenty(struct abt_test *t)
{
	pools_init();
	settle(t, SIZE / MEMBERS, SIZE / MEMBERS / 4);
	EXPECT(t, pools[ABT_SND].loan, ==, 0);
	EXPECT(t, pools[ABT_RCV].loan, ==, 0);
	pools_exit(t);
}

static void nobody_lends_in_need(struct abt_test *t)
{
	pools_init();
	settle(t, SIZE, SIZE);
	EXPECT(t, pools[ABT_SND].loan, ==, 0);
	EXPECT(t, pools[ABT_RCV].loan, ==, 0);
	pools_exit(t);
}

/* Either way; at most half, and no more than is lacking. */
static void what_is_spare_is_lent(struct abt_test *t)
{
	static const struct {
		u32 borrower, lender;	/* demand of each member */
		u64 lent;
	} rows[] = {
		{ SIZE, 0, SIZE / 2 },
		{ SIZE, SIZE / MEMBERS / 8, SIZE / 2 },
		{ SIZE, SIZE / MEMBERS / 8 * 3, SIZE / 4 },
		{ SIZE, SIZE / MEMBERS / 2, 0 },
		{ SIZE / MEMBERS + SIZE / MEMBERS / 4, 0, SIZE / 4 },
	};
	u32 row, dir;

	for (row = 0; row < ARRAY_SIZE(rows); row++) {
		for (dir = 0; dir < ABT_DIRS; dir++) {
			u32 demand[ABT_DIRS];

			pools_init();
			demand[dir] = rows[row].borrower;
			demand[!dir] = rows[row].lender;
			settle(t, demand[ABT_SND], demand[ABT_RCV]);
			EXPECT_AT(t, row, pools[dir].loan, ==, rows[row].lent);
			EXPECT_AT(t, row, -pools[!dir].loan, ==, rows[row].lent);
			EXPECT_AT(t, row, abt_pool_contended(&pools[!dir]), ==, false);
			pools_exit(t);
		}
	}
}

/* A lender has no more back than the borrower's members gave back; in the end all. */
static void a_loan_is_called_back(struct abt_test *t)
{
	pools_init();
	settle(t, SIZE, 0);
	EXPECT(t, pools[ABT_SND].charged, >, SIZE + SIZE / 4);
	all_ask(ABT_RCV, SIZE);
	look();
	EXPECT(t, abt_pool_whole(&pools[ABT_SND]), ==, SIZE);
	EXPECT(t, abt_pool_whole(&pools[ABT_RCV]), <=, 2ULL * SIZE - pools[ABT_SND].charged);
	event(ABT_SND, 0, SIZE);
	look();
	EXPECT(t, abt_pool_whole(&pools[ABT_RCV]), >, SIZE / 2);
	EXPECT(t, abt_pool_whole(&pools[ABT_RCV]), <, SIZE);
	expect_bounded(t, 0);
	settle(t, SIZE, SIZE);
	EXPECT(t, pools[ABT_SND].loan, ==, 0);
	EXPECT(t, pools[ABT_RCV].loan, ==, 0);
	EXPECT(t, pools[ABT_RCV].charged, >, SIZE - SIZE / 16);
	pools_exit(t);
}

/* What is asked of a lender varies, and a change of a loan is news to all members. */
static void a_loan_stands(struct abt_test *t)
{
	s64 lent;

	pools_init();
	settle(t, SIZE, SIZE / MEMBERS / 8 * 3);
	lent = pools[ABT_SND].loan;
	settle(t, SIZE, SIZE / MEMBERS / 16 * 7);
	EXPECT(t, pools[ABT_SND].loan, ==, lent);
	settle(t, SIZE, SIZE / MEMBERS / 8 * 3 - SIZE / MEMBERS / 64);
	EXPECT(t, pools[ABT_SND].loan, ==, lent);
	settle(t, SIZE, SIZE / MEMBERS / 8 * 5);
	EXPECT(t, pools[ABT_SND].loan, <, lent);
	pools_exit(t);
}

static void pools_that_are_sized_lend_nothing(struct abt_test *t)
{
	pools_init();
	settle(t, SIZE, 0);
	EXPECT(t, pools[ABT_SND].loan, ==, SIZE / 2);
	in_use = 0;
	settle(t, SIZE, SIZE);
	EXPECT(t, overcommitted(), ==, SIZE);
	loan.on = false;
	settle(t, SIZE, 0);
	EXPECT(t, pools[ABT_SND].loan, ==, 0);
	EXPECT(t, pools[ABT_RCV].loan, ==, 0);
	EXPECT(t, overcommitted(), ==, 0);
	pools_exit(t);
}

/* By what each lacks, after loans; at most half of each. */
static void what_is_unused_is_handed_out(struct abt_test *t)
{
	static const struct {
		u32 demand[ABT_DIRS];	/* of each member */
		u64 in_use, over[ABT_DIRS];
	} rows[] = {
		{ { SIZE, SIZE }, 2ULL * SIZE, { 0, 0 } },
		{ { SIZE, SIZE }, 3ULL * SIZE, { 0, 0 } },
		{ { SIZE, SIZE }, SIZE + SIZE / 2, { SIZE / 4, SIZE / 4 } },
		{ { SIZE, SIZE }, 0, { SIZE / 2, SIZE / 2 } },
		{ { SIZE / 4, SIZE / 2 }, SIZE + SIZE / 2, { SIZE / 8, SIZE / 8 * 3 } },
		{ { SIZE, 0 }, SIZE + SIZE / 2, { SIZE / 2, 0 } },
		{ { SIZE / 8 + SIZE / 32, 0 }, 0, { 0, 0 } },
		{ { SIZE / 8 + SIZE / 32, SIZE / 8 }, 0, { SIZE / 4, 0 } },
	};
	enum abt_dir dir;
	u32 row;

	for (row = 0; row < ARRAY_SIZE(rows); row++) {
		pools_init();
		in_use = rows[row].in_use;
		settle(t, rows[row].demand[ABT_SND], rows[row].demand[ABT_RCV]);
		for (dir = 0; dir < ABT_DIRS; dir++)
			EXPECT_AT(t, row, pools[dir].overcommit, ==, rows[row].over[dir]);
		EXPECT_AT(t, row, loan.over.stands, ==, overcommitted() > 0);
		pools_exit(t);
	}
}

/* One look sees a reader that stops; what comes back slowly is for the next balance. */
static void it_is_called_back_if_use_rises(struct abt_test *t)
{
	pools_init();
	in_use = SIZE;
	settle(t, SIZE, SIZE);
	EXPECT(t, overcommitted(), ==, SIZE);
	abt_overcommit_watch(&loan.over, pools);
	EXPECT(t, overcommitted(), ==, SIZE);
	in_use += SIZE / 16;
	abt_overcommit_watch(&loan.over, pools);
	EXPECT(t, overcommitted(), ==, SIZE);
	in_use += SIZE / 8;
	abt_overcommit_watch(&loan.over, pools);
	EXPECT(t, overcommitted(), ==, 0);
	EXPECT(t, loan.over.stands, ==, false);
	settle(t, SIZE, SIZE);
	EXPECT(t, overcommitted(), ==, 2ULL * SIZE - in_use);
	pools_exit(t);
}

/* Use varies, and a change is news to all members. */
static void it_stands_while_use_varies(struct abt_test *t)
{
	u64 over;

	pools_init();
	in_use = SIZE + SIZE / 2;
	settle(t, SIZE, SIZE);
	over = overcommitted();
	in_use += SIZE / 16;
	settle(t, SIZE, SIZE);
	EXPECT(t, overcommitted(), ==, over);
	in_use -= SIZE / 8;
	settle(t, SIZE, SIZE);
	EXPECT(t, overcommitted(), ==, over);
	in_use += SIZE / 2;
	settle(t, SIZE, SIZE);
	EXPECT(t, overcommitted(), <, over / 2);
	in_use = SIZE;
	settle(t, SIZE, SIZE);
	EXPECT(t, overcommitted(), ==, SIZE);
	pools_exit(t);
}

/* Where use is all that there is, no more than a step of each pool is left of it. */
static void expect_followed(struct abt_test *t, u64 where)
{
	u64 unused = 2ULL * SIZE - min(in_use, 2ULL * SIZE);

	EXPECT_AT(t, where, overcommitted(), <=, unused + 2 * (SIZE / 16));
}

static void a_random_walk(struct abt_test *t)
{
	u64 step;

	pools_init();
	for (step = 0; step < t->steps / 4; step++) {
		u32 act = abt_test_below(t, 16);
		u32 demand = abt_test_random(t) >> (5 + abt_test_below(t, 12));

		in_use = 2ULL * abt_test_below(t, SIZE + SIZE / 16);
		if (!act) {
			look();
			expect_followed(t, step);
		} else if (act == 1) {
			abt_overcommit_watch(&loan.over, pools);
		} else {
			event(act & 1, abt_test_below(t, MEMBERS), min(demand, SIZE));
		}
		expect_bounded(t, step);
	}
	settle(t, SIZE / MEMBERS / 2, SIZE / MEMBERS / 2);
	EXPECT(t, pools[ABT_SND].loan, ==, 0);
	EXPECT(t, pools[ABT_RCV].loan, ==, 0);
	pools_exit(t);
}

const struct abt_case abt_loan_cases[] = {
	{ "loan: nothing while there is plenty", nothing_is_lent_in_plenty },
	{ "loan: nobody lends what it needs", nobody_lends_in_need },
	{ "loan: what is spare is lent", what_is_spare_is_lent },
	{ "loan: called back", a_loan_is_called_back },
	{ "loan: stands while what is asked of the lender varies", a_loan_stands },
	{ "loan: nothing between pools that somebody sized", pools_that_are_sized_lend_nothing },
	{ "overcommit: what is unused is handed out", what_is_unused_is_handed_out },
	{ "overcommit: called back if use rises fast", it_is_called_back_if_use_rises },
	{ "overcommit: stands while use varies", it_stands_while_use_varies },
	{ "loan: bounded in a random walk", a_random_walk },
	{ }
};
