// SPDX-License-Identifier: GPL-2.0
/* Loans between the two pools of a host. See loan.h. */
#include <linux/jiffies.h>

#include "pool/loan.h"
#include "pool/pool.h"
#include "pool/room.h"

/*
 * Pools that lend are looked at so often [ms]: a few ticks, so that members follow one level before
 * the next.
 */
#define ABT_LOAN_MS		50U

/*
 * A lender keeps twice its demands, so that it has plenty itself. Because demands vary, and each
 * change of a loan is news to members, a loan stands while one and a half times its demands are
 * left.
 */
#define ABT_LOAN_KEEPS		4	/* halves */
#define ABT_LOAN_STANDS		3	/* halves */

/* And at least half of its own, because connections may come. */
#define ABT_LOAN_LEAST_SHIFT	1

/* A loan grows by 1/16 of the lender's own or more. */
#define ABT_LOAN_STEP_SHIFT	4

static struct abt_loan_side abt_loan_side(struct abt_pool *pool)
{
	u64 own = abt_pool_own(pool), kept = own + READ_ONCE(pool->overcommit);
	struct abt_pool_stat stat;

	abt_pool_stat(pool, &stat);
	return (struct abt_loan_side) {
		.own = own,
		.asked = max(stat.demand, stat.charged),
		.lacks = stat.demand - min(stat.demand, own),
		.holds = stat.charged - min(stat.charged, kept),
	};
}

/* Return: bytes that a pool can lend, if it keeps so many halves of its demands. */
static u64 abt_loan_spares(const struct abt_loan_side *lender, u32 halves)
{
	u64 keeps = max(lender->own >> ABT_LOAN_LEAST_SHIFT, lender->asked * halves / 2);

	return lender->own - min(lender->own, keeps);
}

/* Return: bytes that a pool is to borrow, if it has borrowed @now. */
static u64 abt_loan_wanted(const struct abt_loan_side *borrower,
			   const struct abt_loan_side *lender, u64 now)
{
	u64 step = lender->own >> ABT_LOAN_STEP_SHIFT;
	u64 wanted = min(borrower->lacks, abt_loan_spares(lender, ABT_LOAN_KEEPS));
	u64 stands = min(borrower->lacks + step, abt_loan_spares(lender, ABT_LOAN_STANDS));

	if (!borrower->lacks)
		return 0;
	return wanted >= now + step ? wanted : min(now, stands);
}

/*
 * Have a pool borrow, and the other one lend. Memory that is called back is the lender's as soon as
 * the borrower's members have given it back.
 */
static void abt_loan_move(struct abt_loan *loan, enum abt_dir dir, u64 wanted,
			  const struct abt_loan_side *borrower)
{
	struct abt_pool *to = &loan->pools[dir], *from = &loan->pools[!dir];
	s64 lent = -(s64)max(wanted, min(borrower->holds, (u64)max(-from->loan, 0LL)));

	/* the pool that gets less first: both never have more than there is */
	if (lent < from->loan)
		abt_pool_lend(from, lent);
	if ((s64)wanted != to->loan)
		abt_pool_lend(to, (s64)wanted);
	if (lent > from->loan)
		abt_pool_lend(from, lent);
}

/**
 * abt_loan_balance() - have one pool borrow, if it lacks memory and the other can spare some
 * @loan: loan
 *
 * A pool that lacks more is overcommitted, see overcommit.h.
 *
 * Context: process; not twice at a time.
 * Return: true while a loan stands, or a pool is overcommitted.
 */
bool abt_loan_balance(struct abt_loan *loan)
{
	struct abt_loan_side side[ABT_DIRS];
	bool stands = false;
	enum abt_dir dir;

	for (dir = 0; dir < ABT_DIRS; dir++)
		side[dir] = abt_loan_side(&loan->pools[dir]);
	for (dir = 0; dir < ABT_DIRS; dir++) {
		u64 now = (u64)max(loan->pools[dir].loan, 0LL);
		u64 wanted = READ_ONCE(loan->on) && !side[!dir].lacks ?
			     abt_loan_wanted(&side[dir], &side[!dir], now) : 0;

		if (wanted || now || loan->pools[!dir].loan < 0)
			abt_loan_move(loan, dir, wanted, &side[dir]);
		stands |= loan->pools[dir].loan;
	}
	abt_overcommit_balance(&loan->over, loan->pools, side, READ_ONCE(loan->on));
	return stands || loan->over.stands;
}

/**
 * abt_loan_look() - look at the pools soon
 * @loan: loan, or NULL
 *
 * Writes nothing that processors share if that is due already.
 *
 * Context: any.
 */
void abt_loan_look(struct abt_loan *loan)
{
	if (loan && READ_ONCE(loan->on) && !delayed_work_pending(&loan->work))
		schedule_delayed_work(&loan->work, msecs_to_jiffies(ABT_LOAN_MS));
}

static void abt_loan_work(struct work_struct *work)
{
	struct abt_loan *loan = container_of(to_delayed_work(work), struct abt_loan, work);
	bool stands = true;
	u32 ms;

	abt_overcommit_watch(&loan->over, loan->pools);
	loan->looked_ms += ABT_OVERCOMMIT_MS;
	if (!loan->over.stands || loan->looked_ms >= ABT_LOAN_MS) {
		loan->looked_ms = 0;
		stands = abt_loan_balance(loan);
	}
	ms = loan->over.stands ? ABT_OVERCOMMIT_MS : ABT_LOAN_MS;
	if (stands)
		schedule_delayed_work(&loan->work, msecs_to_jiffies(ms));
}

/**
 * abt_loan_init() - two pools that may lend each other
 * @loan: zeroed memory
 * @pools: ABT_DIRS of them
 * @used: tells the memory that sockets of the host use [bytes]; called from a work
 *
 * Context: process.
 */
void abt_loan_init(struct abt_loan *loan, struct abt_pool *pools, u64 (*used)(void))
{
	enum abt_dir dir;

	loan->pools = pools;
	loan->over.used = used;
	INIT_DELAYED_WORK(&loan->work, abt_loan_work);
	for (dir = 0; dir < ABT_DIRS; dir++)
		pools[dir].lends = loan;
}

/**
 * abt_loan_exit() - no loan changes on return
 * @loan: loan, of pools without members
 *
 * Context: process, sleeps.
 */
void abt_loan_exit(struct abt_loan *loan)
{
	enum abt_dir dir;

	for (dir = 0; dir < ABT_DIRS; dir++)
		abt_pool_stop(&loan->pools[dir]);
	cancel_delayed_work_sync(&loan->work);
}

/**
 * abt_loan_allow() - may the pools lend each other?
 * @loan: loan
 * @on: they may
 *
 * Context: any.
 */
void abt_loan_allow(struct abt_loan *loan, bool on)
{
	WRITE_ONCE(loan->on, on);
	schedule_delayed_work(&loan->work, 0);
}
