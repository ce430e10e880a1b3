// SPDX-License-Identifier: GPL-2.0
/* Sample -> demand: the buffer that a connection wants, under the policy in force. */
#include <net/tcp.h>

#include "compat/tcp_space.h"
#include "conn/activity.h"
#include "conn/buffer.h"
#include "conn/cgroup.h"
#include "conn/conn.h"
#include "conn/demand.h"
#include "conn/floor.h"
#include "conn/offer.h"
#include "conn/peer.h"
#include "conn/sample.h"
#include "state/ceiling.h"

/* The kernel wants sk_rcvlowat in half of the buffer (tcp_set_rcvlowat()). */
#define ABT_LOWAT_FACTOR	2

/* How often the initial window fits into what the kernel opens a send buffer with. */
#define ABT_SND_OPEN_FACTOR	2

/**
 * abt_gives_way() - is a direction to ask for no more than what is in it?
 * @half: direction
 *
 * An idle one keeps what it has while nobody needs it, and asks for no more than
 * what is in it when somebody does; so it does not ask again as soon as that
 * relieved the pool.
 *
 * Return: true while it is idle and its pool contended.
 */
bool abt_gives_way(const struct abt_half *half)
{
	return half->idle && half->stake.pool &&
	       abt_pool_contended(half->stake.pool);
}

/*
 * In a recovery cwnd says nothing of the path, and data that were sent, received or not,
 * stay in the buffer until the hole before them is filled. So the demand does not fall
 * with cwnd; and if the sender runs out of data, it rises to the top of the band
 * of the cwnd that the recovery began with. A sender without new data would open
 * no cwnd, and send a burst when the recovery ends. After that, a step is due.
 */
static u32 abt_demand_recovery(const struct sock *sk, struct abt_conn *c,
			       const struct abt_snd_band *band,
			       struct abt_snd_sample *s)
{
	const struct abt_snd_band top = { .low = band->low, .centre = band->high };
	u32 demand = c->half[ABT_SND].demand;

	if (!abt_starves(sk))
		return demand;
	c->bounds.shrink_below = U32_MAX;
	s->cwnd_segs = max(s->cwnd_segs, tcp_sk(sk)->prior_cwnd);
	s->cwnd_segs = abt_snd_reach(&top, s);
	return max(demand, abt_snd_demand(&top, s));
}

/*
 * A look lowers the demand that keeps a path busy by no more than this. A receiver that drains a
 * window to see the least round trip has next to nothing in flight for one or two, and bursts
 * queue before a path is full.
 */
#define ABT_BUSY_FALL_SHIFT	3

static u32 abt_demand_falls(const struct abt_half *half)
{
	return half->demand - (half->demand >> ABT_BUSY_FALL_SHIFT);
}

/* The most that a sender asks for, however large its cwnd is. */
static u32 abt_demand_most_busy(const struct abt_conn *c, const struct abt_snd_sample *s)
{
	return max3(abt_snd_busy(s), abt_demand_falls(&c->half[ABT_SND]),
		    abt_ceiling_limit(c->an, ABT_SND));
}

/**
 * abt_snd_much() - half of the administrator's limit
 * @c: record
 *
 * Return: bytes of truesize.
 */
u32 abt_snd_much(const struct abt_conn *c)
{
	return abt_ceiling_limit(c->an, ABT_SND) / 2;
}

/**
 * abt_snd_queues_much() - is more than half of the administrator's limit queued?
 * @sk: socket, locked
 * @c: its record
 *
 * A writer that fills a buffer of that size keeps two thirds of it queued. So with less than half
 * no buffer needs to be held. If a writer's unsent data are bounded, hardly anything is queued
 * while bbr has next to no cwnd; so its demand counts.
 *
 * Return: true when it is.
 */
bool abt_snd_queues_much(const struct sock *sk, const struct abt_conn *c)
{
	return abt_used(sk, ABT_SND) > abt_snd_much(c) ||
	       (c->minds_writer && c->unsent.bound &&
		c->half[ABT_SND].demand > abt_ceiling_limit(c->an, ABT_SND));
}

/*
 * The demand of a cwnd; but beyond the administrator's limit, which the kernel's own tuning
 * stops at, no more than keeps the path busy. bbr has next to no cwnd for 200 ms, every 10 s. If
 * its buffer were let go then, the kernel would make room for all of the cwnd that comes back. So
 * a sender is bounded for as long as abt_snd_outgrows() may hold its buffer.
 */
static u32 abt_demand_cwnd(const struct sock *sk, struct abt_conn *c,
			   const struct abt_snd_band *band, const struct abt_snd_sample *s)
{
	u32 most = abt_demand_most_busy(c, s);
	struct abt_half *half = &c->half[ABT_SND];
	u32 demand = abt_snd_demand(band, s);

	half->bounded = demand > most ||
			(half->bounded && abt_snd_queues_much(sk, c));
	return clamp(demand, half->bounded ? abt_demand_falls(half) : 0, most);
}

static u32 abt_demand_atbt(const struct sock *sk, struct abt_conn *c,
			   const struct abt_config *config)
{
	const struct abt_snd_band band = {
		.low = config->send_band_low,
		.centre = config->send_target,
		.high = config->send_band_high,
	};
	struct abt_snd_sample s;
	u32 reach;

	abt_sample_snd(sk, config->epoch_min_us, &s);
	/* a reader that pauses is not to have the buffer of its peer cut at once */
	s.window_bytes = max(s.window_bytes, abt_snd_most_window(&c->bounds) / 2);
	if (abt_recovers(sk) && c->half[ABT_SND].demand)
		return abt_demand_recovery(sk, c, &band, &s);
	reach = abt_snd_reach(&band, &s);
	abt_peer_note(sk, c, reach < s.cwnd_segs);
	s.cwnd_segs = reach;
	c->bounds = abt_snd_bounds(&band, reach, s.mss_bytes);
	/* a cwnd below what counts at least asks for no less */
	if (tcp_snd_cwnd(tcp_sk(sk)) < reach)
		c->bounds.shrink_below = 0;
	if (s.window_bytes == U32_MAX)
		c->bounds.least_window = 0;
	c->minds_offer = c->bounds.least_window && reach > s.least_segs;
	if (c->half[ABT_SND].idle)
		return c->half[ABT_SND].demand;
	return abt_demand_cwnd(sk, c, &band, &s);
}

/*
 * On a local path no buffer is larger than the administrator's limit, as with the kernel's own
 * tuning: a writer that sleeps less often has its reader acknowledge more often, and an estimate
 * tells of the host's own delays.
 */
static u32 abt_demand_most(const struct sock *sk, const struct abt_conn *c, enum abt_dir dir)
{
	return abt_path_is_local(sk, c) ? abt_ceiling_limit(c->an, dir) :
					  ABT_BYTES_MAX;
}

/* By the throughput equation; looked at again when cwnd moved by a quarter. */
static u32 abt_demand_sabt(const struct sock *sk, struct abt_conn *c)
{
	u32 cwnd = tcp_snd_cwnd(tcp_sk(sk));
	struct abt_throughput_sample t;
	struct abt_snd_sample s;

	c->bounds = (struct abt_snd_bounds) {
		.shrink_below = abt_recovers(sk) ? U32_MAX : cwnd - cwnd / 4,
		.grow_above = cwnd + cwnd / 4,
	};
	abt_peer_forget(c);
	if (!abt_sample_throughput(sk, c, &t))
		return abt_buffer_start(sk, ABT_SND);
	abt_sample_snd(sk, 0, &s);
	return abt_scale_q16(abt_clamp_bytes(abt_throughput_window(&t)),
			     abt_snd_cost_q16(&s));
}

/*
 * As long as there is plenty, no less than what the kernel opens a connection with
 * (tcp_wmem[1], and by tcp_init_buffer_space() the initial window, twice, at its worst cost).
 * A few segments' buffer saves nobody anything, and where each one that is lost is a large
 * part of the window, it costs goodput.
 */
static u32 abt_demand_snd_plenty(const struct sock *sk, const struct abt_half *half)
{
	if (!abt_pool_at_ease(half->stake.pool))
		return 0;
	return max(abt_buffer_start(sk, ABT_SND),
		   ABT_SND_OPEN_FACTOR * TCP_INIT_CWND *
			   abt_worst_segment(tcp_sk(sk)));
}

/**
 * abt_bounds_open() - whatever cwnd is, a sender need not be looked at
 * @c: its record
 */
void abt_bounds_open(struct abt_conn *c)
{
	c->bounds = (struct abt_snd_bounds) { .grow_above = U32_MAX };
	abt_peer_forget(c);
}

/**
 * abt_demand_snd() - the send buffer that a connection wants
 * @sk: socket, locked
 * @c: its record; its cwnd bounds are set
 * @config: knobs
 *
 * Return: bytes of truesize, at most ABT_BYTES_MAX.
 */
u32 abt_demand_snd(const struct sock *sk, struct abt_conn *c,
		   const struct abt_config *config)
{
	const struct abt_half *half = &c->half[ABT_SND];
	u32 demand;

	if (half->policy == TCP_ABT_POLICY_FIXED) {
		abt_bounds_open(c);
		return config->fixed_send;
	}
	if (abt_gives_way(half)) {
		abt_bounds_open(c);
		return 0;
	}
	demand = half->policy == TCP_ABT_POLICY_SABT ? abt_demand_sabt(sk, c) :
					    abt_demand_atbt(sk, c, config);
	demand = min(max(demand, abt_demand_snd_plenty(sk, half)),
		     abt_demand_most(sk, c, ABT_SND));
	return abt_stalls(sk) ? max(demand, abt_used(sk, ABT_SND)) : demand;
}

/*
 * A new connection's window is twice the burst that its peer may begin with, so that it need
 * not wait for the first estimate.
 */
#define ABT_OPEN_FACTOR		2

/*
 * The least that a connection asks for, at any estimate. As long as there is plenty, that
 * is the buffer that the kernel starts it with, so a burst after a silence finds the window
 * that it would find without the module. With less than plenty it is enough to open with, and if
 * other connections are short twice the floor: a sender fills but half of a window of three
 * segments in a round trip, so an estimate alone would keep it there.
 */
static u32 abt_demand_start(const struct sock *sk, const struct abt_conn *c)
{
	u32 start = min_t(u32, abt_buffer_start(sk, ABT_RCV), ABT_BYTES_MAX);
	const struct abt_half *half = &c->half[ABT_RCV];

	if (abt_pool_at_ease(half->stake.pool))
		return start;
	if (abt_pool_contended(half->stake.pool))
		return ABT_OPEN_FACTOR * abt_floor_rcv(sk, c);
	if (!c->receiver.epochs)
		return min(ABT_OPEN_FACTOR * abt_floor_rcv(sk, c), start);
	return min(half->demand, start);
}

/* The buffer for an estimated window, or for the bytes that SO_RCVLOWAT waits for. */
static u32 abt_demand_estimated(const struct sock *sk, struct abt_conn *c,
				u32 window_bytes)
{
	u32 lowat = ABT_LOWAT_FACTOR *
		    min_t(u32, READ_ONCE(sk->sk_rcvlowat), ABT_BYTES_MAX);
	u32 most = max(abt_demand_most(sk, c, ABT_RCV), abt_space(sk, lowat));

	return max(min(abt_offer_room(sk, c, max(window_bytes, lowat)), most),
		   abt_demand_start(sk, c));
}

/*
 * Of a steady window all but 1/32: with receive offload a byte costs 4/3 of its
 * payload, and 2 BDP of window stay below 2.5 BDP of buffer. Growth counts from 1/8 on, so a
 * connection does not miss the 1/32.
 */
#define ABT_WINDOW_SPARE_SHIFT	5

static u32 abt_window(const struct abt_rcv_model *m, bool use_alpha)
{
	u32 window = abt_rcv_window(m, use_alpha);

	if (m->grows || m->base.draining)
		return window;
	return window - (window >> ABT_WINDOW_SPARE_SHIFT);
}

/*
 * With less than 1/16 of its buffer free a receiver offers nothing (__tcp_select_window()). A
 * quarter of what is free may be used before it is looked at again.
 */
#define ABT_AHEAD_LEAST_SHIFT	3

/*
 * While a reader is away, the window goes on from what waits for it, up to where the kernel's own
 * tuning would have it end.
 */
static u32 abt_demand_ahead(const struct sock *sk, struct abt_conn *c, u32 window)
{
	u32 came = abt_came_meanwhile(sk, c);

	c->half[ABT_RCV].ahead = came > 0;
	if (!came)
		return 0;
	window = max(window, came >> ABT_AHEAD_LEAST_SHIFT);
	return min3(abt_offer_room(sk, c, abt_clamp_bytes((u64)window + came)),
		    abt_ceiling_limit(c->an, ABT_RCV), abt_cgroup_spare(sk, c, ABT_RCV));
}

/*
 * DRS's and TBT-PLR's window, at most the share of the path. While memory is plenty, it has room
 * for a burst as large as any before.
 */
static u32 abt_demand_drs(const struct sock *sk, struct abt_conn *c)
{
	const struct abt_half *half = &c->half[ABT_RCV];
	bool use_alpha = half->policy == TCP_ABT_POLICY_TBT_PLR;
	u32 window = abt_window(&c->receiver, use_alpha);

	if (abt_pool_at_ease(half->stake.pool))
		window = max(window, abt_rcv_kept_window(&c->receiver, use_alpha));
	window = min(window, abt_path_share(c->path));
	return max(abt_demand_estimated(sk, c, window), abt_demand_ahead(sk, c, window));
}

/* An idle receiver asks for what it asked for before; none for less than its reader waits for. */
static u32 abt_demand_reader(const struct sock *sk, struct abt_conn *c)
{
	struct abt_half *half = &c->half[ABT_RCV];
	u32 demand = half->demand;

	if (!half->idle) {
		demand = abt_demand_drs(sk, c);
		abt_half_asks(half, demand);
	}
	return max(demand, abt_reader_waits(sk, c));
}

/**
 * abt_demand_rcv() - the receive buffer that a connection wants
 * @sk: socket, locked
 * @c: its record
 * @config: knobs
 *
 * Return: bytes of truesize, at most ABT_BYTES_MAX.
 */
u32 abt_demand_rcv(const struct sock *sk, struct abt_conn *c,
		   const struct abt_config *config)
{
	const struct abt_half *half = &c->half[ABT_RCV];

	c->half[ABT_RCV].recheck_above = U32_MAX;
	c->half[ABT_RCV].ahead = false;
	switch (half->policy) {
	case TCP_ABT_POLICY_FIXED:
		return config->fixed_recv;
	case TCP_ABT_POLICY_MAX:
		return ABT_BYTES_MAX;
	default:
		if (abt_gives_way(half))
			return abt_used(sk, ABT_RCV);
		return abt_demand_reader(sk, c);
	}
}

/**
 * abt_demand_app() - what a buffer of the application's own asks a pool for
 * @sk: socket, locked
 * @c: its record
 * @dir: direction
 *
 * All of it; while it is idle and memory is short, the bytes in it.
 *
 * Return: bytes of truesize, at most ABT_BYTES_MAX.
 */
u32 abt_demand_app(const struct sock *sk, const struct abt_conn *c, enum abt_dir dir)
{
	u32 buffer = min_t(u32, abt_buffer(sk, dir), ABT_BYTES_MAX);
	const struct abt_half *half = &c->half[dir];

	if (!half->idle)
		return buffer;
	return min(buffer, abt_gives_way(half) ? abt_used(sk, dir) : half->demand);
}
