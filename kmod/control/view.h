/* SPDX-License-Identifier: GPL-2.0 */
/* A connection as /proc and netlink show it. */
#ifndef ABT_CONTROL_VIEW_H
#define ABT_CONTROL_VIEW_H

#include <linux/in6.h>

#include "conn/conn.h"

/**
 * struct abt_buffer_view - one direction
 * @policy: enum tcp_abt_policy
 * @reason: enum tcp_abt_reason
 * @demand: buffer that it asks for [bytes of truesize]
 * @grant: part of it that its pools let it have [bytes of truesize]
 * @charged: bytes that its pools are charged with [bytes of truesize]
 * @applied: sk_sndbuf or sk_rcvbuf [bytes of truesize]
 * @used: bytes in the buffer [bytes of truesize]
 * @idle: no data went this way for a while
 * @drains: @applied is above @grant until what is promised has drained
 */
struct abt_buffer_view {
	u32 policy;
	u32 reason;
	u32 demand;
	u32 grant;
	u32 charged;
	u32 applied;
	u32 used;
	bool idle;
	bool drains;
};

/**
 * struct abt_view - a connection
 * @local: a struct sockaddr_in for IPv4
 * @remote: the same
 * @ifindex: device that it sends by, 0: no route
 * @cwnd: segments
 * @mss: bytes
 * @srtt_us: of the sender, 0: unknown
 * @min_rtt_us: base that the receiver reckons with, 0: unknown
 * @rcv_rtt_us: of the receiver, 0: unknown
 * @alpha: share of segments in order [1/1000]
 * @half: both directions
 */
struct abt_view {
	struct sockaddr_in6 local;
	struct sockaddr_in6 remote;
	u32 ifindex;
	u32 cwnd;
	u32 mss;
	u32 srtt_us;
	u32 min_rtt_us;
	u32 rcv_rtt_us;
	u32 alpha;
	struct abt_buffer_view half[ABT_DIRS];
};

/* Shares and slopes are told in these, for people [1]. */
#define ABT_VIEW_PER_MILLE	1000

/**
 * abt_view_q16() - a Q16 number, for people
 * @q16: number
 *
 * Return: the same in 1/1000.
 */
static inline u32 abt_view_q16(u32 q16)
{
	return ((u64)q16 * ABT_VIEW_PER_MILLE) >> 16;
}

void abt_view_conn(const struct sock *sk, const struct abt_conn *c,
		   struct abt_view *view);

#endif /* ABT_CONTROL_VIEW_H */
