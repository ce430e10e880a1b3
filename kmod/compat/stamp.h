/* SPDX-License-Identifier: GPL-2.0 */
/* The clock of TCP's timestamps: milliseconds, and since 6.7 microseconds where a route asks. */
#ifndef ABT_COMPAT_STAMP_H
#define ABT_COMPAT_STAMP_H

#include <linux/tcp.h>
#include <net/tcp.h>

/* A timestamp is so much older at most than it says [us]. */
#define ABT_STAMP_GRAIN_US	1000

static inline bool abt_stamps_are_us(const struct tcp_sock *tp)
{
#ifdef ABT_HAS_USEC_STAMPS
	return tp->tcp_usec_ts;
#else
	return false;
#endif
}

/* Does the peer echo timestamps? */
static inline bool abt_echoes(const struct tcp_sock *tp)
{
	return tp->rx_opt.saw_tstamp && tp->rx_opt.rcv_tsecr;
}

/**
 * abt_echo_age_us() - how long ago the ACK was sent that the last segment echoes
 * @tp: socket, locked, with timestamps (RFC 7323)
 *
 * Return: us, by tcp_mstamp.
 */
static inline u32 abt_echo_age_us(const struct tcp_sock *tp)
{
	u32 now_ms;

	if (abt_stamps_are_us(tp))
		return (u32)tp->tcp_mstamp - tp->rx_opt.rcv_tsecr;
	now_ms = (u32)div_u64(tp->tcp_mstamp, USEC_PER_MSEC);
	return min_t(u64, (u64)(now_ms - tp->rx_opt.rcv_tsecr) * USEC_PER_MSEC, U32_MAX);
}

#endif /* ABT_COMPAT_STAMP_H */
