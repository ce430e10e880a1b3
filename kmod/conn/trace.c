// SPDX-License-Identifier: GPL-2.0
/* The one place that our tracepoints are made in, and how they show addresses. */
#include <net/inet_sock.h>
#include <net/ipv6.h>

#include "conn/conn.h"
#include "trace/address.h"

#define CREATE_TRACE_POINTS
#include "trace/abt_trace.h"

static void abt_address_v4(struct sockaddr_in6 *address, __be32 ip, __be16 port)
{
	struct sockaddr_in *in = (struct sockaddr_in *)address;

	in->sin_family = AF_INET;
	in->sin_addr.s_addr = ip;
	in->sin_port = port;
}

/**
 * abt_addresses() - both ends of a socket
 * @sk: socket; need not be locked
 * @local: its own end; a struct sockaddr_in for IPv4, also where the socket is
 *	IPv6 and the address mapped
 * @remote: the other
 *
 * Print with %pISpc.
 */
void abt_addresses(const struct sock *sk, struct sockaddr_in6 *local,
		   struct sockaddr_in6 *remote)
{
	const struct inet_sock *inet = inet_sk(sk);

	memset(local, 0, sizeof(*local));
	memset(remote, 0, sizeof(*remote));
#if IS_ENABLED(CONFIG_IPV6)
	if (sk->sk_family == AF_INET6 && !ipv6_addr_v4mapped(&sk->sk_v6_daddr)) {
		local->sin6_family = AF_INET6;
		local->sin6_addr = sk->sk_v6_rcv_saddr;
		local->sin6_port = inet->inet_sport;
		remote->sin6_family = AF_INET6;
		remote->sin6_addr = sk->sk_v6_daddr;
		remote->sin6_port = inet->inet_dport;
		return;
	}
#endif
	abt_address_v4(local, inet->inet_rcv_saddr, inet->inet_sport);
	abt_address_v4(remote, inet->inet_daddr, inet->inet_dport);
}
