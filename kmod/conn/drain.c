// SPDX-License-Identifier: GPL-2.0
/*
 * An offered window drains: it gets smaller by what arrives, and is not renewed.
 *
 * The kernel rounds each offer up to a granule of the window scale. Where a granule
 * is more than what an ACK covers, two segments or the sender's burst, the edge
 * moves on by as much as arrived, at every ACK, and the window never gets smaller.
 * With a scale of 14, which windows above 512 MB need, a granule is 16 KB.
 *
 * So while a window drains, an ACK covers a granule, as with receive offload.
 * rcv_wup is where the kernel last told the peer its window; tcp_cleanup_rbuf(),
 * which comes right after this event, acknowledges when more than a segment came
 * since then, or a burst ended. Moved along with what arrived, and rcv_wnd with it,
 * rcv_wup leaves the offered edge where it is, and the ACK for later.
 *
 * rcv_wup is also Last.ACK.sent of RFC 7323: a segment that begins beyond it does not
 * change the timestamp to echo. So before the kernel looks at the next segment, both go
 * back to where the last ACK left them.
 */
#include <net/tcp.h>

#include "compat/tcp_space.h"
#include "conn/activity.h"
#include "conn/buffer.h"
#include "conn/conn.h"
#include "conn/drain.h"
#include "conn/offer.h"

/*
 * Only where so many granules come in a round trip: there a sender waits for no
 * single ACK, and the burst that one releases is no more than a quarter of a queue
 * of 1/4 BDP. The rest of a granule, when data end, is acknowledged by the
 * delayed-ACK timer.
 */
#define ABT_DRAIN_GRANULES	16

/*
 * Shorter, a receiver does not know its round trip: the clock of its timestamps has
 * a grain of a millisecond, and a sender that waits for a timeout looks like a long
 * path. The handshake knows better [us].
 */
#define ABT_DRAIN_BASE_MIN_US	2000

/*
 * Or where so many stand in the queue: the burst that one releases finds the link busy,
 * however little the path itself holds. A queue of one granule could be gone before the
 * burst is there, and of two, if that came late.
 */
#define ABT_DRAIN_QUEUED	3

/**
 * abt_drain_is_short() - is a path too short for a window to drain?
 * @sk: socket, locked
 * @c: its record
 *
 * Return: true if its copies need not be looked at for that.
 */
bool abt_drain_is_short(const struct sock *sk, const struct abt_conn *c)
{
	return min(c->receiver.base.us, tcp_min_rtt(tcp_sk(sk))) < ABT_DRAIN_BASE_MIN_US;
}

/**
 * abt_drain_possible() - can a window get smaller on this path?
 * @sk: socket, locked
 * @c: its record
 *
 * Return: true if enough granules come in a round trip as it is, queue included, or
 * enough of them stand in the queue.
 */
bool abt_drain_possible(const struct sock *sk, const struct abt_conn *c)
{
	const struct abt_rcv_model *m = &c->receiver;
	const struct tcp_sock *tp = tcp_sk(sk);
	u32 rtt_us = tp->rcv_rtt_est.rtt_us >> ABT_RTT_SHIFT;
	u64 granules_us = (u64)m->base.us << tp->rx_opt.rcv_wscale;
	u64 byte_us = (u64)m->path_bytes * rtt_us;
	u64 queued = (u64)m->path_bytes * (rtt_us - min(rtt_us, m->base.us));

	return !abt_drain_is_short(sk, c) &&
	       (byte_us >= ABT_DRAIN_GRANULES * granules_us ||
		queued >= ABT_DRAIN_QUEUED * granules_us);
}

/* May the ACK of what came so far wait? Not where the sender needs to hear of it. */
static bool abt_ack_may_wait(const struct sock *sk, const struct abt_conn *c)
{
	const struct tcp_sock *tp = tcp_sk(sk);

	/* elsewhere no event comes before the next segment, to put rcv_wup back */
	return sk->sk_state == TCP_ESTABLISHED &&
	       abt_drain_possible(sk, c) &&
	       !abt_rcv_has_hole(tp) &&
	       !inet_csk(sk)->icsk_ack.quick;
}

/*
 * Let an ACK cover a granule, as the application takes data from a buffer that is above its target.
 */
static void abt_drain_offer(struct sock *sk, struct abt_conn *c)
{
	struct tcp_sock *tp = tcp_sk(sk);
	u32 came = tp->rcv_nxt - tp->rcv_wup;

	if (tp->rcv_wup != c->moved_wup)	/* acknowledged since */
		c->acked_seq = tp->rcv_wup;
	c->moved_wup = tp->rcv_wup;
	if (came > tp->rcv_wnd || !abt_ack_may_wait(sk, c) ||
	    tp->rcv_nxt - c->acked_seq >= 1U << tp->rx_opt.rcv_wscale)
		return;
	tp->rcv_wnd -= came;
	tp->rcv_wup = tp->rcv_nxt;
	c->moved_wup = tp->rcv_wup;
	c->moved = true;
	abt_conn_set_due(c);
	inet_csk(sk)->icsk_ack.pending &= ~(ICSK_ACK_PUSHED | ICSK_ACK_PUSHED2);
}

/**
 * abt_drain_copied() - the application takes data: the window may drain
 * @sk: socket, locked
 * @c: its record
 *
 * An edge that was rounded down stays, because the kernel tells the peer of a window that has
 * doubled: it may have been told of none. The next segment brings the edge back.
 */
void abt_drain_copied(struct sock *sk, struct abt_conn *c)
{
	if (c->half[ABT_RCV].bounded)
		c->recharge_above = 0;
	else if (abt_rcv_drains(c))
		abt_drain_offer(sk, c);
}

/**
 * abt_drain_stopped() - have the window of a reader that stopped get smaller by what arrives
 * @sk: socket, locked
 * @c: its record
 * @skb: the segment that arrives, before the kernel looks at it
 *
 * No copy comes, so no ACK can be made to cover a granule. Instead the ACK of this segment has the
 * offer rounded down, which a peer has to expect where windows are scaled (RFC 7323, 2.4). Segments
 * that it sent before are taken all the same, because the next event puts the edge back. Otherwise
 * the peer could send a granule for each ACK, for ever.
 */
void abt_drain_stopped(struct sock *sk, struct abt_conn *c, const struct sk_buff *skb)
{
	const struct tcp_skb_cb *cb = TCP_SKB_CB(skb);
	struct tcp_sock *tp = tcp_sk(sk);
	u32 granule = 1U << tp->rx_opt.rcv_wscale;
	u32 end = after(cb->end_seq, tp->rcv_nxt) ? cb->end_seq : tp->rcv_nxt;
	u32 edge = tp->rcv_wup + tp->rcv_wnd;
	u32 left;

	if (!c->stopped || granule <= tp->advmss)
		return;
	c->recharge_above = 0;	/* the next segment is looked at as well */
	if (after(cb->seq, tp->rcv_nxt) || after(end, edge) || (cb->tcp_flags & TCPHDR_FIN))
		return;
	left = round_down(edge - end, granule);
	/* the kernel looks for the end of a window in half of its clamp */
	abt_set_clamp(sk, c, left ?: tcp_win_from_space(sk, abt_buffer(sk, ABT_RCV)));
	c->acked_seq = edge;
	c->moved_wup = tp->rcv_wup - 1;	/* acked_seq is not where the last ACK was */
	c->half[ABT_RCV].bounded = true;
	tp->rcv_wnd = end + left - tp->rcv_wup;
}

/* The offered edge back to where it is, if it was rounded down and no more was offered since. */
static void abt_drain_restore_edge(struct tcp_sock *tp, struct abt_conn *c)
{
	if (!c->half[ABT_RCV].bounded)
		return;
	if (after(c->acked_seq, tp->rcv_wup + tp->rcv_wnd))
		tp->rcv_wnd = c->acked_seq - tp->rcv_wup;
	c->half[ABT_RCV].bounded = false;
}

/**
 * abt_drain_restore() - rcv_wup back to where the last ACK was sent
 * @sk: socket, locked, before the kernel looks at a segment, or has it back
 * @c: its record
 *
 * The offered edge stays where it is, or goes back there.
 */
void abt_drain_restore(struct sock *sk, struct abt_conn *c)
{
	struct tcp_sock *tp = tcp_sk(sk);

	abt_drain_restore_edge(tp, c);
	if (c->moved && tp->rcv_wup == c->moved_wup) {
		tp->rcv_wnd += tp->rcv_wup - c->acked_seq;
		tp->rcv_wup = c->acked_seq;
		c->moved_wup = tp->rcv_wup;
	}
	c->moved = false;
}
