// SPDX-License-Identifier: GPL-2.0
/*
 * Events: the tracepoints that feed a connection.
 *
 *	tcp_probe		an inbound segment of an established socket
 *	tcp_rcv_space_adjust	the application took data
 *	inet_sock_set_state	the socket leaves ESTABLISHED, or is disconnected; or a
 *				SYN will be sent or waited for
 *	tcp_destroy_sock	the socket goes
 *
 * In the first three the socket is locked, so that its buffers may be written. A segment that
 * brings no news costs the look for its record and ten compares.
 *
 * A record is made at the first event of a socket that has moved more than a floor, whether that
 * is new or older than the module.
 */
#include <net/tcp.h>

#include "conn/activity.h"
#include "conn/bound.h"
#include "conn/buffer.h"
#include "conn/charge.h"
#include "conn/conn.h"
#include "conn/drain.h"
#include "conn/events.h"
#include "conn/floor.h"
#include "conn/hooks.h"
#include "conn/news.h"
#include "conn/park.h"
#include "conn/record.h"
#include "conn/sample.h"
#include "conn/steer.h"
#include "state/host.h"
#include "state/net.h"

/* The record of a socket that has one. A look into the table: not for each segment. */
static struct abt_conn *abt_conn_look(const struct sock *sk)
{
	struct abt_conn *c;

	rcu_read_lock();
	c = abt_conn_find(sk);
	rcu_read_unlock();
	return c;
}

/*
 * A socket that has moved and queued no more than the floor would get the floor anyway, so it
 * needs no record. Most connections to a busy server end before they need more, and making and
 * freeing a record would cost more than everything else that is done for them.
 */
static bool abt_conn_is_small(const struct sock *sk)
{
	const struct tcp_sock *tp = tcp_sk(sk);

	return tp->data_segs_in <= ABT_FLOOR_SEGS &&
	       tp->data_segs_out <= ABT_FLOOR_SEGS &&
	       READ_ONCE(sk->sk_wmem_queued) <= SOCK_MIN_SNDBUF;
}

/* The record of a socket that is ours to look at; where there is none, @make one. */
static noinline struct abt_conn *abt_conn_seek(struct sock *sk, bool make)
{
	struct abt_conn *c;
	struct abt_net *an;

	if (!smp_load_acquire(&abt_host.live))	/* pairs with abt_init() */
		return NULL;
	an = abt_net_of(sock_net(sk));
	if (READ_ONCE(an->mode) == TCP_ABT_MODE_OFF || abt_bound_subflow(sk, an))
		return NULL;
	abt_bound_lowat(sk, an);
	if (abt_conn_is_small(sk) && !abt_clamp_is_low(sk, an))
		return NULL;
	c = abt_conn_look(sk);
	if (!c && make)
		c = abt_conn_make(sk, an);
	if (c)
		abt_conn_remember(c);
	return c;
}

/* If there is a record already, the namespace is on: turning it off takes its records away. */
static struct abt_conn *abt_conn_of(struct sock *sk, bool make)
{
	struct abt_conn *c;

	return abt_conn_glance(sk, &c) ? c : abt_conn_seek(sk, make);
}

/* Is the send buffer other than reckoned with, or locked or unlocked by the application? */
static bool abt_snd_rewritten(const struct sock *sk, const struct abt_conn *c)
{
	return (u32)READ_ONCE(sk->sk_sndbuf) - c->snd_least > c->snd_span ||
	       ((sk->sk_userlocks ^ c->snd_locks) & SOCK_SNDBUF_LOCK);
}

/* Has a sender queued more than its claim was made for? */
static bool abt_outgrew(const struct sock *sk, const struct abt_conn *c)
{
	return (u32)READ_ONCE(sk->sk_wmem_queued) > c->half[ABT_SND].recheck_above;
}

/*
 * May a smaller window of the peer's, or a queue that drained, be due for a look? Mostly neither
 * counts, which is one test.
 */
static bool abt_snd_offer_changed(const struct sock *sk, const struct abt_conn *c)
{
	return (c->comes_down || c->minds_offer) &&
	       (c->comes_down ||
		abt_snd_offered_less(&c->bounds, tcp_sk(sk)->snd_wnd));
}

/*
 * Did cwnd or the peer's window leave the band? A smaller window counts a few round trips after
 * the last step, because that of a reader that lags comes and goes.
 */
static bool abt_snd_left_band(const struct sock *sk, const struct abt_conn *c)
{
	const struct tcp_sock *tp = tcp_sk(sk);

	return !abt_snd_inside(&c->bounds, tcp_snd_cwnd(tp), tp->snd_wnd) ||
	       (abt_snd_offer_changed(sk, c) &&
		time_after32(tcp_jiffies32, c->offer_due));
}

/* Does the target stay at first sight? So it does for nearly every segment. */
static bool abt_snd_stays(const struct sock *sk, const struct abt_conn *c)
{
	return abt_snd_centred(&c->bounds, tcp_snd_cwnd(tcp_sk(sk))) &&
	       !abt_snd_offer_changed(sk, c);
}

/*
 * Is a step of the sender due: did it leave the band, or was the buffer written by
 * the application, or has it more to send than it was seen to have? Out of the band because
 * it is idle does not count while it is. In a recovery cwnd does not count, but once
 * whether the sender runs out of data.
 */
static bool abt_snd_due(const struct sock *sk, const struct abt_conn *c)
{
	const struct abt_half *half = &c->half[ABT_SND];

	if (abt_snd_rewritten(sk, c))
		return true;
	if (abt_recovers(sk))
		return c->bounds.shrink_below != U32_MAX && abt_starves(sk);
	if (abt_outgrew(sk, c))
		return true;
	return abt_snd_left_band(sk, c) &&
	       !(half->idle && abt_half_idle(sk, half, ABT_SND));
}

/*
 * Would this segment leave no room for the next, so that the kernel prunes? If the
 * segment was offered, the receiver's step makes room for it.
 */
static bool abt_rcv_overruns(const struct sock *sk, const struct abt_conn *c)
{
	return abt_used(sk, ABT_RCV) + c->arriving >
		       (u32)READ_ONCE(sk->sk_rcvbuf) &&
	       (c->half[ABT_RCV].applied || c->half[ABT_RCV].local);
}

/* Does a receive queue call in more of a promise than is charged? */
static bool abt_rcv_outgrew(const struct sock *sk, const struct abt_conn *c)
{
	return abt_used(sk, ABT_RCV) + c->arriving > c->recharge_above;
}

/*
 * May an epoch have ended? Exactly so only abt_sample_rcv() says. Where only small
 * segments come, the round trip is never known, and no epoch ends.
 */
static bool abt_epoch_over(const struct sock *sk, const struct abt_conn *c)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	u32 elapsed_us = (u32)tp->tcp_mstamp - c->epoch_start_us;
	u32 rtt_us;

	if (elapsed_us < READ_ONCE(c->an->epoch_min_us))
		return false;
	rtt_us = tp->rcv_rtt_est.rtt_us >> ABT_RTT_SHIFT;
	return rtt_us && elapsed_us >= rtt_us;
}

/*
 * While a hole keeps the application from taking data, an epoch ends without a
 * copy. Data behind the hole need room of their own, or the window would stand still.
 */
static bool abt_rcv_hole_due(const struct sock *sk, const struct abt_conn *c)
{
	return !RB_EMPTY_ROOT(&tcp_sk(sk)->out_of_order_queue) &&
	       (abt_used(sk, ABT_RCV) > c->half[ABT_RCV].recheck_above ||
		abt_epoch_over(sk, c));
}

/*
 * Did a consumer in the kernel take over the reading of a buffer that the module sized? Its
 * messages may be longer than the window, so it is handed back with the next segment.
 */
static bool abt_rcv_taken_over(const struct sock *sk, const struct abt_conn *c)
{
	/* whether it is NULL is all that counts */
	return data_race(sk->sk_user_data) && c->half[ABT_RCV].applied;
}

/* Is no step due, if the sender's target stays? */
static __always_inline bool abt_segment_is_quiet(const struct sock *sk,
						 const struct abt_conn *c,
						 const struct sk_buff *skb)
{
	u32 queued = (u32)atomic_read(&sk->sk_rmem_alloc) + skb->truesize;

	return !abt_conn_has_news(c) &&
	       !abt_snd_rewritten(sk, c) && !abt_recovers(sk) &&
	       !abt_outgrew(sk, c) && !abt_rcv_taken_over(sk, c) &&
	       queued <= (u32)sk->sk_rcvbuf &&
	       queued <= c->recharge_above &&
	       RB_EMPTY_ROOT(&tcp_sk(sk)->out_of_order_queue);
}

/* A FIN is the last that tcp_probe tells of a socket: too late to make a record. */
static noinline void abt_segment_step(struct sock *sk,
				      const struct sk_buff *skb)
{
	bool ends = TCP_SKB_CB(skb)->tcp_flags & TCPHDR_FIN;
	struct abt_conn *c = abt_conn_of(sk, !ends);

	if (!c)
		return;
	abt_drain_restore(sk, c);
	c->arriving = skb->truesize;
	if (abt_news_concerns(sk, c)) {
		abt_steer(sk, c);
	} else {
		if (abt_snd_due(sk, c))
			abt_steer_snd(sk, c);
		if (abt_rcv_overruns(sk, c) || abt_rcv_hole_due(sk, c) ||
		    abt_rcv_taken_over(sk, c))
			abt_steer_rcv(sk, c);
		else if (abt_rcv_outgrew(sk, c))
			abt_steer_queue(sk, c);
	}
	c->arriving = 0;
	abt_tell_event(sk, c);
}

/* A closer look, for a sender that its peer's window limits among others. */
static noinline void abt_segment_look(struct sock *sk, const struct sk_buff *skb)
{
	struct abt_conn *c;

	if (abt_conn_glance(sk, &c) && !abt_snd_left_band(sk, c) &&
	    abt_segment_is_quiet(sk, c, skb))
		abt_tell_event(sk, c);
	else
		abt_segment_step(sk, skb);
}

/**
 * abt_on_segment() - tcp_probe: a segment came in
 * @data: not used
 * @sk: socket, locked
 * @skb: the segment
 *
 * All calls are the last that it does, so that it needs no stack.
 */
void abt_on_segment(void *data, struct sock *sk, abt_probe_skb *skb)
{
	struct abt_conn *c;

	abt_probe_enter();
	if (likely(abt_conn_glance(sk, &c) && abt_snd_stays(sk, c) &&
		   abt_segment_is_quiet(sk, c, skb)))
		abt_tell_event(sk, c);
	else
		abt_segment_look(sk, skb);
	abt_probe_leave();
}

/*
 * Did nothing come for a member of a path for half of a round trip? Its sender may have paused,
 * which is of no use to know of others.
 */
static bool abt_copy_is_late(const struct sock *sk, const struct abt_conn *c)
{
	return c->path && abt_parked_ago_us(tcp_sk(sk)) > c->receiver.base.us / 2;
}

/* The same of a copy. */
static bool abt_copy_is_quiet(const struct sock *sk, const struct abt_conn *c)
{
	return !abt_conn_has_news(c) && !c->watched && !abt_epoch_over(sk, c) &&
	       !abt_copy_is_late(sk, c) && !abt_drs_may_grow(sk, c);
}

static noinline void abt_copy_step(struct sock *sk)
{
	struct abt_conn *c = abt_conn_of(sk, abt_is_receiving(sk));

	if (!c)
		return;
	c->copying = true;
	if (abt_copy_is_late(sk, c) && abt_sender_paused(sk, c))
		c->receiver.pauses = ABT_PAUSE_EPOCHS + 1;
	if (abt_news_concerns(sk, c))
		abt_steer(sk, c);
	else if (c->half[ABT_RCV].idle || c->half[ABT_RCV].held ||
		 c->stopped || abt_drs_grew(sk, c))
		abt_steer_rcv(sk, c);
	else if (abt_epoch_over(sk, c))
		abt_steer_epoch(sk, c);
	if (abt_rcv_drains(c))
		abt_drain_offer(sk, c);
	if (c->parks)
		abt_park_drs(sk);
	abt_conn_copied(c);
	c->copying = false;
	abt_tell_event(sk, c);
}

/**
 * abt_on_copy() - tcp_rcv_space_adjust: the application took data
 * @data: not used
 * @sk: socket, locked
 */
void abt_on_copy(void *data, struct sock *sk)
{
	struct abt_conn *c;

	abt_probe_enter();
	if (likely(abt_conn_glance(sk, &c) && abt_copy_is_quiet(sk, c))) {
		abt_conn_copied(c);
		if (c->parks)
			abt_park_drs(sk);
		abt_tell_event(sk, c);
	} else {
		abt_copy_step(sk);
	}
	abt_probe_leave();
}

/*
 * The kernel tells little of a connection that leaves ESTABLISHED; a socket that is
 * disconnected may listen next, and its children inherit all of it.
 */
static noinline void abt_state_step(struct sock *sk, int state)
{
	struct abt_conn *c;

	rcu_read_lock();
	c = abt_conn_find(sk);
	if (c) {
		abt_steer_state(sk, c, state);
		if (state == TCP_CLOSE)
			abt_conn_forget(c);
	}
	rcu_read_unlock();
}

/* Before a SYN is sent or waited for: its window scale follows from the ceiling. */
static bool abt_state_begins(int state)
{
	return state == TCP_SYN_SENT || state == TCP_LISTEN;
}

/**
 * abt_on_state() - inet_sock_set_state: a socket goes to another state
 * @data: not used
 * @sk: locked socket; while it is being created it is not locked, and of any protocol
 * @old: state that it leaves
 * @state: state that it goes to
 */
void abt_on_state(void *data, const struct sock *sk, int old, int state)
{
	if (abt_state_begins(state) && sk->sk_protocol == IPPROTO_TCP)
		abt_net_follow(abt_net_of(sock_net(sk)));
	if ((old == TCP_ESTABLISHED || (state == TCP_CLOSE && old != TCP_CLOSE)) &&
	    sk->sk_protocol == IPPROTO_TCP)
		abt_state_step((struct sock *)sk, state);
}

/**
 * abt_on_destroy() - tcp_destroy_sock: a socket goes
 * @data: not used
 * @sk: socket
 */
void abt_on_destroy(void *data, struct sock *sk)
{
	struct abt_conn *c;

	rcu_read_lock();
	c = abt_conn_find(sk);
	if (c)
		abt_conn_forget(c);
	rcu_read_unlock();
}
