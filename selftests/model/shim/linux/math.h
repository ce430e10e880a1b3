/* SPDX-License-Identifier: GPL-2.0 */
/* The integer square root and a division that rounds up, named as in the kernel. */
#ifndef SHIM_LINUX_MATH_H
#define SHIM_LINUX_MATH_H

#include <linux/types.h>

#define DIV_ROUND_UP(n, d)	(((n) + (d) - 1) / (d))

/* Bit by bit, from the highest that fits: slow, and plain to see. */
static inline u32 int_sqrt64(u64 x)
{
	u64 root = 0;

	for (int bit = 31; bit >= 0; bit--) {
		u64 larger = root | 1ULL << bit;

		if (larger * larger <= x)
			root = larger;
	}
	return (u32)root;
}

#endif
