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

/*
 * The peer's window is looked at again if it grew by 1/8, because the kernel wakes a writer when
 * a third of its buffer is free, and two thirds of low x 8/9 of a window are still more
 * than the window.
 */
#define ABT_SND_WINDOW_GREW_SHIFT	3

/* And if it fell by a quarter of that; abt_snd_most_window() reckons back from it. */
#define ABT_SND_WINDOW_FELL_SHIFT	2

/**
 * abt_snd_reach() - the window that a target is centred on
 * @band: the band
 * @s: sample
 *
 * Return: segments; cwnd, or less if low x what the peer offers is less than the
 *	target that cwnd would have.
 */
u32 abt_snd_reach(const struct abt_snd_band *band,
		  const struct abt_snd_sample *s)
{
	u64 offered = div64_u64((u64)s->window_bytes * band->low,
				max_t(u64, s->mss_bytes, 1) * band->centre);

	return (u32)min_t(u64, s->cwnd_segs, max_t(u64, offered, s->least_segs));
}

/*
 * A writer is woken at 2/3 of its buffer. So much more than a full window leaves 128 KiB unsent
 * then: half of a bound on unsent data of 256 KiB, which is to wake it [bytes]. Small windows have
 * no more than 1/8 of them.
 */
#define ABT_SND_SPARE		(3U << 16)
#define ABT_SND_SPARE_SHIFT	3

/**
 * abt_snd_busy() - the buffer that keeps the path busy
 * @s: sample
 *
 * A writer is woken when a third of its buffer is free, so half more than the path holds
 * keeps as much as it holds in flight. While no queue stands, the path may hold more than is
 * in flight, because cwnd or the buffer lets no more be sent: so it is twice of that. A peer that
 * offers hardly more than the path holds has its window kept full: otherwise it would see a path
 * without a queue now and then, and offer more.
 *
 * Return: bytes of truesize, at most ABT_BYTES_MAX; that if it is not known.
 */
u32 abt_snd_busy(const struct abt_snd_sample *s)
{
	u64 path = s->path_bytes;
	u64 full = s->window_bytes + (u64)s->window_bytes / 2;
	u64 busy = path + (s->path_queues ? path / 2 : path);

	if (full <= 2 * path)
		busy = max(busy, full + min(s->window_bytes >> ABT_SND_SPARE_SHIFT, ABT_SND_SPARE));
	return abt_scale_q16(abt_clamp_bytes(busy), abt_snd_cost_q16(s));
}

/**
 * abt_snd_bounds() - the bounds of a target that was just centred
 * @band: the band
 * @cwnd_segs: congestion window that the target was centred on [segments]
 * @mss_bytes: payload of a full segment [bytes]
 *
 * target = centre x cwnd, so cwnd' > target / low is cwnd' > centre/low x cwnd.
 *
 * Return: the bounds; the bounds of cwnd always enclose @cwnd_segs.
 */
struct abt_snd_bounds abt_snd_bounds(const struct abt_snd_band *band,
				     u32 cwnd_segs, u32 mss_bytes)
{
	u64 target = (u64)band->centre * cwnd_segs;
	u32 window = abt_clamp_bytes(div_u64(min_t(u64, target, ABT_BYTES_MAX) *
					     mss_bytes, band->low));
	u32 most = window + (window >> ABT_SND_WINDOW_GREW_SHIFT);
	struct abt_snd_bounds b = {
		.least_window = most - (most >> ABT_SND_WINDOW_FELL_SHIFT),
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
