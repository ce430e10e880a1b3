/* SPDX-License-Identifier: GPL-2.0 */
/* The memory that tcp_mem counts, and sockets that bypass it: since 6.19, by a kernel macro. */
#ifndef ABT_COMPAT_MEMORY_H
#define ABT_COMPAT_MEMORY_H

#include <linux/version.h>
#include <net/sock.h>

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 10, 0)	/* before, in net/sock.h */
#include <net/proto_memory.h>
#endif

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

#endif /* ABT_COMPAT_MEMORY_H */
