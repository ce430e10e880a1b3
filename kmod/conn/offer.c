// SPDX-License-Identifier: GPL-2.0
/*
 * The window that a receiver offers, and the buffer that holds what was offered.
 *
 * A buffer is not cut below what was offered, because that can still come (no renege). So
 * the clamp goes down first, the offered edge drains as data arrives, and the buffer follows.
 */
#include <net/tcp.h>

#include "compat/shrink.h"
#include "compat/tcp_space.h"
#include "conn/buffer.h"
#include "conn/conn.h"
#include "conn/floor.h"
#include "conn/offer.h"
#include "conn/sample.h"
#include "path/member.h"

/*
 * The most that a byte of the receive queue counts, beside a floor: the cost of a byte of a
 * segment of 100 bytes in a buffer of its own. Segments that overlap behind a hole cost as much
 * as their peer likes, a thousand times their span, and no window offered room for that.
 */
#define ABT_WAIT_COST_MAX	8

/* A queue of so many segments shows what a byte costs [segments]. */
#define ABT_COST_SEGS		8

/**
 * abt_reader_lags() - does more wait for the reader than can still come?
 * @tp: socket, locked
 * @offered: window that is still open [payload bytes]
 *
 * Return: true when it does. Then the queue tells what a byte costs.
 */
bool abt_reader_lags(const struct tcp_sock *tp, u32 offered)
{
	u32 unread = tp->rcv_nxt - tp->copied_seq;

	return unread > offered && unread >= ABT_COST_SEGS * tp->advmss;
}

/* Is less than a segment left of what was offered? A sender waits with that. */
static bool abt_offer_ended(const struct tcp_sock *tp)
{
	return tcp_receive_window(tp) < tp->advmss;
}

/*
 * What waits, in and out of order, of what may wait in the bytes that it spans. The
 * first segment stays whole until its last byte is read, and may be of many.
 */
static u32 abt_waits(const struct sock *sk, const struct abt_conn *c)
{
	const struct sk_buff *first = skb_peek(&sk->sk_receive_queue);
	const struct tcp_sock *tp = tcp_sk(sk);
	u32 span = tp->rcv_nxt - tp->copied_seq + abt_ooo_span(sk);
	u32 used = abt_used(sk, ABT_RCV);
	u64 most = (u64)ABT_WAIT_COST_MAX * span;

	if (used <= most)
		return used;
	return min_t(u64, used, most + abt_floor_rcv(sk, c) +
				(first ? first->truesize : 0));
}

/*
 * The room that the window already offered takes when it comes: at the kernel's own ratio; if
 * the reader lags, at the ratio of the queue, where that is worse (the queue includes all that
 * is out of order, which errs on the safe side). The end of
 * such an offer comes in small segments, which cost many times their payload:
 * room for some of them on top, and for the very one that arrives now; but not when
 * it has ended, less than a segment is left: then no room is no window. The granule
 * of the scale that the kernel rounds an offer up to is beyond what its buffer
 * stands for, and it is used to that.
 */
static u64 abt_offered_space(const struct sock *sk, const struct abt_conn *c,
			     u32 waits)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	u32 offered = tcp_receive_window(tp);
	u64 space;

	offered -= min(offered, 1U << tp->rx_opt.rcv_wscale);
	space = abt_space(sk, offered);
	if (abt_offer_ended(tp) || !abt_reader_lags(tp, offered))
		return space;
	space = max(space, div_u64((u64)offered * waits,
				   tp->rcv_nxt - tp->copied_seq));
	return space + abt_floor_rcv(sk, c) + c->arriving;
}

/* The buffer for the window already offered, and for what waits: odd, not a byte less. */
static u32 abt_hold(const struct sock *sk, const struct abt_conn *c, u32 waits)
{
	/* more comes into the backlog while its owner has the socket: some of it counts */
	u32 comes = data_race(READ_ONCE(sk->sk_backlog.len));

	return abt_odd(abt_clamp_bytes(abt_offered_space(sk, c, waits) + comes +
				       waits + 1));
}

/**
 * abt_rcv_least() - the least receive buffer
 * @sk: socket, locked
 * @c: its record
 * @target: buffer that it may have in the end [bytes of truesize]
 *
 * The buffer for the window that is offered, unless that is all but within the target. With a
 * reader that keeps up, the last bit depends on the cost of the segment that happens to be in
 * the queue; should one not fit, its own event makes room.
 *
 * Return: bytes of truesize.
 */
u32 abt_rcv_least(const struct sock *sk, const struct abt_conn *c, u32 target)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	u32 waits = abt_waits(sk, c);
	u32 hold = abt_hold(sk, c, waits);

	if (!abt_above(hold, target) &&
	    !abt_reader_lags(tp, tcp_receive_window(tp)))
		return max(min(hold, target), waits + c->arriving);
	return hold;
}

/*
 * While a hole stands, room is made for an eighth of the window ahead. That is under way as
 * well. Shares of a path leave no room for so much: there it is 1/32.
 */
#define ABT_HOLE_AHEAD_SHIFT		3
#define ABT_HOLE_AHEAD_SHARED_SHIFT	5

/**
 * abt_offer_room() - the buffer for a window
 * @sk: socket, locked
 * @c: its record; sets when its receive buffer is looked at again
 * @window_bytes: window [payload bytes]
 *
 * While a hole stands there is room twice for the data behind it, because the
 * kernel offers the free part of the buffer from the hole on. With less, the edge
 * would stand still. A sender in recovery, which may send on for what is
 * acknowledged selectively, would be held up, and send all of it in one burst
 * when the hole is filled.
 *
 * Return: bytes of truesize.
 */
u32 abt_offer_room(const struct sock *sk, struct abt_conn *c, u32 window_bytes)
{
	u32 shift = abt_path_bounds(c->path) ? ABT_HOLE_AHEAD_SHARED_SHIFT : ABT_HOLE_AHEAD_SHIFT;
	u32 space = abt_space(sk, window_bytes);
	u32 used = min(abt_used(sk, ABT_RCV), space);
	/* no further than what came can reach: one byte may be far ahead */
	u32 span = min3(abt_ooo_span(sk), window_bytes, used);
	u32 ahead = space >> shift;

	/* the first segment behind a hole is looked at */
	c->half[ABT_RCV].recheck_above = 0;
	if (!span)
		return space;
	c->half[ABT_RCV].recheck_above = used + ahead;
	return abt_clamp_bytes((u64)abt_space(sk, abt_clamp_bytes((u64)window_bytes + span)) +
			       used + 2 * ahead);
}

/* Under memory pressure the kernel lowers rcv_ssthresh: it is not raised then. */
static void abt_raise_ssthresh(struct sock *sk, u32 window)
{
	struct tcp_sock *tp = tcp_sk(sk);

	if (!tcp_under_memory_pressure(sk))
		tp->rcv_ssthresh = max(tp->rcv_ssthresh, window);
}

/**
 * abt_set_clamp() - offer no more than a window from now on
 * @sk: socket, locked
 * @c: its record
 * @window: window [payload bytes]; at least one granule of the scale is offered
 */
void abt_set_clamp(struct sock *sk, struct abt_conn *c, u32 window)
{
	struct tcp_sock *tp = tcp_sk(sk);
	u32 clamp = clamp_t(u32, window, 1U << tp->rx_opt.rcv_wscale,
			    abt_clamp_max(tp));

	/*
	 * If rcv_ssthresh was pinned at our clamp and the whole window fits in one GSO
	 * packet, raise both together. The kernel would not, because that packet has
	 * already used the free space.
	 */
	if (c->clamp && tp->rcv_ssthresh >= c->clamp && c->clamp <= GSO_LEGACY_MAX_SIZE)
		abt_raise_ssthresh(sk, clamp);
	c->clamp = clamp;
	WRITE_ONCE(tp->window_clamp, clamp);
	tp->rcv_ssthresh = min(tp->rcv_ssthresh, clamp);
}

/**
 * abt_offer() - offer what a buffer stands for
 * @sk: socket, locked
 * @c: its record
 * @target: buffer [bytes of truesize]
 *
 * If the receive queue takes all of it, the buffer is larger, to hold what was
 * offered before; that room is not for offering, or a reader that stopped would be sent more
 * at every probe. When it reads again, the window is open at once.
 */
void abt_offer(struct sock *sk, struct abt_conn *c, u32 target)
{
	struct tcp_sock *tp = tcp_sk(sk);
	u32 offered = tcp_receive_window(tp);
	bool stopped = abt_used(sk, ABT_RCV) >= target &&
		       abt_reader_lags(tp, offered);

	abt_set_clamp(sk, c, stopped && !abt_offer_ended(tp) ? offered :
					tcp_win_from_space(sk, target));
	if (c->stopped && !stopped)
		abt_raise_ssthresh(sk, c->clamp);
	c->stopped = stopped;
}

/**
 * abt_keep_granule() - keep a buffer of the application's from having no window for ever
 * @sk: socket, locked
 * @c: its record; the receive buffer is the application's
 *
 * With tcp_shrink_window the kernel rounds a window down to a granule of the scale, which was
 * agreed on when the ceiling was ours. A buffer whose whole window is less than a granule
 * never has one, and the connection stands still. A buffer that is a little larger than was
 * asked for is better.
 */
void abt_keep_granule(struct sock *sk, const struct abt_conn *c)
{
	struct tcp_sock *tp = tcp_sk(sk);
	u32 granule = 1U << tp->rx_opt.rcv_wscale;
	u32 space;

	if (!abt_net_shrinks_windows(sock_net(sk)) || granule == 1 ||
	    READ_ONCE(c->an->mode) != TCP_ABT_MODE_ON)
		return;
	space = abt_buffer(sk, ABT_RCV);
	if (abt_win_from_space(sk, space) < granule) {
		space = tcp_space_from_win(sk, granule);
		/* the inverse rounds down where the ratio is measured */
		while (abt_win_from_space(sk, space) < granule)
			space += granule;
		WRITE_ONCE(sk->sk_rcvbuf, ALIGN(space, 2));
	}
	if (READ_ONCE(tp->window_clamp) < granule)
		WRITE_ONCE(tp->window_clamp, granule);
	tp->rcv_ssthresh = max(tp->rcv_ssthresh, granule);
}
