// SPDX-License-Identifier: GPL-2.0
/* The windowed extremes and the fixed-point helpers. */
#include "cases.h"
#include "model/extreme.h"
#include "model/fixed.h"

#define HALF	1000U

/* One minimum at time 0, then higher samples every @step: when is it forgotten? */
static u32 forgotten_after(u32 start, u32 step, bool minimum)
{
	struct abt_extreme e;
	u32 now, seen;

	abt_extreme_reset(&e, minimum ? 10 : 90, start);
	for (now = step; now < 10 * HALF; now += step) {
		seen = minimum ? abt_extreme_min(&e, 50, start + now, HALF)
			       : abt_extreme_max(&e, 50, start + now, HALF);
		if (seen == 50)
			return now;
	}
	return U32_MAX;
}

static void forgets_after_one_to_two_halves(struct abt_test *t)
{
	static const u32 starts[] = { 0, 12345, U32_MAX - HALF, U32_MAX - 1 };
	static const u32 steps[] = { 1, 7, 100, 999, 1000 };

	for (u32 i = 0; i < ARRAY_SIZE(starts); i++) {
		for (u32 j = 0; j < ARRAY_SIZE(steps); j++) {
			for (int minimum = 0; minimum < 2; minimum++) {
				u32 at = forgotten_after(starts[i], steps[j],
							 minimum);

				EXPECT_AT(t, i * 10 + j, at, >=, HALF);
				EXPECT_AT(t, i * 10 + j, at, <=,
					  2 * HALF + 2 * steps[j]);
			}
		}
	}
}

/* After a silence longer than the window, only the new sample counts. */
static void silence_forgets_all(struct abt_test *t)
{
	struct abt_extreme e;

	abt_extreme_reset(&e, 10, 0);
	EXPECT(t, abt_extreme_min(&e, 70, 2 * HALF, HALF), ==, 70);
	abt_extreme_reset(&e, 90, 0);
	EXPECT(t, abt_extreme_max(&e, 70, 2 * HALF, HALF), ==, 70);
}

/* Against the definition: within all samples of 2 halves, beyond those of 1. */
static void against_the_series(struct abt_test *t)
{
	enum { STEPS = 4000, STEP = 37 };
	static u32 series[STEPS];
	struct abt_extreme low, high;
	u32 start = U32_MAX - STEPS * STEP / 2;	/* wraps half way */

	for (u32 i = 0; i < STEPS; i++) {
		u32 now = start + i * STEP;
		u32 least = U32_MAX, most = 0, near_least = U32_MAX, near_most = 0;
		u32 got_low, got_high;

		series[i] = abt_test_below(t, 1000000);
		if (!i) {
			abt_extreme_reset(&low, series[0], now);
			abt_extreme_reset(&high, series[0], now);
		}
		got_low = abt_extreme_min(&low, series[i], now, HALF);
		got_high = abt_extreme_max(&high, series[i], now, HALF);
		for (u32 j = i; j <= i && (i - j) * STEP <= 2 * HALF + 2 * STEP; j--) {
			least = min(least, series[j]);
			most = max(most, series[j]);
			if ((i - j) * STEP < HALF) {
				near_least = least;
				near_most = most;
			}
		}
		EXPECT_AT(t, i, got_low, >=, least);
		EXPECT_AT(t, i, got_low, <=, near_least);
		EXPECT_AT(t, i, got_high, <=, most);
		EXPECT_AT(t, i, got_high, >=, near_most);
	}
}

static void ratios_and_products(struct abt_test *t)
{
	static const struct {
		u32 part, whole, ratio_q16;
	} ratios[] = {
		{ 0, 0, ABT_Q16_ONE },		/* nothing seen: no bad news */
		{ 5, 0, ABT_Q16_ONE },
		{ 0, 1, 0 },
		{ 1, 2, ABT_Q16_ONE / 2 },
		{ 1, 1, ABT_Q16_ONE },
		{ 2, 1, ABT_Q16_ONE },
		{ U32_MAX - 1, U32_MAX, ABT_Q16_ONE - 1 },
		{ 1, U32_MAX, 0 },
		{ U32_MAX, U32_MAX, ABT_Q16_ONE },
	};
	static const struct {
		u32 bytes, ratio_q16, product;
	} products[] = {
		{ 0, U32_MAX, 0 },
		{ 1000, ABT_Q16_ONE, 1000 },
		{ 1000, ABT_Q16_ONE / 2, 500 },
		{ 3, ABT_Q16_ONE / 2, 1 },
		{ ABT_BYTES_MAX, ABT_Q16_ONE, ABT_BYTES_MAX },
		{ ABT_BYTES_MAX, 2 * ABT_Q16_ONE, ABT_BYTES_MAX },
		{ ABT_BYTES_MAX, U32_MAX, ABT_BYTES_MAX },
		{ U32_MAX, U32_MAX, ABT_BYTES_MAX },
	};

	for (u32 i = 0; i < ARRAY_SIZE(ratios); i++)
		EXPECT_AT(t, i, abt_ratio_q16(ratios[i].part, ratios[i].whole), ==,
			  ratios[i].ratio_q16);
	for (u32 i = 0; i < ARRAY_SIZE(products); i++)
		EXPECT_AT(t, i, abt_scale_q16(products[i].bytes,
					      products[i].ratio_q16), ==,
			  products[i].product);
	EXPECT(t, abt_clamp_bytes(U64_MAX), ==, ABT_BYTES_MAX);
	EXPECT(t, abt_clamp_bytes(ABT_BYTES_MAX - 1), ==, ABT_BYTES_MAX - 1);
}

const struct abt_case abt_extreme_cases[] = {
	{ "extreme: forgets after one to two halves", forgets_after_one_to_two_halves },
	{ "extreme: a silence forgets all", silence_forgets_all },
	{ "extreme: between the last half's and the last two halves' own, past the wrap",
	  against_the_series },
	{ "fixed: ratios and products", ratios_and_products },
	{ }
};
