// SPDX-License-Identifier: GPL-2.0
/* Transfer modes, credits and embedded cores. */
#include <linux/minmax.h>

#include "cases.h"
#include "toe/model/core.h"
#include "toe/model/credit.h"
#include "toe/model/dma.h"

/* Credits are in one of three places, and none is ever sent that is not there. */
static void credits_are_conserved(struct abt_test *t)
{
	struct toe_credits c;
	u64 steps = t->steps / 16;

	for (u64 step = 0; step < steps; step++) {
		if (step % 4096 == 0)
			toe_credits_init(&c, 1 + abt_test_below(t, 40));
		switch (abt_test_below(t, 8)) {
		case 0:
			toe_credits_update(&c);
			EXPECT_AT(t, step, c.owed, ==, 0);
			break;
		case 1:
		case 2:
		case 3: {
			u32 ready = c.ready;

			EXPECT_AT(t, step, toe_credits_take(&c), ==, ready > 0);
			break;
		}
		default:
			EXPECT_AT(t, step, toe_credits_consume(&c), <=, 2 * c.owed >= c.pool);
		}
		EXPECT_AT(t, step, (u64)c.ready + c.in_flight + c.owed, ==, c.pool);
		EXPECT_AT(t, step, c.ready, <=, c.pool);
	}
}

/* A receiver that gives back when it is told to never leaves a sender without. */
static void credits_come_back(struct abt_test *t)
{
	for (u32 pool = 1; pool <= 64; pool++) {
		struct toe_credits c;

		toe_credits_init(&c, pool);
		for (u32 message = 0; message < 1000; message++) {
			EXPECT_AT(t, pool, toe_credits_take(&c), ==, true);
			if (toe_credits_consume(&c))
				toe_credits_update(&c);
		}
	}
}

/* By the formulas of dma.h, worked out by hand from the default costs. */
static void worked_examples(struct abt_test *t)
{
	static const struct {
		enum toe_mode mode;
		u32 bytes;
		u64 ns, host_ns;
	} rows[] = {
		{ TOE_BCOPY, 0, 2000, 2000 },
		{ TOE_BCOPY, 1000, 3340, 3340 },
		{ TOE_BCOPY, 8192, 12977, 12977 },
		{ TOE_BCOPY, 8193, 14978, 14978 },
		{ TOE_READ_ZCOPY, 4096, 20496, 7200 },
		{ TOE_READ_ZCOPY, 4097, 20897, 7400 },
		{ TOE_WRITE_ZCOPY, 4096, 13296, 7200 },
		{ TOE_TRANSACTION, 100, 2134, 2134 },
	};

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		EXPECT_AT(t, i, toe_dma_ns(&toe_dma_default, rows[i].mode, rows[i].bytes),
			  ==, rows[i].ns);
		EXPECT_AT(t, i, toe_dma_host_ns(&toe_dma_default, rows[i].mode, rows[i].bytes),
			  ==, rows[i].host_ns);
	}
}

/* Too few credits: what is sent waits for them to come round. */
static void credits_bound_copies(struct abt_test *t)
{
	struct toe_dma_costs c = toe_dma_default;
	u64 plenty = toe_dma_ns(&c, TOE_BCOPY, 1U << 20);

	c.credits = 1;
	c.credit_ns = 100000;
	EXPECT(t, toe_dma_ns(&c, TOE_BCOPY, 1U << 20), ==, 127ULL * 100000);
	EXPECT(t, toe_dma_ns(&c, TOE_BCOPY, 1U << 20), >, plenty);
}

static struct toe_dma_costs some_costs(struct abt_test *t)
{
	return (struct toe_dma_costs) {
		.copy_ps = 1 + abt_test_below(t, 8000),
		.link_ps = 1 + abt_test_below(t, 8000),
		.message_ns = abt_test_below(t, 20000),
		.pin_ns = abt_test_below(t, 100000),
		.pin_page_ns = abt_test_below(t, 4000),
		.credit_ns = abt_test_below(t, 100000),
		.buffer_bytes = 512U << abt_test_below(t, 8),
		.credits = 1 + abt_test_below(t, 64),
		.inline_bytes = abt_test_below(t, 1024),
	};
}

/* From a limit on zero copy is no slower; just below it, it is. For whatever costs. */
static void limits_are_the_crossing(struct abt_test *t)
{
	for (u32 set = 0; set < 200; set++) {
		struct toe_dma_costs c = set ? some_costs(t) : toe_dma_default;
		struct toe_dma_limits limits = toe_dma_limits(&c);

		for (u32 i = 0; i < 200; i++) {
			u32 bytes = limits.read_bytes + abt_test_below(t, 256) * TOE_PAGE_BYTES;

			if (bytes >= TOE_MESSAGE_MAX)
				continue;
			EXPECT_AT(t, set, toe_dma_ns(&c, TOE_READ_ZCOPY, bytes), <=,
				  toe_dma_ns(&c, TOE_BCOPY, bytes));
		}
		if (limits.read_bytes > TOE_PAGE_BYTES)
			EXPECT_AT(t, set,
				  toe_dma_ns(&c, TOE_READ_ZCOPY, limits.read_bytes - TOE_PAGE_BYTES),
				  >, toe_dma_ns(&c, TOE_BCOPY, limits.read_bytes - TOE_PAGE_BYTES));
		EXPECT_AT(t, set, limits.write_bytes, <=, limits.read_bytes);
	}
}

/* What is dearer moves the crossing: pinning up, copying down. */
static void limits_follow_costs(struct abt_test *t)
{
	struct toe_dma_costs c = toe_dma_default;
	u32 before = toe_dma_limits(&c).read_bytes;

	EXPECT(t, before, >, TOE_PAGE_BYTES);
	EXPECT(t, before, <, TOE_MESSAGE_MAX);
	c.pin_ns *= 4;
	EXPECT(t, toe_dma_limits(&c).read_bytes, >, before);
	c = toe_dma_default;
	c.copy_ps *= 4;
	EXPECT(t, toe_dma_limits(&c).read_bytes, <, before);
	c.copy_ps = c.link_ps / 2;	/* copies are hidden, and messages too */
	c.message_ns = 0;
	EXPECT(t, toe_dma_limits(&c).read_bytes, ==, TOE_MESSAGE_MAX);
}

static void modes_are_chosen(struct abt_test *t)
{
	struct toe_dma_limits limits = toe_dma_limits(&toe_dma_default);
	u32 large = limits.read_bytes, between = limits.write_bytes;
	const struct {
		struct toe_message message;
		enum toe_mode mode;
	} rows[] = {
		{ { large, 0, false }, TOE_READ_ZCOPY },
		{ { large - 1, 0, false }, TOE_BCOPY },
		{ { between, 0, true }, TOE_WRITE_ZCOPY },
		{ { between - 1, 0, true }, TOE_BCOPY },
		{ { large, 0, true }, TOE_WRITE_ZCOPY },
		{ { 256, large, false }, TOE_TRANSACTION },
		{ { 257, large, false }, TOE_BCOPY },
		{ { 256, 256, false }, TOE_BCOPY },
		{ { 0, 0, false }, TOE_BCOPY },
	};

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++)
		EXPECT_AT(t, i, toe_dma_choose(&toe_dma_default, &limits, &rows[i].message),
			  ==, rows[i].mode);
}

/* Jobs follow one another, and an idle core starts at once. */
static void cores_serve_in_turn(struct abt_test *t)
{
	struct toe_core core = { 0 };

	EXPECT(t, toe_core_job(&core, 1000, 50), ==, 1050);
	EXPECT(t, toe_core_job(&core, 1010, 50), ==, 1100);
	EXPECT(t, toe_core_job(&core, 1010, 50), ==, 1150);
	EXPECT(t, toe_core_job(&core, 5000, 50), ==, 5050);
	EXPECT(t, core.jobs, ==, 4);
	EXPECT(t, core.busy_ns, ==, 200);
	EXPECT(t, core.waited_ns, ==, 40 + 90);
	EXPECT(t, core.longest_ns, ==, 90);
}

const struct abt_case abt_dma_cases[] = {
	{ "credit: conserved", credits_are_conserved },
	{ "credit: come back", credits_come_back },
	{ "dma: worked examples", worked_examples },
	{ "dma: credits bound copies", credits_bound_copies },
	{ "dma: limits are where modes cross", limits_are_the_crossing },
	{ "dma: limits follow costs", limits_follow_costs },
	{ "dma: modes are chosen", modes_are_chosen },
	{ "core: jobs in turn", cores_serve_in_turn },
	{ }
};
