/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ABT_CONN_ACTIVITY_H
#define ABT_CONN_ACTIVITY_H

#include <linux/types.h>
#include <net/tcp.h>

#include "pool/pool.h"

struct abt_conn;
struct abt_half;

/**
 * abt_recovers() - is a sender in loss recovery?
 * @sk: socket, locked
 *
 * Return: true until all that was sent when the loss was noticed is acknowledged.
 */
static inline bool abt_recovers(const struct sock *sk)
{
	return inet_csk(sk)->icsk_ca_state >= TCP_CA_Recovery;
}

/**
 * abt_rcv_has_hole() - do segments wait for one that is missing?
 * @tp: socket, locked
 *
 * Return: true when they do.
 */
static inline bool abt_rcv_has_hole(const struct tcp_sock *tp)
{
	return tp->out_of_order_queue.rb_node;
}

u32 abt_idle_after_in_need(const struct sock *sk);
bool abt_idle(const struct sock *sk, enum abt_dir dir);
bool abt_half_idle(const struct sock *sk, const struct abt_half *half,
		   enum abt_dir dir);
bool abt_stalls(const struct sock *sk);
bool abt_starves(const struct sock *sk);
bool abt_sender_paused(const struct sock *sk, const struct abt_conn *c);
bool abt_reader_leaves(const struct sock *sk);
bool abt_rcv_is_consumed(const struct sock *sk);
bool abt_reader_rests(const struct sock *sk, const struct abt_conn *c);
u32 abt_waits_limit(const struct sock *sk, const struct abt_conn *c, u32 asks);
u32 abt_reader_waits(const struct sock *sk, const struct abt_conn *c);
u32 abt_came_meanwhile(const struct sock *sk, const struct abt_conn *c);

#endif /* ABT_CONN_ACTIVITY_H */
