/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ABT_CONN_BUFFER_H
#define ABT_CONN_BUFFER_H

#include <linux/types.h>
#include <net/sock.h>
#include <net/tcp_states.h>

#include "pool/pool.h"

struct abt_conn;
struct abt_half;
struct abt_net;
struct tcp_sock;

/*
 * Growth by less than 1/16 waits: a size that changes at every epoch is work for
 * nothing (what the papers hold against ATBT). But not that of a share: the pool
 * tells of those only when they moved.
 */
#define ABT_APPLY_SHIFT		4

/* The states in which a peer sends data. */
#define ABT_RECEIVING	(TCPF_ESTABLISHED | TCPF_FIN_WAIT1 | TCPF_FIN_WAIT2)

/**
 * abt_is_receiving() - may data arrive?
 * @sk: socket, locked
 *
 * Return: true until the peer's FIN has come.
 */
static inline bool abt_is_receiving(const struct sock *sk)
{
	return (1 << sk->sk_state) & ABT_RECEIVING;
}

/**
 * abt_odd() - the nearest size that the module writes
 * @bytes: size [bytes of truesize]
 *
 * Sizes that the module writes are odd, and sizes that setsockopt() writes are even, so a
 * locked buffer tells its owner.
 *
 * Return: an odd size, at most @bytes.
 */
static inline u32 abt_odd(u32 bytes)
{
	return (bytes - 1) | 1;
}

/**
 * abt_above() - is a buffer noticeably above its target?
 * @buffer: buffer [bytes of truesize]
 * @target: target [bytes of truesize]
 *
 * Return: true when it is, by more than 1/16.
 */
static inline bool abt_above(u32 buffer, u32 target)
{
	return buffer > target + (target >> ABT_APPLY_SHIFT);
}

/**
 * abt_used() - what is in a socket's buffer
 * @sk: socket
 * @dir: direction
 *
 * Return: bytes of truesize.
 */
static inline u32 abt_used(const struct sock *sk, enum abt_dir dir)
{
	int used = dir == ABT_SND ? READ_ONCE(sk->sk_wmem_queued) :
				    atomic_read(&sk->sk_rmem_alloc);

	return max(used, 0);
}

/**
 * abt_buffer_start() - the buffer that the kernel starts a connection with
 * @sk: socket
 * @dir: direction
 *
 * Return: tcp_wmem[1] or tcp_rmem[1] [bytes of truesize].
 */
static inline u32 abt_buffer_start(const struct sock *sk, enum abt_dir dir)
{
	const struct netns_ipv4 *ipv4 = &sock_net(sk)->ipv4;

	return dir == ABT_SND ? READ_ONCE(ipv4->sysctl_tcp_wmem[1]) :
				READ_ONCE(ipv4->sysctl_tcp_rmem[1]);
}

u32 abt_buffer(const struct sock *sk, enum abt_dir dir);
void abt_set_buffer(struct sock *sk, enum abt_dir dir, u32 bytes);
void abt_set_applied(struct abt_conn *c, enum abt_dir dir, u32 bytes);
void abt_set_lock(struct sock *sk, struct abt_half *half, enum abt_dir dir,
		  bool held);
u32 abt_snd_least(const struct sock *sk);
u32 abt_rcv_most(const struct abt_conn *c);
u32 abt_clamp_max(const struct tcp_sock *tp);
u32 abt_kernel_clamp(const struct sock *sk);
u32 abt_ceiling_window(const struct sock *sk, struct abt_net *an);
bool abt_clamp_is_low(const struct sock *sk, struct abt_net *an);
bool abt_foreign_clamp(const struct sock *sk, const struct abt_conn *c);
bool abt_foreign_buffer(const struct sock *sk, const struct abt_half *half,
			enum abt_dir dir);
bool abt_apply_foreign(const struct sock *sk, const struct abt_conn *c,
		       enum abt_dir dir);

#endif /* ABT_CONN_BUFFER_H */
