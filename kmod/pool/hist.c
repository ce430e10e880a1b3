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
	h->octave[bucket >> ABT_HIST_SUB_SHIFT]++;
	h->touched |= 1U << (bucket >> ABT_HIST_SUB_SHIFT);
	h->sum[bucket] += demand;
	WRITE_ONCE(h->members, h->members + 1);
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
	h->octave[bucket >> ABT_HIST_SUB_SHIFT]--;
	h->touched |= 1U << (bucket >> ABT_HIST_SUB_SHIFT);
	h->sum[bucket] -= demand;
	WRITE_ONCE(h->members, h->members - 1);
	h->total -= demand;
}

/* The members of a group of buckets come to those of another histogram. */
static void abt_hist_merge_octave(struct abt_hist *h, struct abt_hist *moved,
				  u32 octave)
{
	u32 b = octave << ABT_HIST_SUB_SHIFT;
	u32 end = min_t(u32, b + ABT_HIST_SUB, ABT_HIST_BUCKETS);

	for (; b < end; b++) {
		h->count[b] += moved->count[b];
		h->sum[b] += moved->sum[b];
		moved->count[b] = 0;
		moved->sum[b] = 0;
	}
	h->octave[octave] += moved->octave[octave];
	moved->octave[octave] = 0;
}

/**
 * abt_hist_merge() - members that came and went elsewhere
 * @h: histogram
 * @moved: members that came, less members that went: numbers that wrap below 0; empty
 *	afterwards
 */
void abt_hist_merge(struct abt_hist *h, struct abt_hist *moved)
{
	for (; moved->touched; moved->touched &= moved->touched - 1)
		abt_hist_merge_octave(h, moved, ilog2(moved->touched &
						      -moved->touched));
	WRITE_ONCE(h->members, h->members + moved->members);
	h->total += moved->total;
	moved->members = 0;
	moved->total = 0;
}

/* The first bucket from @bucket on that has members; ABT_HIST_BUCKETS: none has. */
static u32 abt_hist_next(const struct abt_hist *h, u32 bucket)
{
	while (bucket < ABT_HIST_BUCKETS && !h->count[bucket]) {
		if (h->octave[bucket >> ABT_HIST_SUB_SHIFT])
			bucket++;
		else
			bucket = (bucket | (ABT_HIST_SUB - 1)) + 1;
	}
	return min_t(u32, bucket, ABT_HIST_BUCKETS);
}

/* The last bucket that has members; there is one. */
static u32 abt_hist_last(const struct abt_hist *h)
{
	u32 octave = ABT_HIST_OCTAVES - 1;
	u32 b;

	while (!h->octave[octave])
		octave--;
	b = min_t(u32, (octave << ABT_HIST_SUB_SHIFT) + ABT_HIST_SUB, ABT_HIST_BUCKETS) - 1;
	while (!h->count[b])
		b--;
	return b;
}

/**
 * abt_hist_top() - how large are the largest demands?
 * @h: histogram
 *
 * Return: the mean of those in the last bucket, less than its width below the largest [bytes]; 0
 *	if there are no members.
 */
u32 abt_hist_top(const struct abt_hist *h)
{
	u32 b;

	if (!h->members)
		return 0;
	b = abt_hist_last(h);
	return (u32)div_u64(h->sum[b], h->count[b]);
}

/**
 * abt_hist_level() - the water level
 * @h: histogram
 * @size: bytes to share out
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

	for (b = abt_hist_next(h, 0); b < ABT_HIST_BUCKETS;
	     b = abt_hist_next(h, b + 1)) {
		u32 n = above - h->count[b];

		if (h->sum[b] + (u64)n * abt_hist_bucket_top(b) > left)
			break;
		left -= h->sum[b];
		above = n;
	}
	return abt_clamp_bytes(div_u64(left, above));
}

/**
 * abt_hist_slope_q16() - SABT's proportional shares of what small demands leave
 * @h: histogram
 * @size: bytes to share out
 * @share: the equal share, size / members [bytes]
 *
 * From the smallest demands up: a bucket is met in full if its mean is, where all
 * from it on divide what is left beyond their equal shares in proportion. The
 * first of which that is not so holds the slope: demands above it are not met.
 * The shortfall of a bucket's larger demands is not handed out.
 * SABT (Matsuo, Hasegawa, Murata 2000), its re-division repeated to its end.
 *
 * Return: slope, Q16, 0 .. 1.0: a member has min(demand, @share + slope x demand).
 *	Rounded down: the pool is never overdrawn.
 */
u32 abt_hist_slope_q16(const struct abt_hist *h, u64 size, u32 share)
{
	u64 left = size, demands = h->total, slope = 0;
	u32 above = h->members;
	u32 b;

	for (b = abt_hist_next(h, 0); b < ABT_HIST_BUCKETS;
	     b = abt_hist_next(h, b + 1)) {
		u64 mean;

		if (!h->sum[b]) {
			above -= h->count[b];
			continue;
		}
		mean = div_u64(h->sum[b], h->count[b]);
		slope = div64_u64((left - min_t(u64, left, (u64)above * share)) << 16,
				  demands);
		if (share + ((slope * mean) >> 16) < mean)
			break;
		left -= min(left, h->sum[b]);
		demands -= h->sum[b];
		above -= h->count[b];
	}
	return (u32)min_t(u64, slope, ABT_Q16_ONE);
}
