// SPDX-License-Identifier: GPL-2.0
/* DRS's estimate and TBT-PLR's alpha on it. See receive.h. */
#include "model/receive.h"

/*
 * The minimum round trip is kept for 10 to 20 s: long enough to outlive a queue
 * that drains now and then, short enough to follow a changed route.
 */
#define ABT_MIN_RTT_HALF_US	(10U * 1000 * 1000)

/* The peak is kept for 4 to 8 epochs: a recovery takes about so many. */
#define ABT_PEAK_HALF_EPOCHS	4

/* More than 1/8 above the peak is growth, less is noise. */
#define ABT_GROWTH_SHIFT	3

/*
 * Growth is believed for so many epochs: the window that it opens is under way for
 * a round trip, what that brings for another, and is measured at the end of a third.
 */
#define ABT_GROWTH_EPOCHS	3

/* alpha moves by 1/4 of the difference an epoch. */
#define ABT_ALPHA_SHIFT		2

/**
 * abt_rcv_init() - nothing is known yet
 * @m: model
 *
 * alpha starts at 1.0: no loss was seen.
 */
void abt_rcv_init(struct abt_rcv_model *m)
{
	*m = (struct abt_rcv_model) { .alpha_q16 = ABT_Q16_ONE };
}

/**
 * abt_rcv_min_rtt_us() - the path's round trip without our own queue
 * @m: model
 *
 * Return: [us]; 0 while nothing is known.
 */
u32 abt_rcv_min_rtt_us(const struct abt_rcv_model *m)
{
	return m->epochs ? min(m->min_rtt.cur, m->min_rtt.prev) : 0;
}

/* TBT-PLR: alpha = (rcv_Q - out_Q) / rcv_Q, from either signal, smoothed. */
static void abt_rcv_update_alpha(struct abt_rcv_model *m,
				 const struct abt_rcv_sample *s,
				 enum abt_alpha_signal signal)
{
	u32 all, out, sample;

	if (signal == ABT_ALPHA_QUEUE) {
		out = min_t(u32, s->ooo_bytes, ABT_BYTES_MAX);
		all = min_t(u32, s->unread_bytes, ABT_BYTES_MAX) + out;
	} else {
		out = min(s->ooo_segs, s->segs);
		all = s->segs;
	}
	sample = abt_ratio_q16(all - out, all);
	if (sample >= m->alpha_q16)
		m->alpha_q16 += (sample - m->alpha_q16 +
				 (1 << ABT_ALPHA_SHIFT) - 1) >> ABT_ALPHA_SHIFT;
	else
		m->alpha_q16 -= (m->alpha_q16 - sample) >> ABT_ALPHA_SHIFT;
}

/* What the epoch moved, less what only stood in the queue that we cause. */
static u32 abt_rcv_path(const struct abt_rcv_sample *s, u32 min_rtt_us)
{
	u32 queued_us = s->rtt_us - min(min_rtt_us, s->rtt_us);
	u32 elapsed_us = max(s->elapsed_us, 1U);
	u32 copied = min_t(u32, s->copied_bytes, ABT_BYTES_MAX);

	if (queued_us >= elapsed_us)	/* the route's own minimum is left */
		queued_us = elapsed_us - min(min_rtt_us, elapsed_us);
	return (u32)div_u64((u64)copied * (elapsed_us - queued_us), elapsed_us);
}

/**
 * abt_rcv_update() - an epoch ended
 * @m: model
 * @s: what it brought
 * @signal: what alpha is measured from
 *
 * Context: any; the caller holds what protects @m.
 */
void abt_rcv_update(struct abt_rcv_model *m, const struct abt_rcv_sample *s,
		    enum abt_alpha_signal signal)
{
	u32 min_rtt_us, path, peak;
	bool first = !m->epochs++;

	if (first) {
		abt_extreme_reset(&m->min_rtt, s->rtt_us, s->now_us);
		abt_extreme_reset(&m->peak, 0, m->epochs);
	}
	min_rtt_us = abt_extreme_min(&m->min_rtt, s->rtt_us, s->now_us,
				     ABT_MIN_RTT_HALF_US);
	abt_rcv_update_alpha(m, s, signal);

	path = abt_rcv_path(s, min_rtt_us);
	peak = max(m->peak.cur, m->peak.prev);
	if (path > peak + (peak >> ABT_GROWTH_SHIFT))
		m->growing = ABT_GROWTH_EPOCHS;
	peak = max(peak, path);
	m->window_bytes = m->growing ? abt_clamp_bytes(2ULL * peak) : peak;
	m->growing -= m->growing > 0;
	abt_extreme_max(&m->peak, path, m->epochs, ABT_PEAK_HALF_EPOCHS);
}

/**
 * abt_rcv_window() - the window that the connection can use
 * @m: model
 * @use_alpha: TBT-PLR's 1 + alpha; without it DRS's 2
 *
 * Return: bytes of payload, at most ABT_BYTES_MAX; 0 while nothing is known.
 */
u32 abt_rcv_window(const struct abt_rcv_model *m, bool use_alpha)
{
	u32 alpha_q16 = use_alpha ? m->alpha_q16 : ABT_Q16_ONE;

	return abt_scale_q16(m->window_bytes, ABT_Q16_ONE + alpha_q16);
}
