// SPDX-License-Identifier: GPL-2.0
/*
 * conn-get: the connections of a namespace, as many as a message buffer takes at a
 * time. A bucket of the table is told as a whole or in the next buffer, which has
 * room for it: the kernel makes a larger table long before a bucket has so many.
 * No lock is taken.
 */
#include <linux/slab.h>
#include <uapi/linux/tcp_abt.h>

#include "compat/genetlink.h"
#include "conn/walk.h"
#include "control/netlink.h"
#include "control/netlink_gen.h"
#include "control/view.h"
#include "state/net.h"

/**
 * struct abt_end_filter - an end that a connection is to have
 * @addr: address
 * @len: its bytes, 0: any address
 * @bits: of it that count
 * @has_port: else any port
 * @port: port
 */
struct abt_end_filter {
	u8 addr[sizeof(struct in6_addr)];
	u8 len;
	u8 bits;
	bool has_port;
	u16 port;
};

/**
 * struct abt_dump - a dump under way
 * @walk: its place
 * @local: filter
 * @remote: filter
 * @ifindex: filter, 0: any device
 * @below: only connections that are granted less than they ask for
 * @refused: the filters are wrong, and the caller has not been told yet
 * @skb: message buffer that is being filled
 * @cb: of the dump
 */
struct abt_dump {
	struct abt_walk walk;
	struct abt_end_filter local;
	struct abt_end_filter remote;
	u32 ifindex;
	bool below;
	bool refused;
	struct sk_buff *skb;
	struct netlink_callback *cb;
};

/* The attributes of an end, and the messages for wrong ones. */
struct abt_end_attrs {
	int addr;
	int prefix;
	int port;
	const char *bad_addr;
	const char *bad_prefix;
	const char *no_addr;
};

static const struct abt_end_attrs abt_local_attrs = {
	.addr = TCP_ABT_A_CONN_LOCAL_ADDR,
	.prefix = TCP_ABT_A_CONN_LOCAL_PREFIX,
	.port = TCP_ABT_A_CONN_LOCAL_PORT,
	.bad_addr = "local-addr: expected 4 bytes of IPv4 or 16 of IPv6",
	.bad_prefix = "local-prefix: expected no more bits than local-addr has",
	.no_addr = "local-prefix: expected together with local-addr",
};

static const struct abt_end_attrs abt_remote_attrs = {
	.addr = TCP_ABT_A_CONN_REMOTE_ADDR,
	.prefix = TCP_ABT_A_CONN_REMOTE_PREFIX,
	.port = TCP_ABT_A_CONN_REMOTE_PORT,
	.bad_addr = "remote-addr: expected 4 bytes of IPv4 or 16 of IPv6",
	.bad_prefix = "remote-prefix: expected no more bits than remote-addr has",
	.no_addr = "remote-prefix: expected together with remote-addr",
};

static int abt_end_parse(struct abt_end_filter *end,
			 const struct abt_end_attrs *is, struct nlattr **attrs,
			 struct netlink_ext_ack *extack)
{
	const struct nlattr *prefix = attrs[is->prefix];
	const struct nlattr *addr = attrs[is->addr];

	if (attrs[is->port]) {
		end->has_port = true;
		end->port = nla_get_u16(attrs[is->port]);
	}
	if (!addr)
		return prefix ? abt_netlink_refuse(extack, prefix, is->no_addr) : 0;
	if (nla_len(addr) != sizeof(struct in_addr) &&
	    nla_len(addr) != sizeof(struct in6_addr))
		return abt_netlink_refuse(extack, addr, is->bad_addr);
	end->len = nla_len(addr);
	memcpy(end->addr, nla_data(addr), end->len);
	end->bits = prefix ? nla_get_u8(prefix) : BITS_PER_BYTE * end->len;
	if (end->bits > BITS_PER_BYTE * end->len)
		return abt_netlink_refuse(extack, prefix, is->bad_prefix);
	return 0;
}

static bool abt_bits_equal(const u8 *left, const u8 *right, u32 bits)
{
	u32 whole = bits / BITS_PER_BYTE, rest = bits % BITS_PER_BYTE;

	if (memcmp(left, right, whole))
		return false;
	return !rest || !((left[whole] ^ right[whole]) >> (BITS_PER_BYTE - rest));
}

static bool abt_end_matches(const struct abt_end_filter *filter,
			    const struct sockaddr_in6 *end)
{
	const struct sockaddr_in *v4 = (const struct sockaddr_in *)end;
	bool is_v4 = end->sin6_family == AF_INET;
	const void *addr = is_v4 ? (const void *)&v4->sin_addr :
				   (const void *)&end->sin6_addr;

	if (filter->has_port &&
	    filter->port != ntohs(is_v4 ? v4->sin_port : end->sin6_port))
		return false;
	if (!filter->len)
		return true;
	return filter->len == (is_v4 ? sizeof(struct in_addr) :
				       sizeof(struct in6_addr)) &&
	       abt_bits_equal(filter->addr, addr, filter->bits);
}

static bool abt_dump_wants(const struct abt_dump *dump,
			   const struct abt_view *view)
{
	const struct abt_buffer_view *half = view->half;

	if (dump->ifindex && view->ifindex != dump->ifindex)
		return false;
	if (dump->below && half[ABT_SND].grant >= half[ABT_SND].demand &&
	    half[ABT_RCV].grant >= half[ABT_RCV].demand)
		return false;
	return abt_end_matches(&dump->local, &view->local) &&
	       abt_end_matches(&dump->remote, &view->remote);
}

static int abt_dump_parse(struct abt_dump *dump, struct netlink_callback *cb)
{
	struct nlattr **attrs = abt_dump_attrs(cb);
	int err;

	if (attrs[TCP_ABT_A_CONN_IFINDEX])
		dump->ifindex = nla_get_u32(attrs[TCP_ABT_A_CONN_IFINDEX]);
	dump->below = nla_get_flag(attrs[TCP_ABT_A_CONN_BELOW_DEMAND]);
	err = abt_end_parse(&dump->local, &abt_local_attrs, attrs, cb->extack);
	return err ?: abt_end_parse(&dump->remote, &abt_remote_attrs, attrs,
				    cb->extack);
}

static int abt_dump_conn(const struct sock *sk, const struct abt_conn *c,
			 void *to)
{
	struct abt_dump *dump = to;
	struct netlink_callback *cb = dump->cb;
	struct abt_view view;
	void *header;

	abt_view_conn(sk, c, &view);
	if (!abt_dump_wants(dump, &view))
		return 0;
	header = genlmsg_put(dump->skb, NETLINK_CB(cb->skb).portid,
			     cb->nlh->nlmsg_seq, &abt_genl_family, NLM_F_MULTI,
			     TCP_ABT_CMD_CONN_GET);
	if (!header)
		return -EMSGSIZE;
	genl_dump_check_consistent(cb, header);
	if (abt_message_put(dump->skb, &view) ||
	    abt_message_put_half(dump->skb, &view, ABT_SND) ||
	    abt_message_put_half(dump->skb, &view, ABT_RCV))
		return -EMSGSIZE;
	genlmsg_end(dump->skb, header);
	return 0;
}

/* Numbers of a dump's consistency: the second says that records may come twice. */
#define ABT_DUMP_WHOLE	1
#define ABT_DUMP_TORN	2

/**
 * abt_nl_conns_start() - a dump of connections begins
 * @cb: its state
 *
 * Return: 0; -EINVAL for a filter that cannot be; -ENOMEM.
 */
int abt_nl_conns_start(struct netlink_callback *cb)
{
	struct abt_dump *dump = kzalloc(sizeof(*dump), GFP_KERNEL);
	int err;

	if (!dump)
		return -ENOMEM;
	err = abt_dump_parse(dump, cb);
	dump->refused = err;
	/* without a place to say why, say it when there is one */
	if (err && cb->extack) {
		kfree(dump);
		return err;
	}
	cb->args[0] = (long)dump;
	cb->prev_seq = ABT_DUMP_WHOLE;
	return 0;
}

/**
 * abt_nl_conns_done() - a dump of connections is over
 * @cb: its state
 *
 * Return: 0.
 */
int abt_nl_conns_done(struct netlink_callback *cb)
{
	kfree((struct abt_dump *)cb->args[0]);
	return 0;
}

/**
 * tcp_abt_nl_conn_get_dumpit() - the next connections of a dump
 * @skb: message buffer to fill
 * @cb: state of the dump
 *
 * Return: bytes in @skb, 0 at the end; -EMSGSIZE.
 */
int tcp_abt_nl_conn_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	const struct abt_net *an = abt_net_of(sock_net(cb->skb->sk));
	struct abt_dump *dump = (struct abt_dump *)cb->args[0];
	int err = 0;

	if (dump->refused)
		return abt_dump_parse(dump, cb);
	dump->skb = skb;
	dump->cb = cb;
	while (!err && abt_walk_here(&dump->walk)) {
		unsigned int whole = skb->len;

		cb->seq = dump->walk.torn ? ABT_DUMP_TORN : ABT_DUMP_WHOLE;
		err = abt_walk_show(&dump->walk, an, abt_dump_conn, dump);
		if (err)
			skb_trim(skb, whole);
		else
			dump->walk.bucket++;
	}
	return skb->len ?: err;
}
