// SPDX-License-Identifier: GPL-2.0
/* The members of pools: their demands, grants and charges. See pool.h. */
#include "pool/pool.h"
#include "pool/room.h"
#include "pool/stake.h"

/* The grant of a pool at its level, for a demand. */
static u32 abt_pool_grant(const struct abt_pool *pool, u32 demand)
{
	u64 more = ((u64)READ_ONCE(pool->slope_q16) * demand) >> 16;

	return (u32)min_t(u64, demand, READ_ONCE(pool->level) + more);
}

/* Enter another demand for a member. */
static void abt_pool_move(struct abt_pool *pool, u32 from, u32 to)
{
	spin_lock_bh(&pool->lock);
	abt_hist_del(&pool->hist, from);
	abt_hist_add(&pool->hist, to);
	abt_pool_changed(pool);
	spin_unlock_bh(&pool->lock);
}

/* Charge up to @more, @must of it in any case. Return: the bytes charged. */
static u32 abt_pool_take(struct abt_pool *pool, u32 more, u32 must)
{
	u64 whole, left;
	u32 got;

	spin_lock_bh(&pool->lock);
	whole = abt_pool_whole(pool);
	left = whole - min(pool->charged, whole);
	got = max_t(u32, min_t(u64, more, left), must);
	WRITE_ONCE(pool->charged, pool->charged + got);
	pool->grants += got > 0;
	if (got < more) {
		pool->refused++;
		WRITE_ONCE(pool->hungry, true);
		abt_pool_schedule(pool);
	}
	spin_unlock_bh(&pool->lock);
	return got;
}

static void abt_pool_put(struct abt_pool *pool, u32 less)
{
	spin_lock_bh(&pool->lock);
	WRITE_ONCE(pool->charged, pool->charged - less);
	pool->shrinks++;
	if (pool->hungry)
		abt_pool_schedule(pool);
	spin_unlock_bh(&pool->lock);
}

/**
 * abt_stake_join() - a connection comes into a pool, with no demand yet
 * @stake: its stake, in no pool
 * @pool: leaf of the tree that it draws on
 *
 * Context: any; the socket lock held.
 */
void abt_stake_join(struct abt_stake *stake, struct abt_pool *pool)
{
	stake->pool = pool;
	for (; pool; pool = pool->parent) {
		spin_lock_bh(&pool->lock);
		abt_hist_add(&pool->hist, 0);
		abt_pool_changed(pool);
		spin_unlock_bh(&pool->lock);
	}
	memset(stake->entered, 0, sizeof(stake->entered));
}

/**
 * abt_stake_leave() - a connection leaves its pool and gives all back
 * @stake: its stake; in no pool: nothing happens
 *
 * Context: any; the socket lock held, or the last reference.
 */
void abt_stake_leave(struct abt_stake *stake)
{
	struct abt_pool *pool;
	u32 *entered = stake->entered;

	for (pool = stake->pool; pool; pool = pool->parent, entered++) {
		spin_lock_bh(&pool->lock);
		abt_hist_del(&pool->hist, *entered);
		WRITE_ONCE(pool->charged, pool->charged - stake->charged);
		abt_pool_changed(pool);
		spin_unlock_bh(&pool->lock);
	}
	stake->pool = NULL;
	stake->charged = 0;
	stake->grant = 0;
}

/**
 * abt_stake_demand() - say what a connection wants, learn what it may have
 * @stake: its stake, in a pool
 * @demand: bytes of truesize, at most ABT_BYTES_MAX
 *
 * The host's pool sees no more than the namespace's lets through, or a namespace
 * that limits itself would weigh on the host with demands that it never meets.
 * Does no work in a pool where the demand is what it was.
 *
 * Context: any; the socket lock held.
 * Return: the grant: the least of the demand and what each pool's level gives for it.
 */
u32 abt_stake_demand(struct abt_stake *stake, u32 demand)
{
	u32 *entered = stake->entered;
	struct abt_pool *pool;

	for (pool = stake->pool; pool; pool = pool->parent, entered++) {
		if (*entered != demand) {
			abt_pool_move(pool, *entered, demand);
			*entered = demand;
		}
		demand = abt_pool_grant(pool, demand);
	}
	stake->grant = demand;
	return stake->grant;
}

/**
 * abt_stake_charge() - charge a connection for a buffer
 * @stake: its stake, in a pool
 * @want: buffer [bytes of truesize]
 * @floor: part of it that it gets however full the pools are [bytes of truesize]
 *
 * Call before growth is applied, and after a reduction was.
 *
 * Context: any; the socket lock held.
 * Return: its charge now: @want, or less if a pool had less left, never below
 *	min(@want, its charge before), never below @floor.
 */
u32 abt_stake_charge(struct abt_stake *stake, u32 want, u32 floor)
{
	struct abt_pool *pool;
	u32 more, must;

	want = max(want, floor);
	if (want <= stake->charged) {
		if (want == stake->charged)
			return want;
		for (pool = stake->pool; pool; pool = pool->parent)
			abt_pool_put(pool, stake->charged - want);
		stake->charged = want;
		return want;
	}

	more = want - stake->charged;
	must = floor > stake->charged ? floor - stake->charged : 0;
	for (pool = stake->pool; pool; pool = pool->parent) {
		u32 got = abt_pool_take(pool, more, must);
		struct abt_pool *below = stake->pool;

		/* a child keeps no more than its parent gave */
		for (; got < more && below != pool; below = below->parent)
			abt_pool_put(below, more - got);
		more = got;
	}
	stake->charged += more;
	return stake->charged;
}
