// SPDX-License-Identifier: GPL-2.0
/* Whether the windows of a path are to be shared. See watch.h. */
#include "path/watch.h"

/*
 * A queue stands if most members have seen it for so many round trips; that of a connection
 * that is alone, for so many, because its own bursts return for as long as it grows.
 */
#define ABT_STANDS_TRIPS	1
#define ABT_STANDS_ALONE_TRIPS	8

/* After so many round trips without a queue windows are shared no longer. */
#define ABT_END_TRIPS		32

/* A rate is taken over so many round trips: a recovery's fall and rise are in one interval. */
#define ABT_METER_TRIPS		8

/* Sharing stops if no interval was whole for so many round trips, because members come and go. */
#define ABT_JUDGE_TRIPS		32

/*
 * A sender may have next to nothing under way for a while, to see the base itself: BBR for 200 ms
 * every 5 or 10 s. The rate in that time [us], and for some round trips after, tells nothing of
 * shares. Another pause is overlooked only after two intervals.
 */
#define ABT_YIELD_US		(1U << 18)
#define ABT_YIELD_TRIPS		4
#define ABT_YIELD_APART_TRIPS	(2 * ABT_METER_TRIPS)

/*
 * A fall by more than 1/4 is rate that sharing took. So is one by more than 1/8 beside a queue that
 * stays longer than shares make one, because somebody else fills it. So is one by more than 1/8 if
 * a connection is alone, because its round trip may vary without a queue.
 */
#define ABT_TAKEN_SHIFT		2
#define ABT_TAKEN_LESS_SHIFT	3

/* A rate that is more than 1/8 above that of the interval before still grows. */
#define ABT_GREW_SHIFT		3

/* So long after a loss a connection that is alone shares nothing [us]. */
#define ABT_LOSSY_US		(1U << 24)

/*
 * Sharing stops for 17 s at first, two slots of the clock for drains, and for twice as long each
 * time that it takes rate again [us].
 */
#define ABT_FREE_US		(1U << 24)
#define ABT_FREE_MAX_US		(1U << 27)

/**
 * abt_free_next_us() - the next time without sharing
 * @free_us: how long it was the time before [us]; 0: never
 *
 * Return: us.
 */
u32 abt_free_next_us(u32 free_us)
{
	return clamp(2 * free_us, ABT_FREE_US, ABT_FREE_MAX_US);
}

/* A new interval. */
static void abt_meter_start(struct abt_watch *w, u32 now_us)
{
	w->metered_us = now_us;
	w->bytes = 0;
	w->limited = 0;
	w->left = false;
}

/**
 * abt_watch_begin() - the first report after a silence of all members
 * @w: the path's watch
 * @now_us: time [us, wraps]
 * @silent_us: how long it was [us]
 *
 * The first member finds no queue, and grows as on a path of its own.
 */
void abt_watch_begin(struct abt_watch *w, u32 now_us, u32 silent_us)
{
	w->shared = false;
	w->stopped = w->stopped && silent_us < ABT_FREE_MAX_US;
	w->low_us = now_us;
	w->queue_us = now_us;
	w->high_us = now_us;
	w->drained_us = now_us - ABT_FREE_MAX_US;
	w->short_us = now_us;
	w->yielded_us = now_us - ABT_FREE_MAX_US;
	w->rate = 0;
	w->same_rate = 0;
	w->last_rate = 0;
	w->brings = 0;
	w->grew = true;
	abt_meter_start(w, now_us);
}

/**
 * abt_watch_join() - connections of another peer are members from now on
 * @w: the path's watch
 * @now_us: time [us, wraps]
 * @rate: their rate [bytes per 1024 us]
 *
 * If sharing took rate once, they may have had that.
 */
void abt_watch_join(struct abt_watch *w, u32 now_us, u32 rate)
{
	w->stopped &= w->free_us > ABT_FREE_US;
	w->last_rate += min(rate, U32_MAX - w->last_rate);
	w->rate = w->last_rate;
	w->brings = w->last_rate;
	w->same_rate = 0;
	abt_meter_start(w, now_us);
}

/**
 * abt_watch_clear() - connections of another peer were members in error
 * @w: the path's watch
 * @now_us: time [us, wraps]
 *
 * If sharing took rate, they are why.
 */
void abt_watch_clear(struct abt_watch *w, u32 now_us)
{
	w->free_us = 0;
	w->stopped = false;
	w->rate = 0;
	w->brings = 0;
	w->same_rate = 0;
	w->judged_us = now_us;
	abt_meter_start(w, now_us);
}

/**
 * abt_watch_leave() - a member counts no more
 * @w: the path's watch
 * @told_us: its last report [us, wraps]
 * @rate: its part of the rate [bytes per 1024 us]
 *
 * Its part is gone from the rate, and sharing has not taken it. Nor do its bytes of the present
 * interval count.
 */
void abt_watch_leave(struct abt_watch *w, u32 told_us, u32 rate)
{
	u32 us = (u32)max((s32)(told_us - w->metered_us), 0);
	u64 bytes = abt_line_brings(rate, us);

	w->rate -= min(w->rate, rate);
	w->last_rate -= min(w->last_rate, rate);
	w->same_rate = 0;
	w->bytes -= min(w->bytes, bytes);
	w->limited -= min(w->limited, bytes);
	w->left = true;
}

/**
 * abt_watch_calm() - has no queue been seen for some time?
 * @w: the path's watch
 * @now_us: time [us, wraps]
 * @for_us: the time [us]
 *
 * Return: true if none was seen.
 */
bool abt_watch_calm(const struct abt_watch *w, u32 now_us, u32 for_us)
{
	return now_us - w->queue_us > for_us;
}

/* For how long does a look at the base by a member itself tell nothing of the others? [us] */
static u32 abt_yield_us(u32 trip_us)
{
	return ABT_YIELD_US + ABT_YIELD_TRIPS * trip_us;
}

/* After a drain the queue needs so many round trips to come back, and to be seen. */
#define ABT_REFILL_TRIPS	4

/**
 * abt_watch_drained() - did a member drain the queue lately?
 * @w: the path's watch
 * @now_us: time [us, wraps]
 * @base_us: base round trip of the path [us]
 *
 * Return: true if so. Connections of other paths drain at the same time.
 */
bool abt_watch_drained(const struct abt_watch *w, u32 now_us, u32 base_us)
{
	return now_us - w->drained_us <= ABT_REFILL_TRIPS * base_us;
}

/**
 * abt_watch_emptied() - did a member drain the queue lately, or look at the base by itself?
 * @w: the path's watch
 * @now_us: time [us, wraps]
 * @base_us: base round trip of the path [us]
 *
 * Return: true if that is why no queue is seen.
 */
bool abt_watch_emptied(const struct abt_watch *w, u32 now_us, u32 base_us)
{
	return abt_watch_drained(w, now_us, base_us) ||
	       now_us - w->yielded_us <= abt_yield_us(base_us);
}

static void abt_watch_see(struct abt_watch *w, const struct abt_glance *g)
{
	if (g->seen && abt_trip_beyond(g->rtt_us, g->base_us, ABT_QUEUE_SHIFT))
		w->queue_us = g->now_us;
	if (g->seen && abt_trip_beyond(g->rtt_us, g->base_us, ABT_QUEUE_HIGH_SHIFT))
		w->high_us = g->now_us;
	if (g->drains)
		w->drained_us = g->now_us;
	if (!g->queued)
		w->low_us = g->now_us;
	if (!g->seen || !g->longer)
		w->short_us = g->now_us;
	w->lossy &= g->now_us - w->lossy_us <= ABT_LOSSY_US;
	if (g->lossy) {
		w->lossy = true;
		w->lossy_us = g->now_us;
	}
}

/* Did a rate fall by a part of what it was? */
static bool abt_rate_fell(u32 rate, u32 before, int shift)
{
	return rate < before - (before >> shift);
}

/* Does a member look at the base by itself, or did one just now? */
static bool abt_watch_yields(struct abt_watch *w, const struct abt_glance *g)
{
	u32 for_us = abt_yield_us(g->trip_us);
	u32 since_us = g->now_us - w->yielded_us;

	if (g->yields && since_us > for_us + ABT_YIELD_APART_TRIPS * g->trip_us) {
		w->yielded_us = g->now_us;
		return true;
	}
	return since_us <= for_us;
}

/* A rate to hold the next ones against: without shares the last one, with them the best. */
static u32 abt_watch_best(const struct abt_watch *w, u32 best, u32 rate)
{
	return w->shared ? max(best, rate) : rate;
}

/* An interval ended. Did sharing take rate in it? */
static bool abt_watch_judge(struct abt_watch *w, const struct abt_glance *g, u32 elapsed_us)
{
	u32 rate = abt_watch_rate(w->bytes, elapsed_us);
	bool limited = 2 * w->limited > w->bytes;
	bool less = g->members == 1 || g->now_us - w->short_us >= elapsed_us;
	bool fell = abt_rate_fell(rate, w->rate, ABT_TAKEN_SHIFT) ||
		    (less && abt_rate_fell(rate, w->same_rate, ABT_TAKEN_LESS_SHIFT));

	w->judged_us = g->now_us;
	w->grew = rate > w->rate + (w->rate >> ABT_GREW_SHIFT);
	w->last_rate = rate;
	w->rate = abt_watch_best(w, w->rate, rate);
	w->brings = abt_watch_best(w, w->brings, rate);
	w->same_rate = abt_watch_best(w, w->same_rate, rate);
	return w->shared && limited && fell;
}

/*
 * Return: true at the end of an interval in which sharing took rate, or if that has not been known
 * for long.
 */
static bool abt_watch_meter(struct abt_watch *w, const struct abt_glance *g)
{
	u32 elapsed_us = g->now_us - w->metered_us;
	bool taken;

	if (w->shared && abt_watch_yields(w, g)) {
		/* what is overlooked is no reason to stop, but the time before is */
		if (g->now_us != w->yielded_us)
			w->judged_us += elapsed_us;
		abt_meter_start(w, g->now_us);
		return false;
	}
	w->bytes += g->bytes;
	w->limited += g->limited ? g->bytes : 0;
	/* a newcomer may have what another one left, or take it in vain */
	if (w->left && g->joins) {
		abt_meter_start(w, g->now_us);
		return w->shared && g->now_us - w->judged_us > ABT_JUDGE_TRIPS * g->trip_us;
	}
	if (elapsed_us <= ABT_METER_TRIPS * g->trip_us)
		return false;
	taken = abt_watch_judge(w, g, elapsed_us);
	abt_meter_start(w, g->now_us);
	return taken;
}

static void abt_watch_stop(struct abt_watch *w, u32 now_us)
{
	w->shared = false;
	w->stopped = true;
	w->free_us = abt_free_next_us(w->free_us);
	w->free_until_us = now_us + w->free_us;
}

static bool abt_watch_useless(const struct abt_watch *w,
			      const struct abt_glance *g)
{
	return abt_watch_bars(w, g->members) ||
	       abt_watch_calm(w, g->now_us, ABT_END_TRIPS * g->base_us);
}

static bool abt_watch_stands(const struct abt_watch *w,
			     const struct abt_glance *g)
{
	u32 trips = g->members > 1 ? ABT_STANDS_TRIPS : ABT_STANDS_ALONE_TRIPS;

	return !w->grew && g->now_us - w->low_us > trips * g->trip_us;
}

/**
 * abt_watch_report() - a member reports
 * @w: the path's watch; sets @w->shared
 * @g: the report
 */
void abt_watch_report(struct abt_watch *w, const struct abt_glance *g)
{
	abt_watch_see(w, g);
	if (w->stopped && (s32)(g->now_us - w->free_until_us) >= 0)
		w->stopped = false;
	if (abt_watch_meter(w, g)) {
		abt_watch_stop(w, g->now_us);
	} else if (w->shared && abt_watch_useless(w, g)) {
		w->shared = false;
		w->free_us = 0;
	} else if (!w->shared && !w->stopped && abt_watch_stands(w, g) &&
		   !abt_watch_useless(w, g)) {
		w->shared = true;
		w->judged_us = g->now_us;
		abt_meter_start(w, g->now_us);
	}
}
