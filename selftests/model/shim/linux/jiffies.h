/* SPDX-License-Identifier: GPL-2.0 */
/* A jiffy is a millisecond, and passes when a test says so. */
#ifndef SHIM_LINUX_JIFFIES_H
#define SHIM_LINUX_JIFFIES_H

__attribute__((weak)) unsigned long jiffies;

static inline unsigned long msecs_to_jiffies(unsigned int ms)
{
	return ms;
}

#endif
