// SPDX-License-Identifier: GPL-2.0
/*
 * The ceilings tcp_rmem[2] and tcp_wmem[2] are raised for buffers that the module sizes. Here
 * the kernel's other uses of them are kept within the administrator's limits.
 */
#include <net/tcp.h>

#include "conn/bound.h"
#include "conn/buffer.h"
#include "state/ceiling.h"
#include "state/net.h"

/* tcp_set_rcvlowat() allows half of the ceiling. */
#define ABT_LOWAT_SHIFT		1

/* Is a ceiling higher than the administrator's limit, because of the module? */
static bool abt_raised(const struct sock *sk, struct abt_net *an, enum abt_dir dir)
{
	const struct netns_ipv4 *ipv4 = &sock_net(sk)->ipv4;
	const int *knob = dir == ABT_SND ? ipv4->sysctl_tcp_wmem :
					   ipv4->sysctl_tcp_rmem;

	return abt_ceiling_limit(an, dir) < (u32)READ_ONCE(knob[2]);
}

/**
 * abt_lower_lowat() - SO_RCVLOWAT, no more than a stock kernel would have it
 * @sk: socket, locked
 * @an: its namespace
 *
 * The kernel makes a buffer that holds twice of it, and the reader is woken no earlier. With the
 * raised ceiling a single socket could have all of a pool.
 */
void abt_lower_lowat(struct sock *sk, struct abt_net *an)
{
	u32 most = abt_ceiling_limit(an, ABT_RCV) >> ABT_LOWAT_SHIFT;

	if ((u32)READ_ONCE(sk->sk_rcvlowat) > most &&
	    !(sk->sk_userlocks & SOCK_RCVBUF_LOCK) && abt_raised(sk, an, ABT_RCV))
		WRITE_ONCE(sk->sk_rcvlowat, (int)most);
}

/* A subflow offers no more than the administrator's limit stands for. */
static void abt_bound_subflow_rcv(struct sock *sk, struct abt_net *an)
{
	u32 most = abt_ceiling_window(sk, an);
	struct tcp_sock *tp = tcp_sk(sk);

	if (sk->sk_userlocks & SOCK_RCVBUF_LOCK)
		return;
	if (READ_ONCE(tp->window_clamp) > most)
		WRITE_ONCE(tp->window_clamp, most);
	tp->rcv_ssthresh = min(tp->rcv_ssthresh, most);
}

static void abt_bound_subflow_snd(struct sock *sk, struct abt_net *an)
{
	u32 most = abt_ceiling_limit(an, ABT_SND);

	if (abt_buffer(sk, ABT_SND) > most && !(sk->sk_userlocks & SOCK_SNDBUF_LOCK))
		WRITE_ONCE(sk->sk_sndbuf, (int)max(most, abt_snd_least(sk)));
}

/**
 * abt_lower_subflow() - a subflow of MPTCP, no larger than on a stock kernel
 * @sk: socket, locked
 * @an: its namespace
 *
 * The module sizes no MPTCP connection. The kernel tunes it by the raised ceilings, and nothing of
 * it is in a pool. Each subflow's window and buffer bound the connection in part: its own
 * socket cannot be written from here.
 */
void abt_lower_subflow(struct sock *sk, struct abt_net *an)
{
	if (abt_raised(sk, an, ABT_RCV))
		abt_bound_subflow_rcv(sk, an);
	if (abt_raised(sk, an, ABT_SND))
		abt_bound_subflow_snd(sk, an);
}
