// SPDX-License-Identifier: GPL-2.0
/* Memory that pools hand out because no socket uses it. See overcommit.h. */
#include <linux/math64.h>

#include "pool/loan.h"
#include "pool/overcommit.h"
#include "pool/pool.h"
#include "pool/room.h"

/* At most half of a pool, so that use stays below tcp_mem[2] if all of it is used at one moment. */
#define ABT_OVERCOMMIT_MOST_SHIFT	1

/* It grows by 1/16 of a pool or more, because each change of it moves a level. */
#define ABT_OVERCOMMIT_STEP_SHIFT	4

/* If use rises by 1/8 of what is unused between two looks, all of it would be used in eight. */
#define ABT_OVERCOMMIT_RISE_SHIFT	3

/* Return: memory of both pools that is unused [bytes]. */
static u64 abt_overcommit_unused(struct abt_overcommit *over, const struct abt_pool *pools)
{
	u64 all = abt_pool_own(&pools[ABT_SND]) + abt_pool_own(&pools[ABT_RCV]);

	over->seen = over->used();
	return all - min(all, over->seen);
}

/* Return: demands of a pool beyond its own memory and loans [bytes of truesize]. */
static u64 abt_overcommit_lacks(const struct abt_pool *pool, const struct abt_loan_side *side)
{
	u64 borrowed = max(pool->loan, 0LL);

	return side->lacks - min(side->lacks, borrowed);
}

static void abt_overcommit_set(struct abt_pool *pool, u64 lacks, u64 most)
{
	u64 step = abt_pool_own(pool) >> ABT_OVERCOMMIT_STEP_SHIFT;
	u64 now = pool->overcommit;
	u64 wanted = min(lacks, most);

	/* use varies, so it stands while it is no more than a step too large */
	if (wanted && wanted < now + step)
		wanted = min(now, wanted + step);
	if (wanted != now)
		abt_pool_overcommit(pool, wanted);
}

/**
 * abt_overcommit_balance() - have pools hand out unused memory
 * @over: overcommitment
 * @pools: the host's pools
 * @side: memory and demands of each
 * @on: false: call all of it back
 *
 * The parts are in proportion to the lacks.
 *
 * Context: process; not twice at a time.
 */
void abt_overcommit_balance(struct abt_overcommit *over, struct abt_pool *pools,
			    const struct abt_loan_side *side, bool on)
{
	u64 unused = on ? abt_overcommit_unused(over, pools) : 0;
	u64 lacks[ABT_DIRS], all;
	enum abt_dir dir;

	for (dir = 0; dir < ABT_DIRS; dir++)
		lacks[dir] = abt_overcommit_lacks(&pools[dir], &side[dir]);
	all = max(lacks[ABT_SND] + lacks[ABT_RCV], 1ULL);
	over->stands = false;
	for (dir = 0; dir < ABT_DIRS; dir++) {
		u64 part = mul_u64_u64_div_u64(unused, lacks[dir], all);

		abt_overcommit_set(&pools[dir], lacks[dir],
				   min(part, side[dir].own >> ABT_OVERCOMMIT_MOST_SHIFT));
		over->stands |= pools[dir].overcommit;
	}
}

/**
 * abt_overcommit_watch() - call all of it back, if use rises fast
 * @over: overcommitment
 * @pools: the host's pools
 *
 * Context: process; not twice at a time. Each ABT_OVERCOMMIT_MS while it stands.
 */
void abt_overcommit_watch(struct abt_overcommit *over, struct abt_pool *pools)
{
	u64 before = over->seen, unused;
	enum abt_dir dir;

	if (!over->stands)
		return;
	unused = abt_overcommit_unused(over, pools);
	if (over->seen <= before + (unused >> ABT_OVERCOMMIT_RISE_SHIFT))
		return;
	over->stands = false;
	for (dir = 0; dir < ABT_DIRS; dir++)
		abt_pool_overcommit(&pools[dir], 0);
}
