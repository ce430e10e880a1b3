// SPDX-License-Identifier: GPL-2.0
/* Socket -> state: a connection as it is shown to a driver. */
#include <net/tcp.h>

#include "conn/activity.h"
#include "conn/buffer.h"
#include "conn/conn.h"
#include "conn/sample.h"
#include "offload/member.h"
#include "offload/port.h"
#include "trace/address.h"

static_assert(sizeof(struct tcp_abt_offload_state) % TCP_ABT_OFFLOAD_ALIGN == 0);

/* Payload that the application has not taken; a FIN takes a sequence number too. */
static u32 abt_unread(const struct sock *sk)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	u32 unread = tp->rcv_nxt - tp->copied_seq;

	return unread && sock_flag(sk, SOCK_DONE) ? unread - 1 : unread;
}

/* As tcp_compute_delivery_rate(), which is the kernel's own [bytes/s]. */
static u64 abt_delivery_rate(const struct tcp_sock *tp)
{
	if (!tp->rate_delivered || !tp->rate_interval_us)
		return 0;
	return div_u64((u64)tp->rate_delivered * tp->mss_cache * USEC_PER_SEC,
		       tp->rate_interval_us);
}

/* As tcp_get_info_chrono_stats(): sndbuf_limited [us]. */
static u64 abt_sndbuf_limited_us(const struct tcp_sock *tp)
{
	u64 ticks = tp->chrono_stat[TCP_CHRONO_SNDBUF_LIMITED - 1];

	if (tp->chrono_type == TCP_CHRONO_SNDBUF_LIMITED)
		ticks += tcp_jiffies32 - tp->chrono_start;
	return ticks * jiffies_to_usecs(1);
}

static u8 abt_direction(const struct sock *sk)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	u8 direction = 0;

	if ((tp->data_segs_out || tp->write_seq != tp->snd_una) &&
	    !abt_idle(sk, ABT_SND))
		direction |= TCP_ABT_SENDS;
	if (tp->data_segs_in && !abt_idle(sk, ABT_RCV))
		direction |= TCP_ABT_RECEIVES;
	return direction;
}

static void abt_state_sequence(const struct sock *sk,
			       struct tcp_abt_offload_state *s)
{
	const struct tcp_sock *tp = tcp_sk(sk);

	s->tcp_state = sk->sk_state;
	s->ca_state = inet_csk(sk)->icsk_ca_state;
	s->direction = abt_direction(sk);
	s->snd_wscale = tp->rx_opt.snd_wscale;
	s->rcv_wscale = tp->rx_opt.rcv_wscale;
	s->snd_una = tp->snd_una;
	s->snd_nxt = tp->snd_nxt;
	s->write_seq = tp->write_seq;
	s->rcv_nxt = tp->rcv_nxt;
	s->copied_seq = tp->copied_seq;
	s->rcv_wup = tp->rcv_wup;
	s->snd_wnd = tp->snd_wnd;
	s->rcv_wnd = tp->rcv_wnd;
	s->unsent = tp->write_seq - tp->snd_nxt;
	s->in_flight = tp->snd_nxt - tp->snd_una;
	s->unread = abt_unread(sk);
	s->out_of_order = abt_ooo_span(sk);
}

static void abt_state_path(const struct sock *sk, const struct abt_conn *c,
			   struct tcp_abt_offload_state *s)
{
	const struct tcp_sock *tp = tcp_sk(sk);

	s->cwnd = tcp_snd_cwnd(tp);
	s->ssthresh = tp->snd_ssthresh;
	s->mss = tp->mss_cache;
	s->rcv_mss = inet_csk(sk)->icsk_ack.rcv_mss;
	s->srtt_us = tp->srtt_us >> ABT_RTT_SHIFT;
	s->min_rtt_us = tcp_min_rtt(tp);
	s->rcv_rtt_us = tp->rcv_rtt_est.rtt_us >> ABT_RTT_SHIFT;
	s->interval_us = s->srtt_us ?: s->rcv_rtt_us;
	s->alpha_q16 = c->receiver.alpha_q16;
	s->loss_q16 = tp->data_segs_out ?
		abt_ratio_q16(tp->total_retrans, tp->data_segs_out) : 0;
	s->delivery_rate = abt_delivery_rate(tp);
}

static void abt_state_work(const struct sock *sk,
			   struct tcp_abt_offload_state *s)
{
	const struct tcp_sock *tp = tcp_sk(sk);

	s->segs_in = tp->segs_in;
	s->segs_out = tp->segs_out;
	s->data_segs_in = tp->data_segs_in;
	s->data_segs_out = tp->data_segs_out;
	s->retrans = tp->total_retrans;
	s->delivered = tp->delivered;
	s->bytes_sent = tp->bytes_sent;
	s->bytes_acked = tp->bytes_acked;
	s->bytes_received = tp->bytes_received;

	s->work[TCP_ABT_FN_ALLOC] = s->bytes_acked + s->unsent + s->in_flight;
	s->work[TCP_ABT_FN_COPY_IN] = s->work[TCP_ABT_FN_ALLOC];
	s->work[TCP_ABT_FN_WAIT] = abt_sndbuf_limited_us(tp);
	s->work[TCP_ABT_FN_CHECK] = s->segs_in;
	s->work[TCP_ABT_FN_ACK] = s->segs_out - s->data_segs_out;
	s->work[TCP_ABT_FN_COPY_OUT] = s->bytes_received - s->unread;
	s->work[TCP_ABT_FN_FREE] = s->bytes_acked +
				   s->work[TCP_ABT_FN_COPY_OUT];
}

/**
 * abt_state_take() - the state of a connection now
 * @sk: socket, locked
 * @c: its record
 * @s: where it goes, all but what the port knows: update, adapter_grant, since_ns
 */
void abt_state_take(struct sock *sk, const struct abt_conn *c,
		    struct tcp_abt_offload_state *s)
{
	enum abt_dir dir;

	memset(s, 0, sizeof(*s));
	s->version = TCP_ABT_OFFLOAD_VERSION;
	s->size = sizeof(*s);
	s->taken_ns = ktime_get_ns();
	abt_state_sequence(sk, s);
	abt_state_path(sk, c, s);
	abt_state_work(sk, s);
	for (dir = 0; dir < ABT_DIRS; dir++)
		s->half[dir] = (struct tcp_abt_offload_half) {
			.demand = c->half[dir].demand,
			.grant = c->half[dir].stake.grant,
			.applied = abt_buffer(sk, dir),
			.used = abt_used(sk, dir),
		};
	abt_addresses(sk, &s->local.in6, &s->remote.in6);
}
