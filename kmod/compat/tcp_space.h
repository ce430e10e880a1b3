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

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 6, 0)
/* Inverse of tcp_win_from_space(), rounded up. */
static inline int tcp_space_from_win(const struct sock *sk, int win)
{
	int scale = READ_ONCE(sock_net(sk)->ipv4.sysctl_tcp_adv_win_scale);
	u64 space;

	if (scale <= 0)
		space = (u64)win << -scale;
	else	/* win = space - space / 2^scale */
		space = win + div_u64((u64)win + (1 << scale) - 2,
				      (1 << scale) - 1);
	return (int)min_t(u64, space, INT_MAX);
}
#endif

#endif /* ABT_COMPAT_TCP_SPACE_H */
