/* SPDX-License-Identifier: GPL-2.0 */
/* ilog2, of a 32-bit number above 0. */
#ifndef SHIM_LINUX_LOG2_H
#define SHIM_LINUX_LOG2_H

#include <linux/types.h>

static inline u32 ilog2(u32 n)
{
	return 31U - (u32)__builtin_clz(n);
}

/* Of a 32-bit number from 1 to 2^31. */
static inline u32 roundup_pow_of_two(u32 n)
{
	return n == 1 ? 1 : 1U << (ilog2(n - 1) + 1);
}

#endif
