// SPDX-License-Identifier: GPL-2.0
/* SABT's throughput equation in fixed point. See throughput.h. */
#include <linux/math.h>

#include "model/throughput.h"

#define ABT_Q32_ONE		(1ULL << 32)

/* sqrt(x << 28) of a Q32 number is its square root in Q30. */
#define ABT_ROOT_SHIFT		28

/*
 * Segments after which the past counts half: at a loss in a thousand, some ten
 * losses make the estimate.
 */
#define ABT_LOSS_SEGS		(1U << 14)

/* A timeout is at most so many round trips: the product below stays in 64 bits. */
#define ABT_TIMEOUT_MAX_Q16	(1024U << 16)

/**
 * abt_loss_q32() - the loss probability
 * @l: where counting begins; moves on, so that the past counts less
 * @segs: segments sent so far [wraps]
 * @lost: segments sent again so far [wraps]
 *
 * Return: Q32, 0 .. U32_MAX.
 */
u32 abt_loss_q32(struct abt_loss *l, u32 segs, u32 lost)
{
	u32 all = segs - l->segs, some = min(lost - l->lost, all);

	if (!some)
		return 0;
	if (all > ABT_LOSS_SEGS) {
		l->segs += all / 2;
		l->lost += (some + 1) / 2;
	}
	return (u32)min_t(u64, div_u64((u64)some << 32, all), U32_MAX);
}

/* sqrt(x) in Q30, of x in Q32 below 4.0 */
static u64 abt_root_q30(u64 x_q32)
{
	return int_sqrt64(x_q32 << ABT_ROOT_SHIFT);
}

/* T0/RTT x min(1, 3 sqrt(3bp/8)) x p (1 + 32 p^2): the cost of timeouts, in Q32 */
static u64 abt_timeouts_q32(const struct abt_throughput_sample *s)
{
	u64 p = s->loss_q32;
	u64 often_q32 = (p * ((ABT_Q32_ONE + 32 * ((p * p) >> 32)) >> 8)) >> 24;
	u64 likely_q16 = min_t(u64, 3 * abt_root_q30(3 * s->ack_segs * p / 8) >> 14,
			       ABT_Q16_ONE);
	u32 timeout_q16 = min(s->timeout_q16, ABT_TIMEOUT_MAX_Q16);

	return ((often_q32 * likely_q16) >> 16) * timeout_q16 >> 16;
}

/**
 * abt_throughput_window() - what a sender has in flight at the throughput that its
 * losses leave it
 * @s: sample
 *
 * Off the equation by at most 0.5 % for a loss of 10^-6 to 0.5.
 *
 * Return: payload bytes, at most @s->most_bytes, at least 1.
 */
u32 abt_throughput_window(const struct abt_throughput_sample *s)
{
	u64 root_q32 = abt_root_q30(2 * (u64)s->ack_segs * s->loss_q32 / 3) << 2;
	u64 inverse_q32 = root_q32 + abt_timeouts_q32(s);
	u64 bytes;

	if (!inverse_q32)
		return s->most_bytes;
	bytes = div64_u64((u64)s->mss_bytes << 32, inverse_q32);
	return (u32)clamp_t(u64, bytes, 1, max_t(u32, s->most_bytes, 1));
}
