// SPDX-License-Identifier: GPL-2.0
/* The bound on a sender's unsent data, against writers that are prompt, late and away. */
#include "cases.h"
#include "model/unsent.h"

#define KB	1024U
#define MB	(1024U * KB)

/* 100 Mbit/s, looked at every 64 ms [bytes]. */
#define SENT	(800 * KB)
#define BRIEF	(25 * KB)

static const struct abt_unsent_glance fast = {
	.waits = 2 * MB,
	.buffer = 4 * MB,
	.brief = BRIEF,
};

static u32 look(struct abt_unsent *u, u32 late, bool dry)
{
	struct abt_unsent_glance g = fast;

	g.nxt = ((u32)u->nxt << ABT_UNSENT_SENT_SHIFT) + SENT;
	g.late = late;
	g.dry = dry;
	abt_unsent_update(u, &g);
	return abt_unsent_bytes(u);
}

static u32 looks(struct abt_unsent *u, int n)
{
	while (--n)
		look(u, 0, false);
	return look(u, 0, false);
}

/* A prompt writer has next to nothing wait, and gets there without a wait for room. */
static void prompt_writers_have_little_waiting(struct abt_test *t)
{
	struct abt_unsent u;
	u32 now, before;

	abt_unsent_init(&u, 0, 0);
	now = look(&u, 0, false);
	EXPECT(t, now, >=, 2 * fast.waits - SENT);
	for (int i = 0; i < 50; i++) {
		before = now;
		now = look(&u, 0, false);
		EXPECT_AT(t, i, before - now, <=, SENT / 2);
	}
	EXPECT(t, now, >=, 64 * KB);
	EXPECT(t, now, <=, 68 * KB);
}

/* A fast path is not made to wake its writer more often than it should be. */
static void fast_paths_have_more(struct abt_test *t)
{
	struct abt_unsent_glance g = fast;
	struct abt_unsent u;

	g.brief = 3 * MB;
	abt_unsent_init(&u, 0, 0);
	for (int i = 0; i < 100; i++, g.nxt += SENT)
		abt_unsent_update(&u, &g);
	EXPECT(t, abt_unsent_bytes(&u), >=, 3 * MB);
	EXPECT(t, abt_unsent_bytes(&u), <=, 3 * MB + 8 * KB);
}

/* A late writer has what it was late by in half of its bound, at once and for some time. */
static void late_writers_have_enough(struct abt_test *t)
{
	struct abt_unsent u;

	abt_unsent_init(&u, 0, 0);
	looks(&u, 60);
	EXPECT(t, look(&u, 300 * KB, false) / 2, >=, 600 * KB);
	EXPECT(t, looks(&u, 5) / 2, >=, 600 * KB);
	EXPECT(t, looks(&u, 100), <=, 68 * KB);
}

/* Calm looks for which a bound is at least @least. */
static u32 calm_looks(struct abt_unsent *u, u32 least)
{
	u32 calm = 0;

	while (look(u, 0, false) >= least)
		calm++;
	return calm;
}

static void fill(struct abt_unsent *u)
{
	struct abt_unsent_glance g = fast;

	g.nxt = (u32)u->nxt << ABT_UNSENT_SENT_SHIFT;
	g.full = true;
	abt_unsent_update(u, &g);
}

/* If the wire ran dry the bound is four times as large at once, and for a busy writer stays longer each time. */
static void dry_wires_have_more(struct abt_test *t)
{
	u32 calm, calm_before = 0;
	struct abt_unsent u;

	abt_unsent_init(&u, 0, 0);
	looks(&u, 1000);
	for (int i = 0; i < 4; i++) {
		fill(&u);
		EXPECT_AT(t, i, look(&u, 0, true), ==, 256 * KB);
		calm = calm_looks(&u, 256 * KB);
		EXPECT_AT(t, i, calm, >=, calm_before);
		EXPECT_AT(t, i, calm, <=, 256);
		calm_before = calm;
		looks(&u, calm + calm / 2);	/* the rest of it is gone, and no more is forgotten */
	}
	EXPECT(t, calm_before, >=, 250);
	looks(&u, 10000);
	fill(&u);
	look(&u, 0, true);
	EXPECT(t, calm_looks(&u, 256 * KB), <=, 40);
	for (int i = 0; i < 20; i++)
		look(&u, 0, true);
	EXPECT(t, abt_unsent_bytes(&u), >=, 63 * MB);
}

/* A busy writer's pause is covered once it is over; one that writes little has nothing to write. */
static void pauses_are_learnt_at_once(struct abt_test *t)
{
	struct abt_unsent_glance g = fast;
	struct abt_unsent u;

	for (int full = 0; full < 2; full++) {
		abt_unsent_init(&u, 0, 0);
		looks(&u, 1000);
		if (full)
			fill(&u);
		EXPECT_AT(t, full, look(&u, 0, true), ==, 256 * KB);
		g.nxt = (u32)u.nxt << ABT_UNSENT_SENT_SHIFT;
		g.missed = 7 * MB;
		abt_unsent_update(&u, &g);
		EXPECT_AT(t, full, abt_unsent_bytes(&u), ==, full ? 16 * MB : 256 * KB);
	}
}

/* The first bound bounds nothing, and is not what a wire ran dry by. */
static void dry_wires_begin_as_others(struct abt_test *t)
{
	struct abt_unsent u;

	abt_unsent_init(&u, 0, 0);
	EXPECT(t, look(&u, 0, true), >=, 2 * fast.waits - SENT);
	EXPECT(t, looks(&u, 50), <=, 68 * KB);
}

/* What is written after a rest finds as much room as without a bound; while there is none, none comes of it. */
static void rests_give_room(struct abt_test *t)
{
	struct abt_unsent u;

	abt_unsent_init(&u, 0, 0);
	abt_unsent_rest(&u, fast.buffer);
	EXPECT(t, abt_unsent_bytes(&u), ==, 0);
	looks(&u, 100);
	abt_unsent_rest(&u, fast.buffer);
	EXPECT(t, abt_unsent_bytes(&u), >=, fast.buffer);
	EXPECT(t, looks(&u, 50), <=, 68 * KB);
}

/* A slow reader's writer, which the bound is not to keep from writing for longer than the stock. */
static void bounds_come_down_slower_than_data_go(struct abt_test *t)
{
	struct abt_unsent_glance g = { .waits = 4 * MB, .buffer = 4 * MB, .brief = KB };
	u32 now, sent = 3 * KB, waited = 0;
	struct abt_unsent u;

	abt_unsent_init(&u, 0, 0);
	for (int i = 0; i < 10000; i++) {
		abt_unsent_update(&u, &g);
		now = abt_unsent_bytes(&u);
		g.nxt += sent;
		g.waits -= min(g.waits, sent);
		waited++;
		/* it is woken, and fills its socket again */
		if (g.waits < now / 2) {
			EXPECT_AT(t, i, waited * sent, <=, 3 * MB);
			g.waits = min(now, 4 * MB);
			waited = 0;
		}
	}
	EXPECT(t, now, <=, 68 * KB);
}

/* Whatever looks show, a bound is none, or at least two segments of segmentation offload. */
static void any_looks_give_a_bound(struct abt_test *t)
{
	struct abt_unsent u;

	abt_unsent_init(&u, 0, 0);
	for (u32 i = 0; i < 100000; i++) {
		struct abt_unsent_glance g = {
			.waits = abt_test_random(t),
			.late = abt_test_random(t) % 3 ? 0 : abt_test_random(t),
			.full = abt_test_random(t) % 2,
			.dry = !(abt_test_random(t) % 50),
			.missed = abt_test_random(t),
			.nxt = abt_test_random(t),
			.buffer = abt_test_random(t),
			.brief = abt_test_random(t),
		};
		u32 bytes;

		abt_unsent_update(&u, &g);
		bytes = abt_unsent_bytes(&u);
		EXPECT_AT(t, i, !bytes || bytes >= 64 * KB, ==, true);
		EXPECT_AT(t, i, bytes, <=, ABT_BYTES_MAX);
	}
}

const struct abt_case abt_unsent_cases[] = {
	{ "unsent: prompt writers have little waiting", prompt_writers_have_little_waiting },
	{ "unsent: fast paths have more", fast_paths_have_more },
	{ "unsent: late writers have enough", late_writers_have_enough },
	{ "unsent: dry wires have more", dry_wires_have_more },
	{ "unsent: pauses are learnt at once", pauses_are_learnt_at_once },
	{ "unsent: dry wires begin as others", dry_wires_begin_as_others },
	{ "unsent: rests give room", rests_give_room },
	{ "unsent: bounds come down slower than data go", bounds_come_down_slower_than_data_go },
	{ "unsent: any looks give a bound", any_looks_give_a_bound },
	{ }
};
