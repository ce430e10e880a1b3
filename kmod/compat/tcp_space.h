/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Window <-> space. 6.1 divides by the sysctl tcp_adv_win_scale and has no
 * inverse; since 6.6 there is a measured ratio per socket and
 * tcp_space_from_win().
 */
#ifndef ABT_COMPAT_TCP_SPACE_H
#define ABT_COMPAT_TCP_SPACE_H

#include <linux/version.h>
#include <net/tcp.h>

#include "model/fixed.h"

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 6, 0)

/*
 * A byte of window is reckoned at 2^3 = 8 of buffer at most, as a byte of the receive queue is.
 * The sysctl goes to 2^31, the root of any namespace may write it there, and a larger buffer
 * would be at the expense of other connections.
 */
#define ABT_ADV_WIN_SCALE_MIN	(-3)

static inline int abt_adv_win_scale(const struct sock *sk)
{
	return max(READ_ONCE(sock_net(sk)->ipv4.sysctl_tcp_adv_win_scale),
		   ABT_ADV_WIN_SCALE_MIN);
}

/* tcp_win_from_space() but for that bound. */
static inline u32 abt_win_from_space(const struct sock *sk, u32 space)
{
	int scale = abt_adv_win_scale(sk);

	return scale <= 0 ? space >> -scale : space - (space >> scale);
}

/* Its inverse, rounded up. */
static inline int tcp_space_from_win(const struct sock *sk, int win)
{
	int scale = abt_adv_win_scale(sk);
	u64 space;

	if (scale <= 0)
		space = (u64)win << -scale;
	else	/* win = space - space / 2^scale */
		space = win + div_u64((u64)win + (1U << scale) - 2,
				      (1U << scale) - 1);
	return (int)min_t(u64, space, INT_MAX);
}

#else

static inline u32 abt_win_from_space(const struct sock *sk, u32 space)
{
	return tcp_win_from_space(sk, space);
}

#endif

/**
 * abt_space() - buffer for a window
 * @sk: socket
 * @window_bytes: window [payload bytes]
 *
 * tcp_space_from_win() counts in int, which a large window overflows where a segment
 * costs many times its payload.
 *
 * Return: bytes of truesize, at most ABT_BYTES_MAX.
 */
static inline u32 abt_space(const struct sock *sk, u32 window_bytes)
{
	if (window_bytes >= abt_win_from_space(sk, ABT_BYTES_MAX))
		return ABT_BYTES_MAX;
	return tcp_space_from_win(sk, window_bytes);
}

#endif /* ABT_COMPAT_TCP_SPACE_H */
