/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The round trips of a peer's connections over the last seconds, to be compared with another's.
 *
 * Peers behind one bottleneck see one queue at one time (RFC 8382 tells shared bottlenecks by
 * statistics of the one-way delay; here round trips are at hand, and a queue that stands). A slot
 * of the clock has the mean of what was seen in it. Two peers agree if these vary together.
 *
 * The arithmetic alone. Compiles in user space.
 */
#ifndef ABT_PATH_DELAYS_H
#define ABT_PATH_DELAYS_H

#include <linux/types.h>

/* A slot is 2^18 us, 0.26 s: longer than most round trips. */
#define ABT_DELAYS_SLOT_SHIFT	18

/* So many are remembered: 8.4 s. */
#define ABT_DELAYS_SLOTS	32

/**
 * struct abt_delays - round trips of a peer
 * @slot: number of the slot under way
 * @count: samples in it
 * @spoiled: nothing of it counts
 * @sum_us: their sum [us]
 * @mean_us: of the slots before, by number [us]; ABT_DELAYS_NONE: nothing was seen
 *
 * The lock of the path that the peer is on protects it.
 */
struct abt_delays {
	u32 slot;
	u32 count;
	bool spoiled;
	u64 sum_us;
	u32 mean_us[ABT_DELAYS_SLOTS];
};

#define ABT_DELAYS_NONE		U32_MAX

/* A queue that is shorter tells nothing: it may be jitter [us]. */
#define ABT_DELAYS_SHORT_US	4000

/**
 * enum abt_delays_verdict - do two peers see one queue?
 * @ABT_DELAYS_UNKNOWN: nothing: too few slots, hardly any variation, or between the others
 * @ABT_DELAYS_AGREE: they may be of one bottleneck
 * @ABT_DELAYS_DIFFER: they are of two
 */
enum abt_delays_verdict {
	ABT_DELAYS_UNKNOWN,
	ABT_DELAYS_AGREE,
	ABT_DELAYS_DIFFER,
};

void abt_delays_begin(struct abt_delays *d, u64 time_us);
bool abt_delays_see(struct abt_delays *d, u64 time_us, u32 rtt_us, bool drains);
enum abt_delays_verdict abt_delays_compare(const struct abt_delays *a, u32 a_least_us,
					   const struct abt_delays *b, u32 b_least_us,
					   s64 *longer_us, u32 *most_us);

#endif /* ABT_PATH_DELAYS_H */
