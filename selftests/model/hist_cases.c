// SPDX-License-Identifier: GPL-2.0
/* The histogram of demands and the water level, against max-min by sorting. */
#include "cases.h"
#include "exact.h"
#include "pool/hist.h"

#define MEMBERS		64

static struct abt_hist hist;

static u32 level_of(const u32 *demands, u32 n, u64 size)
{
	memset(&hist, 0, sizeof(hist));
	for (u32 i = 0; i < n; i++)
		abt_hist_add(&hist, demands[i]);
	return abt_hist_level(&hist, size);
}

/* Buckets tile 0 .. ABT_BYTES_MAX: no gap, no overlap, none wider than 1/16. */
static void buckets_tile_the_range(struct abt_test *t)
{
	u64 next = 0;

	for (u32 b = 0; b < ABT_HIST_BUCKETS; b++) {
		u32 top = abt_hist_bucket_top(b);

		EXPECT_AT(t, b, abt_hist_bucket((u32)next), ==, b);
		if (next < ABT_BYTES_MAX)
			EXPECT_AT(t, b, abt_hist_bucket(top), ==, b);
		EXPECT_AT(t, b, top + 1 - next, ==, exact_bucket_width(next));
		EXPECT_AT(t, b, (top - next) * ABT_HIST_SUB, <=, next);
		next = (u64)top + 1;
	}
	EXPECT(t, next, >, ABT_BYTES_MAX);
	EXPECT(t, abt_hist_bucket(ABT_BYTES_MAX), ==, ABT_HIST_BUCKETS - 1);
}

/* ATBT's own example, SABT's demands shared ATBT's way, and the edges. */
static void worked_examples(struct abt_test *t)
{
	static const struct {
		u64 size;
		u32 n, demands[4];
		u64 exact;
	} rows[] = {
		{ 900, 3, { 100, 350, 400 }, EXACT_NONE },
		{ 850, 3, { 100, 350, 400 }, EXACT_NONE },
		{ 849, 3, { 100, 350, 400 }, 399 },
		{ 300, 3, { 20, 200, 800 }, 140 },
		{ 300, 3, { 200, 200, 200 }, 100 },
		{ 0, 3, { 1, 2, 3 }, 0 },
		{ 0, 3, { 0, 0, 0 }, EXACT_NONE },
		{ 2, 3, { 1, 2, 3 }, 0 },
		{ 5, 1, { 9 }, 5 },
		{ 0, 0, { 0 }, EXACT_NONE },
		{ ABT_BYTES_MAX, 2, { ABT_BYTES_MAX, ABT_BYTES_MAX }, ABT_BYTES_MAX / 2 },
		{ ABT_BYTES_MAX - 1, 1, { ABT_BYTES_MAX }, ABT_BYTES_MAX - 1 },
		{ U64_MAX, 2, { ABT_BYTES_MAX, ABT_BYTES_MAX }, EXACT_NONE },
	};

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		u32 demands[4];
		u32 level = level_of(rows[i].demands, rows[i].n, rows[i].size);

		memcpy(demands, rows[i].demands, sizeof(demands));
		EXPECT_AT(t, i, exact_level(demands, rows[i].n, rows[i].size), ==,
			  rows[i].exact);
		expect_level(t, i, level, level == ABT_LEVEL_NONE, demands,
			     rows[i].n, rows[i].size);
	}
}

/* 900 among 100 / 350 / 400: all are met and 50 is left. */
static void atbt_example_in_full(struct abt_test *t)
{
	static const u32 demands[] = { 100, 350, 400 };
	u32 level = level_of(demands, 3, 900);

	EXPECT(t, level, ==, ABT_LEVEL_NONE);
	EXPECT(t, 900 - exact_taken(demands, 3, level), ==, 50);
}

/* SABT's 300 among 20 / 200 / 800 by ATBT: 20 / 140 / 140, to a bucket's width. */
static void maxmin_example_in_full(struct abt_test *t)
{
	static const u32 demands[] = { 20, 200, 800 };
	u32 level = level_of(demands, 3, 300);

	EXPECT(t, level, ==, 140);
	EXPECT(t, exact_taken(demands, 3, level), ==, 300);
}

enum shape {
	UNIFORM, LOG_UNIFORM, ALL_EQUAL, ONE_HUGE, POWERS, EDGES, FEW_VALUES, ZEROS,
	SHAPES
};

static u32 edge_value(struct abt_test *t)
{
	u32 top = abt_hist_bucket_top(abt_test_below(t, ABT_HIST_BUCKETS - 1));

	return top + abt_test_below(t, 3) - (top > 0);
}

static void fill(struct abt_test *t, enum shape shape, u32 *demands, u32 n)
{
	u32 common = abt_test_random(t) >> (2 + abt_test_below(t, 30));

	for (u32 i = 0; i < n; i++) {
		u32 any = abt_test_random(t) >> (2 + abt_test_below(t, 30));

		switch (shape) {
		case UNIFORM:
			demands[i] = abt_test_below(t, ABT_BYTES_MAX + 1);
			break;
		case LOG_UNIFORM:
			demands[i] = any;
			break;
		case ALL_EQUAL:
			demands[i] = common;
			break;
		case ONE_HUGE:
			demands[i] = i ? any >> 8 : ABT_BYTES_MAX;
			break;
		case POWERS:
			demands[i] = 1U << abt_test_below(t, 31);
			break;
		case EDGES:
			demands[i] = edge_value(t);
			break;
		case FEW_VALUES:
			demands[i] = common >> abt_test_below(t, 3);
			break;
		default:
			demands[i] = any & 1 ? any : 0;
		}
	}
}

/* Sizes around everything that matters: nothing, a demand, the sum, beyond. */
static u64 some_size(struct abt_test *t, const u32 *demands, u32 n)
{
	u64 total = exact_taken(demands, n, EXACT_NONE);

	switch (abt_test_below(t, 6)) {
	case 0:
		return total - (total > 0) + abt_test_below(t, 3);
	case 1:
		return abt_test_below(t, n + 1);
	case 2:
		return (u64)n * demands[abt_test_below(t, n)] + abt_test_below(t, 3);
	default:
		return div_u64(total, 1000) * abt_test_below(t, 1100);
	}
}

/* The demands of a set, each shape in turn. Return: how many, mostly few. */
static u32 some_demands(struct abt_test *t, u32 set, u32 *demands)
{
	u32 n = 1 + abt_test_below(t, set % 16 ? 12 : MEMBERS);

	fill(t, (enum shape)(set % SHAPES), demands, n);
	return n;
}

static void against_brute_force(struct abt_test *t)
{
	enum { SETS = 240000 };

	for (u32 set = 0; set < SETS; set++) {
		u32 demands[MEMBERS];
		u32 n = some_demands(t, set, demands);
		u64 size;
		u32 level;

		size = some_size(t, demands, n);
		level = level_of(demands, n, size);
		expect_level(t, set, level, level == ABT_LEVEL_NONE, demands, n,
			     size);
	}
}

/* What went in and out again leaves nothing, in whatever order. */
static void add_and_del_are_exact(struct abt_test *t)
{
	static const struct abt_hist empty;
	u32 demands[MEMBERS];

	memset(&hist, 0, sizeof(hist));
	for (u32 round = 0; round < 100; round++) {
		u64 total = 0;

		fill(t, (enum shape)(round % SHAPES), demands, MEMBERS);
		for (u32 i = 0; i < MEMBERS; i++) {
			abt_hist_add(&hist, demands[i]);
			total += demands[i];
		}
		EXPECT_AT(t, round, hist.total, ==, total);
		EXPECT_AT(t, round, hist.members, ==, MEMBERS);
		exact_sort(demands, MEMBERS);
		for (u32 i = 0; i < MEMBERS; i++)
			abt_hist_del(&hist, demands[i]);
		hist.touched = 0;
		EXPECT_AT(t, round, memcmp(&hist, &empty, sizeof(hist)), ==, 0);
	}
}

/* Members that come to one histogram and go from another are merged, and nothing is left behind. */
static void merged_is_as_if_one(struct abt_test *t)
{
	static const struct abt_hist empty;
	static struct abt_hist moved, one;
	u32 demands[MEMBERS];

	memset(&hist, 0, sizeof(hist));
	memset(&one, 0, sizeof(one));
	for (u32 round = 0; round < 100; round++) {
		fill(t, (enum shape)(round % SHAPES), demands, MEMBERS);
		for (u32 i = 0; i < MEMBERS; i++) {
			abt_hist_add(i % 2 ? &hist : &moved, demands[i]);
			abt_hist_add(&one, demands[i]);
		}
		for (u32 i = 0; i < MEMBERS; i += 3) {
			abt_hist_del(i % 5 ? &moved : &hist, demands[i]);
			abt_hist_del(&one, demands[i]);
		}
		abt_hist_merge(&hist, &moved);
		EXPECT_AT(t, round, memcmp(&moved, &empty, sizeof(moved)), ==, 0);
		hist.touched = one.touched;
		EXPECT_AT(t, round, memcmp(&hist, &one, sizeof(hist)), ==, 0);
	}
}

static void proportional_against_brute_force(struct abt_test *t)
{
	enum { SETS = 60000 };

	for (u32 set = 0; set < SETS; set++) {
		u32 demands[MEMBERS];
		u32 n = some_demands(t, set, demands);
		u32 share;
		u64 size;

		for (u32 i = 0; i < n; i++)
			demands[i] >>= 4;
		size = some_size(t, demands, n);
		if (level_of(demands, n, size) == ABT_LEVEL_NONE)
			continue;
		share = (u32)div_u64(size, n);
		expect_proportional(t, set, demands, n, size, share,
				    abt_hist_slope_q16(&hist, size, share));
	}
}

/* The top is no more than the largest demand, and in its bucket. */
static void top_is_of_the_largest(struct abt_test *t)
{
	memset(&hist, 0, sizeof(hist));
	EXPECT(t, abt_hist_top(&hist), ==, 0);
	for (u32 set = 0; set < 60000; set++) {
		u32 demands[MEMBERS], largest = 0;
		u32 n = some_demands(t, set, demands);

		level_of(demands, n, 0);
		for (u32 i = 0; i < n; i++)
			largest = max(largest, demands[i]);
		EXPECT_AT(t, set, abt_hist_top(&hist), <=, largest);
		EXPECT_AT(t, set, abt_hist_bucket(abt_hist_top(&hist)), ==,
			  abt_hist_bucket(largest));
	}
}

/* A larger pool, or a member less, never means a lower level. */
static void level_is_monotonous(struct abt_test *t)
{
	for (u32 set = 0; set < 20000; set++) {
		u32 demands[MEMBERS];
		u32 n = 2 + abt_test_below(t, 20);
		u64 size;
		u32 level;

		fill(t, (enum shape)(set % SHAPES), demands, n);
		size = some_size(t, demands, n);
		level = level_of(demands, n, size);
		EXPECT_AT(t, set, abt_hist_level(&hist, size + 1 + abt_test_random(t)),
			  >=, level);
		abt_hist_del(&hist, demands[n - 1]);
		level -= min(level, exact_bucket_width(level));
		EXPECT_AT(t, set, abt_hist_level(&hist, size), >=, level);
	}
}

const struct abt_case abt_hist_cases[] = {
	{ "hist: buckets tile the range", buckets_tile_the_range },
	{ "hist: worked examples", worked_examples },
	{ "hist: 900 for 100 / 350 / 400 meets all, 50 left", atbt_example_in_full },
	{ "hist: 300 for 20 / 200 / 800 gives 20 / 140 / 140", maxmin_example_in_full },
	{ "hist: level against brute force", against_brute_force },
	{ "hist: SABT's shares against brute force", proportional_against_brute_force },
	{ "hist: in and out again is exact", add_and_del_are_exact },
	{ "hist: merged is as if it were one", merged_is_as_if_one },
	{ "hist: the top is of the largest demand", top_is_of_the_largest },
	{ "hist: level is monotonous", level_is_monotonous },
	{ }
};
