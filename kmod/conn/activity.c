// SPDX-License-Identifier: GPL-2.0
/* Does a direction move data, and what does it wait for? */
#include <net/tcp.h>

#include "compat/stamp.h"
#include "conn/activity.h"
#include "conn/buffer.h"
#include "conn/cgroup.h"
#include "conn/conn.h"
#include "conn/park.h"
#include "pool/room.h"
#include "state/ceiling.h"

/*
 * A direction in which no data went for a retransmission timeout is idle: the kernel
 * restarts from the initial window after that (RFC 2861). At most TCP's initial one
 * (RFC 6298), however far losses backed it off.
 */
static u32 abt_idle_after(const struct sock *sk)
{
	return min_t(u32, inet_csk(sk)->icsk_rto, TCP_TIMEOUT_INIT);
}

/* In need, a sender is idle after so many round trips: no pause between two windows is as long. */
#define ABT_IDLE_TRIPS		4
/* At least after a delayed ACK's time, which a peer's next question may take as well [jiffies]. */
#define ABT_IDLE_LEAST		TCP_DELACK_MIN

/**
 * abt_idle_after_in_need() - after how long a sender is idle where memory is not plenty
 * @sk: socket, locked
 *
 * Return: jiffies.
 */
u32 abt_idle_after_in_need(const struct sock *sk)
{
	u32 trips = usecs_to_jiffies(ABT_IDLE_TRIPS *
				     (tcp_sk(sk)->srtt_us >> ABT_RTT_SHIFT));

	return max_t(u32, trips, ABT_IDLE_LEAST);
}

/* Did no data go this way for so long [jiffies], and does none wait to be sent? */
static bool abt_silent(const struct sock *sk, enum abt_dir dir, u32 after)
{
	u32 last = dir == ABT_SND ? tcp_sk(sk)->lsndtime :
				    inet_csk(sk)->icsk_ack.lrcvtime;

	if (dir == ABT_SND && READ_ONCE(sk->sk_wmem_queued) > 0)
		return false;
	return tcp_jiffies32 - last > after;
}

/**
 * abt_idle() - did no data go this way for a while?
 * @sk: socket, locked
 * @dir: direction
 *
 * A window offered to a silent peer cannot be taken back, but its memory is not
 * used either: it is charged when the peer calls it in. Otherwise the windows that
 * the kernel opens idle connections with, 64 KB each, would fill any pool.
 *
 * Return: true when nothing went for a retransmission timeout, and nothing waits to be sent.
 */
bool abt_idle(const struct sock *sk, enum abt_dir dir)
{
	return abt_silent(sk, dir, abt_idle_after(sk));
}

/**
 * abt_half_idle() - is a direction idle for its pool?
 * @sk: socket, locked
 * @half: direction
 * @dir: the same
 *
 * As abt_idle(); where memory is not plenty, a sender that has all acknowledged is
 * idle after a few round trips. Request/response senders are mostly between responses: their
 * buffers are empty while other connections need memory.
 *
 * Return: true when it is; false where it has no pool.
 */
bool abt_half_idle(const struct sock *sk, const struct abt_half *half,
		   enum abt_dir dir)
{
	if (!half->stake.pool)
		return false;
	return abt_idle(sk, dir) ||
	       (dir == ABT_SND &&
		abt_silent(sk, dir, abt_idle_after_in_need(sk)) &&
		!abt_pool_at_ease(half->stake.pool));
}

/**
 * abt_stalls() - does a sender wait for a window?
 * @sk: socket, locked
 *
 * The data in its buffer then stay there, however large its cwnd is.
 *
 * Return: true when data wait, and none are under way.
 */
bool abt_stalls(const struct sock *sk)
{
	return !tcp_sk(sk)->packets_out && READ_ONCE(sk->sk_wmem_queued) > 0;
}

/* Less than 1/8 of cwnd left to send is next to nothing. */
#define ABT_STARVE_SHIFT	3

/**
 * abt_starves() - does a sender run out of data, because its buffer is full?
 * @sk: socket, locked
 *
 * Return: true while the kernel does not wake the application
 *	(sk_stream_write_space()), and next to nothing is left to send.
 */
bool abt_starves(const struct sock *sk)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	u64 window = (u64)tcp_snd_cwnd(tp) * tp->mss_cache;

	return sk_stream_wspace(sk) < sk_stream_min_wspace(sk) &&
	       tp->write_seq - tp->snd_nxt < window >> ABT_STARVE_SHIFT;
}

/**
 * abt_sender_paused() - had a peer nothing under way when it sent the last segment?
 * @sk: socket, locked; the application takes data
 * @c: its record
 *
 * The segment then echoes an ACK that is as old as the data before, and the kernel takes the pause
 * for a part of the round trip. While data are under way, an ACK is echoed before the last of what
 * was sent with it has come.
 *
 * Return: true when it had.
 */
bool abt_sender_paused(const struct sock *sk, const struct abt_conn *c)
{
	const struct tcp_sock *tp = tcp_sk(sk);

	return c->parks && abt_echoes(tp) &&
	       abt_echo_age_us(tp) <= abt_parked_ago_us(tp) + ABT_STAMP_GRAIN_US;
}

/* A reader leaves data if there is so many times what it waits for (SO_RCVLOWAT). */
#define ABT_READER_LEAVES_LOWATS	2

/* A reader that took nothing of that for so many round trips rests. */
#define ABT_READER_RESTS_TRIPS	2

/**
 * abt_reader_leaves() - does data wait that the reader could take?
 * @sk: socket, locked
 *
 * Data behind a hole it cannot take.
 *
 * Return: true when no hole stands, and more waits than the reader waits for.
 */
bool abt_reader_leaves(const struct sock *sk)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	u64 lowat = READ_ONCE(sk->sk_rcvlowat);

	return !abt_rcv_has_hole(tp) &&
	       tp->rcv_nxt - tp->copied_seq > ABT_READER_LEAVES_LOWATS * lowat;
}

/**
 * abt_reader_rests() - does the reader take nothing of what waits for it?
 * @sk: socket, locked
 * @c: its record
 *
 * Return: true when it does not, for two round trips.
 */
bool abt_reader_rests(const struct sock *sk, const struct abt_conn *c)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	u32 trip_us = max(tp->rcv_rtt_est.rtt_us >> ABT_RTT_SHIFT,
			  READ_ONCE(c->an->epoch_min_us));

	return !c->copying &&
	       abt_conn_copied_ago_us(c) > ABT_READER_RESTS_TRIPS * trip_us &&
	       abt_reader_leaves(sk) && !abt_came_meanwhile(sk, c) &&
	       !abt_reader_waits(sk, c);
}

/* A path may be faster than the mean of late by so much. */
#define ABT_AWAY_FASTER_SHIFT	2

/* A reader that takes nothing for longer than 2^23 us, 8.4 s, has stopped. */
#define ABT_AWAY_MOST_US	(1U << 23)

/**
 * abt_came_meanwhile() - the bytes that came while a reader was away
 * @sk: socket, locked
 * @c: its record
 *
 * A reader that took all, and then does something else for a while, takes all of it when it is
 * back. If more waits than the mean brings in such a time, the peer sends faster than the reader
 * takes: it is slow, or has stopped.
 *
 * Return: bytes of payload that wait; 0: the reader is not away, or does not keep up, or memory
 *	is not plenty.
 */
u32 abt_came_meanwhile(const struct sock *sk, const struct abt_conn *c)
{
	const struct abt_stake *stake = &c->half[ABT_RCV].stake;
	const struct tcp_sock *tp = tcp_sk(sk);
	u32 away_us = abt_conn_copied_ago_us(c);
	u32 unread = tp->rcv_nxt - tp->copied_seq;
	u64 came = (u64)c->receiver.used_bytes * away_us;

	if (!c->receiver.took_all || away_us > ABT_AWAY_MOST_US || !stake->pool ||
	    !abt_pool_at_ease(stake->pool))
		return 0;
	came += came >> ABT_AWAY_FASTER_SHIFT;
	return (u64)unread * c->receiver.base.us <= came ? unread : 0;
}

/*
 * A reader that took nothing for so long may wait, however it took before [us]. Slow ones take some
 * more often, and a larger buffer has their writers wait longer for room.
 */
#define ABT_READER_WAITS_US	(4 * USEC_PER_SEC)

/* The kernel's own tuning takes a queue for the path, so DRS has a buffer for so many of those. */
#define ABT_WAITS_QUEUES	8

/**
 * abt_waits_limit() - the largest receive buffer for a reader that waits for all of a message
 * @sk: socket, locked
 * @c: its record
 * @asks: buffer that DRS asks for, without the path's queue [bytes of truesize]
 *
 * Return: bytes of truesize, at most the administrator's limit, and what a memory cgroup can spare.
 */
u32 abt_waits_limit(const struct sock *sk, const struct abt_conn *c, u32 asks)
{
	u32 most = min(abt_ceiling_limit(c->an, ABT_RCV), abt_cgroup_spare(sk, c, ABT_RCV));

	return min_t(u64, (u64)ABT_WAITS_QUEUES * asks, most);
}

/*
 * The most that a reader gets that may wait for a message: the buffer that DRS asked for without
 * the path's queue; and after a while twice as much each time that it is looked at. If DRS never
 * asked for more than a connection begins with, the stock kernel's buffer is no larger either.
 */
static u32 abt_waits_most(const struct sock *sk, const struct abt_conn *c)
{
	u32 most = abt_rcv_most(c);
	u64 twice = 2ULL * abt_buffer(sk, ABT_RCV);

	if (abt_conn_copied_ago_us(c) > ABT_READER_WAITS_US && abt_reader_leaves(sk) &&
	    most > abt_buffer_start(sk, ABT_RCV))
		return max_t(u64, most, min(twice, (u64)abt_waits_limit(sk, c, most)));
	return c->receiver.took_all ? most : 0;
}

/**
 * abt_reader_waits() - the buffer for a reader that may wait for all of a message
 * @sk: socket, locked
 * @c: its record
 *
 * Some look with FIONREAD or MSG_PEEK until a message is there, and take it then. The stock kernel
 * never cuts a buffer, so a message as large as any window before fits. If a reader that took all
 * before leaves more than half of its buffer full, it gets the largest that DRS asked for so far;
 * if any reader does so for some seconds, more. Many may stop reading at one moment, so each gets
 * no more than leaves plenty if all do.
 *
 * Return: bytes of truesize; 0: it has as much, or does not wait, or memory is not plenty.
 */
u32 abt_reader_waits(const struct sock *sk, const struct abt_conn *c)
{
	const struct abt_half *half = &c->half[ABT_RCV];
	u32 most = abt_waits_most(sk, c);
	u32 buffer = abt_buffer(sk, ABT_RCV);

	if (c->copying || half->local || most <= buffer ||
	    abt_used(sk, ABT_RCV) + c->arriving <= buffer / 2 ||
	    !half->stake.pool || !abt_policy_estimates(half->policy) ||
	    !abt_pool_at_ease(half->stake.pool))
		return 0;
	return buffer + min(most - buffer, abt_pool_ease_each(half->stake.pool, 1));
}

/**
 * abt_rcv_is_consumed() - does a consumer in the kernel read a socket?
 * @sk: socket, locked
 *
 * Such as a sockmap's parser, KCM or a storage protocol. A parser ends the connection if a message
 * is longer than the receive buffer (strp_recv()), and waits for ever if it is longer than the
 * window. The stock kernel never cuts a buffer, so such messages fit there.
 *
 * Return: true when one does.
 */
bool abt_rcv_is_consumed(const struct sock *sk)
{
	const struct tcp_ulp_ops *ulp = inet_csk(sk)->icsk_ulp_ops;

	return READ_ONCE(sk->sk_user_data) ||
	       (ulp && !strcmp(ulp->name, "espintcp"));
}
