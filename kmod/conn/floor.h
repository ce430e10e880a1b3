/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ABT_CONN_FLOOR_H
#define ABT_CONN_FLOOR_H

#include <linux/types.h>
#include <net/netns/ipv4.h>
#include <net/sock.h>

struct abt_conn;

/*
 * Every connection keeps three segments' worth each way, because it needs as much to restart
 * after a timeout (TBT-PLR, section on the floor).
 */
#define ABT_FLOOR_SEGS	3

/**
 * abt_snd_start() - the send buffer that the kernel starts a connection with
 * @sk: socket
 *
 * Return: tcp_wmem[1] [bytes of truesize].
 */
static inline u32 abt_snd_start(const struct sock *sk)
{
	return READ_ONCE(sock_net(sk)->ipv4.sysctl_tcp_wmem[1]);
}

u32 abt_floor_snd(const struct sock *sk, const struct abt_conn *c);
u32 abt_floor_rcv(const struct sock *sk, const struct abt_conn *c);

#endif /* ABT_CONN_FLOOR_H */
