/* SPDX-License-Identifier: GPL-2.0 */
/* Both ends of a socket, for people. */
#ifndef ABT_TRACE_ADDRESS_H
#define ABT_TRACE_ADDRESS_H

#include <linux/in6.h>

struct sock;

void abt_addresses(const struct sock *sk, struct sockaddr_in6 *local,
		   struct sockaddr_in6 *remote);

#endif /* ABT_TRACE_ADDRESS_H */
