/* SPDX-License-Identifier: GPL-2.0 */
/* 64-bit division, named as in the kernel. */
#ifndef SHIM_LINUX_MATH64_H
#define SHIM_LINUX_MATH64_H

#include <linux/types.h>

static inline u64 div_u64(u64 dividend, u32 divisor)
{
	return dividend / divisor;
}

static inline u64 div64_u64(u64 dividend, u64 divisor)
{
	return dividend / divisor;
}

#ifdef __SIZEOF_INT128__

static inline u64 mul_u64_u64_div_u64(u64 a, u64 mul, u64 div)
{
	return (u64)((unsigned __int128)a * mul / div);
}

#else

/*
 * By Horner's rule over the bits of @a, in base 2: the rest stays below @div, the quotient
 * is right wherever it fits, as in the kernel. Where twice the rest does not fit, the
 * difference wraps back to what is right.
 */
static inline u64 mul_u64_u64_div_u64(u64 a, u64 mul, u64 div)
{
	u64 whole = mul / div, part = mul % div, quotient = 0, rest = 0;
	int bit;

	for (bit = 63; bit >= 0; bit--) {
		u64 twice = rest << 1;
		bool over = rest >> 63 || twice >= div;

		quotient <<= 1;
		if (over)
			quotient++;
		rest = over ? twice - div : twice;
		if (!(a >> bit & 1))
			continue;
		quotient += whole;
		over = rest >= div - part;
		if (over)
			quotient++;
		rest = over ? rest - (div - part) : rest + part;
	}
	return quotient;
}

#endif

#endif
