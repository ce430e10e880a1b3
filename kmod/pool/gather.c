// SPDX-License-Identifier: GPL-2.0
/* All parts of a pool at once. See part.h. */
#include <linux/log2.h>
#include <linux/slab.h>
#include <linux/smp.h>

#include "pool/gather.h"
#include "pool/part.h"
#include "pool/pool.h"

/**
 * abt_parts_init() - the parts of a new pool
 * @pool: pool
 *
 * Context: process, sleeps.
 * Return: 0, or -ENOMEM.
 */
int abt_parts_init(struct abt_pool *pool)
{
	u32 parts = min_t(u32, roundup_pow_of_two(nr_cpu_ids), ABT_PARTS_MAX);
	u32 i;

	pool->parts_shift = ilog2(parts);
	pool->parts = kvcalloc(parts, sizeof(*pool->parts), GFP_KERNEL_ACCOUNT);
	if (!pool->parts)
		return -ENOMEM;
	for (i = 0; i < parts; i++)
		spin_lock_init(&pool->parts[i].lock);
	return 0;
}

/**
 * abt_parts_exit() - the end of the parts
 * @pool: pool without members
 *
 * Context: process, sleeps.
 */
void abt_parts_exit(struct abt_pool *pool)
{
	kvfree(pool->parts);
}

/* Merge the side of a part where nothing comes and goes. Context: @pool->levels held. */
static void abt_part_gather(struct abt_pool *pool, struct abt_pool_part *part)
{
	struct abt_hist *moved = &part->moved[!part->side];

	if (!moved->touched)
		return;
	abt_hist_merge(&pool->hist, moved);
	pool->stale = true;
}

/**
 * abt_parts_moved() - did demands change since they were gathered?
 * @pool: pool
 *
 * Of each part under its lock. So a change that is not seen here sees what the pool wrote before.
 *
 * Context: @pool->levels held.
 * Return: true when one did.
 */
bool abt_parts_moved(struct abt_pool *pool)
{
	bool moved = false;
	u32 i;

	for (i = 0; i < abt_parts(pool); i++) {
		spin_lock(&pool->parts[i].lock);
		moved |= abt_part_moved(&pool->parts[i])->touched;
		spin_unlock(&pool->parts[i].lock);
	}
	return moved;
}

/* All parts' locks, within that of the levels. Sparse does not follow locks through a loop. */
static void abt_part_hold(struct abt_pool *pool, u32 i)
{
	spin_lock_nest_lock(&pool->parts[i].lock, &pool->levels);
	__release(&pool->parts[i].lock);
}

static void abt_part_release(struct abt_pool_part *part)
{
	__acquire(&part->lock);
	spin_unlock(&part->lock);
}

/**
 * abt_parts_gather() - a pool is told of all demands
 * @pool: pool
 *
 * Of all parts at one moment: a member may have come on one processor and have gone on another. All
 * processors wait for that moment, so in it the parts only turn to their other side. They are read
 * afterwards.
 *
 * Context: @pool->levels held.
 */
void abt_parts_gather(struct abt_pool *pool)
{
	u32 i;

	lockdep_assert_held(&pool->levels);
	for (i = 0; i < abt_parts(pool); i++)
		abt_part_hold(pool, i);
	for (i = 0; i < abt_parts(pool); i++)
		pool->parts[i].side = !pool->parts[i].side;
	for (i = 0; i < abt_parts(pool); i++)
		abt_part_release(&pool->parts[i]);
	for (i = 0; i < abt_parts(pool); i++)
		abt_part_gather(pool, &pool->parts[i]);
}

/* Context: @pool->lock and @part->lock held. */
static void abt_part_count(struct abt_pool *pool, struct abt_pool_part *part)
{
	pool->grants += part->grants;
	pool->shrinks += part->shrinks;
	pool->refused += part->refused;
	part->grants = 0;
	part->shrinks = 0;
	part->refused = 0;
}

/**
 * abt_parts_call_in() - a pool takes all reserves back, and counts what members did
 * @pool: pool
 *
 * Context: @pool->lock held.
 */
void abt_parts_call_in(struct abt_pool *pool)
{
	u64 reserves = 0;
	u32 i;

	lockdep_assert_held(&pool->lock);
	for (i = 0; i < abt_parts(pool); i++) {
		struct abt_pool_part *part = &pool->parts[i];

		spin_lock(&part->lock);
		reserves += part->reserve;
		part->reserve = 0;
		abt_part_count(pool, part);
		spin_unlock(&part->lock);
	}
	WRITE_ONCE(pool->charged, pool->charged - reserves);
}

/**
 * abt_parts_reopen() - from now on growth may call the reserves in again
 * @pool: pool
 *
 * In most ticks there is nothing to do, and the lock is left alone. A processor that calls them in
 * or is refused after abt_pool_find_bounds() had the lock schedules another tick.
 *
 * Context: @pool->levels held, after abt_pool_find_bounds().
 */
void abt_parts_reopen(struct abt_pool *pool)
{
	if (!READ_ONCE(pool->called_in) && !READ_ONCE(pool->hungry))
		return;
	spin_lock(&pool->lock);
	WRITE_ONCE(pool->called_in, false);
	if (READ_ONCE(pool->hungry))
		abt_parts_call_in(pool);
	spin_unlock(&pool->lock);
}
