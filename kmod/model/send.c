// SPDX-License-Identifier: GPL-2.0
/* ATBT's sender: the band, and the price of a byte. See send.h. */
#include "model/send.h"

/*
 * A measured cost is believed from this much payload on [segments]: below, the
 * overhead of one half-filled buffer weighs more than it will later.
 */
#define ABT_SND_COST_SEGS	8

/**
 * abt_snd_cost_q16() - truesize that a byte of payload takes in the send queue
 * @s: sample
 *
 * Charge what a byte costs: on this connection, now. With segmentation offload
 * it is near 1.1; without, near the kernel's worst case. While the queue is too
 * short to tell, the worst case is assumed.
 *
 * Return: Q16, at least 1.0, at most the kernel's worst case.
 */
u32 abt_snd_cost_q16(const struct abt_snd_sample *s)
{
	u32 mss = max_t(u32, s->mss_bytes, 1);
	u64 worst = max_t(u64, div_u64((u64)s->worst_bytes << 16, mss),
			  ABT_Q16_ONE);
	u64 cost;

	if (s->queued_payload < ABT_SND_COST_SEGS * (u64)mss)
		return (u32)min_t(u64, worst, U32_MAX);
	cost = div_u64((u64)s->queued_bytes << 16, s->queued_payload);
	return (u32)min_t(u64, clamp_t(u64, cost, ABT_Q16_ONE, worst), U32_MAX);
}

/**
 * abt_snd_bounds() - the cwnd bounds of a target that was just centred
 * @band: the band
 * @cwnd_segs: congestion window that the target was centred on [segments]
 *
 * target = centre x cwnd, so cwnd' > target / low is cwnd' > centre/low x cwnd.
 *
 * Return: the bounds, in segments; they always enclose @cwnd_segs.
 */
struct abt_snd_bounds abt_snd_bounds(const struct abt_snd_band *band,
				     u32 cwnd_segs)
{
	u64 target = (u64)band->centre * cwnd_segs;
	struct abt_snd_bounds b = {
		.shrink_below = (u32)min_t(u64, div_u64(target + band->high - 1,
							band->high), cwnd_segs),
		.grow_above = (u32)clamp_t(u64, div_u64(target, band->low),
					   cwnd_segs, U32_MAX),
	};

	return b;
}

/**
 * abt_snd_demand() - the send buffer that a connection wants
 * @band: the band
 * @s: sample
 *
 * ATBT's sb_net_target, re-centred as TBT-PLR does: S = centre x cwnd, in
 * truesize.
 *
 * Return: bytes of truesize, at most ABT_BYTES_MAX.
 */
u32 abt_snd_demand(const struct abt_snd_band *band,
		   const struct abt_snd_sample *s)
{
	u64 payload = (u64)band->centre * s->cwnd_segs;

	/* bounded before the product, so that no cwnd can overflow it */
	payload = min_t(u64, payload, ABT_BYTES_MAX) * max_t(u32, s->mss_bytes, 1);
	return abt_scale_q16(abt_clamp_bytes(payload), abt_snd_cost_q16(s));
}
