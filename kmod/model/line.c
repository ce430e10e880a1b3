// SPDX-License-Identifier: GPL-2.0
/* The rate of a path's bottleneck, from the trains of a slow start. See line.h. */
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>

#include "model/line.h"

/* In a train of less than 1/16 of a round trip, or of 1 ms, single reads decide [us]. */
#define ABT_TRAIN_LEAST_SHIFT	4
#define ABT_TRAIN_LEAST_US	1000U

/* Rates that differ by no more than 1/8 are the same. */
#define ABT_TRAIN_SAME_SHIFT	3

/**
 * abt_line_train() - a train has come
 * @l: the estimate of the bottleneck
 * @bytes: payload that came in it, after its first segments [bytes]
 * @us: the time that this took [us]
 * @base_us: base round trip [us]
 */
void abt_line_train(struct abt_line *l, u32 bytes, u32 us, u32 base_us)
{
	u32 rate;

	if (us < max(base_us >> ABT_TRAIN_LEAST_SHIFT, ABT_TRAIN_LEAST_US))
		return;
	rate = (u32)min_t(u64, div_u64((u64)bytes << ABT_LINE_UNIT_SHIFT, us), U32_MAX);
	l->known = max(rate, l->rate) - min(rate, l->rate) <= l->rate >> ABT_TRAIN_SAME_SHIFT;
	l->rate = rate;
}
