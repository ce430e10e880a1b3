/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The base round trip of a path: without the queue that we cause ourselves.
 *
 * A window of more than the BDP stands as a queue, and every sample has that queue
 * in it. A minimum that expires takes the queue for the path sooner or later, and
 * the window that is computed from it fills a longer queue. So the base rises only
 * on evidence:
 *
 *	drain	Once a slot of the clock, unless a sample near the base confirmed
 *		it, the window falls to the path's own BDP for some round trips. If
 *		that brings the round trip down, the base stands; else what was
 *		least meanwhile is the path. Slots are those of the clock, so that
 *		all connections of a host drain together and see through the
 *		queues that they cause one another. A base that rose by much in one
 *		may still have their queue in it: the next drain goes deeper.
 *	doubt	A round trip that rose for another reason than our own queue, a
 *		longer route or other people's queue, is the base at once, until
 *		the next drain tells.
 *
 * It falls at once; but a base that fell by much may have further to go: our own
 * window, computed from it, may be what keeps it where it is. Then it is doubted as
 * well, and drains go below it, one after another, until one finds nothing lower.
 */
#ifndef ABT_MODEL_BASE_H
#define ABT_MODEL_BASE_H

#include <linux/types.h>

/* A round trip of 1/8 more than the base has a queue in it, one of 1/16 more may have. */
#define ABT_QUEUE_HIGH_SHIFT	3
#define ABT_QUEUE_SHIFT		4

/**
 * abt_trip_beyond() - is a round trip longer than its base by a part of that?
 * @rtt_us: round trip [us]
 * @base_us: its base [us]
 * @shift: the part, as a shift
 *
 * Return: true if it is.
 */
static inline bool abt_trip_beyond(u32 rtt_us, u32 base_us, int shift)
{
	return rtt_us > base_us && rtt_us - base_us > base_us >> shift;
}

/**
 * struct abt_base - what is known of a base round trip
 * @us: the base [us]; 0 while nothing is known
 * @from_us: value of @us when it was taken, or when the drain under way began [us]
 * @low_us: least sample of the drain under way [us]
 * @drain_end_us: when it ends at the latest [us, wraps]
 * @slot: of the clock, in which @us was last confirmed
 * @doubts: samples in a row that our own queue cannot explain
 * @draining: a drain is under way
 * @doubted: @us moved by much, and no drain below it has confirmed it yet
 */
struct abt_base {
	u32 us;
	u32 from_us;
	u32 low_us;
	u32 drain_end_us;
	u16 slot;
	u8 doubts;
	u8 draining:1;
	u8 doubted:1;
};

/**
 * struct abt_base_sample - a round trip, and how it came about
 * @now_us: time [us, wraps]
 * @rtt_us: round trip [us], at least 1
 * @unexplained: it rose, and our own queue cannot be why
 * @growing: the rate still grows: no time for a drain
 * @granular: the path holds so little that the window cannot be made smaller
 */
struct abt_base_sample {
	u32 now_us;
	u32 rtt_us;
	bool unexplained;
	bool growing;
	bool granular;
};

void abt_base_update(struct abt_base *b, const struct abt_base_sample *s);

#endif /* ABT_MODEL_BASE_H */
