// SPDX-License-Identifier: GPL-2.0
/* The members of pools: their demands, grants and charges. See pool.h. */
#include "pool/part.h"
#include "pool/pool.h"
#include "pool/room.h"
#include "pool/stake.h"

/* The grant of a pool at its level, for a demand. */
static u32 abt_pool_grant(const struct abt_pool *pool, u32 demand)
{
	u64 more = ((u64)READ_ONCE(pool->slope_q16) * demand) >> 16;

	return (u32)min_t(u64, demand, READ_ONCE(pool->level) + more);
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
	for (; pool; pool = pool->parent)
		abt_part_come(pool, 0);
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

	for (pool = stake->pool; pool; pool = pool->parent, entered++)
		abt_part_go(pool, *entered, stake->charged);
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
			abt_part_move(pool, *entered, demand);
			*entered = demand;
		}
		demand = abt_pool_grant(pool, demand);
	}
	stake->grant = demand;
	return stake->grant;
}

/**
 * abt_stake_regrant() - would the pools give a connection another grant now?
 * @stake: its stake, in a pool
 *
 * Writes nothing, and takes no lock.
 *
 * Context: any; the socket lock held.
 * Return: true when its demand as it was entered would get more or less.
 */
bool abt_stake_regrant(const struct abt_stake *stake)
{
	const struct abt_pool *pool;
	u32 grant = stake->entered[0];

	for (pool = stake->pool; pool; pool = pool->parent)
		grant = abt_pool_grant(pool, grant);
	return grant != stake->grant;
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
			abt_part_put(pool, stake->charged - want);
		stake->charged = want;
		return want;
	}

	more = want - stake->charged;
	must = floor > stake->charged ? floor - stake->charged : 0;
	for (pool = stake->pool; pool; pool = pool->parent) {
		u32 got = abt_part_take(pool, more, must);
		struct abt_pool *below = stake->pool;

		/* a child keeps no more than its parent gave */
		for (; got < more && below != pool; below = below->parent)
			abt_part_put(below, more - got);
		more = got;
	}
	stake->charged += more;
	return stake->charged;
}

/* The most that a member with @kept may keep: all of the rest of the pool's half. */
static u32 abt_pool_keeps(const struct abt_pool *pool, u32 kept)
{
	u64 half = abt_pool_whole(pool) / 2;
	s64 others = atomic64_read(&pool->kept) - kept;
	u64 taken = READ_ONCE(pool->charged) + (u64)max_t(s64, others, 0) * ABT_KEPT_BYTES;

	return abt_clamp_bytes(half - min(half, taken)) / ABT_KEPT_BYTES;
}

/**
 * abt_stake_keep() - have a connection keep empty room of a buffer, beyond its charge
 * @stake: its stake
 * @kept: its room now [ABT_KEPT_BYTES]
 * @want: room that it asks for [ABT_KEPT_BYTES]
 *
 * Empty room takes no memory, and is not charged. But many could call it in at one moment.
 * So kept room and charges are half of a pool at most. Members that look at the same moment may
 * exceed that, each by its room.
 *
 * Context: any; the socket lock held.
 * Return: its room from now on, at most @want [ABT_KEPT_BYTES].
 */
u32 abt_stake_keep(const struct abt_stake *stake, u32 kept, u32 want)
{
	struct abt_pool *pool;
	u32 keeps = want;

	if (!kept && !want)
		return 0;
	for (pool = stake->pool; pool; pool = pool->parent)
		keeps = min(keeps, abt_pool_keeps(pool, kept));
	if (keeps == kept)
		return keeps;
	for (pool = stake->pool; pool; pool = pool->parent)
		atomic64_add((s64)keeps - kept, &pool->kept);
	return keeps;
}
