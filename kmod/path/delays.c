// SPDX-License-Identifier: GPL-2.0
/* Round trips of two peers, compared. See delays.h. */
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>

#include "path/delays.h"

/* With fewer slots in which both saw something nothing is known. */
#define ABT_DELAYS_LEAST	16

/*
 * Unless round trips vary by more than that about their means, nothing is known: that queues are of
 * one length proves nothing, because it is shares that make them so [us].
 */
#define ABT_DELAYS_VARY_US	2000

/* Of one bottleneck, if all but 1/4 of the variation is the same; of two, if all but 3/8 is not. */
#define ABT_DELAYS_SAME(vary_us)	((vary_us) / 4)
#define ABT_DELAYS_OTHER(vary_us)	((vary_us) * 5 / 8)

/**
 * abt_delays_begin() - nothing has been seen yet
 * @d: delays
 * @time_us: time [us]
 */
void abt_delays_begin(struct abt_delays *d, u64 time_us)
{
	*d = (struct abt_delays) { .slot = (u32)(time_us >> ABT_DELAYS_SLOT_SHIFT) };
	for (u32 i = 0; i < ABT_DELAYS_SLOTS; i++)
		d->mean_us[i] = ABT_DELAYS_NONE;
}

/* The slot under way is over. */
static void abt_delays_turn(struct abt_delays *d, u32 slot)
{
	u32 passed = min(slot - d->slot, (u32)ABT_DELAYS_SLOTS);

	d->mean_us[d->slot % ABT_DELAYS_SLOTS] =
		d->count && !d->spoiled ? (u32)div_u64(d->sum_us, d->count) : ABT_DELAYS_NONE;
	for (u32 i = 1; i < passed; i++)
		d->mean_us[(d->slot + i) % ABT_DELAYS_SLOTS] = ABT_DELAYS_NONE;
	d->slot = slot;
	d->spoiled = false;
	d->count = 0;
	d->sum_us = 0;
}

/**
 * abt_delays_see() - a round trip
 * @d: delays
 * @time_us: time [us]; never less than before
 * @rtt_us: round trip [us]
 * @drains: connections drain the queue, which all of the host do at one time
 *
 * Return: true if a slot is over.
 */
bool abt_delays_see(struct abt_delays *d, u64 time_us, u32 rtt_us, bool drains)
{
	u32 slot = (u32)(time_us >> ABT_DELAYS_SLOT_SHIFT);
	bool over = slot != d->slot;

	if (over)
		abt_delays_turn(d, slot);
	d->spoiled |= drains;
	d->count++;
	d->sum_us += min(rtt_us, U32_MAX - 1);
	return over;
}

/* The mean of a slot that is over. */
static u32 abt_delays_at(const struct abt_delays *d, u32 slot)
{
	return d->slot - slot - 1 < ABT_DELAYS_SLOTS ? d->mean_us[slot % ABT_DELAYS_SLOTS] :
						       ABT_DELAYS_NONE;
}

static u64 abt_delays_apart(s64 a, s64 b)
{
	return (u64)(a > b ? a - b : b - a);
}

/* The slots that two peers both saw something in. */
struct abt_delays_pairs {
	u32 one_us[ABT_DELAYS_SLOTS];
	u32 other_us[ABT_DELAYS_SLOTS];
	u32 n;
	u64 one_sum_us;
	u64 other_sum_us;
};

static void abt_delays_pair(const struct abt_delays *a, const struct abt_delays *b,
			    struct abt_delays_pairs *p)
{
	p->n = 0;
	p->one_sum_us = 0;
	p->other_sum_us = 0;
	for (u32 i = 1; i <= ABT_DELAYS_SLOTS; i++) {
		u32 one_us = abt_delays_at(a, a->slot - i);
		u32 other_us = abt_delays_at(b, a->slot - i);

		if (one_us == ABT_DELAYS_NONE || other_us == ABT_DELAYS_NONE)
			continue;
		p->one_us[p->n] = one_us;
		p->other_us[p->n++] = other_us;
		p->one_sum_us += one_us;
		p->other_sum_us += other_us;
	}
}

/**
 * abt_delays_compare() - do two peers see one queue?
 * @a: round trips of one
 * @a_least_us: its least round trip [us]
 * @b: round trips of the other
 * @b_least_us: its least round trip [us]
 * @longer_us: is set: by how much the queueing delay of @a is the longer one, in the mean [us]
 * @most_us: is set: the longer of the two delays [us]
 *
 * Return: the verdict; if it is ABT_DELAYS_UNKNOWN, the delays may not be set.
 */
enum abt_delays_verdict abt_delays_compare(const struct abt_delays *a, u32 a_least_us,
					   const struct abt_delays *b, u32 b_least_us,
					   s64 *longer_us, u32 *most_us)
{
	u64 vary_us = 0, apart_us = 0;
	struct abt_delays_pairs p;
	s64 one_us, other_us;

	abt_delays_pair(a, b, &p);
	if (p.n < ABT_DELAYS_LEAST)
		return ABT_DELAYS_UNKNOWN;
	one_us = (s64)div_u64(p.one_sum_us, p.n);
	other_us = (s64)div_u64(p.other_sum_us, p.n);
	for (u32 i = 0; i < p.n; i++) {
		vary_us += abt_delays_apart(p.one_us[i], one_us) +
			   abt_delays_apart(p.other_us[i], other_us);
		apart_us += abt_delays_apart(p.one_us[i] - one_us, p.other_us[i] - other_us);
	}
	one_us -= a_least_us;
	other_us -= b_least_us;
	*longer_us = one_us - other_us;
	*most_us = (u32)max_t(s64, max(one_us, other_us), 0);
	if (vary_us <= 2ULL * ABT_DELAYS_VARY_US * p.n)
		return ABT_DELAYS_UNKNOWN;
	if (apart_us <= ABT_DELAYS_SAME(vary_us))
		return ABT_DELAYS_AGREE;
	return apart_us > ABT_DELAYS_OTHER(vary_us) ? ABT_DELAYS_DIFFER : ABT_DELAYS_UNKNOWN;
}
