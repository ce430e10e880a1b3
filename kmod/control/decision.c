// SPDX-License-Identifier: GPL-2.0
/*
 * Decisions, told to who listens to the group "decisions" of a namespace. With
 * nobody there, a change of a buffer costs one look.
 *
 * A decision may be made for every segment of a fast network; so no more than some
 * are told in a window of time. Each message has the count of those that were not.
 */
#include <linux/jiffies.h>
#include <uapi/linux/tcp_abt.h>

#include "control/netlink.h"
#include "control/netlink_gen.h"
#include "control/view.h"
#include "state/host.h"

/* 5,000 a second: beyond what anybody reads, below what anybody notices. */
#define ABT_TELL_WINDOW_MS	100
#define ABT_TELL_MOST		500

/*
 * Of two processors at the turn of a window some decisions more may get through:
 * that is not worth a lock.
 */
static bool abt_decision_allowed(struct abt_told *told)
{
	unsigned long window = jiffies / msecs_to_jiffies(ABT_TELL_WINDOW_MS);

	if (READ_ONCE(told->window) != window) {
		WRITE_ONCE(told->window, window);
		atomic_set(&told->count, 0);
	}
	return atomic_inc_return(&told->count) <= ABT_TELL_MOST;
}

static struct sk_buff *abt_decision_message(const struct abt_view *view,
					    enum abt_dir dir, u32 old, u64 lost)
{
	struct sk_buff *skb;
	void *header;

	skb = genlmsg_new(abt_message_size() + 2 * nla_total_size(sizeof(u32)) +
			  nla_total_size_64bit(sizeof(u64)), GFP_ATOMIC);
	if (!skb)
		return NULL;
	header = genlmsg_put(skb, 0, 0, &abt_genl_family, 0,
			     TCP_ABT_CMD_DECISION_NTF);
	if (!header || abt_message_put(skb, view) ||
	    abt_message_put_half(skb, view, dir) ||
	    nla_put_u32(skb, TCP_ABT_A_CONN_DIRECTION, dir) ||
	    nla_put_u32(skb, TCP_ABT_A_CONN_OLD, old) ||
	    nla_put_u64_64bit(skb, TCP_ABT_A_CONN_LOST, lost,
			      TCP_ABT_A_CONN_PAD)) {
		nlmsg_free(skb);
		return NULL;
	}
	genlmsg_end(skb, header);
	return skb;
}

static noinline void abt_decision_send(const struct sock *sk,
				       const struct abt_conn *c,
				       enum abt_dir dir, u32 old)
{
	struct abt_told *told = &c->an->told;
	struct sk_buff *skb = NULL;
	struct abt_view view;

	if (abt_decision_allowed(told)) {
		abt_view_conn(sk, c, &view);
		skb = abt_decision_message(&view, dir, old,
					   atomic64_read(&told->lost));
	}
	if (skb)
		genlmsg_multicast_netns(&abt_genl_family, c->an->net, skb, 0,
					TCP_ABT_NLGRP_DECISIONS, GFP_ATOMIC);
	else
		atomic64_inc(&told->lost);
}

/**
 * abt_decision_tell() - a buffer was changed
 * @sk: socket, locked
 * @c: its record
 * @dir: direction
 * @old: buffer before [bytes of truesize]
 *
 * Context: RCU read side, BH or process.
 */
void abt_decision_tell(const struct sock *sk, const struct abt_conn *c,
		       enum abt_dir dir, u32 old)
{
	/* when the module goes, its family goes before its last hook does */
	if (READ_ONCE(abt_host.live) &&
	    genl_has_listeners(&abt_genl_family, c->an->net,
			       TCP_ABT_NLGRP_DECISIONS))
		abt_decision_send(sk, c, dir, old);
}
