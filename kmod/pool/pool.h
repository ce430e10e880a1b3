/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory that connections share: a send pool and a receive pool for the host,
 * and another two for a namespace that asked for pools of its own.
 *
 *	demand --> histogram --> level --\
 *	                                  min --> grant --> charge --> applied
 *	demand ---------------------------/
 *
 * A pool promises two things. Its charges never exceed its size, floors and windows already
 * offered aside, because growth is charged before it is applied. And at
 * rest everyone has min(demand, level): max-min. With SABT's sharing that is
 * min(demand, level + slope x demand).
 *
 * Pools form a tree of two levels. A namespace's own pool has the host's as its
 * parent. Its members are charged to both, and the smaller level holds.
 *
 * A pool that all demands fit into has no level and does no work, nor does a pool in which
 * nothing changes. While it is contended, or growth was refused, the changes
 * of ABT_POOL_TICK_MS are one refresh of its level.
 */
#ifndef ABT_POOL_POOL_H
#define ABT_POOL_POOL_H

#include <linux/spinlock.h>
#include <linux/workqueue.h>

#include "pool/hist.h"

/* Refresh of a contended pool's level [ms]: well below a wide-area RTT. */
#define ABT_POOL_TICK_MS	10

/* Pools that one connection can be charged to: its namespace's and the host's. */
#define ABT_POOL_DEPTH		2

/* The direction that a pool serves. */
enum abt_dir {
	ABT_SND,
	ABT_RCV,
	ABT_DIRS
};

/* How a pool is shared out. */
enum abt_share {
	ABT_SHARE_MAXMIN,	/* ATBT: everyone min(demand, level) */
	ABT_SHARE_PROPORTIONAL,	/* SABT: the rest of small demands, by demand */
	ABT_SHARE_FCFS,		/* TBT-PLR's own text: first come, first served */
};

/**
 * struct abt_pool - memory to share out
 * @lock: protects all that follows unless said otherwise; BH-safe. A child's
 *	lock is taken before its parent's.
 * @size: all of its memory [bytes of truesize]. Written and read as @level is.
 * @charged: sum of its members' charges [bytes of truesize]. Written and read as @level is.
 * @level: water level [bytes], ABT_LEVEL_NONE when uncontended. Written under
 *	@lock, read anywhere.
 * @slope_q16: bytes added to @level for each byte of demand, Q16; 0 but for
 *	ABT_SHARE_PROPORTIONAL. Written and read as @level is; a reader that sees one
 *	new and one old is told again.
 * @told: @level when connections were told of it last
 * @told_slope_q16: @slope_q16 then
 * @told_charged: @charged then
 * @told_at: when that was [jiffies]
 * @retry_ms: refused growth is told of again so long after @told_at, unless something
 *	came back [ms]
 * @pressed: the kernel is short of memory for TCP: less than @size is shared out.
 *	Written and read as @level is.
 * @rounding: bytes that the kernel counts of each member beside its charge. Written
 *	and read as @level is.
 * @left: room for that beside @size [bytes]. Written and read as @level is.
 * @share: how it is shared out; written under @lock, read anywhere
 * @hist: demands of the members
 * @grants: times that a member's charge grew
 * @shrinks: times that it shrank
 * @refused: times that growth found less than it asked for
 * @hungry: growth was refused since connections were told last. Written and read as
 *	@level is.
 * @stale: a member came, went or wants something else since @level was found
 * @parent: the host's pool, or NULL in the host's pool; constant
 * @generation: counts changes of the level, so that a connection sees with one compare
 *	that there is news; shared by pools with the same members. Constant pointer.
 * @tick: refreshes @level after changes in a contended pool, and tells the refused
 *	when something came back
 * @retry: tells the refused when nothing did, after @retry_ms
 */
struct abt_pool {
	spinlock_t lock;	/* all that changes below */
	u64 size;
	u64 charged;
	u32 level;
	u32 slope_q16;
	u32 told;
	u32 told_slope_q16;
	u64 told_charged;
	unsigned long told_at;
	u32 retry_ms;
	bool pressed;
	u32 rounding;
	u64 left;
	enum abt_share share;
	struct abt_hist hist;
	u64 grants;
	u64 shrinks;
	u64 refused;
	bool hungry;
	bool stale;
	struct abt_pool *parent;
	atomic_t *generation;
	struct delayed_work tick;
	struct delayed_work retry;
};

/**
 * struct abt_stake - one connection's part in its pools, in one direction
 * @pool: pool that it draws on; NULL while it is in none
 * @charged: bytes that it is charged for, in every pool up the tree
 * @grant: part of its last demand that its pools let it have [bytes of truesize]
 * @entered: demand that it is entered with, per level of the tree, leaf first [bytes of
 *	truesize]
 *
 * The socket lock protects it.
 */
struct abt_stake {
	struct abt_pool *pool;
	u32 charged;
	u32 grant;
	u32 entered[ABT_POOL_DEPTH];
};

/**
 * struct abt_pool_stat - a pool's figures at one moment
 * @size: bytes of truesize
 * @charged: bytes of truesize
 * @demand: all demands added up [bytes of truesize]
 * @level: bytes, or ABT_LEVEL_NONE
 * @slope_q16: see struct abt_pool
 * @members: connections
 * @grants: see struct abt_pool
 * @shrinks: see struct abt_pool
 * @refused: see struct abt_pool
 */
struct abt_pool_stat {
	u64 size;
	u64 charged;
	u64 demand;
	u32 level;
	u32 slope_q16;
	u32 members;
	u64 grants;
	u64 shrinks;
	u64 refused;
};

void abt_pool_init(struct abt_pool *pool, struct abt_pool *parent,
		   atomic_t *generation, u64 size);
void abt_pool_exit(struct abt_pool *pool);
bool abt_pool_resize(struct abt_pool *pool, u64 size);
bool abt_pool_set_share(struct abt_pool *pool, enum abt_share share);
void abt_pool_press(struct abt_pool *pool, bool pressed);
void abt_pool_set_rounding(struct abt_pool *pool, u32 each, u64 left);
void abt_pool_stat(struct abt_pool *pool, struct abt_pool_stat *stat);
void abt_pool_schedule(struct abt_pool *pool);
void abt_pool_changed(struct abt_pool *pool);

void abt_stake_join(struct abt_stake *stake, struct abt_pool *pool);
void abt_stake_leave(struct abt_stake *stake);
u32 abt_stake_demand(struct abt_stake *stake, u32 demand);
u32 abt_stake_charge(struct abt_stake *stake, u32 want, u32 floor);

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
 * abt_pool_whole() - what a pool shares out
 * @pool: pool
 *
 * Return: bytes of truesize.
 */
static inline u64 abt_pool_whole(const struct abt_pool *pool)
{
	u64 whole = READ_ONCE(pool->size) - abt_pool_rounding(pool);

	return READ_ONCE(pool->pressed) ? whole - (whole >> ABT_PRESSED_SHIFT) :
					  whole;
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
 * Return: true when demands or charges exceed a pool up the tree, or it refused somebody lately.
 */
static inline bool abt_pool_contended(const struct abt_pool *pool)
{
	for (; pool; pool = pool->parent)
		if (READ_ONCE(pool->level) != ABT_LEVEL_NONE ||
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

#endif /* ABT_POOL_POOL_H */
