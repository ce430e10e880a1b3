/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tables of a namespace: until 6.5 they end in an empty entry and have no size;
 * handlers take a const table since 6.11.
 */
#ifndef ABT_COMPAT_SYSCTL_H
#define ABT_COMPAT_SYSCTL_H

#include <linux/sysctl.h>
#include <linux/version.h>
#include <net/net_namespace.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 6, 0)
static inline struct ctl_table_header *
register_net_sysctl_sz(struct net *net, const char *path,
		       struct ctl_table *table, size_t size)
{
	return register_net_sysctl(net, path, table);
}
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 11, 0)
typedef struct ctl_table abt_ctl_table;
#else
typedef const struct ctl_table abt_ctl_table;
#endif

#endif /* ABT_COMPAT_SYSCTL_H */
