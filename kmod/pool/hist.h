/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A histogram of demands, and the max-min water level that it gives.
 *
 * The level L of a pool is where sum(min(demand, L)) = size: a member that wants less
 * than L has all of it, the rest have L each (ATBT's fair share, carried to
 * its end). Buckets are log-linear, ABT_HIST_SUB to an octave, each with a count
 * and a sum: one pass over them finds L, however many connections there are.
 * Sums are exact; only inside the bucket that L falls in is it rounded, and down:
 * L is exact up to one bucket's width, and the pool is never overdrawn.
 *
 * SABT's proportional shares come from the same pass: everyone has an equal share E
 * or its demand, and the rest of the small ones' shares goes to the others in proportion to
 * their demands: min(demand, E + slope x demand).
 *
 * Pure: the caller serialises. Compiles in user space unchanged.
 */
#ifndef ABT_POOL_HIST_H
#define ABT_POOL_HIST_H

#include <linux/types.h>

#include "model/fixed.h"

/* Buckets to an octave: a bucket is at most 1/16 of its value wide. */
#define ABT_HIST_SUB_SHIFT	4
#define ABT_HIST_SUB		(1U << ABT_HIST_SUB_SHIFT)

/* Values up to ABT_BYTES_MAX = 2^30: see abt_hist_bucket(). */
#define ABT_HIST_BUCKETS	(((30 - ABT_HIST_SUB_SHIFT) << ABT_HIST_SUB_SHIFT) + \
				 ABT_HIST_SUB + 1)

/* Groups of ABT_HIST_SUB buckets from the first on; the last one is of one bucket. */
#define ABT_HIST_OCTAVES	(ABT_HIST_BUCKETS / ABT_HIST_SUB + 1)

/* Level of a pool that everyone's demand fits into. */
#define ABT_LEVEL_NONE		U32_MAX

/**
 * struct abt_hist - demands of all members of a pool
 * @count: members in a bucket
 * @sum: their demands added up [bytes]
 * @octave: members in a group of buckets; where there are none, a pass goes on to the next
 * @touched: groups of buckets that changed since the last merge, a bit each
 * @members: members in all
 * @total: all demands added up [bytes]
 */
struct abt_hist {
	u32 count[ABT_HIST_BUCKETS];
	u64 sum[ABT_HIST_BUCKETS];
	u32 octave[ABT_HIST_OCTAVES];
	u32 touched;
	u32 members;
	u64 total;
};

u32 abt_hist_bucket(u32 demand);
u32 abt_hist_bucket_top(u32 bucket);
void abt_hist_add(struct abt_hist *h, u32 demand);
void abt_hist_del(struct abt_hist *h, u32 demand);
void abt_hist_merge(struct abt_hist *h, struct abt_hist *moved);
u32 abt_hist_top(const struct abt_hist *h);
u32 abt_hist_level(const struct abt_hist *h, u64 size);
u32 abt_hist_slope_q16(const struct abt_hist *h, u64 size, u32 share);

#endif /* ABT_POOL_HIST_H */
