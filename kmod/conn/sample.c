// SPDX-License-Identifier: GPL-2.0
/*
 * Event -> sample: the model's plain structs are read off the socket. No other file turns a
 * struct sock into one of them.
 */
#include <net/tcp.h>

#include "compat/stamp.h"
#include "conn/activity.h"
#include "conn/buffer.h"
#include "conn/conn.h"
#include "conn/sample.h"

/**
 * abt_worst_segment() - what a full segment takes in a buffer of its own
 * @tp: socket
 *
 * The segment that tcp_sndbuf_expand() reckons with: no segmentation offload, head and data from
 * one kmalloc().
 *
 * Return: bytes of truesize.
 */
u32 abt_worst_segment(const struct tcp_sock *tp)
{
	u32 size = max_t(u32, tp->rx_opt.mss_clamp, tp->mss_cache) +
		   MAX_TCP_HEADER +
		   SKB_DATA_ALIGN(sizeof(struct skb_shared_info));

	return roundup_pow_of_two(size) +
	       SKB_DATA_ALIGN(sizeof(struct sk_buff));
}

/**
 * abt_rcv_segment() - what a segment takes where it arrives, in a buffer of its own
 * @tp: socket
 *
 * Return: bytes of truesize.
 */
u32 abt_rcv_segment(const struct tcp_sock *tp)
{
	return SKB_TRUESIZE(tp->advmss + MAX_TCP_HEADER);
}

/* The least that a send buffer is made for [segments]. */
static u32 abt_snd_least_segs(const struct tcp_sock *tp)
{
	return max((u32)TCP_INIT_CWND, tp->reordering + 1);
}

/**
 * abt_snd_segs() - the cwnd that a send buffer is made for
 * @tp: socket
 *
 * At least the initial window, and as much as is already known to be reordered on this
 * path, as in the kernel's own tcp_sndbuf_expand().
 *
 * Return: segments.
 */
u32 abt_snd_segs(const struct tcp_sock *tp)
{
	return max(tcp_snd_cwnd(tp), abt_snd_least_segs(tp));
}

/*
 * The part of a flight that the path holds without a queue in the network. A flight takes the
 * present round trip, so in the least one goes a part that is as much smaller.
 *
 * Return: bytes of payload; U32_MAX: no round trip is known.
 */
static u32 abt_path_bytes(const struct tcp_sock *tp)
{
	u64 flight = (u64)max(tp->max_packets_out, tp->packets_out) * tp->mss_cache;
	u32 trip_us = tp->srtt_us >> ABT_RTT_SHIFT;
	u32 least_us = tcp_min_rtt(tp);

	if (!trip_us || !flight)
		return U32_MAX;
	return abt_clamp_bytes(div_u64(flight * min(least_us, trip_us), trip_us));
}

/* A round trip that is longer by 1/8 is that of a queue: HyStart takes it for one as well. */
#define ABT_SND_QUEUE_SHIFT	3

/**
 * abt_snd_starts() - does a cwnd double each round trip?
 * @sk: socket, locked
 *
 * Where congestion control sets cwnd itself, ssthresh does not tell.
 *
 * Return: true when it does, once all of it is used.
 */
bool abt_snd_starts(const struct sock *sk)
{
	return !inet_csk(sk)->icsk_ca_ops->cong_control &&
	       tcp_in_slow_start(tcp_sk(sk));
}

/**
 * abt_path_queues() - does a queue stand in the network before a sender's peer?
 * @sk: socket, locked
 *
 * In slow start bursts of half a window make one, and a loss or HyStart ends it soon.
 *
 * Return: true when the round trip is noticeably longer than the least one.
 */
bool abt_path_queues(const struct sock *sk)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	u64 least_us = tcp_min_rtt(tp);

	return !abt_snd_starts(sk) &&
	       tp->srtt_us >> ABT_RTT_SHIFT >
	       least_us + (least_us >> ABT_SND_QUEUE_SHIFT);
}

/**
 * abt_sample_snd() - the sender's sample
 * @sk: socket, locked
 * @epoch_min_us: on a path whose round trip is no longer, the peer's window does not
 *	count, because it tells how the peer's processor is scheduled [us]
 * @s: where it goes
 */
void abt_sample_snd(const struct sock *sk, u32 epoch_min_us,
		    struct abt_snd_sample *s)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	bool local = tp->srtt_us >> ABT_RTT_SHIFT <= epoch_min_us;

	*s = (struct abt_snd_sample) {
		.cwnd_segs = abt_snd_segs(tp),
		.least_segs = abt_snd_least_segs(tp),
		.window_bytes = local ? U32_MAX : tp->snd_wnd,
		.mss_bytes = max_t(u32, tp->mss_cache, 1),
		.queued_bytes = max(READ_ONCE(sk->sk_wmem_queued), 0),
		.queued_payload = tp->write_seq - tp->snd_una,
		.worst_bytes = abt_worst_segment(tp),
		.path_bytes = abt_path_bytes(tp),
		.path_queues = abt_path_queues(sk),
	};
}

/**
 * abt_delivered() - what a sender's peer acknowledges in a round trip
 * @tp: socket, locked
 *
 * By the kernel's own estimate of the delivery rate (tcp_rate_gen()).
 *
 * Return: bytes of payload; cwnd as long as there is no estimate.
 */
u64 abt_delivered(const struct tcp_sock *tp)
{
	u64 segs = tcp_snd_cwnd(tp);

	if (tp->rate_interval_us)
		segs = div_u64((u64)tp->rate_delivered * (tp->srtt_us >> ABT_RTT_SHIFT),
			       tp->rate_interval_us);
	return segs * tp->mss_cache;
}

/* Segments that an ACK covers: receivers delay them (RFC 1122). */
#define ABT_ACK_SEGS	2

/**
 * abt_sample_throughput() - what the throughput equation takes
 * @sk: socket, locked
 * @c: its record
 * @s: where it goes
 *
 * Return: true when the round trip is known; @s is valid then.
 */
bool abt_sample_throughput(const struct sock *sk, struct abt_conn *c,
			   struct abt_throughput_sample *s)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	u64 timeout_us = jiffies_to_usecs(inet_csk(sk)->icsk_rto);
	u32 rtt_us = tp->srtt_us >> ABT_RTT_SHIFT;

	if (!rtt_us)
		return false;
	*s = (struct abt_throughput_sample) {
		.loss_q32 = abt_loss_q32(&c->loss, tp->data_segs_out,
					 tp->total_retrans),
		.timeout_q16 = (u32)min_t(u64, div_u64(timeout_us << 16, rtt_us),
					  U32_MAX),
		.ack_segs = ABT_ACK_SEGS,
		.mss_bytes = max_t(u32, tp->mss_cache, 1),
		.most_bytes = tp->snd_wnd,
	};
	return true;
}

/* A receiver's epoch begins. */
static void abt_sample_rcv_start(const struct sock *sk, struct abt_conn *c)
{
	const struct tcp_sock *tp = tcp_sk(sk);

	c->epoch_start_us = (u32)tp->tcp_mstamp;
	c->epoch_copied_seq = tp->copied_seq;
	c->epoch_segs = tp->data_segs_in;
	c->epoch_ooo = tp->rcv_ooopack;
}

/* One ends, and the next begins. */
static void abt_sample_rcv_next(const struct sock *sk, struct abt_conn *c)
{
	const struct tcp_sock *tp = tcp_sk(sk);

	abt_rcv_use(&c->receiver, tp->copied_seq - c->epoch_copied_seq,
		    (u32)tp->tcp_mstamp - c->epoch_start_us,
		    tp->rcv_rtt_est.rtt_us >> ABT_RTT_SHIFT);
	abt_sample_rcv_start(sk, c);
}

/**
 * abt_sample_start() - nothing was seen of this connection yet
 * @sk: socket, locked
 * @c: its record
 */
void abt_sample_start(const struct sock *sk, struct abt_conn *c)
{
	abt_rcv_init(&c->receiver);
	c->loss = (struct abt_loss) {};
	c->local = false;
	c->above_epochs = 0;
	c->offer_due = tcp_jiffies32;
	c->clamp = 0;	/* the kernel chose one with the first window */
	abt_sample_rcv_start(sk, c);
}

/* The SYN is the first segment that counts as delivered. */
#define ABT_DELIVERED_SYN	1

/**
 * abt_path_note() - a step of the sender may have seen that the path is a local one
 * @sk: socket, locked
 * @c: its record
 *
 * The kernel forgets the least round trip after tcp_min_rtt_wlen, five minutes, and one through a
 * queue that stands takes its place. The smoothed one counts, once data were acknowledged,
 * because a proxy may have answered the handshake.
 */
void abt_path_note(const struct sock *sk, struct abt_conn *c)
{
	const struct tcp_sock *tp = tcp_sk(sk);

	if (tp->delivered > ABT_DELIVERED_SYN && tp->srtt_us &&
	    tp->srtt_us >> ABT_RTT_SHIFT <= READ_ONCE(c->an->epoch_min_us))
		c->local = true;
}

/**
 * abt_path_is_local() - is the round trip no longer than the shortest epoch?
 * @sk: socket, locked
 * @c: its record
 *
 * The least one seen counts, so a queue changes nothing. The handshake knows it better than
 * timestamps, whose clock has a grain of a millisecond.
 *
 * Return: true when it is, or was once.
 */
bool abt_path_is_local(const struct sock *sk, const struct abt_conn *c)
{
	return c->local ||
	       min_not_zero(c->receiver.base.us, tcp_min_rtt(tcp_sk(sk))) <=
		       READ_ONCE(c->an->epoch_min_us);
}

/**
 * abt_ooo_span() - what waits out of order, and how far it spans
 * @sk: socket, locked
 *
 * Return: payload bytes from the first hole on, holes included; 0: no hole.
 */
u32 abt_ooo_span(const struct sock *sk)
{
	const struct tcp_sock *tp = tcp_sk(sk);

	if (!abt_rcv_has_hole(tp))
		return 0;
	return TCP_SKB_CB(tp->ooo_last_skb)->end_seq - tp->rcv_nxt;
}

/**
 * abt_sample_calm() - may an epoch that ended be passed over?
 * @sk: socket, locked
 * @c: its record
 *
 * Where the round trip is shorter than an epoch, a peak is kept for a few
 * milliseconds, and a fall is seen soon enough later on. Growth is not passed over, nor is a
 * pause, which a window has to cover. The receiver's estimate of such a round trip is a
 * millisecond and more, because its timestamps have that grain.
 *
 * Return: true when it brought no more than is known; the next has begun.
 */
bool abt_sample_calm(const struct sock *sk, struct abt_conn *c)
{
	u32 epoch_min_us = READ_ONCE(c->an->epoch_min_us);
	const struct tcp_sock *tp = tcp_sk(sk);
	u32 trip_us = max(tp->rcv_rtt_est.rtt_us >> ABT_RTT_SHIFT, epoch_min_us);
	u32 elapsed_us = (u32)tp->tcp_mstamp - c->epoch_start_us;
	u64 copied = tp->copied_seq - c->epoch_copied_seq;
	u64 peak = c->receiver.path_bytes;

	if (!abt_path_is_local(sk, c) || elapsed_us >= trip_us + epoch_min_us ||
	    copied * c->receiver.base.us >
		    (peak + (peak >> ABT_GROWTH_SHIFT)) * elapsed_us)
		return false;
	abt_sample_rcv_next(sk, c);
	return true;
}

/* An epoch in which data waited, and none were taken, tells nothing of the path. */
static bool abt_reader_took_nothing(const struct tcp_sock *tp, const struct abt_conn *c)
{
	return tp->copied_seq == c->epoch_copied_seq && tp->rcv_nxt != tp->copied_seq &&
	       !abt_rcv_has_hole(tp);
}

/**
 * abt_sample_train() - nothing came for half of a round trip, and now the application takes data
 * @sk: socket, locked
 * @c: its record, of a member of a path
 *
 * A train of data has ended, and the next begins. If the sender had nothing under way meanwhile, it
 * paused, and the round trip tells of that for a while.
 */
void abt_sample_train(const struct sock *sk, struct abt_conn *c)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	struct abt_line *line = &c->path->line;

	if (abt_sender_paused(sk, c))
		c->receiver.pauses = ABT_PAUSE_EPOCHS + 1;
	else
		abt_line_train(line, tp->rcvq_space.seq - line->train_seq,
			       (u32)tp->rcvq_space.time - line->train_us,
			       c->receiver.base.us);
	line->train_us = (u32)tp->tcp_mstamp;
	line->train_seq = tp->copied_seq;
}

/**
 * abt_sample_rcv() - the receiver's sample, once an epoch
 * @sk: socket, locked
 * @c: its record
 * @epoch_min_us: shortest epoch, and shortest round trip believed in [us]
 * @s: where it goes
 *
 * An epoch is one receiver round trip. tcp_mstamp is that of the last segment:
 * reading the clock would cost more than it tells.
 *
 * Return: true when an epoch ended: @s is valid, and the next has begun.
 */
bool abt_sample_rcv(struct sock *sk, struct abt_conn *c, u32 epoch_min_us,
		    struct abt_rcv_sample *s)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	u32 elapsed_us = (u32)tp->tcp_mstamp - c->epoch_start_us;
	u32 rtt_us = tp->rcv_rtt_est.rtt_us >> ABT_RTT_SHIFT;

	if (!rtt_us)
		return false;
	rtt_us = max(rtt_us, epoch_min_us);
	if (elapsed_us < rtt_us || abt_reader_took_nothing(tp, c))
		return false;
	*s = (struct abt_rcv_sample) {
		.now_us = tp->tcp_mstamp,
		.elapsed_us = elapsed_us,
		.gap_us = abt_conn_copied_ago_us(c),
		.rtt_us = rtt_us,
		.echo_us = abt_echoes(tp) ? abt_echo_age_us(tp) : 0,
		.copied_bytes = tp->copied_seq - c->epoch_copied_seq,
		.unread_bytes = tp->rcv_nxt - tp->copied_seq,
		.ooo_bytes = abt_ooo_span(sk),
		.offered_bytes = tp->rcv_wnd,
		.own_bytes = abt_ceiling_window(sk, c->an),
		.granule_bytes = 1U << tp->rx_opt.rcv_wscale,
		.mss_bytes = inet_csk(sk)->icsk_ack.rcv_mss,
		.segs = tp->data_segs_in - c->epoch_segs,
		.ooo_segs = tp->rcv_ooopack - c->epoch_ooo,
		.follows = c->half[ABT_RCV].ahead,
		.most_bytes = abt_clamp_bytes((u64)(tp->data_segs_in - c->epoch_segs) *
					      tp->advmss),
		.shared = c->half[ABT_RCV].shares || abt_path_is_shared(c->path),
	};
	abt_sample_rcv_next(sk, c);
	return true;
}
