/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ABT_CONN_SAMPLE_H
#define ABT_CONN_SAMPLE_H

#include <linux/types.h>
#include <net/tcp.h>

#include "model/receive.h"
#include "model/send.h"
#include "model/throughput.h"

struct abt_conn;

u32 abt_worst_segment(const struct tcp_sock *tp);
u32 abt_rcv_segment(const struct tcp_sock *tp);
u32 abt_snd_segs(const struct tcp_sock *tp);
u64 abt_delivered(const struct tcp_sock *tp);
void abt_sample_snd(const struct sock *sk, u32 epoch_min_us,
		    struct abt_snd_sample *s);
bool abt_sample_throughput(const struct sock *sk, struct abt_conn *c,
			   struct abt_throughput_sample *s);
void abt_sample_train(const struct sock *sk, struct abt_conn *c);
bool abt_sample_rcv(struct sock *sk, struct abt_conn *c, u32 epoch_min_us,
		    struct abt_rcv_sample *s);
void abt_path_note(const struct sock *sk, struct abt_conn *c);
bool abt_snd_starts(const struct sock *sk);
bool abt_path_queues(const struct sock *sk);
bool abt_path_is_local(const struct sock *sk, const struct abt_conn *c);
u32 abt_ooo_span(const struct sock *sk);
void abt_sample_start(const struct sock *sk, struct abt_conn *c);
bool abt_sample_calm(const struct sock *sk, struct abt_conn *c);

#endif /* ABT_CONN_SAMPLE_H */
