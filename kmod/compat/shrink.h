/* SPDX-License-Identifier: GPL-2.0 */
/*
 * tcp_shrink_window: since 6.5, and in later releases of older series. Kbuild looks whether
 * the kernel's header has it, because no macro tells.
 */
#ifndef ABT_COMPAT_SHRINK_H
#define ABT_COMPAT_SHRINK_H

#include <net/net_namespace.h>

/* May the kernel offer less than it did, rounded down to a granule of the window scale? */
static inline bool abt_net_shrinks_windows(const struct net *net)
{
#ifdef ABT_HAS_SHRINK_WINDOW
	return READ_ONCE(net->ipv4.sysctl_tcp_shrink_window);
#else
	return false;
#endif
}

#endif /* ABT_COMPAT_SHRINK_H */
