/* SPDX-License-Identifier: GPL-2.0 */
/* How much of a pool there is to share out, and whether that is plenty. Read without its lock. */
#ifndef ABT_POOL_ROOM_H
#define ABT_POOL_ROOM_H

#include <linux/math64.h>
#include <linux/minmax.h>

#include "pool/pool.h"

/*
 * Under memory pressure a quarter less is shared out: as much as lies between where
 * the kernel enters it and where it leaves it, in tcp_mem as the kernel sets it.
 */
#define ABT_PRESSED_SHIFT	2

/* However many members round up, half of a pool is shared out. */
#define ABT_ROUNDING_MOST_SHIFT	1

/**
 * abt_pool_rounding() - what members round up by takes of a pool
 * @pool: pool
 *
 * Return: bytes.
 */
static inline u64 abt_pool_rounding(const struct abt_pool *pool)
{
	u64 all = (u64)READ_ONCE(pool->hist.members) * READ_ONCE(pool->rounding);
	u64 left = READ_ONCE(pool->left);

	return min(all - min(all, left),
		   READ_ONCE(pool->size) >> ABT_ROUNDING_MOST_SHIFT);
}

/**
 * abt_pool_own() - the own memory of a pool
 * @pool: pool
 *
 * Return: bytes of truesize; loans and overcommitment aside.
 */
static inline u64 abt_pool_own(const struct abt_pool *pool)
{
	u64 own = READ_ONCE(pool->size) - abt_pool_rounding(pool);

	if (READ_ONCE(pool->pressed))
		own -= own >> ABT_PRESSED_SHIFT;
	return own;
}

/**
 * abt_pool_whole() - what a pool shares out
 * @pool: pool
 *
 * Return: bytes of truesize.
 */
static inline u64 abt_pool_whole(const struct abt_pool *pool)
{
	return abt_pool_own(pool) + READ_ONCE(pool->loan) + READ_ONCE(pool->overcommit);
}

/**
 * abt_pool_left() - what a pool has left
 * @pool: pool
 *
 * Return: bytes of truesize.
 */
static inline u64 abt_pool_left(const struct abt_pool *pool)
{
	u64 whole = abt_pool_whole(pool);

	return whole - min(READ_ONCE(pool->charged), whole);
}

/**
 * abt_pool_cap() - the largest grant that a pool can ever give
 * @pool: pool
 *
 * Return: bytes; the smallest size up the tree, at most ABT_BYTES_MAX.
 */
static inline u32 abt_pool_cap(const struct abt_pool *pool)
{
	u64 cap = ABT_BYTES_MAX;

	for (; pool; pool = pool->parent)
		cap = min(cap, READ_ONCE(pool->size));
	return (u32)cap;
}

/**
 * abt_pool_contended() - is there less memory than is asked for?
 * @pool: pool
 *
 * Return: true when demands or charges exceed a pool up the tree, it refused somebody lately, or
 *	demands exceeded it and leave little of it still.
 */
static inline bool abt_pool_contended(const struct abt_pool *pool)
{
	for (; pool; pool = pool->parent)
		if (READ_ONCE(pool->contended) ||
		    READ_ONCE(pool->hungry) ||
		    READ_ONCE(pool->charged) > abt_pool_whole(pool))
			return true;
	return false;
}

/**
 * abt_pool_at_ease() - is there plenty?
 * @pool: pool
 *
 * Well apart from contended, so that a pool does not swing between giving in plenty and taking
 * back in need.
 *
 * Return: true when no pool up the tree has handed out more than half.
 */
static inline bool abt_pool_at_ease(const struct abt_pool *pool)
{
	for (; pool; pool = pool->parent)
		if (READ_ONCE(pool->charged) > abt_pool_whole(pool) / 2)
			return false;
	return true;
}

/**
 * abt_pool_ease_each() - an even part of the memory that a pool can hand out with plenty left
 * @pool: pool
 * @among: it is parted among its members, but so many at least
 *
 * If each member takes no more than that at one moment, the pool still has plenty.
 *
 * Return: bytes of truesize for each member; the least up the tree.
 */
static inline u32 abt_pool_ease_each(const struct abt_pool *pool, u32 among)
{
	u64 least = ABT_BYTES_MAX;

	for (; pool; pool = pool->parent) {
		u64 half = abt_pool_whole(pool) / 2;
		u64 left = half - min(half, READ_ONCE(pool->charged));

		least = min(least, div_u64(left, max(READ_ONCE(pool->hist.members), among)));
	}
	return (u32)least;
}

/*
 * A member is promised at most a quarter of what is left. Promises are not charged until they
 * are called in, so several members can be promised the same memory. Each that calls in all of
 * its promise leaves three quarters to the others.
 */
#define ABT_PROMISE_SHIFT	2

/**
 * abt_pool_promise() - what a member may have beyond its grant
 * @pool: pool
 *
 * Return: bytes of truesize; 0 while the pool is contended.
 */
static inline u32 abt_pool_promise(const struct abt_pool *pool)
{
	u64 left = (u64)ABT_BYTES_MAX << ABT_PROMISE_SHIFT;

	if (abt_pool_contended(pool))
		return 0;
	for (; pool; pool = pool->parent)
		left = min(left, abt_pool_left(pool));
	return (u32)(left >> ABT_PROMISE_SHIFT);
}

#endif /* ABT_POOL_ROOM_H */
