// SPDX-License-Identifier: GPL-2.0
/* A socket's buffers: how they are read and written, and if the application sized them. */
#include <net/tcp.h>

#include "conn/buffer.h"
#include "conn/conn.h"
#include "state/ceiling.h"
#include "state/net.h"

/* Largest window without and per unit of window scale (RFC 7323). */
#define ABT_WINDOW_MAX		65535U

static const u8 abt_lock_bit[ABT_DIRS] = {
	[ABT_SND] = SOCK_SNDBUF_LOCK,
	[ABT_RCV] = SOCK_RCVBUF_LOCK,
};

/**
 * abt_buffer() - a socket's buffer
 * @sk: socket
 * @dir: direction
 *
 * Return: sk_sndbuf or sk_rcvbuf [bytes of truesize].
 */
u32 abt_buffer(const struct sock *sk, enum abt_dir dir)
{
	return dir == ABT_SND ? READ_ONCE(sk->sk_sndbuf) :
				READ_ONCE(sk->sk_rcvbuf);
}

/**
 * abt_set_buffer() - write a socket's buffer
 * @sk: socket, locked
 * @dir: direction
 * @bytes: sk_sndbuf or sk_rcvbuf [bytes of truesize]
 */
void abt_set_buffer(struct sock *sk, enum abt_dir dir, u32 bytes)
{
	if (dir == ABT_SND)
		WRITE_ONCE(sk->sk_sndbuf, bytes);
	else
		WRITE_ONCE(sk->sk_rcvbuf, bytes);
}

/**
 * abt_set_applied() - note the size that the module wrote to a buffer
 * @c: record; its socket is locked, or has its last reference
 * @dir: direction
 * @bytes: the size [bytes of truesize]; 0: none, the kernel or the application sizes it
 */
void abt_set_applied(struct abt_conn *c, enum abt_dir dir, u32 bytes)
{
	struct abt_half *half = &c->half[dir];

	if (dir == ABT_RCV && bytes != half->applied)
		atomic64_add((s64)bytes - half->applied, &c->an->receives);
	half->applied = bytes;
}

/**
 * abt_set_lock() - lock a buffer against the kernel's own tuning, or unlock it
 * @sk: socket, locked
 * @half: direction
 * @dir: the same
 * @held: set the lock bit; false: clear it
 */
void abt_set_lock(struct sock *sk, struct abt_half *half,
		  enum abt_dir dir, bool held)
{
	if (held)
		sk->sk_userlocks |= abt_lock_bit[dir];
	else
		sk->sk_userlocks &= ~abt_lock_bit[dir];
	half->held = held;
}

/**
 * abt_clamp_max() - the largest window that a connection can offer
 * @tp: socket
 *
 * Return: bytes of payload.
 */
u32 abt_clamp_max(const struct tcp_sock *tp)
{
	return ABT_WINDOW_MAX << tp->rx_opt.rcv_wscale;
}

/**
 * abt_kernel_clamp() - the clamp that the kernel goes with for its buffer
 * @sk: socket
 *
 * Return: bytes of payload.
 */
u32 abt_kernel_clamp(const struct sock *sk)
{
	return tcp_win_from_space(sk, READ_ONCE(sk->sk_rcvbuf));
}

/**
 * abt_ceiling_window() - the window that the administrator's own ceiling stands for
 * @sk: socket
 * @an: its namespace
 *
 * Return: bytes of payload.
 */
u32 abt_ceiling_window(const struct sock *sk, struct abt_net *an)
{
	return tcp_win_from_space(sk, abt_ceiling_limit(an, ABT_RCV));
}

/**
 * abt_clamp_is_low() - did the application set TCP_WINDOW_CLAMP before we wrote the clamp?
 * @sk: socket, locked
 * @an: its namespace
 *
 * One well below the kernel's own (which keeps some back: tcp_app_win, a segment; and
 * does not offer more than the administrator's limit allows, should we have handed
 * a larger buffer back to it). Seen with the first segment, or not at all: the kernel
 * sets another one as soon as it knows what a byte costs.
 *
 * Return: true when it did.
 */
bool abt_clamp_is_low(const struct sock *sk, struct abt_net *an)
{
	int app_win = READ_ONCE(sock_net(sk)->ipv4.sysctl_tcp_app_win);
	const struct tcp_sock *tp = tcp_sk(sk);
	u32 kernel = min(abt_kernel_clamp(sk), abt_ceiling_window(sk, an));

	if (app_win)
		kernel -= kernel >> min(app_win, 31);
	return (u64)READ_ONCE(tp->window_clamp) + 2 * tp->advmss <
	       min(kernel, abt_clamp_max(tp));
}

/**
 * abt_foreign_clamp() - did the application ever set TCP_WINDOW_CLAMP?
 * @sk: socket, locked
 * @c: its record
 *
 * Once the module wrote the clamp, a foreign one is neither the module's nor the kernel's.
 * The kernel's is what a buffer stands for, or in tcp_set_rcvlowat() one byte more, because
 * the buffer is rounded.
 *
 * Return: true when it did.
 */
bool abt_foreign_clamp(const struct sock *sk, const struct abt_conn *c)
{
	u32 clamp = READ_ONCE(tcp_sk(sk)->window_clamp);

	if (!c->clamp)
		return abt_clamp_is_low(sk, c->an);
	return clamp != c->clamp && clamp - abt_kernel_clamp(sk) > 1;
}

/**
 * abt_foreign_buffer() - did the application set the size of a buffer?
 * @sk: socket, locked
 * @half: direction
 * @dir: the same
 *
 * The application locks a buffer that is not locked, or rewrites one that is.
 *
 * Return: true when it did.
 */
bool abt_foreign_buffer(const struct sock *sk, const struct abt_half *half,
			enum abt_dir dir)
{
	bool locked = sk->sk_userlocks & abt_lock_bit[dir];

	return locked != half->held ||
	       (half->held && abt_buffer(sk, dir) != half->applied);
}

/**
 * abt_apply_foreign() - did the application set this buffer?
 * @sk: socket, locked
 * @c: its record
 * @dir: direction
 *
 * Return: true when the application did, by setsockopt(), before or after the record
 *	was made.
 */
bool abt_apply_foreign(const struct sock *sk, const struct abt_conn *c,
		       enum abt_dir dir)
{
	return abt_foreign_buffer(sk, &c->half[dir], dir) ||
	       (dir == ABT_RCV && abt_foreign_clamp(sk, c));
}

/**
 * abt_snd_least() - the least send buffer
 * @sk: socket, locked
 *
 * tcp_fragment() refuses to split a segment once half of what is queued is more than the
 * buffer and two packets of segmentation offload. Those two are left for the segments that
 * one ACK splits, because each split adds to what is queued.
 *
 * Return: bytes of truesize.
 */
u32 abt_snd_least(const struct sock *sk)
{
	return DIV_ROUND_UP(abt_used(sk, ABT_SND), 2);
}

/**
 * abt_rcv_most() - the largest receive buffer that a connection asked for
 * @c: its record
 *
 * The stock kernel never cuts a receive buffer, so it would have about that.
 *
 * Return: bytes of truesize, at most the administrator's limit; 1: none is known.
 */
u32 abt_rcv_most(const struct abt_conn *c)
{
	return min(abt_half_most(&c->half[ABT_RCV]), abt_ceiling_limit(c->an, ABT_RCV));
}
