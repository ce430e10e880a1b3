// SPDX-License-Identifier: GPL-2.0
/*
 * offload-get: the adapters of a namespace, as many as a message buffer takes at a time.
 * No lock is taken but, for a moment, the locks of their pools.
 */
#include <uapi/linux/tcp_abt.h>

#include "control/netlink.h"
#include "control/netlink_gen.h"
#include "offload/port.h"

/* The hook's functions and those of the netlink family are numbered alike. */
static_assert(TCP_ABT_FUNCTION_ALLOC == 1 << TCP_ABT_FN_ALLOC);
static_assert(TCP_ABT_FUNCTION_FREE == 1 << TCP_ABT_FN_FREE);
static_assert(TCP_ABT_FUNCTION_MASK == (1 << TCP_ABT_FNS) - 1);

static int abt_put_times(struct sk_buff *skb, int attr, const u64 *times)
{
	return nla_put_u64_64bit(skb, attr, READ_ONCE(*times),
				 TCP_ABT_A_OFFLOAD_PAD);
}

static int abt_put_memory(struct sk_buff *skb, struct abt_port *port)
{
	u32 floor = READ_ONCE(port->floor);
	struct nlattr *nest;

	if (!floor)
		return 0;
	if (nla_put_u32(skb, TCP_ABT_A_OFFLOAD_FLOOR, floor))
		return -EMSGSIZE;
	nest = nla_nest_start(skb, TCP_ABT_A_OFFLOAD_MEMORY);
	if (!nest || abt_netlink_put_pool(skb, &port->pool))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int abt_put_adapter(struct sk_buff *skb, struct abt_port *port)
{
	const struct tcp_abt_offload_limits *limits = &port->limits;

	if (nla_put_u32(skb, TCP_ABT_A_OFFLOAD_IFINDEX, port->netdev->ifindex) ||
	    nla_put_u32(skb, TCP_ABT_A_OFFLOAD_FUNCTIONS,
			READ_ONCE(limits->functions) & TCP_ABT_FUNCTION_MASK) ||
	    nla_put_u32(skb, TCP_ABT_A_OFFLOAD_MAX_CONNS,
			READ_ONCE(limits->conns)) ||
	    nla_put_u32(skb, TCP_ABT_A_OFFLOAD_CONNS, READ_ONCE(port->held)) ||
	    nla_put_u32(skb, TCP_ABT_A_OFFLOAD_WAITING, READ_ONCE(port->waits)) ||
	    abt_put_times(skb, TCP_ABT_A_OFFLOAD_ADDS, &port->adds) ||
	    abt_put_times(skb, TCP_ABT_A_OFFLOAD_UPDATES, &port->updates) ||
	    abt_put_times(skb, TCP_ABT_A_OFFLOAD_REFUSED, &port->refused) ||
	    abt_put_times(skb, TCP_ABT_A_OFFLOAD_GONE,
			  &port->dels[TCP_ABT_DEL_GONE]) ||
	    abt_put_times(skb, TCP_ABT_A_OFFLOAD_REROUTED,
			  &port->dels[TCP_ABT_DEL_ROUTE]) ||
	    abt_put_times(skb, TCP_ABT_A_OFFLOAD_EVICTED,
			  &port->dels[TCP_ABT_DEL_ROOM]))
		return -EMSGSIZE;
	return abt_put_memory(skb, port);
}

static int abt_dump_adapter(struct sk_buff *skb, struct netlink_callback *cb,
			    struct abt_port *port)
{
	void *header;

	header = genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
			     &abt_genl_family, NLM_F_MULTI,
			     TCP_ABT_CMD_OFFLOAD_GET);
	if (!header)
		return -EMSGSIZE;
	if (abt_put_adapter(skb, port)) {
		genlmsg_cancel(skb, header);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, header);
	return 0;
}

/**
 * tcp_abt_nl_offload_get_dumpit() - the next adapters of a dump
 * @skb: message buffer to fill
 * @cb: state of the dump
 *
 * Return: bytes in @skb, 0 at the end; -EMSGSIZE.
 */
int tcp_abt_nl_offload_get_dumpit(struct sk_buff *skb,
				  struct netlink_callback *cb)
{
	const struct net *net = sock_net(cb->skb->sk);
	struct abt_port *port;
	int err = 0;

	rcu_read_lock();
	while (!err && (port = abt_port_next(net, cb->args[0]))) {
		err = abt_dump_adapter(skb, cb, port);
		if (!err)
			cb->args[0] = port->number;
	}
	rcu_read_unlock();
	return skb->len ?: err;
}
