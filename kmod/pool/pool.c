// SPDX-License-Identifier: GPL-2.0
/* Pools: their sizes, their ticks and their figures. See pool.h. */
#include <linux/jiffies.h>

#include "compat/timer.h"
#include "pool/gather.h"
#include "pool/level.h"
#include "pool/loan.h"
#include "pool/pool.h"
#include "pool/room.h"

/* With less than this part of the pool left beyond all demands, each change is worth a tick. */
#define ABT_POOL_TIGHT_SHIFT	5

/* The parts together may add half of what is left beyond the demands, before the pool is told. */
#define ABT_POOL_FAR_SHIFT	1

/* Reserves are a quarter of what is left, all together, and at least 1/32 of the pool. */
#define ABT_POOL_KEEP_SHIFT		2
#define ABT_POOL_KEEP_LEAST_SHIFT	5

/* All processors read the reserve that a part may keep, so it changes by 1/4 or more. */
#define ABT_POOL_KEEP_NEWS_SHIFT	2

/**
 * abt_pool_find_keep() - the reserve that each part may keep
 * @pool: pool
 *
 * None, while charges exceed the pool: memory that comes back is not for growth.
 *
 * Context: @pool->lock held.
 */
void abt_pool_find_keep(struct abt_pool *pool)
{
	u64 whole = abt_pool_whole(pool);
	u64 keep = max(abt_pool_left(pool) >> ABT_POOL_KEEP_SHIFT,
		       whole >> ABT_POOL_KEEP_LEAST_SHIFT) >> pool->parts_shift;
	u32 now = pool->charged > whole ? 0 : abt_clamp_bytes(keep);

	if (!now || abt_differs(now, pool->part_keep, ABT_POOL_KEEP_NEWS_SHIFT))
		WRITE_ONCE(pool->part_keep, now);
}

/* Bounds for the parts' demands and reserves. Context: @pool->levels held. */
static void abt_pool_find_bounds(struct abt_pool *pool)
{
	u64 whole = abt_pool_whole(pool);
	u64 ahead = whole - min(whole, pool->hist.total);
	bool tight = ahead < whole >> ABT_POOL_TIGHT_SHIFT;

	WRITE_ONCE(pool->tight, tight);
	WRITE_ONCE(pool->part_far, tight ? S64_MAX : ahead >>
		   (ABT_POOL_FAR_SHIFT + pool->parts_shift));
	spin_lock(&pool->lock);
	abt_pool_find_keep(pool);
	spin_unlock(&pool->lock);
}

/**
 * abt_pool_schedule() - refresh the level at the next tick
 * @pool: pool
 *
 * Context: any.
 */
void abt_pool_schedule(struct abt_pool *pool)
{
	if (!timer_pending(&pool->tick))
		mod_timer(&pool->tick, jiffies + msecs_to_jiffies(ABT_POOL_TICK_MS));
}

/**
 * abt_pool_changed() - a demand changed
 * @pool: pool
 *
 * If demands begin or cease to exceed the pool, the level follows at once. While it is contended,
 * the tick gathers the changes of many into one pass.
 *
 * Context: @pool->levels held.
 */
void abt_pool_changed(struct abt_pool *pool)
{
	pool->stale = true;
	abt_pool_find_bounds(pool);
	if (abt_level_crossed(pool))
		abt_level_refresh(pool);
	if (READ_ONCE(pool->hungry) || (pool->contended && pool->stale))
		abt_pool_schedule(pool);
}

/* All that the parts know and have, the pool knows and has. Context: @pool->levels held. */
static void abt_pool_settle(struct abt_pool *pool)
{
	abt_parts_gather(pool);
	spin_lock(&pool->lock);
	abt_parts_call_in(pool);
	spin_unlock(&pool->lock);
}

/* Its size, or the way in which it is shared out, is another. Context: @pool->levels held. */
static void abt_pool_remade(struct abt_pool *pool)
{
	abt_pool_settle(pool);
	abt_pool_changed(pool);
}

static void abt_pool_refresh(struct abt_pool *pool)
{
	spin_lock_bh(&pool->levels);
	abt_parts_gather(pool);
	abt_pool_find_bounds(pool);
	abt_parts_reopen(pool);
	if (pool->stale)
		abt_level_refresh(pool);
	if (READ_ONCE(pool->hungry))
		abt_level_tell_refused(pool);
	abt_level_tell_end(pool);
	spin_unlock_bh(&pool->levels);
}

static void abt_pool_tick(struct timer_list *timer)
{
	struct abt_pool *pool = container_of(timer, struct abt_pool, tick);

	abt_pool_refresh(pool);
	if (pool->contended)
		abt_loan_look(pool->lends);
}

static void abt_pool_retry(struct timer_list *timer)
{
	abt_pool_refresh(container_of(timer, struct abt_pool, retry));
}

/**
 * abt_pool_init() - an empty pool
 * @pool: zeroed memory
 * @parent: the host's pool, or NULL
 * @generation: counter of level changes, common to all pools
 * @size: bytes of truesize
 *
 * Context: process, sleeps.
 * Return: 0, or -ENOMEM: there is no pool.
 */
int abt_pool_init(struct abt_pool *pool, struct abt_pool *parent,
		  atomic_t *generation, u64 size)
{
	int err;

	spin_lock_init(&pool->lock);
	spin_lock_init(&pool->levels);
	timer_setup(&pool->tick, abt_pool_tick, 0);
	timer_setup(&pool->retry, abt_pool_retry, 0);
	pool->retry_ms = ABT_POOL_TICK_MS;
	pool->parent = parent;
	pool->generation = generation;
	pool->level = ABT_LEVEL_NONE;
	pool->told = ABT_LEVEL_NONE;
	err = abt_parts_init(pool);
	if (!err)
		abt_pool_resize(pool, size);
	return err;
}

/**
 * abt_pool_stop() - a pool that nobody is in any more does nothing on return
 * @pool: pool
 *
 * A retry under way may schedule a tick for a member that left meanwhile, and a tick a retry. A
 * second retry finds nothing that moved.
 *
 * Context: process, waits for a tick under way.
 */
void abt_pool_stop(struct abt_pool *pool)
{
	timer_delete_sync(&pool->retry);
	timer_delete_sync(&pool->tick);
	timer_delete_sync(&pool->retry);
}

/**
 * abt_pool_exit() - the end of a pool that nobody is in any more
 * @pool: pool
 *
 * Context: process, sleeps for a tick under way.
 */
void abt_pool_exit(struct abt_pool *pool)
{
	abt_pool_stop(pool);
	spin_lock_bh(&pool->levels);
	abt_pool_settle(pool);
	spin_unlock_bh(&pool->levels);
	WARN_ON_ONCE(pool->hist.members || pool->charged);
	abt_parts_exit(pool);
}

/**
 * abt_pool_resize() - another size
 * @pool: pool
 * @size: bytes of truesize; less than what is charged is fine: members give back
 *	at their next events
 *
 * Context: any.
 * Return: false when it has that size already.
 */
bool abt_pool_resize(struct abt_pool *pool, u64 size)
{
	bool differs;

	spin_lock_bh(&pool->levels);
	differs = pool->size != size;
	WRITE_ONCE(pool->size, size);
	abt_pool_remade(pool);
	spin_unlock_bh(&pool->levels);
	return differs;
}

/**
 * abt_pool_lend() - borrow of the host's other pool, or lend to it
 * @pool: the host's pool
 * @loan: bytes of truesize; below 0: lent
 *
 * Context: any.
 */
void abt_pool_lend(struct abt_pool *pool, s64 loan)
{
	spin_lock_bh(&pool->levels);
	WRITE_ONCE(pool->loan, loan);
	abt_pool_remade(pool);
	spin_unlock_bh(&pool->levels);
}

/**
 * abt_pool_overcommit() - hand out more than a pool has
 * @pool: the host's pool
 * @bytes: so much more [bytes of truesize]
 *
 * Context: any.
 */
void abt_pool_overcommit(struct abt_pool *pool, u64 bytes)
{
	spin_lock_bh(&pool->levels);
	WRITE_ONCE(pool->overcommit, bytes);
	abt_pool_remade(pool);
	spin_unlock_bh(&pool->levels);
}

/**
 * abt_pool_press() - the kernel came under memory pressure, or is out of it
 * @pool: the host's pool
 * @pressed: which of the two
 *
 * Context: any.
 */
void abt_pool_press(struct abt_pool *pool, bool pressed)
{
	spin_lock_bh(&pool->levels);
	WRITE_ONCE(pool->pressed, pressed);
	abt_pool_remade(pool);
	spin_unlock_bh(&pool->levels);
}

/**
 * abt_pool_set_rounding() - what the kernel counts of members beside their charges
 * @pool: pool
 * @each: of each member [bytes]; 0: nothing, or it is not reckoned with
 * @left: room for that beside the pool's size [bytes]; if all members together need more, the
 *	pool shares out less
 *
 * Context: any.
 */
void abt_pool_set_rounding(struct abt_pool *pool, u32 each, u64 left)
{
	spin_lock_bh(&pool->levels);
	WRITE_ONCE(pool->rounding, each);
	WRITE_ONCE(pool->left, left);
	abt_pool_remade(pool);
	spin_unlock_bh(&pool->levels);
}

/**
 * abt_pool_set_share() - another way of sharing
 * @pool: pool
 * @share: the way
 *
 * Context: any.
 * Return: false when it is shared out like that already.
 */
bool abt_pool_set_share(struct abt_pool *pool, enum abt_share share)
{
	bool differs;

	spin_lock_bh(&pool->levels);
	differs = pool->share != share;
	WRITE_ONCE(pool->share, share);
	abt_pool_remade(pool);
	abt_level_refresh(pool);
	spin_unlock_bh(&pool->levels);
	return differs;
}

/**
 * abt_pool_stat() - the figures of a pool, all of one moment
 * @pool: pool
 * @stat: where they go
 *
 * Context: any.
 */
void abt_pool_stat(struct abt_pool *pool, struct abt_pool_stat *stat)
{
	spin_lock_bh(&pool->levels);
	abt_parts_gather(pool);
	if (pool->stale)
		abt_pool_changed(pool);
	spin_lock(&pool->lock);
	abt_parts_call_in(pool);
	*stat = (struct abt_pool_stat) {
		.size = pool->size + pool->loan + pool->overcommit,
		.charged = pool->charged,
		.demand = pool->hist.total,
		.level = pool->level,
		.slope_q16 = pool->slope_q16,
		.members = pool->hist.members,
		.grants = pool->grants,
		.shrinks = pool->shrinks,
		.refused = pool->refused,
	};
	spin_unlock(&pool->lock);
	spin_unlock_bh(&pool->levels);
}
