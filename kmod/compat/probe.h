/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The segment that tcp_probe passes is const in newer kernels. The kernel's own
 * declaration tells which it is.
 */
#ifndef ABT_COMPAT_PROBE_H
#define ABT_COMPAT_PROBE_H

#include <trace/events/tcp.h>

typedef typeof(*_Generic(&__traceiter_tcp_probe,
			 int (*)(void *, struct sock *, struct sk_buff *) :
				(struct sk_buff *)NULL,
			 int (*)(void *, struct sock *, const struct sk_buff *) :
				(const struct sk_buff *)NULL)) abt_probe_skb;

#endif /* ABT_COMPAT_PROBE_H */
