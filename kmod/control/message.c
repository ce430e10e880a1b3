// SPDX-License-Identifier: GPL-2.0
/* A connection in a netlink message: see tcp_abt.yaml. */
#include <linux/in6.h>
#include <uapi/linux/tcp_abt.h>

#include "control/netlink.h"

/* The module's enumerations and those of the netlink family are numbered alike. */
static_assert(TCP_ABT_DIRECTION_MAX + 1 == (int)ABT_DIRS);
static_assert(TCP_ABT_SHARE_MAX == (int)ABT_SHARE_FCFS);
static_assert(TCP_ABT_ALPHA_SIGNAL_MAX == (int)ABT_ALPHA_QUEUE);

/* Numbers of a direction, and of a connection without them, in attributes each. */
#define ABT_HALF_U32S	(TCP_ABT_A_BUFFER_USED - TCP_ABT_A_BUFFER_POLICY + 1)
#define ABT_CONN_U32S	(TCP_ABT_A_CONN_ALPHA - TCP_ABT_A_CONN_IFINDEX + 1)

static size_t abt_message_half_size(void)
{
	return nla_total_size(ABT_HALF_U32S * nla_total_size(sizeof(u32)) +
			      2 * nla_total_size(0));
}

/**
 * abt_message_size() - room for what abt_message_put() puts, and both directions
 *
 * Return: bytes.
 */
size_t abt_message_size(void)
{
	return 2 * nla_total_size(sizeof(struct in6_addr)) +
	       2 * nla_total_size(sizeof(u16)) +
	       ABT_CONN_U32S * nla_total_size(sizeof(u32)) +
	       ABT_DIRS * abt_message_half_size();
}

static int abt_put_end(struct sk_buff *skb, int addr_attr, int port_attr,
		       const struct sockaddr_in6 *end)
{
	const struct sockaddr_in *v4 = (const struct sockaddr_in *)end;
	bool is_v4 = end->sin6_family == AF_INET;

	if (is_v4 ? nla_put_in_addr(skb, addr_attr, v4->sin_addr.s_addr) :
		    nla_put_in6_addr(skb, addr_attr, &end->sin6_addr))
		return -EMSGSIZE;
	return nla_put_u16(skb, port_attr,
			   ntohs(is_v4 ? v4->sin_port : end->sin6_port));
}

/**
 * abt_message_put() - a connection, without its directions
 * @skb: message
 * @view: connection
 *
 * Return: 0, or -EMSGSIZE.
 */
int abt_message_put(struct sk_buff *skb, const struct abt_view *view)
{
	if (abt_put_end(skb, TCP_ABT_A_CONN_LOCAL_ADDR,
			TCP_ABT_A_CONN_LOCAL_PORT, &view->local) ||
	    abt_put_end(skb, TCP_ABT_A_CONN_REMOTE_ADDR,
			TCP_ABT_A_CONN_REMOTE_PORT, &view->remote) ||
	    (view->ifindex &&
	     nla_put_u32(skb, TCP_ABT_A_CONN_IFINDEX, view->ifindex)) ||
	    nla_put_u32(skb, TCP_ABT_A_CONN_CWND, view->cwnd) ||
	    nla_put_u32(skb, TCP_ABT_A_CONN_MSS, view->mss) ||
	    nla_put_u32(skb, TCP_ABT_A_CONN_SRTT_US, view->srtt_us) ||
	    nla_put_u32(skb, TCP_ABT_A_CONN_MIN_RTT_US, view->min_rtt_us) ||
	    nla_put_u32(skb, TCP_ABT_A_CONN_RCV_RTT_US, view->rcv_rtt_us) ||
	    nla_put_u32(skb, TCP_ABT_A_CONN_ALPHA, view->alpha))
		return -EMSGSIZE;
	return 0;
}

static int abt_put_buffer(struct sk_buff *skb,
			  const struct abt_buffer_view *half)
{
	if (nla_put_u32(skb, TCP_ABT_A_BUFFER_POLICY, half->policy) ||
	    nla_put_u32(skb, TCP_ABT_A_BUFFER_REASON, half->reason) ||
	    nla_put_u32(skb, TCP_ABT_A_BUFFER_DEMAND, half->demand) ||
	    nla_put_u32(skb, TCP_ABT_A_BUFFER_GRANT, half->grant) ||
	    nla_put_u32(skb, TCP_ABT_A_BUFFER_CHARGED, half->charged) ||
	    nla_put_u32(skb, TCP_ABT_A_BUFFER_APPLIED, half->applied) ||
	    nla_put_u32(skb, TCP_ABT_A_BUFFER_USED, half->used) ||
	    (half->idle && nla_put_flag(skb, TCP_ABT_A_BUFFER_IDLE)) ||
	    (half->drains && nla_put_flag(skb, TCP_ABT_A_BUFFER_DRAINS)))
		return -EMSGSIZE;
	return 0;
}

/**
 * abt_message_put_half() - one direction of a connection
 * @skb: message
 * @view: connection
 * @dir: direction
 *
 * Return: 0, or -EMSGSIZE.
 */
int abt_message_put_half(struct sk_buff *skb, const struct abt_view *view,
			 enum abt_dir dir)
{
	struct nlattr *nest;

	nest = nla_nest_start(skb, dir == ABT_SND ? TCP_ABT_A_CONN_SEND :
						    TCP_ABT_A_CONN_RECEIVE);
	if (!nest || abt_put_buffer(skb, &view->half[dir]))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}
