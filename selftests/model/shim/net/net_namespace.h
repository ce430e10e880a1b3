/* SPDX-License-Identifier: GPL-2.0 */
/* A host of 8 GB, unless a test says otherwise: the kernel has a bucket for 128 KB. */
#ifndef SHIM_NET_NET_NAMESPACE_H
#define SHIM_NET_NET_NAMESPACE_H

#include <linux/types.h>

struct inet_hashinfo {
	u32 ehash_mask;
};

struct net {
	struct {
		struct {
			struct inet_hashinfo *hashinfo;
		} tcp_death_row;
	} ipv4;
};

__attribute__((weak)) struct inet_hashinfo shim_hashinfo = { .ehash_mask = 65535 };
__attribute__((weak)) struct net init_net = { .ipv4.tcp_death_row.hashinfo = &shim_hashinfo };

#endif /* SHIM_NET_NET_NAMESPACE_H */
