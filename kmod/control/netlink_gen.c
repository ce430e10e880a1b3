// SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause)
/* Do not edit directly, auto-generated from: */
/*	kmod/control/tcp_abt.yaml */
/* YNL-GEN kernel source */
/* To regenerate run: tools/net/ynl/ynl-regen.sh */

#include <net/netlink.h>
#include <net/genetlink.h>

#include "netlink_gen.h"

#include <uapi/linux/tcp_abt.h>
#include <compat/genetlink.h>

/* TCP_ABT_CMD_CONN_GET - dump */
static const struct nla_policy tcp_abt_conn_get_nl_policy[TCP_ABT_A_CONN_BELOW_DEMAND + 1] = {
	[TCP_ABT_A_CONN_LOCAL_ADDR] = NLA_POLICY_MIN_LEN(4),
	[TCP_ABT_A_CONN_LOCAL_PORT] = { .type = NLA_U16, },
	[TCP_ABT_A_CONN_REMOTE_ADDR] = NLA_POLICY_MIN_LEN(4),
	[TCP_ABT_A_CONN_REMOTE_PORT] = { .type = NLA_U16, },
	[TCP_ABT_A_CONN_IFINDEX] = { .type = NLA_U32, },
	[TCP_ABT_A_CONN_LOCAL_PREFIX] = { .type = NLA_U8, },
	[TCP_ABT_A_CONN_REMOTE_PREFIX] = { .type = NLA_U8, },
	[TCP_ABT_A_CONN_BELOW_DEMAND] = { .type = NLA_FLAG, },
};

/* TCP_ABT_CMD_CONFIG_SET - do */
static const struct nla_policy tcp_abt_config_set_nl_policy[TCP_ABT_A_CONFIG_WAKE_MIN_US + 1] = {
	[TCP_ABT_A_CONFIG_MODE] = NLA_POLICY_MAX(NLA_U32, 2),
	[TCP_ABT_A_CONFIG_SENDER] = NLA_POLICY_MAX(NLA_U32, 7),
	[TCP_ABT_A_CONFIG_RECEIVER] = NLA_POLICY_MAX(NLA_U32, 7),
	[TCP_ABT_A_CONFIG_SHARE] = NLA_POLICY_MAX(NLA_U32, 2),
	[TCP_ABT_A_CONFIG_ALPHA_SIGNAL] = NLA_POLICY_MAX(NLA_U32, 1),
	[TCP_ABT_A_CONFIG_PATH_HEADROOM] = { .type = NLA_U32, },
	[TCP_ABT_A_CONFIG_SEND_POOL] = { .type = NLA_U64, },
	[TCP_ABT_A_CONFIG_RECV_POOL] = { .type = NLA_U64, },
	[TCP_ABT_A_CONFIG_FIXED_SEND] = { .type = NLA_U32, },
	[TCP_ABT_A_CONFIG_FIXED_RECV] = { .type = NLA_U32, },
	[TCP_ABT_A_CONFIG_SEND_BAND_LOW] = { .type = NLA_U32, },
	[TCP_ABT_A_CONFIG_SEND_TARGET] = { .type = NLA_U32, },
	[TCP_ABT_A_CONFIG_SEND_BAND_HIGH] = { .type = NLA_U32, },
	[TCP_ABT_A_CONFIG_EPOCH_MIN_US] = { .type = NLA_U32, },
	[TCP_ABT_A_CONFIG_WAKE_MIN_US] = { .type = NLA_U32, },
};

/* Ops table for tcp_abt */
const struct genl_split_ops tcp_abt_nl_ops[6] = {
	{
		.cmd		= TCP_ABT_CMD_CONN_GET,
		.start		= abt_nl_conns_start,
		.dumpit		= tcp_abt_nl_conn_get_dumpit,
		.done		= abt_nl_conns_done,
		.policy		= tcp_abt_conn_get_nl_policy,
		.maxattr	= TCP_ABT_A_CONN_BELOW_DEMAND,
		.flags		= GENL_CMD_CAP_DUMP,
	},
	{
		.cmd	= TCP_ABT_CMD_POOL_GET,
		.dumpit	= tcp_abt_nl_pool_get_dumpit,
		.flags	= GENL_CMD_CAP_DUMP,
	},
	{
		.cmd	= TCP_ABT_CMD_CONFIG_GET,
		.doit	= tcp_abt_nl_config_get_doit,
		.flags	= GENL_CMD_CAP_DO,
	},
	{
		.cmd		= TCP_ABT_CMD_CONFIG_SET,
		.doit		= tcp_abt_nl_config_set_doit,
		.policy		= tcp_abt_config_set_nl_policy,
		.maxattr	= TCP_ABT_A_CONFIG_WAKE_MIN_US,
		.flags		= GENL_UNS_ADMIN_PERM | GENL_CMD_CAP_DO,
	},
	{
		.cmd	= TCP_ABT_CMD_OFFLOAD_GET,
		.dumpit	= tcp_abt_nl_offload_get_dumpit,
		.flags	= GENL_CMD_CAP_DUMP,
	},
	{
		.cmd	= TCP_ABT_CMD_PATH_GET,
		.start	= abt_nl_paths_start,
		.dumpit	= tcp_abt_nl_path_get_dumpit,
		.done	= abt_nl_paths_done,
		.flags	= GENL_CMD_CAP_DUMP,
	},
};

static const struct genl_multicast_group tcp_abt_nl_mcgrps[] = {
	[TCP_ABT_NLGRP_DECISIONS] = { "decisions", },
};
