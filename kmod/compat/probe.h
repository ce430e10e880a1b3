/* SPDX-License-Identifier: GPL-2.0 */
/* How tracepoints call the module's probes, which differs between kernels. */
#ifndef ABT_COMPAT_PROBE_H
#define ABT_COMPAT_PROBE_H

#include <linux/rcupdate.h>
#include <trace/events/tcp.h>

/*
 * The segment that tcp_probe passes is const in newer kernels. The kernel's own
 * declaration tells which it is.
 */
typedef typeof(*_Generic(&__traceiter_tcp_probe,
			 int (*)(void *, struct sock *, struct sk_buff *) :
				(struct sk_buff *)NULL,
			 int (*)(void *, struct sock *, const struct sk_buff *) :
				(const struct sk_buff *)NULL)) abt_probe_skb;

/*
 * Up to 6.19 tracepoints keep preemption off around their probes, which is an RCU-sched
 * read side; later ones are in SRCU. The release may not tell, because either way can be
 * ported to another: Kbuild looks at what the kernel's own header does. Ours is plain RCU
 * there, which lets a kernel with PREEMPT_RT sleep on the locks in it.
 */
#ifdef ABT_HAS_SRCU_PROBES
#define ABT_PROBES_PREEMPTIBLE	true
#else
#define ABT_PROBES_PREEMPTIBLE	false
#endif

static inline void abt_probe_enter(void)
{
	if (ABT_PROBES_PREEMPTIBLE)
		rcu_read_lock();
}

static inline void abt_probe_leave(void)
{
	if (ABT_PROBES_PREEMPTIBLE)
		rcu_read_unlock();
}

#endif /* ABT_COMPAT_PROBE_H */
