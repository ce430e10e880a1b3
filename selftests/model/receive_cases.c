// SPDX-License-Identifier: GPL-2.0
/* DRS's estimate, TBT-PLR's alpha on it, and both signals of alpha. */
#include "cases.h"
#include "model/receive.h"

/* A receiver on a path: @step() is one epoch. */
struct path {
	struct abt_rcv_model model;
	struct abt_rcv_sample sample;
};

static void path_init(struct path *p, u32 start_us, u32 rtt_us)
{
	abt_rcv_init(&p->model);
	p->sample = (struct abt_rcv_sample) {
		.now_us = start_us,
		.elapsed_us = rtt_us,
		.rtt_us = rtt_us,
		.gap_us = U32_MAX,
		.segs = 100,
		.mss_bytes = 1448,
	};
}

static void step(struct path *p, u32 copied_bytes)
{
	p->sample.now_us += p->sample.elapsed_us;
	p->sample.copied_bytes = copied_bytes;
	p->sample.offered_bytes = abt_rcv_window(&p->model, true);
	abt_rcv_update(&p->model, &p->sample, ABT_ALPHA_EPOCH);
}

static void steps(struct path *p, u32 n, u32 copied_bytes)
{
	while (n--)
		step(p, copied_bytes);
}

static void knows_nothing_at_first(struct abt_test *t)
{
	struct path p;

	path_init(&p, 0, 1000);
	EXPECT(t, abt_rcv_window(&p.model, true), ==, 0);
	EXPECT(t, p.model.base.us, ==, 0);
	EXPECT(t, p.model.alpha_q16, ==, ABT_Q16_ONE);
	step(&p, 0);
	EXPECT(t, abt_rcv_window(&p.model, true), ==, 0);
	EXPECT(t, p.model.base.us, ==, 1000);
}

/* Slow start: always one round trip late, and room to spare: 6 times what was seen. */
static void doubling_gives_six_times(struct abt_test *t)
{
	struct path p;

	path_init(&p, U32_MAX - 300000, 50000);
	for (u32 copied = 14480; copied < 100000000; copied *= 2) {
		step(&p, copied);
		EXPECT_AT(t, copied, abt_rcv_window(&p.model, true), ==, 6 * copied);
		EXPECT_AT(t, copied, abt_rcv_window(&p.model, false), ==, 6 * copied);
	}
}

/* A round trip of an eighth more than the base ends that: a queue shows, the path is full. */
static void queue_ends_six_times(struct abt_test *t)
{
	struct path p;

	path_init(&p, 0, 48000);
	step(&p, 100000);
	p.sample.rtt_us = p.sample.elapsed_us = 54000;
	step(&p, 225000);
	EXPECT(t, p.model.path_bytes, ==, 200000);
	EXPECT(t, abt_rcv_window(&p.model, true), ==, 6 * 200000);
	p.sample.rtt_us = p.sample.elapsed_us = 60000;
	p.sample.own_bytes = 1600004;	/* the kernel would offer more than four times */
	step(&p, 500000);
	EXPECT(t, p.model.path_bytes, ==, 400000);
	EXPECT(t, abt_rcv_window(&p.model, true), ==, 6 * 400000);
	p.sample.own_bytes = 1600003;
	step(&p, 500000);
	EXPECT(t, abt_rcv_window(&p.model, true), ==, 2 * 400000);
	EXPECT(t, abt_rcv_window(&p.model, false), ==, 2 * 400000);
	p.sample.rtt_us = p.sample.elapsed_us = 48000;
	step(&p, 800000);
	EXPECT(t, abt_rcv_window(&p.model, true), ==, 6 * 800000);
}

/* The papers' two paths, by their own figures: 36 bytes, and 7.8 MB. */
static void steady_gives_twice_the_bdp(struct abt_test *t)
{
	static const struct {
		u64 bits_per_second;
		u32 rtt_us, bdp, bdp_max;
	} rows[] = {
		{ 56000, 5000, 35, 36 },
		{ 622000000, 100000, 7700000, 7800000 },
		{ 10000000000ULL, 184000, 230000000, 230000000 },
		{ 1000000000, 100, 12500, 12500 },
	};

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		u32 bdp = (u32)div_u64(div_u64(rows[i].bits_per_second, 8) *
				       rows[i].rtt_us, 1000000);
		struct path p;

		path_init(&p, 0, rows[i].rtt_us);
		steps(&p, 10, bdp);
		EXPECT_AT(t, i, abt_rcv_window(&p.model, true), ==, 2 * bdp);
		EXPECT_AT(t, i, bdp, >=, rows[i].bdp);
		EXPECT_AT(t, i, bdp, <=, rows[i].bdp_max);
	}
}

/* Growth below 1/8 is noise, above is growth; the peak outlives a dip. */
static void noise_is_no_growth(struct abt_test *t)
{
	struct path p;

	path_init(&p, 0, 50000);
	steps(&p, 10, 800000);
	step(&p, 900000);
	EXPECT(t, abt_rcv_window(&p.model, true), ==, 2 * 900000);
	step(&p, 1012501);
	EXPECT(t, abt_rcv_window(&p.model, true), ==, 6 * 1012501);
	step(&p, 100000);
	step(&p, 100000);
	EXPECT(t, abt_rcv_window(&p.model, true), ==, 6 * 1012501);
	step(&p, 100000);
	EXPECT(t, abt_rcv_window(&p.model, true), ==, 2 * 1012501);
	steps(&p, 8, 100000);
	EXPECT(t, abt_rcv_window(&p.model, true), ==, 2 * 100000);
}

/*
 * What a slow reader takes from its queue is neither growth nor more than the path held; and a
 * queue that it has not taken yet ends no growth if it is short.
 */
static void slow_reader_is_no_growth(struct abt_test *t)
{
	struct path p;

	path_init(&p, 0, 60000);
	step(&p, 15928);
	EXPECT(t, abt_rcv_window(&p.model, true), ==, 6 * 15928);
	p.sample.unread_bytes = 34752;
	step(&p, 47784);
	EXPECT(t, abt_rcv_window(&p.model, true), ==, 2 * 15928);
	p.sample.unread_bytes = 290000;
	step(&p, 59368);
	EXPECT(t, abt_rcv_window(&p.model, true), ==, 2 * 15928);
	p.sample.unread_bytes = 20000;
	step(&p, 59368);
	EXPECT(t, abt_rcv_window(&p.model, true), ==, 6 * 59368);
	p.sample.unread_bytes = 7421;	/* an eighth */
	step(&p, 59368);
	EXPECT(t, abt_rcv_window(&p.model, true), ==, 6 * 59368);
	p.sample.unread_bytes = 7422;
	step(&p, 59368);
	EXPECT(t, abt_rcv_window(&p.model, true), ==, 2 * 59368);
}

/* With two flights in the first epoch, one round trip holds less than both. */
static void first_epoch_has_two_flights(struct abt_test *t)
{
	struct path p;

	path_init(&p, 0, 60000);
	step(&p, 12 * p.sample.mss_bytes);
	EXPECT(t, abt_rcv_window(&p.model, true), ==, 6 * 12 * p.sample.mss_bytes);
	path_init(&p, 0, 60000);
	step(&p, 30 * p.sample.mss_bytes);
	EXPECT(t, abt_rcv_window(&p.model, true), ==, 6 * 15 * p.sample.mss_bytes);
}

/*
 * A sender that doubles every second epoch only, because each window takes a round
 * trip to get there and another to be filled, is never limited by the window.
 */
static void slow_start_is_not_halved(struct abt_test *t)
{
	u32 copied = 10000;
	struct path p;

	path_init(&p, 0, 184000);
	for (u32 i = 0; i < 12; i++, copied *= 2) {
		step(&p, copied);
		EXPECT_AT(t, i, abt_rcv_window(&p.model, true), ==, 6 * copied);
		step(&p, copied);
		EXPECT_AT(t, i, abt_rcv_window(&p.model, true), ==, 6 * copied);
	}
}

/*
 * A queue that we cause: the round trip rises with the window, what is copied a
 * round trip with it, the rate stands. The estimate must not chase it (7 s here: less
 * than a slot, so that no drain looks).
 */
static void own_queue_raises_nothing(struct abt_test *t)
{
	enum { BYTES_A_MS = 12500, RTT_MS = 20 };
	struct path p;
	u32 before;

	path_init(&p, 0, RTT_MS * 1000);
	steps(&p, 10, BYTES_A_MS * RTT_MS);
	before = abt_rcv_window(&p.model, true);
	EXPECT(t, before, ==, 2 * BYTES_A_MS * RTT_MS);
	for (u32 queue_ms = 1; queue_ms < 150; queue_ms++) {
		p.sample.rtt_us = (RTT_MS + queue_ms % 50) * 1000;
		p.sample.elapsed_us = p.sample.rtt_us;
		step(&p, BYTES_A_MS * (RTT_MS + queue_ms % 50));
		EXPECT_AT(t, queue_ms, abt_rcv_window(&p.model, true), <=, before + 2);
		EXPECT_AT(t, queue_ms, abt_rcv_window(&p.model, true), >=, before - 2);
	}
	EXPECT(t, p.model.base.us, ==, RTT_MS * 1000);
}

/*
 * A longer route takes rate away from a window that was made for the shorter one:
 * the estimate must rise to it, and not fall with what arrives.
 */
static void longer_route_is_followed(struct abt_test *t)
{
	enum { BYTES_A_MS = 12500, WAS_MS = 20, IS_MS = 200 };
	u32 window;
	struct path p;

	path_init(&p, 0, WAS_MS * 1000);
	steps(&p, 20, BYTES_A_MS * WAS_MS);
	p.sample.rtt_us = IS_MS * 1000;
	p.sample.elapsed_us = IS_MS * 1000;
	for (u32 i = 0; i < 30; i++) {	/* what the window allows, or the path */
		window = abt_rcv_window(&p.model, true);
		step(&p, min_t(u32, window, BYTES_A_MS * IS_MS));
	}
	EXPECT(t, p.model.base.us, ==, IS_MS * 1000);
	EXPECT(t, abt_rcv_window(&p.model, true), ==, 2 * BYTES_A_MS * IS_MS);
	p.sample.rtt_us = WAS_MS * 1000;
	p.sample.elapsed_us = WAS_MS * 1000;
	steps(&p, 20, BYTES_A_MS * WAS_MS);
	EXPECT(t, p.model.base.us, ==, WAS_MS * 1000);
	EXPECT(t, abt_rcv_window(&p.model, true), ==, 2 * BYTES_A_MS * WAS_MS);
}

/*
 * A bottleneck with any queue and a sender that fills the window: the window stands
 * at twice the BDP for as long as it is looked at, drains included.
 */
static void standing_queue_is_no_path(struct abt_test *t)
{
	enum { BYTES_A_MS = 12500, RTT_MS = 20 };
	u32 window = BYTES_A_MS * RTT_MS, drained = 0;
	struct path p;

	path_init(&p, U32_MAX - 30000000, RTT_MS * 1000);
	steps(&p, 20, BYTES_A_MS * RTT_MS);
	for (u32 i = 0; i < 3000; i++) {	/* two minutes */
		u32 flight = max_t(u32, abt_rcv_window(&p.model, true),
				   BYTES_A_MS * RTT_MS);

		p.sample.rtt_us = flight / BYTES_A_MS * 1000;
		p.sample.elapsed_us = p.sample.rtt_us;
		step(&p, flight / BYTES_A_MS * BYTES_A_MS);
		window = abt_rcv_window(&p.model, true);
		drained += p.model.base.draining;
		EXPECT_AT(t, i, p.model.base.us, ==, RTT_MS * 1000);
		EXPECT_AT(t, i, window, <=, 2 * BYTES_A_MS * RTT_MS);
		EXPECT_AT(t, i, window, >=, BYTES_A_MS * RTT_MS);
	}
	EXPECT(t, drained, >, 5);
	EXPECT(t, drained, <, 100);
}

/*
 * A path that holds three granules of the scale: the window does not get smaller than
 * four, and its queue is no path, however long it stands.
 */
static void coarse_window_is_no_path(struct abt_test *t)
{
	enum { BYTES_A_MS = 1250, RTT_MS = 40, GRANULE = 16384 };
	struct path p;

	path_init(&p, 0, RTT_MS * 1000);
	p.sample.granule_bytes = GRANULE;
	steps(&p, 20, BYTES_A_MS * RTT_MS);
	p.sample.rtt_us = 4 * GRANULE / BYTES_A_MS * 1000;
	p.sample.elapsed_us = p.sample.rtt_us;
	for (u32 i = 0; i < 1000; i++) {
		step(&p, 4 * GRANULE);
		EXPECT_AT(t, i, p.model.base.us, ==, RTT_MS * 1000);
		EXPECT_AT(t, i, abt_rcv_window(&p.model, true), <=, 2 * BYTES_A_MS * (RTT_MS + 1));
	}
}

/*
 * A share that falls while others' shares keep a queue: no longer route. Without a share
 * it would be one, at once.
 */
static void share_raises_no_doubt(struct abt_test *t)
{
	enum { BYTES_A_MS = 12500, RTT_MS = 20, QUEUED_MS = 4 * RTT_MS };

	for (u32 shared = 0; shared < 2; shared++) {
		struct path p;

		path_init(&p, 0, RTT_MS * 1000);
		steps(&p, 20, BYTES_A_MS * RTT_MS);
		p.sample.shared = shared;
		p.sample.rtt_us = QUEUED_MS * 1000;
		p.sample.elapsed_us = p.sample.rtt_us;
		steps(&p, 3, BYTES_A_MS * QUEUED_MS / 2);
		EXPECT_AT(t, shared, p.model.base.us, ==,
			  (shared ? RTT_MS : QUEUED_MS) * 1000);
	}
}

/*
 * A window below what the path holds takes rate away: no longer route. One such drain confirms the
 * base, and a queue that is near it needs no other.
 */
static void a_deep_drain_raises_no_doubt(struct abt_test *t)
{
	enum { BYTES_A_MS = 12500, RTT_MS = 100, QUEUED_MS = 119, DRAIN_EPOCHS = 5 };
	u32 drained = 0;
	struct path p;

	path_init(&p, 0, RTT_MS * 1000);
	steps(&p, 20, BYTES_A_MS * RTT_MS);
	p.model.base.doubted = true;
	for (u32 i = 0; i < 1000; i++) {
		u32 flight = min_t(u32, abt_rcv_window(&p.model, true), BYTES_A_MS * QUEUED_MS);

		p.sample.rtt_us = max_t(u32, flight / BYTES_A_MS, RTT_MS) * 1000;
		p.sample.elapsed_us = p.sample.rtt_us;
		step(&p, flight / p.sample.mss_bytes * p.sample.mss_bytes);
		drained += p.model.base.draining;
	}
	EXPECT(t, p.model.base.us, ==, RTT_MS * 1000);
	EXPECT(t, drained, >, 0);
	EXPECT(t, drained, <=, DRAIN_EPOCHS);
}

/* A modem: one segment an epoch, long after the last. Its queue is no longer route. */
static void single_segments_tell_no_rate(struct abt_test *t)
{
	enum { SEGMENT_US = 213000, RTT_US = 5000 };
	struct path p;

	path_init(&p, 0, RTT_US);
	for (u32 i = 0; i < 100; i++) {
		p.sample.rtt_us = RTT_US + i * SEGMENT_US / 2;
		p.sample.elapsed_us = max(p.sample.rtt_us, (u32)SEGMENT_US);
		step(&p, p.sample.elapsed_us / SEGMENT_US * p.sample.mss_bytes);
		EXPECT_AT(t, i, p.model.base.doubts, ==, 0);
	}
}

/*
 * A hole: nothing can be copied, then all at once what had arrived long before.
 * The path is what it was.
 */
static void hole_is_no_growth(struct abt_test *t)
{
	enum { BDP = 250000 };
	struct path p;

	path_init(&p, 0, 20000);
	steps(&p, 20, BDP);
	p.sample.ooo_bytes = BDP;
	p.sample.ooo_segs = BDP / 1448 + 1;
	p.sample.elapsed_us = 40000;	/* an epoch ends with a copy only */
	step(&p, BDP);
	EXPECT(t, abt_rcv_window(&p.model, false), ==, 2 * BDP);
	p.sample.ooo_bytes = 0;
	p.sample.ooo_segs = 0;
	p.sample.elapsed_us = 20000;
	step(&p, 2 * BDP);
	EXPECT(t, abt_rcv_window(&p.model, false), ==, 2 * BDP);
	steps(&p, 20, BDP);
	EXPECT(t, abt_rcv_window(&p.model, false), ==, 2 * BDP);
}

/* A peer that sends one byte far ahead gets no more for it than a segment's worth. */
static void far_byte_opens_little(struct abt_test *t)
{
	struct path p;

	path_init(&p, 0, 20000);
	steps(&p, 20, 100000);
	p.sample.ooo_segs = 1;
	for (u32 i = 0; i < 100; i++) {
		p.sample.ooo_bytes = i & 1 ? 0 : U32_MAX;
		step(&p, 100000);
		EXPECT_AT(t, i, abt_rcv_window(&p.model, false), <=,
			  2 * (100000 + p.sample.mss_bytes));
	}
}

/* A reader that is away for a while needs all that arrives meanwhile to fit. */
static void absent_reader_is_covered(struct abt_test *t)
{
	enum { BYTES_A_MS = 12500, RTT_MS = 20 };
	static const u32 away_ms[] = { 1, 20, 100, 1000, 5000 };

	for (u32 i = 0; i < ARRAY_SIZE(away_ms); i++) {
		u32 epoch_ms = RTT_MS + away_ms[i];
		struct path p;

		path_init(&p, 0, RTT_MS * 1000);
		p.sample.elapsed_us = epoch_ms * 1000;
		steps(&p, 10, BYTES_A_MS * epoch_ms);
		EXPECT_AT(t, i, abt_rcv_window(&p.model, true), >=,
			  BYTES_A_MS * epoch_ms);
	}
}

/* An estimate that fell in mid-epoch makes it look long; the reader was there. */
static void fallen_estimate_is_no_absence(struct abt_test *t)
{
	enum { BYTES_A_MS = 1250, RTT_MS = 20, QUEUE_MS = 500 };
	struct path p;

	path_init(&p, 0, RTT_MS * 1000);
	p.sample.gap_us = 1200;
	steps(&p, 20, BYTES_A_MS * RTT_MS);
	p.sample.elapsed_us = (RTT_MS + QUEUE_MS) * 1000;
	p.sample.rtt_us = (RTT_MS + QUEUE_MS / 2) * 1000;
	step(&p, BYTES_A_MS * (RTT_MS + QUEUE_MS));
	EXPECT(t, abt_rcv_window(&p.model, true), <=, 2 * BYTES_A_MS * (RTT_MS + 2));
}

/*
 * ACKs that leave in slots are echoed late, and the round trip tells nothing of it: the window covers the wait, up to
 * four round trips. It is no growth, and an ACK of every other segment, a hole or a pause is no wait.
 */
static void waits_of_acks_are_covered(struct abt_test *t)
{
	enum { RTT_MS = 10, BYTES_A_MS = 12500 };
	static const struct {
		u32 echo_ms;
		u32 trips_ms;
		u32 ooo_bytes;
		u8 pauses;
	} rows[] = {
		{ 0, RTT_MS, 0, 0 }, { 12, RTT_MS, 0, 0 }, { 30, 30, 0, 0 }, { 50, 50, 0, 0 },
		{ 1000, 5 * RTT_MS, 0, 0 }, { 30, RTT_MS, 1448, 0 }, { 30, RTT_MS, 0, 1 },
	};
	struct path p;

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		path_init(&p, 0, RTT_MS * 1000);
		steps(&p, 10, BYTES_A_MS * RTT_MS);
		p.sample.echo_us = rows[i].echo_ms * 1000;
		p.sample.ooo_bytes = rows[i].ooo_bytes;
		p.model.pauses = rows[i].pauses;
		step(&p, BYTES_A_MS * RTT_MS);
		EXPECT_AT(t, i, abt_rcv_window(&p.model, false), <=, 2 * (BYTES_A_MS * rows[i].trips_ms + 1448));
		EXPECT_AT(t, i, abt_rcv_window(&p.model, false), >=, 2 * BYTES_A_MS * rows[i].trips_ms);
	}
}

/*
 * A wait counts only if no queue shows, the window neither grows nor shrinks, and stamps can tell a queue from their
 * grain; and no more of it than slots of a link are apart.
 */
static void other_ages_are_no_waits(struct abt_test *t)
{
	enum { BYTES_A_MS = 12500 };
	static const struct {
		u32 base_ms;
		u32 queue_ms;
		u32 growing;
		u32 offered;	/* windows */
		u32 echo_ms;
		u32 wait_ms;
	} rows[] = {
		{ 10, 0, 0, 1, 40, 30 }, { 10, 2, 0, 1, 40, 0 }, { 10, 0, 2, 1, 40, 0 }, { 10, 0, 0, 2, 40, 0 },
		{ 5, 0, 0, 1, 40, 0 }, { 100, 0, 0, 1, 1000, 100 }, { 600, 0, 0, 1, 1200, 0 },
	};
	struct path p;

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		u32 base_us = rows[i].base_ms * 1000;

		path_init(&p, 0, base_us);
		steps(&p, 10, BYTES_A_MS * rows[i].base_ms);
		p.sample.now_us += base_us;
		p.sample.echo_us = rows[i].echo_ms * 1000;
		p.sample.rtt_us = base_us + rows[i].queue_ms * 1000;
		p.sample.offered_bytes = rows[i].offered * abt_rcv_window(&p.model, true);
		p.model.growing = rows[i].growing;
		abt_rcv_update(&p.model, &p.sample, ABT_ALPHA_EPOCH);
		EXPECT_AT(t, i, p.model.path_bytes, ==, BYTES_A_MS * (rows[i].base_ms + rows[i].wait_ms));
	}
}

/* alpha = 1 is DRS; alpha = 0 leaves the path itself; DRS never looks at it. */
static void alpha_sets_the_factor(struct abt_test *t)
{
	static const struct {
		u32 ooo_segs, times_q16;
	} rows[] = {
		{ 0, 2 * ABT_Q16_ONE },
		{ 25, 7 * (ABT_Q16_ONE / 4) },
		{ 50, 3 * (ABT_Q16_ONE / 2) },
		{ 100, ABT_Q16_ONE },
		{ 1000, ABT_Q16_ONE },	/* more than arrived: all */
	};

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		u32 want = abt_scale_q16(1000000, rows[i].times_q16);
		struct path p;

		path_init(&p, 0, 10000);
		p.sample.ooo_segs = rows[i].ooo_segs;
		steps(&p, 100, 1000000);
		EXPECT_AT(t, i, abt_rcv_window(&p.model, true), >=, want);
		EXPECT_AT(t, i, abt_rcv_window(&p.model, true), <=, want + 100);
		EXPECT_AT(t, i, abt_rcv_window(&p.model, false), ==, 2000000);
	}
}

static void alpha_converges(struct abt_test *t)
{
	struct path p;
	u32 last;

	path_init(&p, 0, 10000);
	p.sample.ooo_segs = 100;
	for (u32 i = 0; i < 50; i++) {		/* down, never up, to nearly 0 */
		last = p.model.alpha_q16;
		step(&p, 1000);
		EXPECT_AT(t, i, p.model.alpha_q16, <=, last);
	}
	EXPECT(t, p.model.alpha_q16, <, ABT_Q16_ONE / 1000);
	p.sample.ooo_segs = 0;
	for (u32 i = 0; i < 50; i++) {		/* up, never down, to 1.0 exactly */
		last = p.model.alpha_q16;
		step(&p, 1000);
		EXPECT_AT(t, i, p.model.alpha_q16, >=, last);
	}
	EXPECT(t, p.model.alpha_q16, ==, ABT_Q16_ONE);
	p.sample.segs = 0;			/* nothing arrived: no news */
	step(&p, 0);
	EXPECT(t, p.model.alpha_q16, ==, ABT_Q16_ONE);
}

/* The first sample counts for a quarter: smoothing, by either signal. */
static void alpha_by_either_signal(struct abt_test *t)
{
	static const struct {
		enum abt_alpha_signal signal;
		u32 unread, ooo_bytes, segs, ooo_segs, alpha_q16;
	} rows[] = {
		{ ABT_ALPHA_EPOCH, 0, 5000, 100, 0, ABT_Q16_ONE },
		{ ABT_ALPHA_EPOCH, 5000, 0, 100, 100, ABT_Q16_ONE * 3 / 4 },
		{ ABT_ALPHA_EPOCH, 0, 0, 100, 50, ABT_Q16_ONE * 7 / 8 },
		{ ABT_ALPHA_EPOCH, 0, 0, 0, 0, ABT_Q16_ONE },
		{ ABT_ALPHA_QUEUE, 0, 5000, 100, 0, ABT_Q16_ONE * 3 / 4 },
		{ ABT_ALPHA_QUEUE, 5000, 0, 100, 100, ABT_Q16_ONE },
		{ ABT_ALPHA_QUEUE, 5000, 5000, 100, 0, ABT_Q16_ONE * 7 / 8 },
		{ ABT_ALPHA_QUEUE, 0, 0, 100, 100, ABT_Q16_ONE },
		{ ABT_ALPHA_QUEUE, U32_MAX, U32_MAX, 0, 0, ABT_Q16_ONE * 7 / 8 },
	};

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		struct abt_rcv_model m;
		struct abt_rcv_sample s = {
			.now_us = 1, .elapsed_us = 1000, .rtt_us = 1000,
			.copied_bytes = 1000,
			.unread_bytes = rows[i].unread,
			.ooo_bytes = rows[i].ooo_bytes,
			.segs = rows[i].segs,
			.ooo_segs = rows[i].ooo_segs,
		};

		abt_rcv_init(&m);
		abt_rcv_update(&m, &s, rows[i].signal);
		EXPECT_AT(t, i, m.alpha_q16, ==, rows[i].alpha_q16);
	}
}

/* The same path, started just before the clock and the epoch counter wrap. */
static void clocks_may_wrap(struct abt_test *t)
{
	struct path early, late;

	path_init(&early, 0, 50000);
	path_init(&late, U32_MAX - 1000000, 50000);
	step(&early, 500000);
	step(&late, 500000);
	late.model.epochs = U32_MAX - 20;
	late.model.peak.since = U32_MAX - 20;
	for (u32 i = 0; i < 20; i++) {
		u32 copied = 100000 + abt_test_below(t, 1000000);

		step(&early, copied);
		step(&late, copied);
		EXPECT_AT(t, i, abt_rcv_window(&early.model, true), ==,
			  abt_rcv_window(&late.model, true));
		EXPECT_AT(t, i, late.model.base.us, ==, 50000);
	}
	/* the counter starts over, and so does the peak, as in a first epoch: that counts as growth */
	steps(&late, 7, 700000);
	EXPECT(t, abt_rcv_window(&late.model, true), ==, 2 * 700000);
}

/* A burst after quieter times finds the window of the last one, however long ago that was. */
static void a_burst_finds_its_window(struct abt_test *t)
{
	const u32 unit = 1 << ABT_KEPT_SHIFT, peak = 100 * unit, little = 2 * unit;
	struct path p;

	path_init(&p, 0, 50000);
	p.sample.own_bytes = ABT_BYTES_MAX;
	steps(&p, 8, peak);
	steps(&p, 1000, little);
	EXPECT(t, abt_rcv_window(&p.model, true), ==, 2 * little);
	EXPECT(t, abt_rcv_kept_window(&p.model, true), ==, 2 * peak);
	/* the kernel's own tuning would offer no more than that */
	p.sample.own_bytes = peak;
	step(&p, little);
	EXPECT(t, abt_rcv_kept_window(&p.model, true), ==, peak);
	p.model.base.draining = true;
	EXPECT(t, abt_rcv_kept_window(&p.model, true), ==, 0);
}

/*
 * Round trips that are longer because the sender pauses change nothing of it. A path that came
 * to hold a tenth shows a queue as soon as a quarter is in flight, and all of it is forgotten.
 */
static void a_queue_ends_a_kept_window(struct abt_test *t)
{
	const u32 unit = 1 << ABT_KEPT_SHIFT, peak = 100 * unit;
	struct path p;

	path_init(&p, 0, 50000);
	p.sample.own_bytes = ABT_BYTES_MAX;
	steps(&p, 8, peak);
	p.sample.elapsed_us = 100000;
	p.sample.rtt_us = 100000;
	steps(&p, 30, peak / 5);
	EXPECT(t, abt_rcv_kept_window(&p.model, true), ==, 2 * peak);
	steps(&p, 30, peak / 4);
	EXPECT(t, abt_rcv_kept_window(&p.model, true), <=, 2 * (p.model.path_bytes + unit));
}

/* Any sample at all: the answer stays in range and alpha within 0 .. 1. */
static void any_sample_is_survived(struct abt_test *t)
{
	static const u32 ends[] = { 0, 1, 0x7fffffff, 0x80000000, U32_MAX };
	struct abt_rcv_model m;

	abt_rcv_init(&m);
	for (u32 i = 0; i < 500000; i++) {
		struct abt_rcv_sample s;
		u32 *field = (u32 *)&s;

		for (u32 j = 0; j < offsetof(typeof(s), shared) / sizeof(*field); j++)
			field[j] = i & 1 ? ends[abt_test_below(t, ARRAY_SIZE(ends))] :
				   abt_test_random(t) >> abt_test_below(t, 32);
		s.shared = abt_test_below(t, 2);
		s.follows = abt_test_below(t, 2);
		s.most_bytes = abt_test_random(t);
		abt_rcv_update(&m, &s, i & 2 ? ABT_ALPHA_QUEUE : ABT_ALPHA_EPOCH);
		EXPECT_AT(t, i, m.alpha_q16, <=, ABT_Q16_ONE);
		EXPECT_AT(t, i, abt_rcv_window(&m, true), <=, ABT_BYTES_MAX);
		EXPECT_AT(t, i, abt_rcv_window(&m, true), <=,
			  abt_rcv_window(&m, false));
		EXPECT_AT(t, i, abt_rcv_kept_window(&m, true), <=, max(s.own_bytes, 1U));
	}
}

/* More was copied in the same time: never a smaller window. */
static void window_grows_with_what_is_copied(struct abt_test *t)
{
	for (u32 i = 0; i < 100000; i++) {
		struct path less, more;
		u32 rtt_us = 1 + abt_test_below(t, 500000);

		path_init(&less, 0, rtt_us);
		steps(&less, 2, abt_test_below(t, ABT_BYTES_MAX));
		less.sample.elapsed_us = 1 + abt_test_below(t, 1000000);
		less.sample.rtt_us = 1 + abt_test_below(t, 1000000);
		more = less;
		step(&less, abt_test_below(t, ABT_BYTES_MAX));
		step(&more, less.sample.copied_bytes +
		     abt_test_below(t, ABT_BYTES_MAX));
		EXPECT_AT(t, i, abt_rcv_window(&more.model, true), >=,
			  abt_rcv_window(&less.model, true));
	}
}

const struct abt_case abt_receive_cases[] = {
	{ "receive: knows nothing at first", knows_nothing_at_first },
	{ "receive: doubling input gives 6 times", doubling_gives_six_times },
	{ "receive: steady input gives 2 x BDP, on the papers' paths",
	  steady_gives_twice_the_bdp },
	{ "receive: a queue ends six times", queue_ends_six_times },
	{ "receive: noise is no growth, a dip is outlived", noise_is_no_growth },
	{ "receive: slow start is not halved", slow_start_is_not_halved },
	{ "receive: a slow reader is no growth", slow_reader_is_no_growth },
	{ "receive: a first epoch has two flights", first_epoch_has_two_flights },
	{ "receive: a queue of our own raises nothing", own_queue_raises_nothing },
	{ "receive: a longer route is followed, and a shorter one",
	  longer_route_is_followed },
	{ "receive: a standing queue is no path", standing_queue_is_no_path },
	{ "receive: a window of few granules is no path", coarse_window_is_no_path },
	{ "receive: a share raises no doubt", share_raises_no_doubt },
	{ "receive: a deep drain raises no doubt", a_deep_drain_raises_no_doubt },
	{ "receive: single segments tell no rate", single_segments_tell_no_rate },
	{ "receive: an estimate that fell is no absence", fallen_estimate_is_no_absence },
	{ "receive: a hole is no growth", hole_is_no_growth },
	{ "receive: a byte far ahead opens little", far_byte_opens_little },
	{ "receive: a reader that is away is covered", absent_reader_is_covered },
	{ "receive: waits of ACKs are covered", waits_of_acks_are_covered },
	{ "receive: other ages are no waits", other_ages_are_no_waits },
	{ "receive: alpha sets the factor, from 1 to 2", alpha_sets_the_factor },
	{ "receive: alpha converges", alpha_converges },
	{ "receive: alpha by either signal", alpha_by_either_signal },
	{ "receive: clocks may wrap", clocks_may_wrap },
	{ "receive: a burst finds its window", a_burst_finds_its_window },
	{ "receive: a queue ends a kept window", a_queue_ends_a_kept_window },
	{ "receive: any sample is survived", any_sample_is_survived },
	{ "receive: window grows with what is copied", window_grows_with_what_is_copied },
	{ }
};
