// SPDX-License-Identifier: GPL-2.0
/* ATBT's band with TBT-PLR's re-centring, and the price of a byte. */
#include "cases.h"
#include "model/send.h"

static const struct abt_snd_band paper = { .low = 2, .centre = 3, .high = 4 };

static const struct abt_snd_band bands[] = {
	{ .low = 2, .centre = 3, .high = 4 },
	{ .low = 1, .centre = 1, .high = 2 },
	{ .low = 1, .centre = 2, .high = 2 },
	{ .low = 2, .centre = 2, .high = 2 },
	{ .low = 4, .centre = 4, .high = 4 },
	{ .low = 3, .centre = 5, .high = 7 },
	{ .low = 8, .centre = 16, .high = 16 },
	{ .low = 1, .centre = 16, .high = 16 },
	{ .low = 8, .centre = 8, .high = 16 },
};

/* A queue in which a byte of payload costs @cost_percent / 100 bytes. */
static struct abt_snd_sample sample(u32 cwnd, u32 mss, u32 cost_percent)
{
	return (struct abt_snd_sample) {
		.cwnd_segs = cwnd,
		.mss_bytes = mss,
		.queued_payload = 1000000,
		.queued_bytes = 10000 * cost_percent,
		.worst_bytes = mss + 1200,
	};
}

/* TBT-PLR's example: cwnd 8, so 24 segments; nothing moves from 6 to 12. */
static void paper_example(struct abt_test *t)
{
	static const struct {
		u32 cwnd, shrink_below, grow_above;
	} rows[] = {
		{ 1, 1, 1 }, { 2, 2, 3 }, { 8, 6, 12 }, { 10, 8, 15 },
		{ 100, 75, 150 }, { 1000, 750, 1500 },
	};
	struct abt_snd_sample s = sample(8, 1448, 100);

	EXPECT(t, abt_snd_demand(&paper, &s), ==, 24 * 1448);
	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		struct abt_snd_bounds b = abt_snd_bounds(&paper, rows[i].cwnd, 1448);

		EXPECT_AT(t, i, b.shrink_below, ==, rows[i].shrink_below);
		EXPECT_AT(t, i, b.grow_above, ==, rows[i].grow_above);
	}
}

/* The definition itself: grow when cwnd > target/low, shrink when < target/high. */
static void band_by_definition(struct abt_test *t)
{
	for (u32 k = 0; k < ARRAY_SIZE(bands); k++) {
		for (u32 centred = 0; centred < 70; centred++) {
			struct abt_snd_bounds b = abt_snd_bounds(&bands[k], centred, 1448);
			u32 target = bands[k].centre * centred;

			for (u32 cwnd = 0; cwnd < 1200; cwnd++) {
				bool grow = cwnd * bands[k].low > target;
				bool shrink = cwnd * bands[k].high < target;

				EXPECT_AT(t, k * 10000 + cwnd,
					  abt_snd_inside(&b, cwnd, U32_MAX), ==,
					  !grow && !shrink);
			}
		}
	}
}

/* A sawtooth between the bounds moves nothing; one beyond them moves each time. */
static void oscillation(struct abt_test *t)
{
	static const struct {
		u32 low, high, moves;
	} rows[] = {
		{ 750, 1500, 0 },	/* Reno's saw, about its middle */
		{ 800, 1450, 0 },
		{ 1000, 1000, 0 },
		{ 500, 1500, 20 },	/* each fall and each rise leaves the band */
	};

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		struct abt_snd_bounds b = abt_snd_bounds(&paper, 1000, 1448);
		u32 moves = 0;

		for (u32 saw = 0; saw < 20; saw++) {
			u32 cwnd = saw & 1 ? rows[i].high : rows[i].low;

			if (abt_snd_inside(&b, cwnd, U32_MAX))
				continue;
			b = abt_snd_bounds(&paper, cwnd, 1448);
			moves++;
		}
		EXPECT_AT(t, i, moves, ==, rows[i].moves);
	}
}

/* A window that wanders at random: the buffer is always 2 to 4 times of it. */
static void target_stays_in_band(struct abt_test *t)
{
	u32 cwnd = 10, centred = 10;
	struct abt_snd_bounds b = abt_snd_bounds(&paper, centred, 1448);

	for (u32 step = 0; step < 200000; step++) {
		switch (abt_test_below(t, 40)) {
		case 0:
			cwnd = 1 + cwnd / 2;		/* loss */
			break;
		case 1:
			cwnd = min(cwnd * 2, 100000U);	/* slow start */
			break;
		default:
			cwnd++;
		}
		if (!abt_snd_inside(&b, cwnd, U32_MAX)) {
			centred = cwnd;
			b = abt_snd_bounds(&paper, centred, 1448);
		}
		EXPECT_AT(t, step, 3 * centred, >=, 2 * cwnd);
		EXPECT_AT(t, step, 3 * centred, <=, 4 * cwnd);
	}
}

static void bounds_enclose_cwnd(struct abt_test *t)
{
	static const u32 edges[] = { 0, 1, 2, U32_MAX / 16, U32_MAX / 3,
				     U32_MAX - 1, U32_MAX };

	for (u32 i = 0; i < 100000; i++) {
		u32 cwnd = i < ARRAY_SIZE(edges) ? edges[i] :
			   abt_test_random(t) >> abt_test_below(t, 32);

		for (u32 k = 0; k < ARRAY_SIZE(bands); k++) {
			struct abt_snd_bounds b = abt_snd_bounds(&bands[k], cwnd, 1448);

			EXPECT_AT(t, cwnd, b.shrink_below, <=, cwnd);
			EXPECT_AT(t, cwnd, b.grow_above, >=, cwnd);
		}
	}
}

/* The target is made for cwnd, or for what the peer offers if low x that is less. */
static void reach_of_an_offer(struct abt_test *t)
{
	static const struct {
		u32 cwnd, window_bytes, least, reach;
	} rows[] = {
		{ 100, U32_MAX, 10, 100 },
		/* 3 x 100 segments are 2 x 150 */
		{ 100, 150000, 10, 100 },
		{ 100, 149999, 10, 99 },
		{ 100, 75000, 10, 50 },
		{ 1000000, 75000, 10, 50 },
		/* however little is offered, and never more than cwnd */
		{ 100, 1000, 10, 10 },
		{ 100, 0, 10, 10 },
		{ 7, 0, 10, 7 },
		{ 100, 0, 0, 0 },
	};

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		struct abt_snd_sample s = sample(rows[i].cwnd, 1000, 100);

		s.window_bytes = rows[i].window_bytes;
		s.least_segs = rows[i].least;
		EXPECT_AT(t, i, abt_snd_reach(&paper, &s), ==, rows[i].reach);
	}
}

/* 8/9 of a window at least, 32/27 of it at most, where cwnd is no limit. */
static void target_follows_offer(struct abt_test *t)
{
	struct abt_snd_sample s = sample(10, 1448, 100);
	struct abt_snd_bounds b = {};
	u32 reach = 0, moves = 0;

	s.window_bytes = 65535;
	for (u32 step = 0; step < 200000; step++) {
		u64 target, window = s.window_bytes;

		switch (abt_test_below(t, 40)) {
		case 0:
			s.cwnd_segs = 1 + s.cwnd_segs / 2;
			break;
		case 1:
			s.cwnd_segs = min(s.cwnd_segs * 2, 100000U);
			break;
		case 2:
			window = 14480 + abt_test_below(t, 100000000);
			break;
		case 3:
			window += window >> 4;
			break;
		case 4:
			window -= window >> 4;
		}
		s.window_bytes = (u32)clamp_t(u64, window, 14480, 100000000);
		if (!abt_snd_inside(&b, s.cwnd_segs, s.window_bytes) ||
		    abt_snd_offered_less(&b, s.window_bytes)) {
			reach = abt_snd_reach(&paper, &s);
			b = abt_snd_bounds(&paper, reach, s.mss_bytes);
			moves++;
		}
		target = 3 * (u64)reach * s.mss_bytes;
		window = s.window_bytes;
		/* a segment of rounding */
		EXPECT_AT(t, step, target + 3 * s.mss_bytes, >=,
			  2 * min((u64)s.cwnd_segs * s.mss_bytes, window * 8 / 9));
		EXPECT_AT(t, step, target, <=,
			  min(4 * (u64)s.cwnd_segs * s.mss_bytes,
			      2 * window * 32 / 27) + 3 * s.mss_bytes);
	}
	EXPECT(t, moves, <, 50000);
}

static void cost_of_a_byte(struct abt_test *t)
{
	static const struct {
		u32 mss, queued_bytes, queued_payload, worst, cost_q16;
	} rows[] = {
		/* measured, with segmentation offload */
		{ 1448, 1100000, 1000000, 2304, 72089 },
		/* the shortest queue that is believed, and one byte less */
		{ 1000, 8800, 8000, 2000, 72089 },
		{ 1000, 8798, 7999, 2000, 2 * ABT_Q16_ONE },
		{ 1448, 0, 0, 2896, 2 * ABT_Q16_ONE },
		/* never under 1.0, never over the worst */
		{ 1000, 4000, 8000, 2000, ABT_Q16_ONE },
		{ 1000, 80000, 8000, 2000, 2 * ABT_Q16_ONE },
		{ 1000, 0, U32_MAX, 2000, ABT_Q16_ONE },
		/* a worst case below one segment cannot be: 1.0 */
		{ 1000, 80000, 8000, 0, ABT_Q16_ONE },
		{ 1000, 80000, 8000, 999, ABT_Q16_ONE },
		/* extremes */
		{ 0, 0, 0, 0, ABT_Q16_ONE },
		{ 1, U32_MAX, 8, U32_MAX, U32_MAX },
		{ 1, 1, 0, U32_MAX, U32_MAX },
		{ U32_MAX, U32_MAX, U32_MAX, U32_MAX, ABT_Q16_ONE },
	};

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		struct abt_snd_sample s = {
			.cwnd_segs = 10,
			.mss_bytes = rows[i].mss,
			.queued_bytes = rows[i].queued_bytes,
			.queued_payload = rows[i].queued_payload,
			.worst_bytes = rows[i].worst,
		};

		EXPECT_AT(t, i, abt_snd_cost_q16(&s), ==, rows[i].cost_q16);
	}
}

/* The demand is centre x cwnd x mss x cost, to the byte that rounding takes. */
static void demand_by_cost(struct abt_test *t)
{
	static const struct {
		u32 cwnd, mss, cost_percent, demand;
	} rows[] = {
		{ 10, 1448, 100, 43440 },
		{ 10, 1448, 110, 47784 },
		{ 1000, 1448, 110, 4778400 },
		{ 10, 8948, 100, 268440 },
		{ 1, 536, 125, 2010 },
		{ 0, 1448, 100, 0 },
		{ 1000000, 1448, 100, ABT_BYTES_MAX },
	};

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		struct abt_snd_sample s = sample(rows[i].cwnd, rows[i].mss,
						 rows[i].cost_percent);
		u32 demand = abt_snd_demand(&paper, &s);

		EXPECT_AT(t, i, demand, <=, rows[i].demand);
		EXPECT_AT(t, i, demand + (rows[i].demand >> 15) + 1, >=,
			  rows[i].demand);
	}
}

static void demand_grows_with_cwnd(struct abt_test *t)
{
	for (u32 i = 0; i < 100000; i++) {
		const struct abt_snd_band *band =
			&bands[abt_test_below(t, ARRAY_SIZE(bands))];
		struct abt_snd_sample s = {
			.cwnd_segs = abt_test_random(t) >> abt_test_below(t, 32),
			.mss_bytes = 1 + abt_test_below(t, 65535),
			.queued_bytes = abt_test_random(t),
			.queued_payload = abt_test_random(t),
			.worst_bytes = abt_test_random(t) >> abt_test_below(t, 32),
		};
		u32 less = abt_snd_demand(band, &s);

		EXPECT_AT(t, i, less, <=, ABT_BYTES_MAX);
		EXPECT_AT(t, i, less, >=, min_t(u64, ABT_BYTES_MAX,
			  (u64)band->low * s.cwnd_segs * s.mss_bytes));
		s.cwnd_segs += min(abt_test_random(t), U32_MAX - s.cwnd_segs);
		EXPECT_AT(t, i, abt_snd_demand(band, &s), >=, less);
	}
}

static void demand_at_the_extremes(struct abt_test *t)
{
	static const u32 ends[] = { 0, 1, 0x7fffffff, 0x80000000, U32_MAX };
	enum { N = ARRAY_SIZE(ends) };

	for (u32 i = 0; i < N * N * N * N * N; i++) {
		struct abt_snd_sample s = {
			.cwnd_segs = ends[i % N],
			.mss_bytes = ends[i / N % N],
			.queued_bytes = ends[i / (N * N) % N],
			.queued_payload = ends[i / (N * N * N) % N],
			.worst_bytes = ends[i / (N * N * N * N)],
		};
		u32 demand = abt_snd_demand(&bands[i % ARRAY_SIZE(bands)], &s);

		EXPECT_AT(t, i, demand, <=, ABT_BYTES_MAX);
		EXPECT_AT(t, i, !demand, ==, !s.cwnd_segs);
	}
}

/* Half more than a path with a queue holds, twice of one without. */
static void busy_path(struct abt_test *t)
{
	static const struct {
		u32 path, busy;
		bool queues;
	} rows[] = {
		{ 0, 0, false }, { 1000, 1500, true }, { 1000, 2000, false },
		{ U32_MAX, ABT_BYTES_MAX, false }, { U32_MAX, ABT_BYTES_MAX, true },
	};

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		struct abt_snd_sample s = sample(100, 1448, 100);

		s.path_bytes = rows[i].path;
		s.path_queues = rows[i].queues;
		EXPECT_AT(t, i, abt_snd_busy(&s), ==, rows[i].busy);
	}
}

/* A window that is kept full: at 2/3 of the buffer some data are still unsent. */
static void busy_path_with_a_full_window(struct abt_test *t)
{
	static const struct {
		u32 window, busy;
	} rows[] = {
		{ 1000, 1500 + 125 }, { 16 << 20, (24 << 20) + (192 << 10) },
	};

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		struct abt_snd_sample s = sample(100, 1448, 100);

		s.path_bytes = rows[i].window / 10 * 9;
		s.path_queues = true;
		s.window_bytes = rows[i].window;
		EXPECT_AT(t, i, abt_snd_busy(&s), ==, rows[i].busy);
	}
}

const struct abt_case abt_send_cases[] = {
	{ "send: TBT-PLR's example, cwnd 8 wants 24 segments", paper_example },
	{ "send: the band is ATBT's definition, any band", band_by_definition },
	{ "send: an oscillation inside the band moves nothing", oscillation },
	{ "send: the target stays within 2 to 4 windows", target_stays_in_band },
	{ "send: bounds enclose the window", bounds_enclose_cwnd },
	{ "send: a target is made for what the peer offers", reach_of_an_offer },
	{ "send: the target follows what the peer offers", target_follows_offer },
	{ "send: what keeps a path busy", busy_path },
	{ "send: what keeps it busy with a full window", busy_path_with_a_full_window },
	{ "send: cost of a byte", cost_of_a_byte },
	{ "send: demand by cost", demand_by_cost },
	{ "send: demand grows with the window", demand_grows_with_cwnd },
	{ "send: demand at the extremes", demand_at_the_extremes },
	{ }
};
