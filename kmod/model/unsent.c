// SPDX-License-Identifier: GPL-2.0
/* How much of a sender's data may wait unsent. See unsent.h. */
#include <linux/math.h>

#include "model/unsent.h"

/* Level 0, the least bound: two segments of segmentation offload [bytes]. */
#define ABT_UNSENT_LEAST_SHIFT	16

/* The highest level, 64 MiB: more than buffers leave. */
#define ABT_UNSENT_LEVEL_MOST	10

/* After so many calm looks less may do. */
#define ABT_UNSENT_CALM	8

/* After at most some 2^this times as many: the counter holds no more. */
#define ABT_UNSENT_PATIENCE_MOST	3
#define ABT_UNSENT_WAIT_MOST	63

/* If the wire ran out of data, the bound becomes 2^this times as large. */
#define ABT_UNSENT_RAISE	2

/* The bound is so many times a writer's lateness: it is woken at half of it. */
#define ABT_UNSENT_LATE_FACTOR	4

/* A bound comes down half as fast as data are sent. */
#define ABT_UNSENT_FALLS_SHIFT	1

static u32 abt_unsent_of_level(u32 level)
{
	return 1U << (ABT_UNSENT_LEAST_SHIFT + level);
}

/* The level of at least so many bytes. */
static u32 abt_unsent_level(u64 bytes)
{
	u32 level = 0;

	while (level < ABT_UNSENT_LEVEL_MOST && bytes > abt_unsent_of_level(level))
		level++;
	return level;
}

static u32 abt_unsent_patience(const struct abt_unsent *u)
{
	return min_t(u32, ABT_UNSENT_CALM << u->patience, ABT_UNSENT_WAIT_MOST);
}

/**
 * abt_unsent_init() - nothing is known of a writer yet
 * @u: state of the writer
 * @now: time [clock of the caller]
 */
void abt_unsent_init(struct abt_unsent *u, u32 now)
{
	*u = (struct abt_unsent) { .due = now };
}

/* A writer that is as late as it was before is not known to need less. */
static void abt_unsent_note(struct abt_unsent *u, u32 late)
{
	u32 level = abt_unsent_level((u64)ABT_UNSENT_LATE_FACTOR * late);

	if (!level || level < u->late)
		return;
	u->late = level;
	u->wait = abt_unsent_patience(u);
}

/* If some calm looks have passed, less may do. */
static void abt_unsent_calm(struct abt_unsent *u)
{
	if (u->wait--)
		return;
	u->late -= u->late > 0;
	u->least -= u->least > 0;
	u->wait = abt_unsent_patience(u);
}

/*
 * The first bound. With twice the unsent bytes a writer has room at once; and with 4/3 of the
 * buffer it is woken when a third of that is free, as without a bound.
 */
static u32 abt_unsent_first(const struct abt_unsent_glance *g)
{
	u64 wakes = max((u64)g->waits, (u64)g->buffer * 2 / 3);

	return abt_clamp_bytes(wakes << ABT_UNSENT_WAKE_SHIFT);
}

/* In whole units. The low bits of the unsent bytes decide how a part of one is rounded. */
static u32 abt_unsent_falls(const struct abt_unsent_glance *g)
{
	u32 unit = 1U << ABT_UNSENT_UNIT_SHIFT;

	return ((g->sent >> ABT_UNSENT_FALLS_SHIFT) + (g->waits & (unit - 1))) & ~(unit - 1);
}

static void abt_unsent_set(struct abt_unsent *u, u32 bytes)
{
	u->bound = min_t(u32, DIV_ROUND_UP(bytes, 1U << ABT_UNSENT_UNIT_SHIFT), U16_MAX);
}

/* The wire ran out of data: the bound becomes larger, and stays so for longer each time. */
static void abt_unsent_ran_dry(struct abt_unsent *u)
{
	u32 level = abt_unsent_level(abt_unsent_bytes(u)) + ABT_UNSENT_RAISE;

	if (u->bound) {
		u->least = min_t(u32, level, ABT_UNSENT_LEVEL_MOST);
		u->patience = min_t(u32, u->patience + 1, ABT_UNSENT_PATIENCE_MOST);
		abt_unsent_set(u, abt_unsent_of_level(u->least));
	}
	u->wait = abt_unsent_patience(u);
}

/**
 * abt_unsent_update() - a look at a sender
 * @u: state of its writer
 * @g: the look
 */
void abt_unsent_update(struct abt_unsent *u, const struct abt_unsent_glance *g)
{
	u32 now = abt_unsent_bytes(u), aim;

	if (g->dry) {
		abt_unsent_ran_dry(u);
		return;
	}
	abt_unsent_note(u, g->late);
	abt_unsent_calm(u);
	aim = max(abt_unsent_of_level(max_t(u32, u->late, u->least)),
		  min(g->brief, abt_unsent_of_level(ABT_UNSENT_LEVEL_MOST)));
	if (!now || g->grows)
		now = max(now, abt_unsent_first(g));
	abt_unsent_set(u, max(aim, now - min(now, abt_unsent_falls(g))));
}
