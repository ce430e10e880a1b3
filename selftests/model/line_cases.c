// SPDX-License-Identifier: GPL-2.0
/* The rate of a bottleneck, from the trains of a slow start. */
#include <linux/limits.h>

#include "cases.h"
#include "model/line.h"

#define BASE_US		100000u
/* what the bottleneck carries in 1024 us [bytes] */
#define RATE		50000u

/* A train of @us at @rate. */
static void train(struct abt_line *l, u32 rate, u32 us)
{
	abt_line_train(l, (u32)abt_line_brings(rate, us), us, BASE_US);
}

/* Trains that double come at one rate: the second one tells, and once. */
static void two_trains_tell(struct abt_test *t)
{
	struct abt_line l = { 0 };

	train(&l, RATE, BASE_US / 8);
	EXPECT(t, abt_line_take(&l), ==, 0);
	train(&l, RATE, BASE_US / 4);
	EXPECT(t, abt_line_take(&l), >=, RATE - 1);
	EXPECT(t, abt_line_take(&l), ==, 0);
	train(&l, RATE + RATE / 10, BASE_US / 2);
	EXPECT(t, abt_line_take(&l), >=, RATE);
}

/* Trains of a sender that paces are as long as before, and twice as fast. */
static void a_pace_tells_nothing(struct abt_test *t)
{
	struct abt_line l = { 0 };

	for (u32 rate = RATE / 64; rate <= RATE; rate *= 2) {
		train(&l, rate, BASE_US * 3 / 8);
		EXPECT_AT(t, rate, abt_line_take(&l), ==, 0);
	}
	train(&l, RATE, BASE_US / 2);
	EXPECT(t, abt_line_take(&l), >=, RATE - 1);
}

/* Of a short train single reads decide, and a long one after it is the first. */
static void short_trains_tell_nothing(struct abt_test *t)
{
	static const struct {
		u32 base_us;
		u32 us;
		bool tells;
	} rows[] = {
		{ BASE_US, BASE_US / 20, false }, { BASE_US, BASE_US / 15, true }, { 4000, 900, false }, { 4000, 1100, true },
	};

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		struct abt_line l = { 0 };

		for (u32 n = 0; n < 2; n++)
			abt_line_train(&l, RATE, rows[i].us, rows[i].base_us);
		EXPECT_AT(t, i, abt_line_take(&l) > 0, ==, rows[i].tells);
	}
}

static void any_train_is_survived(struct abt_test *t)
{
	struct abt_line l = { 0 };

	for (u64 n = 0; n < t->steps; n++) {
		abt_line_train(&l, (u32)abt_test_random(t), (u32)abt_test_random(t) >> abt_test_below(t, 32),
			       (u32)abt_test_random(t) >> abt_test_below(t, 32));
		if (l.known)
			EXPECT_AT(t, n, l.rate, >, 0);
	}
}

const struct abt_case abt_line_cases[] = {
	{ "line: two trains tell", two_trains_tell },
	{ "line: a pace tells nothing", a_pace_tells_nothing },
	{ "line: short trains tell nothing", short_trains_tell_nothing },
	{ "line: any train is survived", any_train_is_survived },
	{ }
};
