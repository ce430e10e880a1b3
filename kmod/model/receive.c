// SPDX-License-Identifier: GPL-2.0
/* DRS's estimate and TBT-PLR's alpha on it. See receive.h. */
#include "model/receive.h"

/* The peak is kept for 4 to 8 epochs: a recovery takes about so many. */
#define ABT_PEAK_HALF_EPOCHS	4

/* Growth gets three times the window: see receive.h. */
#define ABT_GROWTH_FACTOR	3

/*
 * A drain that looks for a base which may be too high goes to 1/4 below it, or the
 * window that was computed from it would keep the queue that it was taken from.
 */
#define ABT_DEEP_SHIFT		2

/* With fewer segments in the path one of them in an epoch looks like many times its rate. */
#define ABT_DOUBT_MIN_SEGS	4

/* With fewer granules in the path, a window has a queue even at its smallest. */
#define ABT_DRAIN_MIN_GRANULES	4

/* More than 1/4 below the peak is slower: a rate that fell. */
#define ABT_SLOWER_SHIFT	2

/* Up to 1/8 above what our own queue can be is still explained by it: jitter. */
#define ABT_EXPLAINED_SHIFT	3

/*
 * Growth is believed for so many epochs: the window that it opens is under way for a round
 * trip, the data that it brings for another, and they are measured at the end of a third.
 */
#define ABT_GROWTH_EPOCHS	3

/*
 * A peer begins with ten segments (TCP_INIT_CWND), or a few more. With more than that the first
 * epoch may have two flights of a slow start, and half of both is enough to lose no round trip.
 */
#define ABT_FIRST_SEGS		12

/* The kernel's own tuning gives growth four times the window. */
#define ABT_OWN_GROWTH_FACTOR	4

/* If a queue shows, what is kept loses 1/4 of what it has above the peak, an epoch. */
#define ABT_KEPT_FALLS_SHIFT	2

/* With less than 1/4 of it in flight, a longer round trip may tell of the sender's pauses. */
#define ABT_KEPT_FILLED_SHIFT	2

/*
 * An ACK waits if it took that much longer than a round trip: 1/4 of one, and more than ACKs of
 * every other segment and the grain of timestamps explain [us]. No more counts than slots of a
 * link are apart [us], and no more than four round trips, because a longer wait is a pause.
 */
#define ABT_ACK_WAITS_SHIFT	2
#define ABT_ACK_WAITS_LEAST_US	3000U
#define ABT_ACK_WAITS_MOST_US	100000U
#define ABT_ACK_WAITS_TRIPS	4

/* With 1/8 more than is asked for a window shrinks; less is rounding. */
#define ABT_SHRINKS_SHIFT	3

/* With a shorter base the grain of timestamps, 1 ms, is more than a queue that shows [us]. */
#define ABT_ACK_WAITS_BASE_US	8000

/* alpha moves by 1/4 of the difference an epoch. */
#define ABT_ALPHA_SHIFT		2

/**
 * abt_rcv_init() - nothing is known yet
 * @m: model
 *
 * alpha starts at 1.0: no loss was seen.
 */
void abt_rcv_init(struct abt_rcv_model *m)
{
	*m = (struct abt_rcv_model) { .alpha_q16 = ABT_Q16_ONE };
}

/* TBT-PLR: alpha = (rcv_Q - out_Q) / rcv_Q, from either signal, smoothed. */
static void abt_rcv_update_alpha(struct abt_rcv_model *m,
				 const struct abt_rcv_sample *s,
				 enum abt_alpha_signal signal)
{
	u32 all, out, sample;

	if (signal == ABT_ALPHA_QUEUE) {
		out = min_t(u32, s->ooo_bytes, ABT_BYTES_MAX);
		all = min_t(u32, s->unread_bytes, ABT_BYTES_MAX) + out;
	} else {
		out = min(s->ooo_segs, s->segs);
		all = s->segs;
	}
	sample = abt_ratio_q16(all - out, all);
	if (sample >= m->alpha_q16)
		m->alpha_q16 += (sample - m->alpha_q16 +
				 (1 << ABT_ALPHA_SHIFT) - 1) >> ABT_ALPHA_SHIFT;
	else
		m->alpha_q16 -= (m->alpha_q16 - sample) >> ABT_ALPHA_SHIFT;
}

/*
 * The bytes that arrived in the epoch: the bytes that were copied, and the growth of the span out
 * of order. That span counts for no more than the segments that came, so that a byte far ahead
 * counts as the segment that it is. A hole that is filled releases bytes that arrived long
 * before, so it is no growth; nor are bytes that waited for a reader that was away, while the
 * window followed them: in the epoch itself came no more than its segments.
 */
static u32 abt_rcv_arrived(const struct abt_rcv_model *m,
			   const struct abt_rcv_sample *s)
{
	u32 ooo = abt_clamp_bytes(s->ooo_bytes);
	u32 more = ooo - min(m->ooo_bytes, ooo);
	u32 less = m->ooo_bytes - min(m->ooo_bytes, ooo);
	u64 came = (u64)s->copied_bytes +
		   min_t(u64, more, (u64)s->ooo_segs * s->mss_bytes);

	came -= min_t(u64, less, came);
	if (s->follows)
		came = min_t(u64, came, s->most_bytes);
	return abt_clamp_bytes(came);
}

/* A reader that was away for so many round trips was so for a reason of its own. */
#define ABT_GAP_TRIPS		4

/* The time of a reader that the window has to cover. */
static u32 abt_rcv_gap(const struct abt_rcv_sample *s, u32 base_us)
{
	return s->follows && s->gap_us / ABT_GAP_TRIPS > base_us ? 0 : s->gap_us;
}

/*
 * The bytes that the path holds: the part of the arrivals that the epoch's time without our
 * own queue stands for; if a hole made the epoch longer, the base alone. An epoch is longer
 * than a round trip because the reader was away, or because the estimate fell while
 * it lasted; only the reader's time counts.
 */
static u32 abt_rcv_path(const struct abt_rcv_model *m,
			const struct abt_rcv_sample *s, u32 base_us)
{
	u32 elapsed_us = max(s->elapsed_us, 1U);
	u64 path_us = min(base_us, s->rtt_us);

	if (!s->ooo_bytes && !m->ooo_bytes && elapsed_us > s->rtt_us)
		path_us += min(elapsed_us - s->rtt_us, abt_rcv_gap(s, base_us));
	return (u32)div_u64(abt_rcv_arrived(m, s) *
			    min_t(u64, path_us, elapsed_us), elapsed_us);
}

static u32 abt_rcv_kept(const struct abt_rcv_model *m)
{
	return (u32)m->kept << ABT_KEPT_SHIFT;
}

/* Is more offered than is asked for, so that the edge stands until that has come? */
static bool abt_rcv_shrinks(const struct abt_rcv_model *m, const struct abt_rcv_sample *s)
{
	u64 asked = 2 * (u64)max(m->path_bytes, abt_rcv_kept(m));

	return s->offered_bytes > asked + (asked >> ABT_SHRINKS_SHIFT);
}

/*
 * The time by which an ACK waited longer than the round trip tells. Where several ACKs leave at
 * once, as on a radio link, a peer uses up its window and waits for the next of them. Its next
 * data come at once, so the estimate has next to nothing of that wait. But all data that it sends
 * until then echo the last ACK that it has. A pause of the peer looks alike; and so does a queue
 * that grows faster than the estimate follows, or whose ACKs are lost or late. So a wait counts
 * only if no queue shows, or else it would make the window and the queue longer in turn. Nor does
 * one while the window grows, because the estimate is late then, or shrinks, because its edge
 * stands. The first data of a burst lower the estimate at once, and the last ones seem to wait.
 */
static u32 abt_rcv_ack_waits(const struct abt_rcv_model *m, const struct abt_rcv_sample *s)
{
	u32 wait_us = min(s->echo_us - min(s->echo_us, s->rtt_us), ABT_ACK_WAITS_MOST_US);
	u32 base_us = m->base.us;
	u32 least_us = max(base_us >> ABT_ACK_WAITS_SHIFT, ABT_ACK_WAITS_LEAST_US);

	if (base_us < ABT_ACK_WAITS_BASE_US || wait_us <= least_us ||
	    m->pauses || s->ooo_bytes || m->ooo_bytes || m->growing || abt_rcv_shrinks(m, s) ||
	    abt_trip_beyond(s->rtt_us, base_us, ABT_QUEUE_HIGH_SHIFT))
		return 0;
	return min_t(u64, wait_us, (u64)base_us * ABT_ACK_WAITS_TRIPS);
}

/* The bytes that have to be under way so that the path stays busy while ACKs wait. */
static u32 abt_rcv_needs(const struct abt_rcv_model *m, const struct abt_rcv_sample *s, u32 path)
{
	u32 wait_us = abt_rcv_ack_waits(m, s);

	if (!wait_us)
		return path;
	return abt_clamp_bytes(path + div_u64((u64)abt_rcv_arrived(m, s) * wait_us,
					      max(s->elapsed_us, 1U)));
}

/*
 * The peak is of a base: where that moved, so did what the path holds. But not of
 * one that was taken up by doubt: then the rate may be what fell. The kept bytes follow a
 * longer route in any case, because memory is plenty where they count.
 */
static void abt_rcv_rebase(struct abt_rcv_model *m, u32 was_us)
{
	u32 us = m->base.us;

	if (!was_us || us == was_us)
		return;
	if (us > was_us && m->base.doubted) {
		m->kept = (u16)min_t(u64, div_u64((u64)m->kept * us, was_us), U16_MAX);
		return;
	}
	m->peak.cur = abt_clamp_bytes(div_u64((u64)m->peak.cur * us, was_us));
	m->peak.prev = abt_clamp_bytes(div_u64((u64)m->peak.prev * us, was_us));
}

/* Is the window below what the path holds, to look for a base below the one that is known? */
static bool abt_rcv_drains_deep(const struct abt_rcv_model *m)
{
	return m->base.draining && m->base.doubted;
}

/*
 * Has a round trip risen for another reason than our own queue? That takes no rate
 * away, and is no longer than it takes the offered window to pass. A receiver whose window is
 * a share of a pool cannot tell, because the share takes rate away, and the queue is that of
 * other connections with shares, on the same path. Nor can one that drains deep, because its window
 * takes rate away.
 */
static bool abt_rcv_unexplained(const struct abt_rcv_model *m,
				const struct abt_rcv_sample *s, u32 peak)
{
	u32 base_us = m->base.us;
	u64 most = (u64)base_us * s->offered_bytes;

	return !s->shared && !abt_rcv_drains_deep(m) &&
	       peak >= (u64)ABT_DOUBT_MIN_SEGS * s->mss_bytes &&
	       (u64)s->rtt_us * peak > most + (most >> ABT_EXPLAINED_SHIFT) &&
	       abt_rcv_path(m, s, base_us) < peak - (peak >> ABT_SLOWER_SHIFT);
}

/* Is there a queue, and enough in flight to be its cause? */
static bool abt_rcv_fills(const struct abt_rcv_model *m, const struct abt_rcv_sample *s,
			  u32 path, u32 kept)
{
	u64 enough = (u64)m->base.us * (kept >> ABT_KEPT_FILLED_SHIFT);

	return !m->pauses && (u64)path * s->rtt_us >= enough &&
	       abt_trip_beyond(s->rtt_us, m->base.us, ABT_QUEUE_HIGH_SHIFT);
}

/*
 * Keep the most that the path was seen to hold. A burst makes a queue of its own, so one
 * epoch with a queue proves little. The kernel's own tuning would not go beyond its ceiling
 * either.
 */
static void abt_rcv_keep(struct abt_rcv_model *m, const struct abt_rcv_sample *s, u32 path)
{
	u32 kept = max(abt_rcv_kept(m), m->path_bytes);

	if (abt_rcv_fills(m, s, path, kept))
		kept -= (kept - m->path_bytes) >> ABT_KEPT_FALLS_SHIFT;
	m->kept = min_t(u32, min(kept, s->own_bytes / 2) >> ABT_KEPT_SHIFT, U16_MAX);
}

/*
 * The path's bytes without those that wait for the reader, which the kernel's own tuning subtracts
 * as well. A slow reader takes as much as it likes from its queue, and a larger window only makes
 * that longer.
 */
static u32 abt_rcv_taken(const struct abt_rcv_sample *s, u32 path)
{
	return path - min(path, s->unread_bytes);
}

/* Did the bytes grow that the reader took? */
static bool abt_rcv_grew(const struct abt_rcv_sample *s, u32 path, u32 peak)
{
	return abt_rcv_taken(s, path) > peak + (peak >> ABT_GROWTH_SHIFT);
}

/* Did the reader take less than the path held before, and less than it could? */
static bool abt_rcv_lags(const struct abt_rcv_sample *s, u32 path, u32 peak)
{
	u32 least = peak - (peak >> ABT_GROWTH_SHIFT);

	return abt_rcv_taken(s, path) < least && max(path, s->unread_bytes) >= least;
}

/**
 * abt_rcv_update() - an epoch ended
 * @m: model
 * @s: its sample
 * @signal: the signal that alpha is measured from
 *
 * Context: any; the caller holds the lock that protects @m.
 * Return: bytes that the path held in the epoch [payload bytes].
 */
u32 abt_rcv_update(struct abt_rcv_model *m, const struct abt_rcv_sample *s,
		   enum abt_alpha_signal signal)
{
	u32 was_us = m->base.us;
	u32 path, peak;
	bool lags;

	if (!m->epochs++)
		abt_extreme_reset(&m->peak, 0, m->epochs);
	peak = abt_extreme_most(&m->peak);
	abt_base_update(&m->base, &(struct abt_base_sample) {
		.now_us = (u32)s->now_us,
		.rtt_us = s->rtt_us,
		.unexplained = abt_rcv_unexplained(m, s, peak),
		.growing = m->growing,
		.granular = peak < (u64)ABT_DRAIN_MIN_GRANULES * s->granule_bytes,
	});
	abt_rcv_rebase(m, was_us);
	abt_rcv_update_alpha(m, s, signal);

	peak = abt_extreme_most(&m->peak);
	path = abt_rcv_path(m, s, m->base.us);
	if (m->epochs == 1 && path > ABT_FIRST_SEGS * s->mss_bytes)
		path /= 2;
	lags = abt_rcv_lags(s, path, peak);
	if (abt_rcv_grew(s, path, peak))
		m->growing = ABT_GROWTH_EPOCHS;
	if (lags)
		path = min(path, peak);
	path = abt_rcv_needs(m, s, path);
	m->ooo_bytes = abt_clamp_bytes(s->ooo_bytes);
	peak = max(peak, path);
	m->path_bytes = peak;
	m->grows = m->growing && !lags;
	m->queued = peak >= s->own_bytes / ABT_OWN_GROWTH_FACTOR &&
		    abt_trip_beyond(s->rtt_us, m->base.us, ABT_QUEUE_HIGH_SHIFT);
	abt_rcv_keep(m, s, path);
	m->growing -= m->growing > 0;
	m->pauses -= m->pauses > 0;
	abt_extreme_max(&m->peak, path, m->epochs, ABT_PEAK_HALF_EPOCHS);
	return path;
}

/**
 * abt_rcv_use() - some time passed: the mean of what a round trip brings
 * @m: model
 * @copied_bytes: payload that the application took meanwhile [bytes]
 * @elapsed_us: how long that was [us]
 * @rtt_us: receiver's round-trip estimate [us]
 *
 * An exponential mean, weighted by time. Where a round trip is longer than that of the mean,
 * it is the last epoch; on a short path it takes some tenths of a second to rise, so that a
 * burst does not count as steady use.
 *
 * Context: any; the caller holds what protects @m.
 */
void abt_rcv_use(struct abt_rcv_model *m, u32 copied_bytes, u32 elapsed_us,
		 u32 rtt_us)
{
	u32 trip_us = m->base.us ? min(m->base.us, rtt_us) : rtt_us;
	u64 brought = (u64)copied_bytes * trip_us;
	u64 used = m->used_bytes;

	if (elapsed_us >> ABT_USED_SHIFT)
		used = div_u64(brought, elapsed_us);
	else
		used += (brought >> ABT_USED_SHIFT) -
			((used * elapsed_us) >> ABT_USED_SHIFT);
	m->used_bytes = abt_clamp_bytes(used);
}

/* So many windows of a round trip are offered: 1 + alpha (TBT-PLR), or 2 (DRS). */
static u32 abt_rcv_trips_q16(const struct abt_rcv_model *m, bool use_alpha)
{
	return ABT_Q16_ONE + (use_alpha ? m->alpha_q16 : ABT_Q16_ONE);
}

/**
 * abt_rcv_window() - the window that the connection can use
 * @m: model
 * @use_alpha: TBT-PLR's 1 + alpha; without it DRS's 2
 *
 * Return: bytes of payload, at most ABT_BYTES_MAX; 0 while nothing is known.
 */
u32 abt_rcv_window(const struct abt_rcv_model *m, bool use_alpha)
{
	u32 factor = m->grows && !m->queued ? ABT_GROWTH_FACTOR : 1;
	u32 window = abt_clamp_bytes((u64)factor * m->path_bytes);

	if (!m->base.draining)
		return abt_scale_q16(window, abt_rcv_trips_q16(m, use_alpha));
	return abt_rcv_drains_deep(m) ? window - (window >> ABT_DEEP_SHIFT) : window;
}

/**
 * abt_rcv_kept_window() - the window for a burst after quieter times
 * @m: model
 * @use_alpha: TBT-PLR's 1 + alpha; without it DRS's 2
 *
 * It is no more than the kernel's own tuning would offer, and is for where memory is plenty.
 *
 * Return: bytes of payload, at most ABT_BYTES_MAX; 0 while the base is looked at.
 */
u32 abt_rcv_kept_window(const struct abt_rcv_model *m, bool use_alpha)
{
	if (m->base.draining)
		return 0;
	return abt_scale_q16(abt_rcv_kept(m), abt_rcv_trips_q16(m, use_alpha));
}
