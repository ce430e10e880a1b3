/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tracepoints of our own: every change of a buffer, with its reason, and every change of path.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM tcp_abt

#if !defined(ABT_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define ABT_TRACE_H

#include <linux/tracepoint.h>
#include <net/tcp.h>
#include <uapi/linux/tcp_abt.h>

#include "pool/pool.h"
#include "trace/address.h"
#include "trace/words_gen.h"

struct abt_half;

#define abt_show_dir(dir)	\
	__print_symbolic(dir, { ABT_SND, "send" }, { ABT_RCV, "recv" })

DECLARE_EVENT_CLASS(tcp_abt_change,

	TP_PROTO(const struct sock *sk, enum abt_dir dir,
		 const struct abt_half *half, u32 old),

	TP_ARGS(sk, dir, half, old),

	TP_STRUCT__entry(
		__field(const void *, skaddr)
		__array(__u8, local, sizeof(struct sockaddr_in6))
		__array(__u8, remote, sizeof(struct sockaddr_in6))
		__field(u8, dir)
		__field(u8, reason)
		__field(u32, demand)
		__field(u32, grant)
		__field(u32, applied)
		__field(u32, old)
	),

	TP_fast_assign(
		__entry->skaddr = sk;
		abt_addresses(sk, (struct sockaddr_in6 *)__entry->local,
			      (struct sockaddr_in6 *)__entry->remote);
		__entry->dir = dir;
		__entry->reason = half->reason;
		__entry->demand = half->demand;
		__entry->grant = abt_half_target(half);
		__entry->applied = half->applied;
		__entry->old = old;
	),

	TP_printk("local=%pISpc remote=%pISpc dir=%s demand=%u grant=%u applied=%u old=%u reason=%s",
		  __entry->local, __entry->remote, abt_show_dir(__entry->dir),
		  __entry->demand, __entry->grant, __entry->applied,
		  __entry->old, tcp_abt_reason_symbols(__entry->reason))
);

/* A buffer grew. */
DEFINE_EVENT(tcp_abt_change, tcp_abt_grant,

	TP_PROTO(const struct sock *sk, enum abt_dir dir,
		 const struct abt_half *half, u32 old),

	TP_ARGS(sk, dir, half, old)
);

/* A buffer shrank. */
DEFINE_EVENT(tcp_abt_change, tcp_abt_shrink,

	TP_PROTO(const struct sock *sk, enum abt_dir dir,
		 const struct abt_half *half, u32 old),

	TP_ARGS(sk, dir, half, old)
);

/* A connection's peer was put on the path of others, or taken from it. */
TRACE_EVENT(tcp_abt_path,

	TP_PROTO(const struct sock *sk, u32 path, u32 peers),

	TP_ARGS(sk, path, peers),

	TP_STRUCT__entry(
		__field(const void *, skaddr)
		__array(__u8, local, sizeof(struct sockaddr_in6))
		__array(__u8, remote, sizeof(struct sockaddr_in6))
		__field(u32, path)
		__field(u32, peers)
	),

	TP_fast_assign(
		__entry->skaddr = sk;
		abt_addresses(sk, (struct sockaddr_in6 *)__entry->local,
			      (struct sockaddr_in6 *)__entry->remote);
		__entry->path = path;
		__entry->peers = peers;
	),

	TP_printk("local=%pISpc remote=%pISpc path=%u peers=%u",
		  __entry->local, __entry->remote, __entry->path, __entry->peers)
);

#endif /* ABT_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH trace
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE abt_trace
#include <trace/define_trace.h>
