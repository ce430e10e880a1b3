// SPDX-License-Identifier: GPL-2.0
/* The base round trip: confirmed, drained for, doubted. */
#include <linux/minmax.h>

#include "cases.h"
#include "model/base.h"

#define BASE_US	20000U
#define SLOT_US	(1U << 23)

static void sample(struct abt_base *b, u32 now_us, u32 rtt_us)
{
	abt_base_update(b, &(struct abt_base_sample) {
		.now_us = now_us,
		.rtt_us = rtt_us,
	});
}

static void falls_at_once(struct abt_test *t)
{
	struct abt_base b = { 0 };

	for (u32 rtt_us = 500000; rtt_us; rtt_us /= 2) {
		sample(&b, 0, rtt_us);
		EXPECT_AT(t, rtt_us, b.us, ==, rtt_us);
		EXPECT_AT(t, rtt_us, b.draining, ==, false);
	}
}

/* Near the base, nothing needs to be looked at; far, once a slot, from any start. */
static void drains_once_a_slot(struct abt_test *t)
{
	static const u32 starts[] = { 0, 12345678, U32_MAX - 3 * SLOT_US, U32_MAX };

	for (u32 i = 0; i < ARRAY_SIZE(starts); i++) {
		struct abt_base b = { 0 };
		u32 begun = 0, now_us = starts[i];

		sample(&b, now_us, BASE_US);
		for (u32 n = 0; n < 10 * (SLOT_US / BASE_US); n++) {
			now_us += BASE_US;
			sample(&b, now_us, BASE_US + BASE_US / 4);
			EXPECT_AT(t, n, b.draining, ==, false);
		}
		for (u32 n = 0; n < 10 * (SLOT_US / (2 * BASE_US)); n++) {
			bool was = b.draining;

			now_us += 2 * BASE_US;
			sample(&b, now_us, was ? BASE_US : 2 * BASE_US);
			begun += b.draining && !was;
			EXPECT_AT(t, n, b.us, ==, BASE_US);
		}
		EXPECT_AT(t, i, begun, >=, 9);
		EXPECT_AT(t, i, begun, <=, 10);
	}
}

/* Begun just before the clock wraps, it lasts as long as any other. */
static void a_drain_outlasts_the_clock(struct abt_test *t)
{
	u32 now_us = U32_MAX - 3 * BASE_US;
	struct abt_base b = { 0 };

	sample(&b, now_us - 2 * SLOT_US, BASE_US);
	sample(&b, now_us, 2 * BASE_US);
	EXPECT(t, b.draining, ==, true);
	for (u32 n = 1; n < 6; n++) {
		sample(&b, now_us + n * BASE_US, 2 * BASE_US);
		EXPECT_AT(t, n, b.draining, ==, true);
		EXPECT_AT(t, n, b.us, ==, BASE_US);
	}
	sample(&b, now_us + SLOT_US / 2, 2 * BASE_US);
	EXPECT(t, b.draining, ==, false);
	EXPECT(t, b.us, ==, 2 * BASE_US);
}

/* A drain ends while nothing comes, and be that for longer than half of the clock's wrap. */
static void a_drain_ends_in_silence(struct abt_test *t)
{
	static const u32 silent_us[] = { SLOT_US, 1U << 30, (1U << 31) + SLOT_US, 3U << 30 };

	for (u32 i = 0; i < ARRAY_SIZE(silent_us); i++) {
		struct abt_base b = { 0 };

		sample(&b, 0, BASE_US);
		sample(&b, 2 * SLOT_US, 2 * BASE_US);
		EXPECT_AT(t, i, b.draining, ==, true);
		sample(&b, 2 * SLOT_US + silent_us[i], 2 * BASE_US);
		EXPECT_AT(t, i, b.draining, ==, false);
	}
}

/* A queue that does not go is the path: the least of what the drain saw. */
static void drain_without_effect_raises(struct abt_test *t)
{
	struct abt_base b = { 0 };
	u32 now_us = 0;

	sample(&b, now_us, BASE_US);
	for (now_us = SLOT_US; !b.draining && now_us < 2 * SLOT_US; now_us += 60000)
		sample(&b, now_us, 3 * BASE_US);
	EXPECT(t, b.draining, ==, true);
	for (u32 n = 0; n < 10 && b.draining; n++, now_us += 60000)
		sample(&b, now_us, 3 * BASE_US - n);
	EXPECT(t, b.draining, ==, false);
	EXPECT(t, b.us, >, 3 * BASE_US - 10);
	EXPECT(t, b.us, <, 3 * BASE_US);
	EXPECT(t, b.doubted, ==, true);
}

/*
 * Others' queues were in the drain that raised a base: the next, which goes deeper, goes
 * back down to the path. Or finds that it has got longer, and that is that.
 */
static void a_rise_is_looked_at_again(struct abt_test *t)
{
	for (u32 longer = 0; longer < 2; longer++) {
		u32 path_us = longer ? 3 * BASE_US : BASE_US, drains = 0, now_us;
		struct abt_base b = { 0 };

		sample(&b, 0, BASE_US);
		for (now_us = SLOT_US; now_us < 5 * SLOT_US; now_us += 60000) {
			bool drained = b.draining;

			sample(&b, now_us, b.draining && (drains || longer) ? path_us : 3 * BASE_US);
			if (!drained || b.draining)
				continue;
			if (!drains++)
				EXPECT_AT(t, longer, b.us, ==, 3 * BASE_US);
		}
		EXPECT_AT(t, longer, b.us, ==, path_us);
		EXPECT_AT(t, longer, b.doubted, ==, false);
	}
}

static void growth_puts_a_drain_off(struct abt_test *t)
{
	struct abt_base b = { 0 };
	struct abt_base_sample s = { .rtt_us = BASE_US };

	abt_base_update(&b, &s);
	s.now_us = 3 * SLOT_US;
	s.rtt_us = 3 * BASE_US;
	s.growing = true;
	abt_base_update(&b, &s);
	EXPECT(t, b.draining, ==, false);
	s.growing = false;
	abt_base_update(&b, &s);
	EXPECT(t, b.draining, ==, true);
}

/* Two samples in a row; a drain later tells what it is, and never by less. */
static void doubt_raises_at_once(struct abt_test *t)
{
	struct abt_base_sample s = { .rtt_us = BASE_US };
	struct abt_base b = { 0 };

	abt_base_update(&b, &s);
	s.rtt_us = 10 * BASE_US;
	s.unexplained = true;
	abt_base_update(&b, &s);
	EXPECT(t, b.us, ==, BASE_US);
	s.unexplained = false;
	abt_base_update(&b, &s);
	s.unexplained = true;
	abt_base_update(&b, &s);
	EXPECT(t, b.us, ==, BASE_US);
	abt_base_update(&b, &s);
	EXPECT(t, b.us, ==, 10 * BASE_US);
	EXPECT(t, b.doubted, ==, true);
	for (u32 now_us = SLOT_US; b.doubted && now_us < 2 * SLOT_US; now_us += 200000)
		sample(&b, now_us, b.draining ? 9 * BASE_US : 10 * BASE_US);
	EXPECT(t, b.us, ==, 9 * BASE_US);
	EXPECT(t, b.doubted, ==, false);
}

/*
 * A path that got shorter while the window, 2 x rate x base, fills its queue: a round
 * trip is what the window takes. Drains go down to the path, one after another.
 */
static void goes_down_to_the_path(struct abt_test *t)
{
	u32 now_us = 0, rtt_us = 10 * BASE_US, drains = 0, slot;
	struct abt_base b = { 0 };

	sample(&b, now_us, rtt_us);
	sample(&b, SLOT_US, 4 * BASE_US);
	EXPECT(t, b.doubted, ==, true);
	for (now_us = 2 * SLOT_US, slot = 0; b.doubted && slot < SLOT_US; slot += rtt_us) {
		u32 ends_us = b.drain_end_us;

		rtt_us = b.draining ? max(BASE_US, b.from_us / 4 * 3) : 2 * b.us;
		now_us += rtt_us;
		sample(&b, now_us, rtt_us);
		drains += b.draining && b.drain_end_us != ends_us;
	}
	EXPECT(t, b.us, ==, BASE_US);
	EXPECT(t, drains, >=, 5);
	EXPECT(t, drains, <=, 7);
}

/* In slow start nothing stands in a queue: what falls is what a sender took to begin. */
static void a_fall_in_slow_start_is_believed(struct abt_test *t)
{
	struct abt_base_sample s = { .rtt_us = 10 * BASE_US, .growing = true };
	struct abt_base b = { 0 };

	abt_base_update(&b, &s);
	s.rtt_us = BASE_US;
	abt_base_update(&b, &s);
	EXPECT(t, b.us, ==, BASE_US);
	EXPECT(t, b.doubted, ==, false);
}

/* Any sample at all: there is a base, and it is never above the last sample. */
static void any_sample_is_survived(struct abt_test *t)
{
	struct abt_base b = { 0 };

	for (u32 i = 0; i < 500000; i++) {
		struct abt_base_sample s = {
			.now_us = abt_test_random(t),
			.rtt_us = 1 + (abt_test_random(t) >>
				       (1 + abt_test_below(t, 31))),
			.unexplained = i & 1,
			.growing = i & 2,
		};

		abt_base_update(&b, &s);
		EXPECT_AT(t, i, b.us, >=, 1);
		EXPECT_AT(t, i, b.us, <=, s.rtt_us);
	}
}

const struct abt_case abt_base_cases[] = {
	{ "base: falls at once", falls_at_once },
	{ "base: far from it, one drain a slot", drains_once_a_slot },
	{ "base: a drain outlasts the clock", a_drain_outlasts_the_clock },
	{ "base: a drain ends in silence", a_drain_ends_in_silence },
	{ "base: a drain without effect raises it", drain_without_effect_raises },
	{ "base: growth puts a drain off", growth_puts_a_drain_off },
	{ "base: a rise is looked at again", a_rise_is_looked_at_again },
	{ "base: doubt raises it at once, until a drain", doubt_raises_at_once },
	{ "base: a path that got shorter is followed down", goes_down_to_the_path },
	{ "base: a fall in slow start is believed", a_fall_in_slow_start_is_believed },
	{ "base: any sample is survived", any_sample_is_survived },
	{ }
};
