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
#include "conn/conn.h"
#include "conn/drain.h"
#include "conn/due.h"
#include "conn/events.h"
#include "conn/floor.h"
#include "conn/hooks.h"
#include "conn/news.h"
#include "conn/park.h"
#include "conn/recent.h"
#include "conn/record.h"
#include "conn/sample.h"
#include "conn/steer.h"
#include "conn/unsent.h"
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

/* The record of a socket that is ours to look at, and has no slot; if there is none, @make one. */
static struct abt_conn *abt_conn_seek(struct sock *sk, bool make)
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
	if (!c)
		return make ? abt_conn_make(sk, an) : NULL;
	abt_conn_remember(c);
	return c;
}

/* The record of a socket that is not at home. */
static noinline struct abt_conn *abt_conn_not_at_home(struct sock *sk, bool make)
{
	struct abt_conn *c = abt_conn_recent(sk);

	if (!c)
		return abt_conn_seek(sk, make);
	abt_conn_come_home(c);
	return c;
}

/* If there is a record already, the namespace is on: turning it off takes its records away. */
static struct abt_conn *abt_conn_of(struct sock *sk, bool make)
{
	struct abt_conn *c;

	return abt_conn_glance(sk, &c) ? c : abt_conn_not_at_home(sk, make);
}

/*
 * The hot path ends with calls of functions that take a probe's own arguments, in their order, so
 * that no event moves them to other registers. __used keeps @data, which none of them reads.
 */
static noinline __used void abt_probe_tell(void *data, struct sock *sk, struct abt_conn *c)
{
	abt_hooks.event(sk, c);
}

/* An event that brings no news is told of as well. */
static __always_inline void abt_quiet_event(void *data, struct sock *sk, struct abt_conn *c)
{
	if (static_branch_unlikely(&abt_hooks_event))
		abt_probe_tell(data, sk, c);
}

static noinline void abt_segment_step(struct sock *sk, struct abt_conn *c,
				      const struct sk_buff *skb)
{
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
		else if (abt_rcv_outgrew(sk, c) || abt_segment_probes(sk, skb))
			abt_steer_queue(sk, c);
	}
	abt_drain_stopped(sk, c, skb);
	c->arriving = 0;
	abt_tell_event(sk, c);
}

/*
 * A closer look, for a sender that its peer's window limits among others, and for a record that
 * is not at home. A FIN is the last that tcp_probe tells of a socket: too late to make a record.
 */
static noinline __used void abt_segment_look(void *data, struct sock *sk,
					     const struct sk_buff *skb)
{
	struct abt_conn *c = abt_conn_of(sk, !(TCP_SKB_CB(skb)->tcp_flags & TCPHDR_FIN));

	if (!c)
		return;
	if (abt_writer_due(sk, c, skb) && abt_snd_queues(sk))
		abt_unsent_look(sk, c, skb);
	if (!abt_conn_has_news(c) && !abt_snd_left_band(sk, c) &&
	    abt_segment_leaves_snd(sk, c) && abt_segment_leaves_rcv(sk, c, skb))
		abt_tell_event(sk, c);
	else
		abt_segment_step(sk, c, skb);
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
	if (likely(abt_conn_glance(sk, &c) && !abt_conn_has_news(c) &&
		   (!abt_snd_queues(sk) ||
		    (abt_snd_stays(sk, c, skb) && abt_segment_leaves_snd(sk, c))) &&
		   abt_segment_leaves_rcv(sk, c, skb)))
		abt_quiet_event(data, sk, c);
	else
		abt_segment_look(data, sk, skb);
	abt_probe_leave();
}

/* A reader that looks, and takes nothing, may wait for all of a message, however it took before. */
static void abt_peek_step(struct sock *sk, struct abt_conn *c)
{
	if (!c->parks || !abt_reader_leaves(sk))
		return;
	c->receiver.took_all = true;
	abt_steer_queue(sk, c);
}

/* Of each copy, whether a step was due or not. */
static __always_inline void abt_copy_done(struct sock *sk, struct abt_conn *c)
{
	abt_conn_copied(sk, c);
	if (c->parks)
		abt_park_drs(sk);
}

/*
 * Most epochs of a local path, where they are many, bring as much as the ones before. The next few
 * are not even looked at closely. Return: did one end that is passed over?
 */
static bool abt_copy_passes_epoch(const struct sock *sk, struct abt_conn *c)
{
	if (!c->calm_epochs || !abt_epoch_over(sk, c) || !abt_sample_calm(sk, c))
		return false;
	c->calm_epochs--;
	return true;
}

static noinline __used void abt_copy_step(void *data, struct sock *sk)
{
	struct abt_conn *c = abt_conn_of(sk, abt_is_receiving(sk));

	if (!c)
		return;
	if (abt_copy_is_peek(sk)) {
		abt_peek_step(sk, c);
		return;
	}
	if (abt_copy_is_plain(sk, c) && abt_copy_passes_epoch(sk, c)) {
		abt_copy_done(sk, c);
		abt_tell_event(sk, c);
		return;
	}
	c->copying = true;
	if (abt_copy_is_late(sk, c))
		abt_sample_train(sk, c);
	if (abt_news_concerns(sk, c))
		abt_steer(sk, c);
	else if (c->half[ABT_RCV].idle || c->half[ABT_RCV].held ||
		 c->stopped || abt_drs_grew(sk, c))
		abt_steer_rcv(sk, c);
	else if (!abt_copy_passes_epoch(sk, c) && abt_epoch_over(sk, c))
		abt_steer_epoch(sk, c);
	abt_drain_copied(sk, c);
	abt_copy_done(sk, c);
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
	if (likely(abt_conn_glance(sk, &c) && !abt_copy_is_peek(sk) &&
		   abt_copy_is_plain(sk, c) && !abt_epoch_over(sk, c))) {
		abt_copy_done(sk, c);
		abt_quiet_event(data, sk, c);
	} else {
		abt_copy_step(data, sk);
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
