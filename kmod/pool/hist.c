// SPDX-License-Identifier: GPL-2.0
/* The histogram of demands and the water level. See hist.h. */
#include <linux/log2.h>

#include "pool/hist.h"

/**
 * abt_hist_bucket() - the bucket that a demand falls in
 * @demand: bytes, 0 .. ABT_BYTES_MAX
 *
 * Below ABT_HIST_SUB a value is its own bucket; above, an octave has ABT_HIST_SUB
 * equal ones.
 *
 * Return: index, monotonous in @demand.
 */
u32 abt_hist_bucket(u32 demand)
{
	u32 shift;

	if (demand < ABT_HIST_SUB)
		return demand;
	shift = ilog2(demand) - ABT_HIST_SUB_SHIFT;
	return (shift << ABT_HIST_SUB_SHIFT) + (demand >> shift);
}

/**
 * abt_hist_bucket_top() - the largest demand of a bucket
 * @bucket: index
 *
 * Return: bytes.
 */
u32 abt_hist_bucket_top(u32 bucket)
{
	u32 shift;

	if (bucket < ABT_HIST_SUB)
		return bucket;
	shift = (bucket >> ABT_HIST_SUB_SHIFT) - 1;
	return (((bucket - (shift << ABT_HIST_SUB_SHIFT)) + 1) << shift) - 1;
}

/**
 * abt_hist_add() - a member comes in
 * @h: histogram
 * @demand: bytes, 0 .. ABT_BYTES_MAX
 */
void abt_hist_add(struct abt_hist *h, u32 demand)
{
	u32 bucket = abt_hist_bucket(demand);

	h->count[bucket]++;
	h->sum[bucket] += demand;
	h->members++;
	h->total += demand;
}

/**
 * abt_hist_del() - a member goes
 * @h: histogram
 * @demand: the very demand that it came in with
 */
void abt_hist_del(struct abt_hist *h, u32 demand)
{
	u32 bucket = abt_hist_bucket(demand);

	h->count[bucket]--;
	h->sum[bucket] -= demand;
	h->members--;
	h->total -= demand;
}

/**
 * abt_hist_level() - the water level
 * @h: histogram
 * @size: what there is to share out [bytes]
 *
 * From the smallest demands up: a bucket is met in full if all above it could
 * have its top as well. The first of which that is not so holds the level.
 *
 * Return: bytes; ABT_LEVEL_NONE if all demands fit. At most one bucket's width
 * below the exact level, never above.
 */
u32 abt_hist_level(const struct abt_hist *h, u64 size)
{
	u64 left = size;
	u32 above = h->members;
	u32 b;

	if (h->total <= size)
		return ABT_LEVEL_NONE;

	for (b = 0; b < ABT_HIST_BUCKETS; b++) {
		u32 n = above - h->count[b];

		if (!h->count[b])
			continue;
		if (h->sum[b] + (u64)n * abt_hist_bucket_top(b) > left)
			break;
		left -= h->sum[b];
		above = n;
	}
	return abt_clamp_bytes(div_u64(left, above));
}
