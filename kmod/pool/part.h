/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The parts of a pool: changes that the pool was not told of yet.
 *
 * Processors would meet at a pool's lock with each demand and each charge. So each has a
 * part, or shares one with few others. In it demands are gathered, and a reserve is kept:
 * memory that the pool counts as charged, and that no member has. A member grows out of the
 * reserve, and gives back to it.
 *
 *	member --> part: moved, reserve --> pool: histogram, charged
 *	                                    when there is much of it, and at ticks
 *
 * The pool's charges include the reserves, so it never hands out more than it has. All
 * reserves are called in before growth is refused, so no memory is kept from a member; with
 * several parts once between two ticks. The parts together may add half of the memory that is
 * left beyond all demands, before the pool is told at once. So it cannot become contended
 * unseen. Near contention, and in it, each tick gathers the parts.
 */
#ifndef ABT_POOL_PART_H
#define ABT_POOL_PART_H

#include <linux/cache.h>
#include <linux/spinlock.h>

#include "pool/hist.h"

struct abt_pool;

/*
 * Of a pool, at most: 10.5 KB each. With more processors, several share one. All parts' locks are
 * held at once, and the kernel counts up to 255 locks.
 */
#define ABT_PARTS_MAX		128

/* Members that came before a pool is told, because their number counts as well. */
#define ABT_PART_MEMBERS	16

/**
 * struct abt_pool_part - changes to a pool on some processors
 * @lock: protects all of it, except one side of @moved; BH-safe. Taken within those of
 *	the pool, or alone.
 * @reserve: charged in the pool, and no member's [bytes of truesize]
 * @side: of @moved, where demands come and go now; changes with the lock of the pool's levels and
 *	those of all parts
 * @grants: times that a member's charge grew
 * @shrinks: times that it shrank
 * @refused: times that growth found nothing
 * @moved: demands that came, less those that went; may be below 0, and wraps. The other side
 *	is empty, or being gathered, with the lock of the pool's levels.
 */
struct abt_pool_part {
	spinlock_t lock;	/* see above */
	u32 reserve;
	u32 side;
	u64 grants;
	u64 shrinks;
	u64 refused;
	struct abt_hist moved[2];
} ____cacheline_aligned_in_smp;

/* The side where demands come and go. Context: @part->lock held. */
static inline struct abt_hist *abt_part_moved(struct abt_pool_part *part)
{
	return &part->moved[part->side];
}

void abt_part_come(struct abt_pool *pool, u32 demand);
void abt_part_move(struct abt_pool *pool, u32 from, u32 to);
void abt_part_go(struct abt_pool *pool, u32 demand, u32 charged);
u32 abt_part_take(struct abt_pool *pool, u32 more, u32 must);
void abt_part_put(struct abt_pool *pool, u32 less);

#endif /* ABT_POOL_PART_H */
