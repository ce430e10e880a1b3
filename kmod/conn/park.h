/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ABT_CONN_PARK_H
#define ABT_CONN_PARK_H

#include <net/tcp.h>

#include "conn/buffer.h"
#include "conn/conn.h"
#include "state/ceiling.h"
#include "state/net.h"

/* rcvq_space.space while the kernel's tuning is held still; it divides by it [bytes]. */
#define ABT_PARKED_SPACE	1

/**
 * abt_park_drs() - hold the kernel's own receive tuning still
 * @sk: socket, locked; in the tracepoint at the head of tcp_rcv_space_adjust()
 *
 * tcp_rcv_space_adjust() sizes the buffer by what was copied since rcvq_space.seq, once
 * a round trip since rcvq_space.time. Right before it looks, both are moved to now: no
 * time has passed and nothing was copied, so that it returns. From 6.18 on a segment out
 * of order has tcp_rcvbuf_grow() make room for rcvq_space.space twice beyond it: a peer
 * that leaves a hole open would raise the buffer for ever, beyond any share.
 */
static inline void abt_park_drs(struct sock *sk)
{
	struct tcp_sock *tp = tcp_sk(sk);

	tp->rcvq_space.time = tp->tcp_mstamp;
	tp->rcvq_space.seq = tp->copied_seq;
	tp->rcvq_space.space = ABT_PARKED_SPACE;
}

/**
 * abt_hold_drs() - hold the kernel's own receive tuning still from now on
 * @sk: socket, locked
 * @c: its record; each copy parks that tuning again
 */
static inline void abt_hold_drs(struct sock *sk, struct abt_conn *c)
{
	abt_park_drs(sk);
	c->parks = true;
}

/**
 * abt_parked_ago_us() - time from the last segment before a copy to the last one now
 * @tp: socket, locked; each copy parks it
 *
 * Return: us, wraps.
 */
static inline u32 abt_parked_ago_us(const struct tcp_sock *tp)
{
	return (u32)tp->tcp_mstamp - (u32)tp->rcvq_space.time;
}

/* Does the kernel tune a receive buffer although the application set TCP_WINDOW_CLAMP? */
static inline bool abt_app_is_tuned(const struct sock *sk, const struct abt_conn *c)
{
	return c->half[ABT_RCV].policy == TCP_ABT_POLICY_APP &&
	       !(sk->sk_userlocks & SOCK_RCVBUF_LOCK);
}

/**
 * abt_drs_may_grow() - may the kernel's own tuning have raised a receive buffer too far?
 * @sk: socket, locked
 * @c: its record
 *
 * The hot path: each copy. What the module found in the ceiling is compared, because that is one
 * load; the administrator may have raised it since.
 *
 * Return: true if abt_drs_grew() tells.
 */
static inline bool abt_drs_may_grow(const struct sock *sk, const struct abt_conn *c)
{
	return !c->parks &&
	       (u32)sk->sk_rcvbuf > (u32)READ_ONCE(c->an->ceiling[ABT_RCV].saved) &&
	       (c->half[ABT_RCV].local || abt_app_is_tuned(sk, c));
}

/**
 * abt_drs_grew() - did the kernel's own tuning raise a receive buffer that is left to it?
 * @sk: socket, locked
 * @c: its record
 *
 * A burst after a round trip of a few segments takes it far beyond the administrator's limit at
 * once, see abt_bound_local(). The next copy, mostly of the same call, sends it back before
 * that window is offered.
 *
 * Return: true if it is beyond that limit.
 */
static inline bool abt_drs_grew(const struct sock *sk, const struct abt_conn *c)
{
	return abt_drs_may_grow(sk, c) &&
	       (u32)sk->sk_rcvbuf > abt_ceiling_limit(c->an, ABT_RCV);
}

u32 abt_resumed_space(const struct sock *sk, const struct abt_conn *c);
void abt_resume_drs(struct sock *sk, struct abt_conn *c);

#endif /* ABT_CONN_PARK_H */
