/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The generic netlink family tcp_abt; tcp_abt.yaml specifies it.
 *
 *	netlink.c	the family, pools, knobs
 *	dump.c		connections, filtered
 *	adapter.c	network adapters that take connections on
 *	paths.c		paths that connections share
 *	message.c	a connection in a message
 *	decision.c	decisions, to who listens
 */
#ifndef ABT_CONTROL_NETLINK_H
#define ABT_CONTROL_NETLINK_H

#include <net/genetlink.h>

#include "control/view.h"

extern struct genl_family abt_genl_family;

int abt_netlink_register(void);
void abt_netlink_unregister(void);

/**
 * abt_netlink_refuse() - say which attribute is wrong, and which value was expected
 * @extack: where to
 * @attr: attribute, or NULL
 * @text: names it and says what was expected; stays valid
 *
 * Return: -EINVAL.
 */
static inline int abt_netlink_refuse(struct netlink_ext_ack *extack,
				     const struct nlattr *attr, const char *text)
{
	if (extack)
		extack->_msg = text;
	NL_SET_BAD_ATTR(extack, attr);
	return -EINVAL;
}

int abt_netlink_put_pool(struct sk_buff *skb, struct abt_pool *pool);

size_t abt_message_size(void);
int abt_message_put(struct sk_buff *skb, const struct abt_view *view);
int abt_message_put_half(struct sk_buff *skb, const struct abt_view *view,
			 enum abt_dir dir);

void abt_decision_tell(const struct sock *sk, const struct abt_conn *c,
		       enum abt_dir dir, u32 old);

#endif /* ABT_CONTROL_NETLINK_H */
