// SPDX-License-Identifier: GPL-2.0
/* The floor: the buffer that a connection gets however short memory is. */
#include <net/tcp.h>

#include "compat/tcp_space.h"
#include "conn/buffer.h"
#include "conn/conn.h"
#include "conn/floor.h"
#include "conn/sample.h"

/*
 * Room for a granule of the window scale: the largest, 16 KB, at four times its
 * payload. The peer chooses how much its segments cost, and tiny ones would make a floor 200
 * times as large, at the expense of other connections [bytes of truesize].
 */
#define ABT_FLOOR_GRANULE_BYTES	(64U << 10)

/* The most that timestamps keep: tcp_rmem[1] of most hosts [bytes of truesize]. */
#define ABT_FLOOR_STAMPS_BYTES	(128U << 10)

/**
 * abt_floor_snd() - the least send buffer
 * @sk: socket, locked
 * @c: its record
 *
 * An idle connection keeps the buffer that the kernel starts one with, for its next burst.
 *
 * Return: bytes of truesize.
 */
u32 abt_floor_snd(const struct sock *sk, const struct abt_conn *c)
{
	u32 start = c->half[ABT_SND].idle ? abt_buffer_start(sk, ABT_SND) : 0;

	return max3(ABT_FLOOR_SEGS * abt_worst_segment(tcp_sk(sk)), start,
		    (u32)SOCK_MIN_SNDBUF);
}

/*
 * Timestamps of sent data wait in the error queue, which sock_queue_err_skb() takes from the
 * receive buffer. An application that asks for them keeps the buffer that the kernel starts
 * a connection with.
 */
static u32 abt_floor_stamps(const struct sock *sk)
{
	u32 start = abt_buffer_start(sk, ABT_RCV);

	return READ_ONCE(sk->sk_tsflags) ? min(start, ABT_FLOOR_STAMPS_BYTES) : 0;
}

/**
 * abt_floor_rcv() - the least receive buffer
 * @sk: socket, locked
 * @c: its record
 *
 * Three segments as they arrive, each in a buffer of its own; of a new or idle
 * connection, the window that its peer starts with. And room for one granule of the
 * window scale: less could not be advertised.
 *
 * Return: bytes of truesize.
 */
u32 abt_floor_rcv(const struct sock *sk, const struct abt_conn *c)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	bool starts = c->half[ABT_RCV].idle || !c->receiver.epochs;
	u32 segs = starts ? TCP_INIT_CWND : ABT_FLOOR_SEGS;
	u32 granule = min(abt_space(sk, 1U << tp->rx_opt.rcv_wscale),
			  ABT_FLOOR_GRANULE_BYTES);

	return max3(max(segs * abt_rcv_segment(tp), granule), abt_floor_stamps(sk),
		    (u32)SOCK_MIN_RCVBUF);
}
