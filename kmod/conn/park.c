// SPDX-License-Identifier: GPL-2.0
/* The kernel's own receive tuning (DRS): held still, and let go on. */
#include <net/tcp.h>

#include "conn/conn.h"
#include "conn/park.h"

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
