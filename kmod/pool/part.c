// SPDX-License-Identifier: GPL-2.0
/* A part of a pool: demands that move in it, and its reserve. See part.h. */
#include <linux/smp.h>

#include "pool/gather.h"
#include "pool/loan.h"
#include "pool/part.h"
#include "pool/pool.h"
#include "pool/room.h"

/* Any part would do; that of this processor is not in another one's cache. */
static struct abt_pool_part *abt_part_of(const struct abt_pool *pool)
{
	return &pool->parts[raw_smp_processor_id() & (abt_parts(pool) - 1)];
}

/* Did demands or members grow by so much that the pool is to know? Context: @part->lock held. */
static bool abt_part_is_far(const struct abt_pool *pool,
			    struct abt_pool_part *part)
{
	const struct abt_hist *moved = abt_part_moved(part);

	return (s64)moved->total > READ_ONCE(pool->part_far) ||
	       (s32)moved->members > ABT_PART_MEMBERS;
}

/*
 * Demands of a part changed. The pool is told at once if they are far from those that it knows,
 * else at a tick. All parts tell theirs, because a member may ask for more in this one and for
 * that less in another. Context: @part->lock held; it is given back.
 */
static void abt_part_changed(struct abt_pool *pool, struct abt_pool_part *part)
	__releases(&part->lock)
{
	bool far = abt_part_is_far(pool, part);

	spin_unlock_bh(&part->lock);
	if (far) {
		spin_lock_bh(&pool->levels);
		abt_parts_gather(pool);
		abt_pool_changed(pool);
		spin_unlock_bh(&pool->levels);
	}
	if (READ_ONCE(pool->tight))
		abt_pool_schedule(pool);
}

/*
 * Is a demand above the level's bucket, before and after it moved? Then the level stays, because it
 * cuts the demand in either case. A level that is written meanwhile may be higher;
 * abt_level_refresh() looks for such moves.
 */
static bool abt_part_stays_cut(const struct abt_pool *pool, u32 from, u32 to)
{
	u32 level = READ_ONCE(pool->level);
	u32 least = min(from, to);

	return least > level && abt_hist_bucket(least) > abt_hist_bucket(level) &&
	       READ_ONCE(pool->share) == ABT_SHARE_MAXMIN;
}

/* A part keeps some of a reserve. Return: the rest. Context: @part->lock held. */
static u32 abt_part_give_back(struct abt_pool *pool, struct abt_pool_part *part,
			      u32 less)
{
	u32 keep = READ_ONCE(pool->part_keep), spare;

	part->reserve += less;
	if (part->reserve <= keep)
		return 0;
	spare = part->reserve - keep / 2;
	part->reserve = keep / 2;
	return spare;
}

/* @spare goes back to the pool; a tick tells refused members of it. */
static void abt_pool_put(struct abt_pool *pool, u32 spare)
{
	if (spare) {
		spin_lock_bh(&pool->lock);
		WRITE_ONCE(pool->charged, pool->charged - spare);
		abt_pool_find_keep(pool);
		spin_unlock_bh(&pool->lock);
	}
	if (READ_ONCE(pool->hungry))
		abt_pool_schedule(pool);
}

/**
 * abt_part_come() - a member comes
 * @pool: pool
 * @demand: its demand [bytes of truesize]
 *
 * Context: any.
 */
void abt_part_come(struct abt_pool *pool, u32 demand)
{
	struct abt_pool_part *part = abt_part_of(pool);

	spin_lock_bh(&part->lock);
	abt_hist_add(abt_part_moved(part), demand);
	abt_part_changed(pool, part);
}

/**
 * abt_part_move() - a member asks for something else
 * @pool: pool
 * @from: its demand before [bytes of truesize]
 * @to: its demand now [bytes of truesize]
 *
 * Context: any.
 */
void abt_part_move(struct abt_pool *pool, u32 from, u32 to)
{
	struct abt_pool_part *part = abt_part_of(pool);

	spin_lock_bh(&part->lock);
	abt_hist_del(abt_part_moved(part), from);
	abt_hist_add(abt_part_moved(part), to);
	if (abt_part_stays_cut(pool, from, to)) {
		spin_unlock_bh(&part->lock);
		abt_loan_look(pool->lends);	/* as a tick of a short pool would */
	} else {
		abt_part_changed(pool, part);
	}
}

/**
 * abt_part_go() - a member goes
 * @pool: pool
 * @demand: its demand [bytes of truesize]
 * @charged: its charge [bytes of truesize]
 *
 * Context: any.
 */
void abt_part_go(struct abt_pool *pool, u32 demand, u32 charged)
{
	struct abt_pool_part *part = abt_part_of(pool);
	u32 spare;

	spin_lock_bh(&part->lock);
	abt_hist_del(abt_part_moved(part), demand);
	spare = abt_part_give_back(pool, part, charged);
	abt_part_changed(pool, part);
	abt_pool_put(pool, spare);
}

/* Half of the reserve that a part may keep. Context: @pool->lock held. */
static void abt_part_fill(struct abt_pool *pool, struct abt_pool_part *part)
{
	u32 reserve = (u32)min_t(u64, pool->part_keep / 2, abt_pool_left(pool));

	spin_lock(&part->lock);
	reserve -= min(reserve, part->reserve);
	part->reserve += reserve;
	spin_unlock(&part->lock);
	WRITE_ONCE(pool->charged, pool->charged + reserve);
}

/*
 * Make room out of the reserves. With many processors that is done once between two ticks, because
 * each part is written. Members that are refused meanwhile are told at the tick, which calls the
 * reserves in as well. Context: @pool->lock held.
 */
static void abt_pool_make_room(struct abt_pool *pool)
{
	if (pool->called_in)
		return;
	abt_parts_call_in(pool);
	if (!pool->parts_shift)
		return;
	WRITE_ONCE(pool->called_in, true);
	abt_pool_schedule(pool);
}

/* Growth that is not in the part's reserve. */
static u32 abt_pool_take(struct abt_pool *pool, struct abt_pool_part *part,
			 u32 more, u32 must)
{
	u32 got;

	spin_lock_bh(&pool->lock);
	if (abt_pool_left(pool) < more)
		abt_pool_make_room(pool);
	got = max_t(u32, min_t(u64, more, abt_pool_left(pool)), must);
	WRITE_ONCE(pool->charged, pool->charged + got);
	pool->grants += got > 0;
	if (got < more) {
		pool->refused++;
		if (!READ_ONCE(pool->hungry))
			WRITE_ONCE(pool->hungry, true);
		abt_pool_schedule(pool);
	} else {
		abt_part_fill(pool, part);
	}
	abt_pool_find_keep(pool);
	spin_unlock_bh(&pool->lock);
	return got;
}

/*
 * Would a pool have to refuse, because its reserves were called in just now? Then its lock is left
 * alone. If it tells refused members at this very moment, the one that we refuse is told as well,
 * because it looked for news before it asked.
 */
static bool abt_pool_refuses(const struct abt_pool *pool, u32 more)
{
	return READ_ONCE(pool->called_in) && READ_ONCE(pool->hungry) &&
	       READ_ONCE(pool->charged) + more > abt_pool_whole(pool);
}

/**
 * abt_part_take() - charge for growth
 * @pool: pool
 * @more: bytes of truesize
 * @must: so much of it in any case
 *
 * Context: any.
 * Return: the bytes charged: @more, or less if the pool has less left, at least @must.
 */
u32 abt_part_take(struct abt_pool *pool, u32 more, u32 must)
{
	struct abt_pool_part *part = abt_part_of(pool);
	bool enough, refused;

	spin_lock_bh(&part->lock);
	enough = more <= part->reserve;
	refused = !enough && !must && abt_pool_refuses(pool, more);
	if (enough)
		part->reserve -= more;
	part->grants += enough;
	part->refused += refused;
	spin_unlock_bh(&part->lock);
	if (refused)
		return 0;
	return enough ? more : abt_pool_take(pool, part, more, must);
}

/**
 * abt_part_put() - charge for less
 * @pool: pool
 * @less: bytes of truesize
 *
 * Context: any.
 */
void abt_part_put(struct abt_pool *pool, u32 less)
{
	struct abt_pool_part *part = abt_part_of(pool);
	u32 spare;

	spin_lock_bh(&part->lock);
	part->shrinks++;
	spare = abt_part_give_back(pool, part, less);
	spin_unlock_bh(&part->lock);
	abt_pool_put(pool, spare);
}
