/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The extreme (minimum or maximum) of a series over a sliding window, from two
 * numbers: that of the current half window, and that of the one before. The
 * window that is covered is between half and all of the nominal length, which
 * is what a bound that has to forget needs; nothing is ever sorted or stored.
 */
#ifndef ABT_MODEL_EXTREME_H
#define ABT_MODEL_EXTREME_H

#include <linux/minmax.h>
#include <linux/types.h>

/**
 * struct abt_extreme - a windowed extreme
 * @cur: extreme of the current half window; any unit
 * @prev: extreme of the half window before
 * @since: time at which the current half began; the caller's unit, may wrap
 */
struct abt_extreme {
	u32 cur;
	u32 prev;
	u32 since;
};

/**
 * abt_extreme_reset() - forget all, start with one sample
 * @e: the extreme
 * @sample: first sample
 * @now: time of it
 */
static inline void abt_extreme_reset(struct abt_extreme *e, u32 sample, u32 now)
{
	e->cur = sample;
	e->prev = sample;
	e->since = now;
}

/**
 * abt_extreme_least() - the windowed minimum
 * @e: the extreme
 *
 * Return: the least sample of the last 1 to 2 halves of the window.
 */
static inline u32 abt_extreme_least(const struct abt_extreme *e)
{
	return min(e->cur, e->prev);
}

/**
 * abt_extreme_most() - the windowed maximum
 * @e: the extreme
 *
 * Return: the largest sample of the last 1 to 2 halves of the window.
 */
static inline u32 abt_extreme_most(const struct abt_extreme *e)
{
	return max(e->cur, e->prev);
}

/* A half is over: it becomes the one before, and @sample opens the next. */
static inline bool abt_extreme_turn(struct abt_extreme *e, u32 sample, u32 now,
				    u32 half)
{
	u32 age = now - e->since;

	if (age < half)
		return false;
	/* after a silence of a whole window the old half says nothing either */
	e->prev = age < 2 * half ? e->cur : sample;
	e->cur = sample;
	e->since = now;
	return true;
}

/**
 * abt_extreme_min() - feed a sample, get the windowed minimum
 * @e: the extreme
 * @sample: new sample
 * @now: time of it
 * @half: half of the window's length, in the unit of @now; below 2^30
 *
 * Return: the least sample of the last 1 to 2 @half.
 */
static inline u32 abt_extreme_min(struct abt_extreme *e, u32 sample, u32 now,
				  u32 half)
{
	if (!abt_extreme_turn(e, sample, now, half) && sample < e->cur)
		e->cur = sample;
	return abt_extreme_least(e);
}

/**
 * abt_extreme_max() - feed a sample, get the windowed maximum
 * @e: the extreme
 * @sample: new sample
 * @now: time of it
 * @half: half of the window's length, in the unit of @now; below 2^30
 *
 * Return: the largest sample of the last 1 to 2 @half.
 */
static inline u32 abt_extreme_max(struct abt_extreme *e, u32 sample, u32 now,
				  u32 half)
{
	if (!abt_extreme_turn(e, sample, now, half) && sample > e->cur)
		e->cur = sample;
	return abt_extreme_most(e);
}

#endif /* ABT_MODEL_EXTREME_H */
