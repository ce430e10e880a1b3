/* SPDX-License-Identifier: GPL-2.0 */
/* Sockets that bypass tcp_mem: since 6.19; the kernel's own name is a macro. */
#ifndef ABT_COMPAT_BYPASS_H
#define ABT_COMPAT_BYPASS_H

#include <net/sock.h>

/**
 * abt_bypasses_mem() - is a socket's memory not counted in tcp_mem?
 * @sk: socket
 *
 * Return: true when only its memory cgroup is charged for it.
 */
static inline bool abt_bypasses_mem(const struct sock *sk)
{
#ifdef sk_bypass_prot_mem
	return sk->sk_bypass_prot_mem;
#else
	return false;
#endif
}

#endif /* ABT_COMPAT_BYPASS_H */
