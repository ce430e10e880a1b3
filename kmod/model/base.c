// SPDX-License-Identifier: GPL-2.0
/* The base round trip. See base.h. */
#include <linux/minmax.h>

#include "model/base.h"

/* A slot is 2^23 us, 8.4 s: the few round trips of a drain are short beside it. */
#define ABT_BASE_SLOT_SHIFT	23

/* Up to 1/4 above the base is near it: jitter, and the rest of a queue after a drain. */
#define ABT_BASE_NEAR_SHIFT	2

/*
 * A drain lasts three round trips as they are: the smaller offer takes one to
 * arrive, the queue up to another to go, the sample a third. The kernel smooths
 * over some ten milliseconds on top.
 */
#define ABT_BASE_DRAIN_RTTS	3
#define ABT_BASE_DRAIN_RTT_MAX_US	(60U * 1000 * 1000)
#define ABT_BASE_SMOOTH_US	50000U

/* No drain has more than that before it: with more, its end is long past, and the clock wrapped. */
#define ABT_BASE_DRAIN_MOST_US \
	(ABT_BASE_SMOOTH_US + ABT_BASE_DRAIN_RTTS * ABT_BASE_DRAIN_RTT_MAX_US)

/* More than 1/8 less is a base that fell, more than 1/8 more is one that rose. */
#define ABT_BASE_MOVED_SHIFT	3

/* Two epochs in a row: one could be a recovery. */
#define ABT_BASE_DOUBTS		2

static bool abt_base_near(const struct abt_base *b, u32 rtt_us)
{
	return rtt_us <= b->us + (b->us >> ABT_BASE_NEAR_SHIFT);
}

static bool abt_base_fell(const struct abt_base *b)
{
	return b->us < b->from_us - (b->from_us >> ABT_BASE_MOVED_SHIFT);
}

static bool abt_base_rose(const struct abt_base *b)
{
	return b->low_us > b->us + (b->us >> ABT_BASE_MOVED_SHIFT);
}

static void abt_base_take(struct abt_base *b, u32 us, u32 now_us, bool doubted)
{
	b->us = us;
	b->from_us = us;
	b->slot = (u16)(now_us >> ABT_BASE_SLOT_SHIFT);
	b->doubts = 0;
	b->draining = false;
	b->doubted = doubted;
}

static void abt_base_drain(struct abt_base *b, const struct abt_base_sample *s)
{
	b->draining = true;
	b->from_us = b->us;
	b->low_us = s->rtt_us;
	b->drain_end_us = s->now_us + ABT_BASE_SMOOTH_US +
			  ABT_BASE_DRAIN_RTTS *
			  min(s->rtt_us, ABT_BASE_DRAIN_RTT_MAX_US);
}

/* A drain goes on: until the base is seen again, or for its time; then the next. */
static void abt_base_watch(struct abt_base *b, const struct abt_base_sample *s)
{
	b->low_us = min(b->low_us, s->rtt_us);
	if (!b->doubted && abt_base_near(b, s->rtt_us))
		abt_base_take(b, b->us, s->now_us, false);
	else if (b->drain_end_us - s->now_us - 1 < ABT_BASE_DRAIN_MOST_US)
		return;
	else if (abt_base_fell(b))
		abt_base_drain(b, s);
	else
		abt_base_take(b, b->low_us, s->now_us,
			      !b->doubted && abt_base_rose(b));
}

/**
 * abt_base_update() - another sample
 * @b: the base
 * @s: sample
 *
 * Context: any; the caller holds what protects @b.
 */
void abt_base_update(struct abt_base *b, const struct abt_base_sample *s)
{
	bool near, new_slot;

	if (!b->us)
		abt_base_take(b, s->rtt_us, s->now_us, false);
	b->us = min(b->us, s->rtt_us);
	if (s->growing)
		b->from_us = b->us; /* no queue yet that a base could stand on */
	b->doubted |= abt_base_fell(b);
	b->doubts = s->unexplained ? b->doubts + 1 : 0;
	if (b->draining && b->doubts < ABT_BASE_DOUBTS) {
		abt_base_watch(b, s);
		return;
	}
	near = abt_base_near(b, s->rtt_us);
	if (near && !b->doubted) {
		abt_base_take(b, b->us, s->now_us, false);
		return;
	}
	new_slot = b->slot != (u16)(s->now_us >> ABT_BASE_SLOT_SHIFT);
	if (b->doubts >= ABT_BASE_DOUBTS)
		abt_base_take(b, s->rtt_us, s->now_us, true);
	else if (new_slot && !s->growing && !s->granular)
		abt_base_drain(b, s);
}
