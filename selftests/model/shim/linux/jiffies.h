/* SPDX-License-Identifier: GPL-2.0 */
/* A jiffy is a millisecond: no test depends on more. */
#ifndef SHIM_LINUX_JIFFIES_H
#define SHIM_LINUX_JIFFIES_H

static inline unsigned long msecs_to_jiffies(unsigned int ms)
{
	return ms;
}

#endif
