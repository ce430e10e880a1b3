/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Max-min by its definition, by sorting: what the histogram is held against. Slow,
 * and nothing of it comes from the code under test.
 */
#ifndef MODEL_EXACT_H
#define MODEL_EXACT_H

#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/types.h>

#include "cases.h"

#define EXACT_NONE	U64_MAX	/* everyone is met */

static inline void exact_sort(u32 *values, u32 n)
{
	for (u32 i = 1; i < n; i++) {
		u32 value = values[i], j = i;

		for (; j && values[j - 1] > value; j--)
			values[j] = values[j - 1];
		values[j] = value;
	}
}

/* Meet the smallest demands as long as an equal share of the rest covers them. */
static inline u64 exact_level(u32 *demands, u32 n, u64 size)
{
	exact_sort(demands, n);
	for (u32 i = 0; i < n; i++) {
		u64 share = div_u64(size, n - i);

		if (demands[i] > share)
			return share;
		size -= demands[i];
	}
	return EXACT_NONE;
}

/* What all take at that level. */
static inline u64 exact_taken(const u32 *demands, u32 n, u64 level)
{
	u64 taken = 0;

	for (u32 i = 0; i < n; i++)
		taken += demands[i] < level ? demands[i] : level;
	return taken;
}

/* Width of the log-linear bucket, 16 to an octave, that @value lies in. */
static inline u32 exact_bucket_width(u64 value)
{
	u32 width = 1;

	while (value >= 32 * (u64)width)
		width *= 2;
	return width;
}

/*
 * The promise of hist.h: at most a bucket's width below the exact level, never
 * above it, and never more handed out than there is.
 */
static inline void expect_level(struct abt_test *t, u64 where, u64 level,
				bool none, u32 *demands, u32 n, u64 size)
{
	u64 exact = exact_level(demands, n, size);

	EXPECT_AT(t, where, none, ==, exact == EXACT_NONE);
	if (none || exact == EXACT_NONE)
		return;
	EXPECT_AT(t, where, level, <=, exact);
	EXPECT_AT(t, where, level + exact_bucket_width(exact), >=, exact);
	EXPECT_AT(t, where, exact_taken(demands, n, level), <=, size);
}

/*
 * SABT's re-division by its definition, by sorting: meet the smallest as long as its
 * part of what is left covers it. Return: how many are met; of @left and @total, what
 * is left and the demands of the others.
 */
static inline u32 exact_met(u32 *demands, u32 n, u32 share, u64 *left, u64 *total)
{
	u32 i = 0;

	exact_sort(demands, n);
	for (; i < n; i++) {
		u64 spare = *left - min_t(u64, *left, (u64)(n - i) * share);

		if (demands[i] > share && *total &&
		    mul_u64_u64_div_u64(spare, demands[i], *total) < demands[i] - share)
			break;
		*left -= demands[i];
		*total -= demands[i];
	}
	return i;
}

/*
 * The bucket in which demands cease to be met is 1/16 wide: by so much of the equal
 * share a byte of it, the slope may be too small.
 */
static inline void expect_proportional(struct abt_test *t, u64 where, u32 *demands,
				       u32 n, u64 size, u32 share, u32 slope_q16)
{
	u64 left = size, total = exact_taken(demands, n, EXACT_NONE), taken = 0;
	u32 met = exact_met(demands, n, share, &left, &total);
	u64 spare = left - min_t(u64, left, (u64)(n - met) * share);

	for (u32 j = 0; j < n; j++) {
		u64 exact = j < met ? demands[j] : share +
			    mul_u64_u64_div_u64(spare, demands[j], total);
		u64 grant = min_t(u64, demands[j], share + (((u64)slope_q16 * demands[j]) >> 16));

		taken += grant;
		EXPECT_AT(t, where, grant, <=, demands[j]);
		EXPECT_AT(t, where, grant + n + (demands[j] >> 15) +
			  (met ? div_u64((u64)share * demands[j], demands[met - 1] | 1) /
				 16 : 0), >=, exact);
	}
	EXPECT_AT(t, where, taken, <=, size);
}

#endif
