/* SPDX-License-Identifier: GPL-2.0 */
/* The memory that tcp_mem counts, and sockets that bypass it: since 6.19, by a kernel macro. */
#ifndef ABT_COMPAT_MEMORY_H
#define ABT_COMPAT_MEMORY_H

#include <linux/version.h>
#include <net/tcp.h>

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

/**
 * abt_memory_used() - memory in use by TCP, as tcp_mem counts it
 *
 * Each processor adds its part in steps of 1 MB, so the rest is added here.
 *
 * Context: any.
 * Return: bytes.
 */
static inline u64 abt_memory_used(void)
{
	long pages = proto_memory_allocated(&tcp_prot);
	int cpu;

	for_each_possible_cpu(cpu)
		pages += *per_cpu_ptr(tcp_prot.per_cpu_fw_alloc, cpu);
	return (u64)max(pages, 0L) << PAGE_SHIFT;
}

#endif /* ABT_COMPAT_MEMORY_H */
