/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory that connections share: a send pool and a receive pool for the host,
 * and another two for a namespace that asked for pools of its own.
 *
 *	demand --> histogram --> level --\
 *	                                  min --> grant --> charge --> applied
 *	demand ---------------------------/
 *
 * A pool promises two things. Its charges never exceed its size, loans, overcommitment, floors and
 * windows already offered aside, because growth is charged before it is applied. And at
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
#include <linux/timer.h>

#include "pool/hist.h"
#include "pool/part.h"

/* Refresh of a contended pool's level [ms]: well below a wide-area RTT. */
#define ABT_POOL_TICK_MS	10

struct abt_loan;

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

/*
 * By so much a counter of news goes up. So long as two readings differ by less than
 * ABT_NEWS_ALL, all the news between them is of levels: it concerns a connection only if
 * its grant is another. 4,095 levels are 40 s of a new one each tick.
 */
#define ABT_NEWS_LEVEL	1
#define ABT_NEWS_ALL	(1 << 12)

/**
 * struct abt_pool - memory to share out
 * @levels: protects what follows from demands, and all else that is not said to be under
 *	@lock; BH-safe. Not taken for growth.
 * @lock: protects what is charged; BH-safe. Taken within @levels, or alone.
 * @size: all of its memory [bytes of truesize]. Written and read as @level is.
 * @charged: sum of its members' charges, and of the reserves of its parts [bytes of truesize].
 *	Written under @lock, read anywhere.
 * @level: water level [bytes], ABT_LEVEL_NONE when uncontended. Written under
 *	@levels, read anywhere.
 * @slope_q16: bytes added to @level for each byte of demand, Q16; 0 but for
 *	ABT_SHARE_PROPORTIONAL. Written and read as @level is; a reader that sees one
 *	new and one old is told again.
 * @told: @level when connections were told of it last
 * @told_slope_q16: @slope_q16 then
 * @told_charged: @charged then
 * @told_at: when that was [jiffies]
 * @retry_ms: refused growth is told of again so long after @told_at, unless something
 *	came back [ms]
 * @contended: less is there than is asked for, or was, and little is left beyond all demands.
 *	Written and read as @level is.
 * @pressed: the kernel is short of memory for TCP: less than @size is shared out.
 *	Written and read as @level is.
 * @rounding: bytes that the kernel counts of each member beside its charge. Written
 *	and read as @level is.
 * @left: room for that beside @size [bytes]. Written and read as @level is.
 * @loan: borrowed from the host's other pool, see loan.h; below 0: lent to it [bytes of truesize].
 *	Written and read as @level is.
 * @overcommit: handed out although the host's other pool has it, see overcommit.h [bytes of
 *	truesize]. Written and read as @level is.
 * @share: how it is shared out; written and read as @level is
 * @hist: demands of the members; @parts have later ones
 * @grants: times that a member's charge grew; under @lock. @parts have later ones, of this and
 *	the next two.
 * @shrinks: times that it shrank; under @lock
 * @refused: times that growth found less than it asked for; under @lock
 * @hungry: growth was refused since connections were told last. Set under @lock, cleared
 *	under @levels before they are told, read anywhere.
 * @tight: demands are near the size, so each change that may move the level is worth a tick.
 *	Written and read as @level is.
 * @part_keep: the most that each part may keep as its reserve [bytes of truesize]. Written and
 *	read as @charged is.
 * @part_far: if the demands of a part grew by more, the pool is told at once [bytes of
 *	truesize]. Written and read as @level is.
 * @parts: changes that it was not told of yet. Constant pointer.
 * @parts_shift: their number, as a power of two; constant
 * @called_in: the reserves were called in since the last tick; not if there is one part alone.
 *	Written and read as @charged is.
 * @stale: a member came, went or wants something else since @level was found
 * @parent: the host's pool, or NULL in the host's pool; constant
 * @lends: loans between the host's pools; NULL in a namespace's pool; constant
 * @generation: rises with each change of the level, so that a connection sees with one compare
 *	that there is news; shared by pools with the same members. Constant pointer.
 * @tick: refreshes @level after changes in a contended pool, and tells the refused
 *	when something came back
 * @retry: tells the refused when nothing did, after @retry_ms; and of a level's end
 * @kept: empty room of buffers that members keep beyond their charges, see abt_stake_keep()
 *	[ABT_KEPT_BYTES]
 */
struct abt_pool {
	/* read at every step, and seldom written */
	u64 size;
	u32 level;
	u32 slope_q16;
	u64 left;
	s64 loan;
	u64 overcommit;
	u32 rounding;
	u32 part_keep;
	s64 part_far;
	bool contended;
	bool pressed;
	bool hungry;
	bool tight;
	bool called_in;
	enum abt_share share;
	u32 parts_shift;
	struct abt_pool_part *parts;
	struct abt_pool *parent;
	/* written as charges grow */
	spinlock_t lock ____cacheline_aligned_in_smp;	/* see above */
	u64 charged;
	u64 grants;
	u64 shrinks;
	u64 refused;
	/* written as demands move */
	spinlock_t levels ____cacheline_aligned_in_smp;	/* see above */
	u64 told_charged;
	unsigned long told_at;
	u32 told;
	u32 told_slope_q16;
	u32 retry_ms;
	bool stale;
	atomic_t *generation;
	struct abt_loan *lends;
	struct abt_hist hist;
	struct timer_list tick;
	struct timer_list retry;
	atomic64_t kept;
};

/**
 * struct abt_pool_stat - a pool's figures at one moment
 * @size: loans and overcommitment included [bytes of truesize]
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

/**
 * abt_pool_news() - connections have something to look at
 * @generation: counter that they compare
 * @news: ABT_NEWS_LEVEL: a level, or that refused growth may ask again; ABT_NEWS_ALL: something
 *	that concerns all of them
 *
 * A connection that sees the new number sees all that was written before this call as well.
 *
 * Context: any.
 */
static inline void abt_pool_news(atomic_t *generation, int news)
{
	/* pairs with the smp_rmb() of abt_steer(), abt_news_concerns() and abt_port_sweep() */
	smp_mb__before_atomic();
	atomic_add(news, generation);
}

int abt_pool_init(struct abt_pool *pool, struct abt_pool *parent,
		  atomic_t *generation, u64 size);
void abt_pool_stop(struct abt_pool *pool);
void abt_pool_exit(struct abt_pool *pool);
bool abt_pool_resize(struct abt_pool *pool, u64 size);
bool abt_pool_set_share(struct abt_pool *pool, enum abt_share share);
void abt_pool_lend(struct abt_pool *pool, s64 loan);
void abt_pool_overcommit(struct abt_pool *pool, u64 bytes);
void abt_pool_press(struct abt_pool *pool, bool pressed);
void abt_pool_set_rounding(struct abt_pool *pool, u32 each, u64 left);
void abt_pool_stat(struct abt_pool *pool, struct abt_pool_stat *stat);
void abt_pool_find_keep(struct abt_pool *pool);
void abt_pool_schedule(struct abt_pool *pool);
void abt_pool_changed(struct abt_pool *pool);

#endif /* ABT_POOL_POOL_H */
