/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ABT_CONN_BOUND_H
#define ABT_CONN_BOUND_H

#include <net/mptcp.h>
#include <net/sock.h>

struct abt_net;

void abt_lower_lowat(struct sock *sk, struct abt_net *an);
void abt_lower_subflow(struct sock *sk, struct abt_net *an);

/* SO_RCVLOWAT of a socket that asked for none [bytes]. */
#define ABT_LOWAT_NONE		1

/**
 * abt_bound_lowat() - SO_RCVLOWAT, no more than a stock kernel would have it
 * @sk: socket, locked
 * @an: its namespace
 */
static inline void abt_bound_lowat(struct sock *sk, struct abt_net *an)
{
	if (unlikely(READ_ONCE(sk->sk_rcvlowat) > ABT_LOWAT_NONE))
		abt_lower_lowat(sk, an);
}

/**
 * abt_bound_subflow() - a subflow of MPTCP, no larger than on a stock kernel
 * @sk: socket, locked
 * @an: its namespace
 *
 * Return: false if it is no subflow.
 */
static inline bool abt_bound_subflow(struct sock *sk, struct abt_net *an)
{
	if (likely(!sk_is_mptcp(sk)))
		return false;
	abt_lower_subflow(sk, an);
	return true;
}

#endif /* ABT_CONN_BOUND_H */
