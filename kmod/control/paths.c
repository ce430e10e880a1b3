// SPDX-License-Identifier: GPL-2.0
/*
 * path-get: the paths of a namespace, as many as a message buffer takes at a time. No lock is
 * taken but, for a moment, that of each path.
 */
#include <linux/rhashtable.h>
#include <net/ipv6.h>
#include <uapi/linux/tcp_abt.h>

#include "control/netlink.h"
#include "control/netlink_gen.h"
#include "path/member.h"
#include "path/table.h"

/**
 * struct abt_path_dump - a dump of paths
 * @iter: place in their table
 * @skb: message buffer that is being filled
 * @cb: state of the dump
 */
struct abt_path_dump {
	struct rhashtable_iter iter;
	struct sk_buff *skb;
	struct netlink_callback *cb;
};

static int abt_put_addr(struct sk_buff *skb, int attr,
			const struct in6_addr *addr)
{
	if (ipv6_addr_v4mapped(addr))
		return nla_put_in_addr(skb, attr, addr->s6_addr32[3]);
	return nla_put_in6_addr(skb, attr, addr);
}

static u32 abt_path_state_word(const struct abt_path_state *state)
{
	if (state->shared)
		return TCP_ABT_PATH_STATE_SHARED;
	return state->stopped ? TCP_ABT_PATH_STATE_STOPPED :
				TCP_ABT_PATH_STATE_APART;
}

static int abt_put_path(struct sk_buff *skb, const struct abt_path_view *view)
{
	const struct abt_path_state *state = &view->state;

	if (abt_put_addr(skb, TCP_ABT_A_PATH_REMOTE_ADDR, &view->peer) ||
	    abt_put_addr(skb, TCP_ABT_A_PATH_LOCAL_ADDR, &view->local) ||
	    nla_put_u32(skb, TCP_ABT_A_PATH_STATE, abt_path_state_word(state)) ||
	    nla_put_u32(skb, TCP_ABT_A_PATH_BASE_US, state->base_us) ||
	    nla_put_u32(skb, TCP_ABT_A_PATH_RTT_US, state->rtt_us) ||
	    nla_put_u32(skb, TCP_ABT_A_PATH_HELD, state->held) ||
	    nla_put_u32(skb, TCP_ABT_A_PATH_MEMBERS, state->members) ||
	    nla_put_u32(skb, TCP_ABT_A_PATH_CONNS, view->conns))
		return -EMSGSIZE;
	if (state->id && (nla_put_u32(skb, TCP_ABT_A_PATH_PATH_ID, state->id) ||
			  nla_put_u32(skb, TCP_ABT_A_PATH_PEERS, state->peers)))
		return -EMSGSIZE;
	return state->level == ABT_PATH_ALL ? 0 :
	       nla_put_u32(skb, TCP_ABT_A_PATH_LEVEL, state->level);
}

static int abt_dump_path(const struct abt_path_view *view, void *to)
{
	struct abt_path_dump *dump = to;
	struct netlink_callback *cb = dump->cb;
	void *header;

	header = genlmsg_put(dump->skb, NETLINK_CB(cb->skb).portid,
			     cb->nlh->nlmsg_seq, &abt_genl_family, NLM_F_MULTI,
			     TCP_ABT_CMD_PATH_GET);
	if (!header)
		return -EMSGSIZE;
	if (abt_put_path(dump->skb, view)) {
		genlmsg_cancel(dump->skb, header);
		return -EMSGSIZE;
	}
	genlmsg_end(dump->skb, header);
	return 0;
}

/**
 * abt_nl_paths_start() - a dump of paths begins
 * @cb: its state
 *
 * Return: 0; -ENOMEM.
 */
int abt_nl_paths_start(struct netlink_callback *cb)
{
	struct abt_path_dump *dump = kzalloc(sizeof(*dump), GFP_KERNEL);

	if (!dump)
		return -ENOMEM;
	abt_paths_walk_enter(&dump->iter);
	cb->args[0] = (long)dump;
	return 0;
}

/**
 * abt_nl_paths_done() - a dump of paths is over
 * @cb: its state
 *
 * Return: 0.
 */
int abt_nl_paths_done(struct netlink_callback *cb)
{
	struct abt_path_dump *dump = (struct abt_path_dump *)cb->args[0];

	abt_paths_walk_exit(&dump->iter);
	kfree(dump);
	return 0;
}

/**
 * tcp_abt_nl_path_get_dumpit() - the next paths of a dump
 * @skb: message buffer to fill
 * @cb: state of the dump
 *
 * Return: bytes in @skb, 0 at the end; -EMSGSIZE.
 */
int tcp_abt_nl_path_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct abt_path_dump *dump = (struct abt_path_dump *)cb->args[0];
	int err;

	dump->skb = skb;
	dump->cb = cb;
	err = abt_paths_walk(&dump->iter, sock_net(cb->skb->sk), abt_dump_path,
			     dump);
	return skb->len ?: err;
}
