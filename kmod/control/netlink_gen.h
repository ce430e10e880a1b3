/* SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause) */
/* Do not edit directly, auto-generated from: */
/*	kmod/control/tcp_abt.yaml */
/* YNL-GEN kernel header */
/* To regenerate run: tools/net/ynl/ynl-regen.sh */

#ifndef _LINUX_TCP_ABT_GEN_H
#define _LINUX_TCP_ABT_GEN_H

#include <net/netlink.h>
#include <net/genetlink.h>

#include <uapi/linux/tcp_abt.h>
#include <compat/genetlink.h>

/* Ops table for tcp_abt */
extern const struct genl_split_ops tcp_abt_nl_ops[6];

int abt_nl_conns_start(struct netlink_callback *cb);
int abt_nl_paths_start(struct netlink_callback *cb);
int abt_nl_conns_done(struct netlink_callback *cb);
int abt_nl_paths_done(struct netlink_callback *cb);

int tcp_abt_nl_conn_get_dumpit(struct sk_buff *skb,
			       struct netlink_callback *cb);
int tcp_abt_nl_pool_get_dumpit(struct sk_buff *skb,
			       struct netlink_callback *cb);
int tcp_abt_nl_config_get_doit(struct sk_buff *skb, struct genl_info *info);
int tcp_abt_nl_config_set_doit(struct sk_buff *skb, struct genl_info *info);
int tcp_abt_nl_offload_get_dumpit(struct sk_buff *skb,
				  struct netlink_callback *cb);
int tcp_abt_nl_path_get_dumpit(struct sk_buff *skb,
			       struct netlink_callback *cb);

enum {
	TCP_ABT_NLGRP_DECISIONS,
};

#endif /* _LINUX_TCP_ABT_GEN_H */
