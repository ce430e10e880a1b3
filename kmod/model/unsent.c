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

/*
 * Each time that the wire ran out of a busy writer's data, after 2^this times as many; but no more
 * than the counter holds.
 */
#define ABT_UNSENT_PATIENCE_SHIFT	2
#define ABT_UNSENT_PATIENCE_MOST	3
#define ABT_UNSENT_WAIT_MOST	255

/* If the wire ran out of data, the bound becomes at least 2^this times as large. */
#define ABT_UNSENT_RAISE	2

/*
 * And at least so many times what was not sent until it had data again: the writer is woken at
 * half of the bound.
 */
#define ABT_UNSENT_MISSED_FACTOR	2

/* The bound is so many times a writer's lateness: it is woken at half of it. */
#define ABT_UNSENT_LATE_FACTOR	4

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
	return min_t(u32, ABT_UNSENT_CALM << (u->patience * ABT_UNSENT_PATIENCE_SHIFT),
		     ABT_UNSENT_WAIT_MOST);
}

/**
 * abt_unsent_init() - nothing is known of a writer yet
 * @u: state of the writer
 * @now: time [clock of the caller]
 * @nxt: the next byte to be sent [sequence number]
 */
void abt_unsent_init(struct abt_unsent *u, u32 now, u32 nxt)
{
	*u = (struct abt_unsent) { .due = now, .nxt = nxt >> ABT_UNSENT_SENT_SHIFT };
}

/* The writer needs so many bytes. If that is as much as before, it is not known to need less. */
static void abt_unsent_note(struct abt_unsent *u, u64 bytes)
{
	u32 level = abt_unsent_level(bytes);

	if (!level || level < u->level)
		return;
	u->level = level;
	u->wait = abt_unsent_patience(u);
}

/* If some calm looks have passed, less may do, or if the least does, less patience. */
static void abt_unsent_calm(struct abt_unsent *u)
{
	if (u->wait--)
		return;
	if (u->level)
		u->level--;
	else if (u->patience)
		u->patience--;
	u->full = false;
	u->wait = abt_unsent_patience(u);
}

/*
 * The first bound. With twice the unsent bytes a writer has room at once; and with 4/3 of the
 * buffer it is woken when a third of that is free, as without a bound.
 */
static u32 abt_unsent_first(u32 waits, u32 buffer)
{
	u64 wakes = max((u64)waits, (u64)buffer * 2 / 3);

	return abt_clamp_bytes(wakes << ABT_UNSENT_WAKE_SHIFT);
}

/* Half of the bytes sent since the last look. */
static u32 abt_unsent_falls(struct abt_unsent *u, u32 nxt)
{
	u16 before = u->nxt;

	u->nxt = nxt >> ABT_UNSENT_SENT_SHIFT;
	return (u32)(u16)(u->nxt - before) << ABT_UNSENT_UNIT_SHIFT;
}

static void abt_unsent_set(struct abt_unsent *u, u32 bytes)
{
	u->bound = min_t(u32, DIV_ROUND_UP(bytes, 1U << ABT_UNSENT_UNIT_SHIFT), U16_MAX);
}

/* The bytes that a writer needs, and that it takes to wake it no more often than it should be. */
static u32 abt_unsent_aim(const struct abt_unsent *u, const struct abt_unsent_glance *g)
{
	return max(abt_unsent_of_level(u->level),
		   min(g->brief, abt_unsent_of_level(ABT_UNSENT_LEVEL_MOST)));
}

/* The wire ran out of data: the level becomes higher, and stays so for longer each time. */
static void abt_unsent_ran_dry(struct abt_unsent *u, const struct abt_unsent_glance *g)
{
	u32 level = abt_unsent_level(abt_unsent_aim(u, g)) + ABT_UNSENT_RAISE;

	if (!u->bound)
		return;
	if (u->full)
		u->patience = min_t(u32, u->patience + 1, ABT_UNSENT_PATIENCE_MOST);
	u->level = min_t(u32, level, ABT_UNSENT_LEVEL_MOST);
	u->wait = abt_unsent_patience(u);
}

/* A look moves the level. The first one after the wire was dry knows for how long it was. */
static void abt_unsent_judge(struct abt_unsent *u, const struct abt_unsent_glance *g)
{
	bool dry = g->dry || u->dry;

	if (g->dry) {
		abt_unsent_ran_dry(u, g);
	} else {
		abt_unsent_note(u, (u64)ABT_UNSENT_LATE_FACTOR * g->late);
		abt_unsent_calm(u);
	}
	if (dry && u->full)
		abt_unsent_note(u, (u64)ABT_UNSENT_MISSED_FACTOR * g->missed);
	u->full |= g->full;
	u->dry = g->dry;
}

/**
 * abt_unsent_update() - a look at a sender
 * @u: state of its writer
 * @g: the look
 */
void abt_unsent_update(struct abt_unsent *u, const struct abt_unsent_glance *g)
{
	u32 falls = abt_unsent_falls(u, g->nxt);
	u32 now = abt_unsent_bytes(u);

	abt_unsent_judge(u, g);
	if (!now || g->grows)
		now = max(now, abt_unsent_first(g->waits, g->buffer));
	abt_unsent_set(u, max(abt_unsent_aim(u, g), now - min(now, falls)));
}

/**
 * abt_unsent_rest() - all data have arrived
 * @u: state of the writer
 * @buffer: the send buffer [bytes of truesize]
 *
 * The data that are written after a rest find as much room as without a bound.
 */
void abt_unsent_rest(struct abt_unsent *u, u32 buffer)
{
	if (u->bound)
		abt_unsent_set(u, max(abt_unsent_bytes(u), abt_unsent_first(0, buffer)));
}
