// SPDX-License-Identifier: GPL-2.0
/* Pools: where the water stands, and whom it is told. See pool.h. */
#include <linux/jiffies.h>

#include "pool/pool.h"
#include "pool/room.h"

/*
 * Connections are told of a new level when it moved by more than 1/64: less
 * would have all of them work for nothing that they could notice. Of a slope, too.
 */
#define ABT_LEVEL_NEWS_SHIFT	6

/* Do the demands exceed what there is? */
static bool abt_pool_short(const struct abt_pool *pool)
{
	return pool->hist.total > abt_pool_whole(pool);
}

/* Level and slope for the demands as they are. Context: @pool->levels held. */
static void abt_pool_find_level(struct abt_pool *pool)
{
	const struct abt_hist *h = &pool->hist;
	u32 level = ABT_LEVEL_NONE, slope = 0;
	u64 whole = abt_pool_whole(pool);

	if (pool->share == ABT_SHARE_MAXMIN) {
		level = abt_hist_level(h, whole);
	} else if (pool->share == ABT_SHARE_PROPORTIONAL && abt_pool_short(pool)) {
		level = abt_clamp_bytes(div_u64(whole, h->members));
		slope = abt_hist_slope_q16(h, whole, level);
	}
	WRITE_ONCE(pool->level, level);
	WRITE_ONCE(pool->slope_q16, slope);
	pool->stale = false;
}

/*
 * Refused growth is told of what is left at the next tick. Where nothing came back since
 * connections were told last, they would only ask for it again, each at the cost of a step:
 * so the next time is after twice as long, up to this [ms].
 */
#define ABT_POOL_RETRY_MAX_MS	5000U

/* A fall of what is charged by this part of the pool is worth telling of at once. */
#define ABT_POOL_FREED_SHIFT	6

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
	if (!delayed_work_pending(&pool->tick))
		schedule_delayed_work(&pool->tick,
				      msecs_to_jiffies(ABT_POOL_TICK_MS));
}

/*
 * All connections look anew, at their next events. A member that is refused at this moment
 * looked for news before, so it is told as well, even if its hunger is forgotten here.
 * Context: @pool->levels held.
 */
static void abt_pool_tell(struct abt_pool *pool)
{
	WRITE_ONCE(pool->hungry, false);
	pool->told = pool->level;
	pool->told_slope_q16 = pool->slope_q16;
	pool->told_charged = READ_ONCE(pool->charged);
	pool->told_at = jiffies;
	pool->retry_ms = ABT_POOL_TICK_MS;
	abt_pool_news(pool->generation);
}

/*
 * Find the level anew. It is news if it is far from where it stood when connections were told
 * last, because a level may creep as well as jump.
 * Context: @pool->levels held.
 */
static void abt_pool_relevel(struct abt_pool *pool)
{
	lockdep_assert_held(&pool->levels);
	abt_pool_find_level(pool);
	if (abt_differs(pool->level, pool->told, ABT_LEVEL_NEWS_SHIFT) ||
	    abt_differs(pool->slope_q16, pool->told_slope_q16,
			ABT_LEVEL_NEWS_SHIFT))
		abt_pool_tell(pool);
}

/**
 * abt_pool_changed() - a demand changed
 * @pool: pool
 *
 * Into and out of contention the level follows at once; within it, the tick gathers the
 * changes of many into one pass.
 *
 * Context: @pool->levels held.
 */
void abt_pool_changed(struct abt_pool *pool)
{
	bool contended = pool->level != ABT_LEVEL_NONE;

	pool->stale = true;
	abt_pool_find_bounds(pool);
	if (contended != abt_pool_short(pool))
		abt_pool_relevel(pool);
	if (READ_ONCE(pool->hungry) || (contended && pool->stale))
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

/* Did members give back a part of the pool since they were told last? */
static bool abt_pool_freed(const struct abt_pool *pool)
{
	return READ_ONCE(pool->charged) +
	       (abt_pool_whole(pool) >> ABT_POOL_FREED_SHIFT) <= pool->told_charged;
}

/*
 * Is there anything that refused growth could have? Where a pool is full though all demands fit
 * into it, members hold more than they ask for, and give it back when they are told.
 */
static bool abt_pool_has_news(const struct abt_pool *pool)
{
	return abt_pool_left(pool) || !abt_pool_short(pool) ||
	       pool->level != pool->told ||
	       pool->slope_q16 != pool->told_slope_q16;
}

/* Tell those that were refused: now, or when it is time. Context: @pool->levels held. */
static void abt_pool_tell_refused(struct abt_pool *pool)
{
	unsigned long wait = msecs_to_jiffies(pool->retry_ms);
	unsigned long since = jiffies - pool->told_at;
	u32 retry_ms = min(2 * pool->retry_ms, ABT_POOL_RETRY_MAX_MS);

	if (!abt_pool_has_news(pool))
		return;
	if (abt_pool_freed(pool) || since > 2 * wait) {
		abt_pool_tell(pool);
	} else if (since < wait) {
		schedule_delayed_work(&pool->retry, wait - since);
	} else {
		abt_pool_tell(pool);
		pool->retry_ms = retry_ms;
	}
}

static void abt_pool_refresh(struct abt_pool *pool)
{
	spin_lock_bh(&pool->levels);
	abt_parts_gather(pool);
	abt_pool_find_bounds(pool);
	abt_parts_reopen(pool);
	if (pool->stale)
		abt_pool_relevel(pool);
	if (READ_ONCE(pool->hungry))
		abt_pool_tell_refused(pool);
	spin_unlock_bh(&pool->levels);
}

static void abt_pool_tick(struct work_struct *work)
{
	abt_pool_refresh(container_of(to_delayed_work(work), struct abt_pool,
				      tick));
}

static void abt_pool_retry(struct work_struct *work)
{
	abt_pool_refresh(container_of(to_delayed_work(work), struct abt_pool,
				      retry));
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
	INIT_DELAYED_WORK(&pool->tick, abt_pool_tick);
	INIT_DELAYED_WORK(&pool->retry, abt_pool_retry);
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
 * abt_pool_exit() - the end of a pool that nobody is in any more
 * @pool: pool
 *
 * Context: process, sleeps for a tick under way.
 */
void abt_pool_exit(struct abt_pool *pool)
{
	cancel_delayed_work_sync(&pool->tick);
	cancel_delayed_work_sync(&pool->retry);
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
	abt_pool_relevel(pool);
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
		.size = pool->size,
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
