/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fixed-point helpers of the model. Everything here is pure: no state, no lock,
 * any context, kernel and user space alike.
 *
 * A ratio is Q16: an unsigned 32-bit integer in units of 1/65536. All sizes in
 * the model are at most ABT_BYTES_MAX, so that a product of a size and a Q16
 * ratio of up to 2^17 fits 64 bits with room to spare.
 */
#ifndef ABT_MODEL_FIXED_H
#define ABT_MODEL_FIXED_H

#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/types.h>

/* 1.0 in Q16 */
#define ABT_Q16_ONE	(1U << 16)

/*
 * Largest buffer or window that the model speaks of [bytes]: 1 GiB, the largest
 * window that TCP can advertise (65535 << 14, RFC 7323, rounded up).
 */
#define ABT_BYTES_MAX	(1U << 30)

/**
 * abt_clamp_bytes() - a 64-bit byte count, cut to what the model handles
 * @bytes: any value
 *
 * Return: @bytes, at most ABT_BYTES_MAX.
 */
static inline u32 abt_clamp_bytes(u64 bytes)
{
	return (u32)min_t(u64, bytes, ABT_BYTES_MAX);
}

/**
 * abt_scale_q16() - a size times a ratio
 * @bytes: 0 .. ABT_BYTES_MAX
 * @ratio_q16: Q16
 *
 * Return: @bytes x @ratio, rounded down, at most ABT_BYTES_MAX.
 */
static inline u32 abt_scale_q16(u32 bytes, u32 ratio_q16)
{
	return abt_clamp_bytes(((u64)bytes * ratio_q16) >> 16);
}

/**
 * abt_ratio_q16() - a proper fraction in Q16
 * @part: numerator, at most @whole (more counts as @whole)
 * @whole: denominator; 0 gives 1.0, for "nothing was seen" is no bad news
 *
 * Return: 0 .. ABT_Q16_ONE.
 */
static inline u32 abt_ratio_q16(u32 part, u32 whole)
{
	if (part >= whole)
		return ABT_Q16_ONE;
	return (u32)div_u64((u64)part << 16, whole);
}

/**
 * abt_differs() - is a number noticeably another than it was?
 * @now: number
 * @old: the number before
 * @shift: by more than @old / 2^@shift counts
 *
 * Return: true when it moved, up or down, by more than that.
 */
static inline bool abt_differs(u32 now, u32 old, u32 shift)
{
	u32 moved = now > old ? now - old : old - now;

	return moved > old >> shift;
}

#endif /* ABT_MODEL_FIXED_H */
