// SPDX-License-Identifier: GPL-2.0
/* The kernel's own receive tuning (DRS): held still, and let go on. */
#include <net/tcp.h>

#include "conn/conn.h"
#include "conn/park.h"

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
void abt_park_drs(struct sock *sk)
{
	struct tcp_sock *tp = tcp_sk(sk);

	tp->rcvq_space.time = tp->tcp_mstamp;
	tp->rcvq_space.seq = tp->copied_seq;
	tp->rcvq_space.space = ABT_PARKED_SPACE;
}

/**
 * abt_resumed_space() - where the kernel's tuning goes on from
 * @sk: socket, its spin lock held
 * @c: its record
 *
 * From what is copied in a round trip. From the window of the handshake, it would take the
 * first round trip for growth by a large factor; and from what a path shorter than an epoch
 * holds in an epoch, for none at all.
 *
 * Return: rcvq_space.space [payload bytes].
 */
u32 abt_resumed_space(const struct sock *sk, const struct abt_conn *c)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	u32 base_us = max(c->receiver.base.us, 1U);
	u32 rtt_us = min(tp->rcv_rtt_est.rtt_us >> ABT_RTT_SHIFT, base_us);
	u64 copied = (u64)c->receiver.path_bytes * rtt_us;

	return max_t(u32, TCP_INIT_CWND * tp->advmss, div_u64(copied, base_us));
}

/**
 * abt_resume_drs() - let the kernel's tuning go on
 * @sk: socket, locked
 * @c: its record
 */
void abt_resume_drs(struct sock *sk, struct abt_conn *c)
{
	if (c->parks) {
		abt_park_drs(sk);
		tcp_sk(sk)->rcvq_space.space = abt_resumed_space(sk, c);
	}
	c->parks = false;
}
