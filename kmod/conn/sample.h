/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ABT_CONN_SAMPLE_H
#define ABT_CONN_SAMPLE_H

#include <linux/types.h>
#include <net/tcp.h>

#include "model/receive.h"
#include "model/send.h"
#include "model/throughput.h"
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

u32 abt_worst_segment(const struct tcp_sock *tp);
u32 abt_rcv_segment(const struct tcp_sock *tp);
u32 abt_snd_segs(const struct tcp_sock *tp);
u64 abt_delivered(const struct tcp_sock *tp);
void abt_sample_snd(const struct sock *sk, u32 epoch_min_us,
		    struct abt_snd_sample *s);
bool abt_sample_throughput(const struct sock *sk, struct abt_conn *c,
			   struct abt_throughput_sample *s);
bool abt_sample_rcv(struct sock *sk, struct abt_conn *c, u32 epoch_min_us,
		    struct abt_rcv_sample *s);
u32 abt_idle_after_in_need(const struct sock *sk);
bool abt_idle(const struct sock *sk, enum abt_dir dir);
bool abt_half_idle(const struct sock *sk, const struct abt_half *half,
		   enum abt_dir dir);
bool abt_starves(const struct sock *sk);
bool abt_stalls(const struct sock *sk);
u32 abt_ooo_span(const struct sock *sk);
void abt_sample_start(const struct sock *sk, struct abt_conn *c);
bool abt_reader_leaves(const struct sock *sk);
bool abt_reader_rests(const struct sock *sk, const struct abt_conn *c);
bool abt_sender_paused(const struct sock *sk, const struct abt_conn *c);
bool abt_sample_calm(const struct sock *sk, struct abt_conn *c,
		     u32 epoch_min_us);

#endif /* ABT_CONN_SAMPLE_H */
