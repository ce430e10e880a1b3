/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SHIM_LINUX_HASH_H
#define SHIM_LINUX_HASH_H

#include <linux/types.h>

#define GOLDEN_RATIO_32	0x61C88647U

static inline u32 hash_32(u32 value, u32 bits)
{
	return value * GOLDEN_RATIO_32 >> (32 - bits);
}

#endif /* SHIM_LINUX_HASH_H */
