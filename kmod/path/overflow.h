/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How long a path's queue may be: the longest that showed beside losses.
 *
 * If the headroom is all of that, each burst overflows it, and segments that are sent again are
 * under way beside those of the window. Half of it is enough for max-min shares to take effect.
 */
#ifndef ABT_PATH_OVERFLOW_H
#define ABT_PATH_OVERFLOW_H

#include <linux/minmax.h>
#include <linux/types.h>

#include "model/fixed.h"

/* So long after a loss it is known no more: twice the longest time without sharing [us]. */
#define ABT_OVERFLOW_KNOWN_US	(1U << 28)

/* No less is left than 1/16 of the base: some segments may be lost without a queue. */
#define ABT_OVERFLOW_LEAST_SHIFT	4

/**
 * struct abt_overflow - the queue that overflows; the path's lock protects it
 * @queue_us: the longest beside losses [us]; 0: none was seen
 * @lost_us: when that was, last [us, wraps]
 */
struct abt_overflow {
	u32 queue_us;
	u32 lost_us;
};

/**
 * abt_overflow_see() - a member reports
 * @o: the queue
 * @now_us: time [us, wraps]
 * @queue_us: its round trip beyond the base [us]
 * @lossy: segments arrived out of order
 */
static inline void abt_overflow_see(struct abt_overflow *o, u32 now_us, u32 queue_us, bool lossy)
{
	if (now_us - o->lost_us > ABT_OVERFLOW_KNOWN_US)
		o->queue_us = 0;
	if (!lossy)
		return;
	o->queue_us = max(o->queue_us, queue_us);
	o->lost_us = now_us;
}

/**
 * abt_overflow_headroom() - the headroom that does not overflow
 * @o: the queue
 * @base_us: base round trip [us]
 * @headroom_q16: the headroom that is wanted, in parts of what the path holds, Q16
 *
 * Return: the same, or less.
 */
static inline u32 abt_overflow_headroom(const struct abt_overflow *o, u32 base_us, u32 headroom_q16)
{
	u32 least = ABT_Q16_ONE >> ABT_OVERFLOW_LEAST_SHIFT;

	if (!o->queue_us)
		return headroom_q16;
	return min(headroom_q16, max(abt_ratio_q16(o->queue_us / 2, base_us), least));
}

#endif /* ABT_PATH_OVERFLOW_H */
