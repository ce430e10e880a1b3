/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Is a step due? The compares that an event makes to find out. They are inline, because most
 * events make no more than these.
 */
#ifndef ABT_CONN_DUE_H
#define ABT_CONN_DUE_H

#include <net/tcp.h>

#include "conn/activity.h"
#include "conn/buffer.h"
#include "conn/conn.h"
#include "conn/park.h"

/* Is the send buffer other than reckoned with, or locked or unlocked by the application? */
static inline bool abt_snd_rewritten(const struct sock *sk, const struct abt_conn *c)
{
	return (u32)READ_ONCE(sk->sk_sndbuf) - c->snd_least > c->snd_span ||
	       ((sk->sk_userlocks ^ c->snd_locks) & SOCK_SNDBUF_LOCK);
}

/*
 * Does a sender have anything queued, sent or not? If not, a segment acknowledges nothing, and
 * all that could change the send buffer waits for one that does. Under the socket's lock nobody
 * else writes it.
 */
static inline bool abt_snd_queues(const struct sock *sk)
{
	return sk->sk_wmem_queued;
}

/* Does a segment bring data, or a FIN? */
static inline bool abt_segment_has_data(const struct sk_buff *skb)
{
	return TCP_SKB_CB(skb)->seq != TCP_SKB_CB(skb)->end_seq;
}

/* Does a peer probe a window that is closed, or whether we are still there? */
static inline bool abt_segment_probes(const struct sock *sk, const struct sk_buff *skb)
{
	return !abt_segment_has_data(skb) &&
	       before(TCP_SKB_CB(skb)->seq, tcp_sk(sk)->rcv_nxt);
}

/* Has a sender queued more than its claim was made for? */
static inline bool abt_outgrew(const struct sock *sk, const struct abt_conn *c)
{
	return (u32)sk->sk_wmem_queued > c->half[ABT_SND].recheck_above;
}

/*
 * May a smaller window of the peer's, or a queue that drained, be due for a look? Mostly neither
 * counts, which is one test.
 */
static inline bool abt_snd_offer_changed(const struct sock *sk, const struct abt_conn *c)
{
	return (c->comes_down || c->minds_offer) &&
	       (c->comes_down ||
		abt_snd_offered_less(&c->bounds, tcp_sk(sk)->snd_wnd));
}

/*
 * Did cwnd or the peer's window leave the band? A smaller window counts a few round trips after
 * the last step, because that of a reader that lags comes and goes.
 */
static inline bool abt_snd_left_band(const struct sock *sk, const struct abt_conn *c)
{
	const struct tcp_sock *tp = tcp_sk(sk);

	return !abt_snd_inside(&c->bounds, tcp_snd_cwnd(tp), tp->snd_wnd) ||
	       (abt_snd_offer_changed(sk, c) &&
		time_after32(tcp_jiffies32, c->offer_due));
}

/* Does a segment acknowledge all that was written? */
static inline bool abt_writer_rests(const struct sock *sk, const struct sk_buff *skb)
{
	return TCP_SKB_CB(skb)->ack_seq == READ_ONCE(tcp_sk(sk)->write_seq);
}

/* Is it time to look at a sender's writer, or does it rest? */
static inline bool abt_writer_due(const struct sock *sk, const struct abt_conn *c,
				  const struct sk_buff *skb)
{
	return c->minds_writer && (abt_unsent_is_due(&c->unsent, tcp_jiffies32) ||
				   abt_writer_rests(sk, skb));
}

/* Does the target stay at first sight? So it does for nearly every segment, by a test of flags. */
static inline bool abt_snd_stays(const struct sock *sk, const struct abt_conn *c,
				 const struct sk_buff *skb)
{
	return abt_snd_centred(&c->bounds, tcp_snd_cwnd(tcp_sk(sk))) &&
	       !((c->comes_down || c->minds_offer || c->minds_writer) &&
		 (abt_snd_offer_changed(sk, c) || abt_writer_due(sk, c, skb)));
}

/*
 * Is a step of the sender due: did it leave the band, or was the buffer written by
 * the application, or has it more to send than it was seen to have? Out of the band because
 * it is idle does not count while it is. In a recovery cwnd does not count, but once
 * whether the sender runs out of data.
 */
static inline bool abt_snd_due(const struct sock *sk, const struct abt_conn *c)
{
	const struct abt_half *half = &c->half[ABT_SND];

	if (abt_snd_rewritten(sk, c))
		return true;
	if (abt_recovers(sk))
		return c->bounds.shrink_below != U32_MAX && abt_starves(sk);
	if (abt_outgrew(sk, c))
		return true;
	return abt_snd_left_band(sk, c) &&
	       !(half->idle && abt_half_idle(sk, half, ABT_SND));
}

/*
 * Would this segment leave no room for the next, so that the kernel prunes? If the
 * segment was offered, the receiver's step makes room for it.
 */
static inline bool abt_rcv_overruns(const struct sock *sk, const struct abt_conn *c)
{
	return abt_used(sk, ABT_RCV) + c->arriving >
		       (u32)READ_ONCE(sk->sk_rcvbuf) &&
	       (c->half[ABT_RCV].applied || c->half[ABT_RCV].local);
}

/* Does a receive queue call in more of a promise than is charged? */
static inline bool abt_rcv_outgrew(const struct sock *sk, const struct abt_conn *c)
{
	return abt_used(sk, ABT_RCV) + c->arriving > c->recharge_above;
}

/*
 * May an epoch have ended? Exactly so only abt_sample_rcv() says. Where only small
 * segments come, the round trip is never known, and no epoch ends.
 */
static inline bool abt_epoch_over(const struct sock *sk, const struct abt_conn *c)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	u32 elapsed_us = (u32)tp->tcp_mstamp - c->epoch_start_us;
	u32 rtt_us;

	if (elapsed_us < READ_ONCE(c->an->epoch_min_us))
		return false;
	rtt_us = tp->rcv_rtt_est.rtt_us >> ABT_RTT_SHIFT;
	return rtt_us && elapsed_us >= rtt_us;
}

/*
 * While a hole keeps the application from taking data, an epoch ends without a
 * copy. Data behind the hole need room of their own, or the window would stand still.
 */
static inline bool abt_rcv_hole_due(const struct sock *sk, const struct abt_conn *c)
{
	return abt_rcv_has_hole(tcp_sk(sk)) &&
	       (abt_used(sk, ABT_RCV) > c->half[ABT_RCV].recheck_above ||
		abt_epoch_over(sk, c));
}

/*
 * Did a consumer in the kernel take over the reading of a buffer that the module sized? Its
 * messages may be longer than the window, so it is handed back with the next segment.
 */
static inline bool abt_rcv_taken_over(const struct sock *sk, const struct abt_conn *c)
{
	/* whether it is NULL is all that counts */
	return data_race(sk->sk_user_data) && c->half[ABT_RCV].applied;
}

/* Is no step of the sender due, if its target stays? */
static __always_inline bool abt_segment_leaves_snd(const struct sock *sk,
						   const struct abt_conn *c)
{
	return !abt_snd_rewritten(sk, c) && !abt_recovers(sk) &&
	       !abt_outgrew(sk, c);
}

/* Does a segment fit into what the receiver is charged for? */
static __always_inline bool abt_rcv_has_room(const struct sock *sk,
					     const struct abt_conn *c,
					     const struct sk_buff *skb)
{
	u32 queued = (u32)atomic_read(&sk->sk_rmem_alloc) + skb->truesize;

	return queued <= (u32)sk->sk_rcvbuf && queued <= c->recharge_above;
}

/*
 * Is no step of the receiver due? A segment without data, which is an ACK, fills nothing. A probe,
 * which is old, alone tells of a reader that waits behind a closed window. And after a loss an ACK
 * may be beyond an edge that was rounded down.
 */
static __always_inline bool abt_segment_leaves_rcv(const struct sock *sk,
						   const struct abt_conn *c,
						   const struct sk_buff *skb)
{
	if (!abt_segment_has_data(skb))
		return TCP_SKB_CB(skb)->seq == tcp_sk(sk)->rcv_nxt;
	return !abt_rcv_taken_over(sk, c) && abt_rcv_has_room(sk, c, skb) &&
	       !abt_rcv_has_hole(tcp_sk(sk));
}

/*
 * Did nothing come for a member of a path for half of a round trip? Its sender may have paused,
 * which is of no use to know of others.
 */
static inline bool abt_copy_is_late(const struct sock *sk, const struct abt_conn *c)
{
	return c->path && abt_parked_ago_us(tcp_sk(sk)) > c->receiver.base.us / 2;
}

/*
 * Did the application take nothing? The kernel tells of a reader that only looks (MSG_PEEK) as
 * well, which took nothing since it told before.
 */
static inline bool abt_copy_is_peek(const struct sock *sk)
{
	const struct tcp_sock *tp = tcp_sk(sk);

	return tp->copied_seq == tp->rcvq_space.seq;
}

/* Is no step due as the application takes data, unless an epoch ended? */
static inline bool abt_copy_is_plain(const struct sock *sk, const struct abt_conn *c)
{
	return !abt_conn_has_news(c) && !c->watched && !abt_copy_is_late(sk, c) &&
	       !abt_drs_may_grow(sk, c);
}

#endif /* ABT_CONN_DUE_H */
