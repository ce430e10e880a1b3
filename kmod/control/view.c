// SPDX-License-Identifier: GPL-2.0
/*
 * The view of a connection. Its socket need not be locked: figures are each of
 * some moment just past, as in /proc/net/tcp.
 */
#include <net/dst.h>
#include <net/tcp.h>

#include "conn/buffer.h"
#include "conn/conn.h"
#include "control/view.h"
#include "trace/address.h"

/* Devices stay for a grace period after the last route over them went. */
static u32 abt_view_ifindex(const struct sock *sk)
{
	const struct dst_entry *dst;
	u32 ifindex;

	rcu_read_lock();
	dst = rcu_dereference(sk->sk_dst_cache);
	ifindex = dst ? READ_ONCE(dst->dev)->ifindex : 0;
	rcu_read_unlock();
	return ifindex;
}

/*
 * The owner of the socket may write these meanwhile. They are for people, each figure by
 * itself.
 */
#define abt_seen(field)	data_race(READ_ONCE(field))

static void abt_view_half(const struct sock *sk, const struct abt_conn *c,
			  enum abt_dir dir, struct abt_buffer_view *view)
{
	const struct abt_half *half = &c->half[dir];

	*view = (struct abt_buffer_view) {
		.policy = data_race((u32)half->policy),	/* of four bits: as above */
		.reason = data_race((u32)half->reason),	/* of four bits: as above */
		.demand = abt_seen(half->demand),
		.grant = data_race(abt_half_target(half)),	/* as above */
		.charged = abt_seen(half->stake.charged),
		.applied = abt_buffer(sk, dir),
		.used = abt_used(sk, dir),
		.idle = data_race(half->idle != 0),	/* a bit: as above */
		.drains = data_race(half->drains != 0),	/* a bit: as above */
	};
}

/**
 * abt_view_conn() - look at a connection
 * @sk: its socket, held or locked
 * @c: its record
 * @view: where it goes
 *
 * Context: any.
 */
void abt_view_conn(const struct sock *sk, const struct abt_conn *c,
		   struct abt_view *view)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	enum abt_dir dir;

	abt_addresses(sk, &view->local, &view->remote);
	view->ifindex = abt_view_ifindex(sk);
	view->cwnd = abt_seen(tp->snd_cwnd);
	view->mss = abt_seen(tp->mss_cache);
	view->srtt_us = abt_seen(tp->srtt_us) >> ABT_RTT_SHIFT;
	view->min_rtt_us = abt_seen(c->receiver.base.us);
	view->rcv_rtt_us = abt_seen(tp->rcv_rtt_est.rtt_us) >> ABT_RTT_SHIFT;
	view->alpha = abt_view_q16(abt_seen(c->receiver.alpha_q16));
	for (dir = 0; dir < ABT_DIRS; dir++)
		abt_view_half(sk, c, dir, &view->half[dir]);
}
