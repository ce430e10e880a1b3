// SPDX-License-Identifier: GPL-2.0
/* The bound on a sender's unsent data: looks at the writer, the socket's field. See unsent.h. */
#include <net/tcp.h>

#include "conn/activity.h"
#include "conn/buffer.h"
#include "conn/conn.h"
#include "conn/due.h"
#include "conn/sample.h"
#include "conn/unsent.h"
#include "state/ceiling.h"
#include "state/config.h"
#include "state/net.h"

/* How often a writer is looked at [jiffies]. */
#define ABT_UNSENT_LOOK		max(HZ / 16, 1)

/* Bounds that the module writes are odd, and a round number is somebody else's. */
#define ABT_UNSENT_MARK		1

/* bbr's cwnd while it looks at the path's round trip [segments]. */
#define ABT_UNSENT_BBR_LEAST_SEGS	4

/* After the wire was dry the kernel notes that for a round trip or two; and no longer than that. */
#define ABT_UNSENT_DRY_TRIPS	2
#define ABT_UNSENT_DRY_MOST	HZ

/* A look is due no later than that [jiffies]. */
#define ABT_UNSENT_AHEAD	(ABT_UNSENT_LOOK + ABT_UNSENT_DRY_MOST)

/* The bound as it stands in the socket; 0: none. */
static u32 abt_unsent_written(const struct abt_conn *c)
{
	u32 bytes = c->minds_writer ? abt_unsent_bytes(&c->unsent) : 0;

	return bytes ? bytes | ABT_UNSENT_MARK : 0;
}

/* Has the application a bound of its own, or the administrator one for all? */
static bool abt_unsent_is_foreign(const struct sock *sk, const struct abt_conn *c)
{
	return READ_ONCE(tcp_sk(sk)->notsent_lowat) != abt_unsent_written(c) ||
	       READ_ONCE(sock_net(sk)->ipv4.sysctl_tcp_notsent_lowat) != UINT_MAX;
}

/*
 * May it be bounded? Not on a local path, where a writer that is woken more often costs its
 * reader ACKs; nor if a consumer in the kernel writes, because that waits in other ways.
 */
static bool abt_unsent_may(const struct sock *sk, const struct abt_conn *c,
			   const struct abt_config *config)
{
	return config->wake_min_us && config->mode == TCP_ABT_MODE_ON &&
	       c->half[ABT_SND].policy == TCP_ABT_POLICY_ATBT &&
	       sk->sk_state == TCP_ESTABLISHED && !READ_ONCE(sk->sk_user_data) &&
	       !abt_path_is_local(sk, c) && !abt_unsent_is_foreign(sk, c);
}

static u32 abt_unsent(const struct tcp_sock *tp)
{
	return READ_ONCE(tp->write_seq) - READ_ONCE(tp->snd_nxt);
}

/* The kernel wakes a writer when a third of its buffer is free [bytes of truesize]. */
static u32 abt_unsent_buffer_wakes(const struct sock *sk)
{
	return (u32)READ_ONCE(sk->sk_sndbuf) / 3 * 2;
}

/*
 * The bytes that were sent since a writer was woken, if it is not back yet. Whichever let it go on
 * last woke it, its buffer or the bound. Truesize stands for payload in the buffer, so that is too
 * much rather than too little.
 */
static u32 abt_unsent_late(const struct sock *sk, const struct abt_conn *c, u32 waits)
{
	u32 bound = c->unsent.bound ? abt_unsent_bytes(&c->unsent) : U32_MAX;
	u32 buffer = abt_unsent_buffer_wakes(sk);

	bound >>= ABT_UNSENT_WAKE_SHIFT;
	return min(bound - min(bound, waits), buffer - min(buffer, abt_used(sk, ABT_SND)));
}

/* Bytes sent in @us. */
static u32 abt_unsent_sent(const struct tcp_sock *tp, u64 us)
{
	u64 trip = abt_clamp_bytes(abt_delivered(tp));

	return abt_clamp_bytes(div_u64(trip * min_t(u64, us, U32_MAX),
				       max(tp->srtt_us >> ABT_RTT_SHIFT, 1U)));
}

/*
 * Is it the send buffer that runs full, before the bound counts? Then it is the buffer as well that
 * the wire runs out of data for.
 */
static bool abt_unsent_buffer_limits(const struct sock *sk, const struct abt_conn *c)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	u64 flight = min_t(u64, (u64)tcp_snd_cwnd(tp) * tp->mss_cache, tp->snd_wnd);
	u64 full = (flight + abt_unsent_bytes(&c->unsent)) * abt_used(sk, ABT_SND);

	return div_u64(full, max(tp->write_seq - tp->snd_una, 1U)) > abt_unsent_buffer_wakes(sk);
}

/*
 * Did the wire run out of data behind a bound, and no look saw it? A writer that comes on a timer
 * may be back each time that an ACK comes. The kernel notes if there was nothing to send as it
 * came. If cwnd or the peer's window was full all the same, that was for a moment, as after a
 * recovery. Congestion control that paces does not fill its cwnd; and bbr has that noted as well
 * while it looks at the path's round trip, with a cwnd of four.
 */
static bool abt_unsent_was_dry(const struct sock *sk, const struct abt_conn *c)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	bool idle = inet_csk(sk)->icsk_ca_ops->cong_control ?
		    tcp_snd_cwnd(tp) > ABT_UNSENT_BBR_LEAST_SEGS : !tp->is_cwnd_limited;
	bool window_full = tcp_wnd_end(tp) - tp->snd_nxt < tp->mss_cache;

	return c->unsent.bound && tp->app_limited && idle && !window_full &&
	       !abt_unsent_buffer_limits(sk, c);
}

/*
 * The buffer that the first bound leaves to the writer. The kernel makes room whenever a writer
 * asks, and a bounded one asks with hardly anything queued: for all of a cwnd that a slow reader
 * keeps it from using. So no more counts than a stock kernel gives, or the connection wants.
 */
static u32 abt_unsent_buffer(const struct sock *sk, const struct abt_conn *c)
{
	return min(abt_buffer(sk, ABT_SND), max(c->half[ABT_SND].demand,
						abt_ceiling_limit(c->an, ABT_SND)));
}

/*
 * Is the first bound to stay? While cwnd doubles; and until two full buffers were sent, because a
 * writer may have no more to write than that, and would wait for it.
 */
static bool abt_unsent_grows(const struct sock *sk, const struct abt_conn *c)
{
	const struct tcp_sock *tp = tcp_sk(sk);

	return (tp->is_cwnd_limited && abt_snd_starts(sk)) ||
	       tp->bytes_sent < 2 * (u64)abt_unsent_buffer(sk, c);
}

/*
 * How many writers of a namespace are at work, by how often one is looked at. All of them together
 * are to be woken no more often than one alone, because a wake-up costs as much as sending some
 * ten KB. Threads that wait for room in one socket are woken together, so each counts.
 */
static u32 abt_unsent_writers(const struct sock *sk, struct abt_writers *w)
{
	u32 now = tcp_jiffies32, since = READ_ONCE(w->since);
	u32 elapsed = now - since;
	u32 looks;

	if (elapsed >= HZ && cmpxchg(&w->since, since, now) == since) {
		looks = atomic_xchg(&w->looks, 0);
		WRITE_ONCE(w->count, (u32)div_u64((u64)looks * ABT_UNSENT_LOOK, elapsed));
	}
	atomic_add(max(sk->sk_write_pending, 1), &w->looks);
	return max(READ_ONCE(w->count), 1U);
}

static struct abt_unsent_glance abt_unsent_glance(const struct sock *sk,
						  const struct abt_conn *c, u64 wake_us)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	bool away = __sk_stream_is_writeable(sk, 1);
	u16 since_due = tcp_jiffies32 - c->unsent.due;
	u32 waits = abt_unsent(tp);

	return (struct abt_unsent_glance) {
		.waits = waits,
		.late = away ? abt_unsent_late(sk, c, waits) : 0,
		.full = !away,
		.missed = abt_unsent_sent(tp, jiffies_to_usecs(since_due)),
		.dry = (away && waits < tp->mss_cache) ||
		       abt_unsent_was_dry(sk, c),
		.grows = abt_unsent_grows(sk, c),
		.nxt = READ_ONCE(tp->snd_nxt),
		.buffer = abt_unsent_buffer(sk, c),
		.brief = abt_unsent_sent(tp, wake_us << ABT_UNSENT_WAKE_SHIFT),
	};
}

/* The look, which is due, and when the next is. */
static void abt_unsent_judge(const struct sock *sk, struct abt_conn *c, u32 wake_min_us)
{
	u32 trip_us = tcp_sk(sk)->srtt_us >> ABT_RTT_SHIFT;
	u64 wake_us = (u64)wake_min_us * abt_unsent_writers(sk, &c->an->writers);
	const struct abt_unsent_glance g = abt_unsent_glance(sk, c, wake_us);

	abt_unsent_update(&c->unsent, &g);
	c->unsent.due = tcp_jiffies32 + ABT_UNSENT_LOOK;
	if (g.dry)
		c->unsent.due += min(usecs_to_jiffies(ABT_UNSENT_DRY_TRIPS * trip_us),
				     (unsigned long)ABT_UNSENT_DRY_MOST);
}

/**
 * abt_unsent_look() - a segment came, and it is time to look at a sender's writer, or it rests
 * @sk: socket, locked; something is queued
 * @c: its record
 * @skb: the segment
 *
 * Context: RCU read side, BH or process.
 */
void abt_unsent_look(struct sock *sk, struct abt_conn *c, const struct sk_buff *skb)
{
	const struct abt_config *config = abt_net_config(c->an);

	if (!abt_unsent_may(sk, c, config)) {
		abt_unsent_let_go(sk, c);
		return;
	}
	if (abt_unsent_is_due(&c->unsent, tcp_jiffies32))
		abt_unsent_judge(sk, c, config->wake_min_us);
	if (abt_writer_rests(sk, skb))
		abt_unsent_rest(&c->unsent, abt_unsent_buffer(sk, c));
	WRITE_ONCE(tcp_sk(sk)->notsent_lowat, abt_unsent_written(c));
}

/**
 * abt_unsent_settle() - a step of the sender ended: is its writer to be looked at?
 * @sk: socket, locked
 * @c: its record
 * @config: knobs
 *
 * Context: RCU read side, BH or process.
 */
void abt_unsent_settle(struct sock *sk, struct abt_conn *c, const struct abt_config *config)
{
	if (!abt_unsent_may(sk, c, config)) {
		abt_unsent_let_go(sk, c);
	} else if (!c->minds_writer) {
		abt_unsent_init(&c->unsent, tcp_jiffies32, READ_ONCE(tcp_sk(sk)->snd_nxt));
		c->minds_writer = true;
	} else if ((u16)(c->unsent.due - tcp_jiffies32) > ABT_UNSENT_AHEAD) {
		c->unsent.due = tcp_jiffies32;	/* the clock wraps while a connection rests */
	}
}

/**
 * abt_unsent_let_go() - a sender's unsent data are bounded by the module no more
 * @sk: socket, locked, or owned by somebody who does not let it go
 * @c: its record
 *
 * Its writer, if it waits, is woken by the next ACK.
 */
void abt_unsent_let_go(struct sock *sk, struct abt_conn *c)
{
	struct tcp_sock *tp = tcp_sk(sk);

	if (!c->minds_writer)
		return;
	if (c->unsent.bound && READ_ONCE(tp->notsent_lowat) == abt_unsent_written(c))
		WRITE_ONCE(tp->notsent_lowat, 0);
	c->minds_writer = false;
	c->loss = (struct abt_loss) {};	/* SABT's, in the same place */
}
