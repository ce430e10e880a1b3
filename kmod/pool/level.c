// SPDX-License-Identifier: GPL-2.0
/* The level of a pool: found from the demands, and told to connections. See pool.h. */
#include <linux/jiffies.h>

#include "pool/gather.h"
#include "pool/level.h"
#include "pool/pool.h"
#include "pool/room.h"

/*
 * Connections are told of a new level when it moved by more than 1/64: less
 * would have all of them work for nothing that they could notice. Of a slope, too.
 */
#define ABT_LEVEL_NEWS_SHIFT	6

/*
 * Refused growth is told of what is left at the next tick. Where nothing came back since
 * connections were told last, they would only ask for it again, each at the cost of a step:
 * so the next time is after twice as long, up to this [ms].
 */
#define ABT_POOL_RETRY_MAX_MS	5000U

/* A fall of what is charged by this part of the pool is worth telling of at once. */
#define ABT_POOL_FREED_SHIFT	6

/* Do the demands exceed what there is? */
static bool abt_pool_short(const struct abt_pool *pool)
{
	return pool->hist.total > abt_pool_whole(pool);
}

/**
 * abt_level_crossed() - did demands begin or cease to exceed the pool since its level was found?
 * @pool: pool
 *
 * Context: @pool->levels held.
 * Return: true when they did.
 */
bool abt_level_crossed(const struct abt_pool *pool)
{
	return abt_pool_short(pool) != (pool->level != ABT_LEVEL_NONE);
}

/*
 * A contended pool stays so until some of it is left beyond all demands. If demands that are
 * just its size made it change with each of them, all connections would be told each time.
 */
static bool abt_pool_is_contended(const struct abt_pool *pool)
{
	return pool->share != ABT_SHARE_FCFS &&
	       (abt_pool_short(pool) || (pool->contended && pool->tight));
}

/* Level and slope for the demands as they are. */
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
 * Connections look anew, at their next events: all of them, or if their grant is another. A
 * member that is refused at this moment looked for news before, so it is told as well, even if its
 * hunger is forgotten here.
 */
static void abt_pool_tell(struct abt_pool *pool, int news)
{
	/* a pool that is hungry counts as contended, see abt_pool_contended() */
	if (READ_ONCE(pool->hungry) && !pool->contended)
		news = ABT_NEWS_ALL;
	WRITE_ONCE(pool->hungry, false);
	pool->told = pool->level;
	pool->told_slope_q16 = pool->slope_q16;
	pool->told_charged = READ_ONCE(pool->charged);
	pool->told_at = jiffies;
	pool->retry_ms = ABT_POOL_TICK_MS;
	abt_pool_news(pool->generation, news);
}

/*
 * Is the level far from the one that connections were told of last? That counts for what it gives
 * to the largest demand, because levels above that cut nobody.
 */
static bool abt_pool_level_is_news(const struct abt_pool *pool)
{
	u32 top = abt_hist_top(&pool->hist);

	return abt_differs(min(pool->level, top), min(pool->told, top),
			   ABT_LEVEL_NEWS_SHIFT) ||
	       abt_differs(pool->slope_q16, pool->told_slope_q16,
			   ABT_LEVEL_NEWS_SHIFT);
}

/**
 * abt_level_refresh() - find the level anew
 * @pool: pool
 *
 * It is news if the pool becomes contended, or is so no more, or if the level is far from where it
 * stood when connections were told last, because a level may creep as well as jump. A demand that
 * moved meanwhile, and was above the old level, may not be above the new one.
 *
 * Context: @pool->levels held.
 */
void abt_level_refresh(struct abt_pool *pool)
{
	u32 before = pool->level;
	bool contended, turns;

	lockdep_assert_held(&pool->levels);
	contended = abt_pool_is_contended(pool);
	turns = contended != pool->contended;
	WRITE_ONCE(pool->contended, contended);
	abt_pool_find_level(pool);
	if (pool->level != before && abt_parts_moved(pool))
		abt_pool_schedule(pool);
	if (turns || abt_pool_level_is_news(pool))
		abt_pool_tell(pool, turns ? ABT_NEWS_ALL : ABT_NEWS_LEVEL);
}

/* Did members give back a part of the pool since they were told last? */
static bool abt_pool_freed(const struct abt_pool *pool)
{
	return READ_ONCE(pool->charged) +
	       (abt_pool_whole(pool) >> ABT_POOL_FREED_SHIFT) <= pool->told_charged;
}

/*
 * Of what is left, a byte of each member may be there because its charge is odd; of many members no
 * more than this counts as such, which is less than what a segment takes [bytes of truesize].
 */
#define ABT_POOL_ODD_MOST	4096U

/*
 * Is there anything that refused growth could have? Where a pool is full though all demands fit
 * into it, members hold more than they ask for, and give it back when they are told.
 */
static bool abt_pool_has_news(const struct abt_pool *pool)
{
	u32 odd = min(pool->hist.members, ABT_POOL_ODD_MOST);

	return abt_pool_left(pool) > odd || !abt_pool_short(pool) ||
	       pool->level != pool->told ||
	       pool->slope_q16 != pool->told_slope_q16;
}

/*
 * Tell, if nobody was told for so long; else look again when that is so.
 * Return: true when they were told.
 */
static bool abt_pool_tell_after(struct abt_pool *pool, u32 ms)
{
	unsigned long wait = msecs_to_jiffies(ms);
	unsigned long since = jiffies - pool->told_at;

	if (since < wait) {
		if (!timer_pending(&pool->retry))
			mod_timer(&pool->retry, jiffies + wait - since);
		return false;
	}
	abt_pool_tell(pool, ABT_NEWS_LEVEL);
	return true;
}

/**
 * abt_level_tell_refused() - tell those that were refused: now, or when it is time
 * @pool: pool
 *
 * Context: @pool->levels held.
 */
void abt_level_tell_refused(struct abt_pool *pool)
{
	unsigned long calm = 2 * msecs_to_jiffies(pool->retry_ms);
	u32 retry_ms = min(2 * pool->retry_ms, ABT_POOL_RETRY_MAX_MS);

	if (!abt_pool_has_news(pool))
		return;
	if (abt_pool_freed(pool) || jiffies - pool->told_at > calm)
		abt_pool_tell(pool, ABT_NEWS_LEVEL);
	else if (abt_pool_tell_after(pool, pool->retry_ms))
		pool->retry_ms = retry_ms;
}

/*
 * A level that is gone may have cut a few of the largest demands by up to a bucket's width, which
 * is no news. They are told of its end when nobody was told of anything for so long [ms].
 */
#define ABT_POOL_END_MS		5000U

/**
 * abt_level_tell_end() - tell that nobody is cut any more, if that was no news
 * @pool: pool
 *
 * Context: @pool->levels held.
 */
void abt_level_tell_end(struct abt_pool *pool)
{
	if (pool->level == ABT_LEVEL_NONE && pool->told != ABT_LEVEL_NONE)
		abt_pool_tell_after(pool, ABT_POOL_END_MS);
}
