/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The sender's half of the model: how large a send buffer a connection wants.
 *
 * ATBT (Semke, Mahdavi, Mathis 1998): the buffer target lies between 2 and 4
 * times cwnd; it is moved only when cwnd leaves that band, so a window that
 * oscillates inside it changes nothing. TBT-PLR (Yoo, Kim 2004) re-centres the
 * target at S = 3 x cwnd when it moves:
 *
 *        grow when cwnd > target / low        low    = 2
 *      shrink when cwnd < target / high       high   = 4
 *      target becomes centre x cwnd           centre = 3
 *
 *    target/cwnd   2 ........ 3 ........ 4
 *            grow <|      nothing        |> shrink
 *
 * A peer may offer less than cwnd, and nothing lowers a cwnd that is not used. So the target is
 * at most low x the window that the peer offers, because no more than that window can be in
 * flight. The target follows when the window grew by 1/8 or fell by 5/32.
 *
 * cwnd may be a queue in the network, or more than is ever in flight. More buffer would only make
 * that queue longer, or have data wait in it unsent. So the caller bounds a large target by what
 * keeps the path busy, see abt_snd_busy().
 */
#ifndef ABT_MODEL_SEND_H
#define ABT_MODEL_SEND_H

#include "model/fixed.h"

/**
 * struct abt_snd_sample - what the sender's side of a connection shows
 * @cwnd_segs: congestion window [segments]
 * @least_segs: however little the peer offers, the target is made for so much [segments]
 * @window_bytes: the peer's window [bytes of payload]; U32_MAX: it does not count
 * @mss_bytes: payload of a full segment [bytes], 1 .. 65535
 * @queued_bytes: memory of the send queue [bytes of truesize]
 * @queued_payload: bytes of payload in it, sent or not
 * @worst_bytes: truesize of one full segment in a buffer of its own [bytes],
 *	the kernel's worst case
 * @path_bytes: the part of the flight that is no queue in the network [bytes of payload];
 *	U32_MAX: not known
 * @path_queues: such a queue stands
 */
struct abt_snd_sample {
	u32 cwnd_segs;
	u32 least_segs;
	u32 window_bytes;
	u32 mss_bytes;
	u32 queued_bytes;
	u32 queued_payload;
	u32 worst_bytes;
	u32 path_bytes;
	bool path_queues;
};

/**
 * struct abt_snd_band - ATBT's band, in units of cwnd
 * @low: the target grows when it is below @low x cwnd; 1 .. 8
 * @centre: where it is put when it moves; @low .. @high
 * @high: the target shrinks when it is above @high x cwnd; 2 .. 16
 */
struct abt_snd_band {
	u32 low;
	u32 centre;
	u32 high;
};

/**
 * struct abt_snd_bounds - the band around a target, turned into cwnd and the peer's window
 * @shrink_below: the target moves when cwnd is below this [segments]
 * @grow_above: or when cwnd is above this [segments]
 * @least_window: or when the peer offers less than this, if that counts. It may offer 4/3 of
 *	this before it counts that cwnd is above its bound [bytes of payload]; 0: always
 *
 * Three or four compares per segment are all that the hot path does with the band.
 */
struct abt_snd_bounds {
	u32 shrink_below;
	u32 grow_above;
	u32 least_window;
};

u32 abt_snd_cost_q16(const struct abt_snd_sample *s);
u32 abt_snd_reach(const struct abt_snd_band *band,
		  const struct abt_snd_sample *s);
u32 abt_snd_busy(const struct abt_snd_sample *s);
struct abt_snd_bounds abt_snd_bounds(const struct abt_snd_band *band,
				     u32 cwnd_segs, u32 mss_bytes);
u32 abt_snd_demand(const struct abt_snd_band *band,
		   const struct abt_snd_sample *s);

/**
 * abt_snd_centred() - is cwnd inside the band, whatever the peer offers?
 * @b: bounds of the current target
 * @cwnd_segs: congestion window [segments]
 *
 * The hot path: once per inbound segment.
 *
 * Return: true when it is.
 */
static inline bool abt_snd_centred(const struct abt_snd_bounds *b, u32 cwnd_segs)
{
	return cwnd_segs >= b->shrink_below && cwnd_segs <= b->grow_above;
}

/**
 * abt_snd_most_window() - up to which window of the peer is a target not moved by a larger cwnd?
 * @b: bounds of the target
 *
 * Return: payload bytes.
 */
static inline u32 abt_snd_most_window(const struct abt_snd_bounds *b)
{
	return b->least_window + b->least_window / 3;
}

/**
 * abt_snd_inside() - are cwnd and the peer's window inside the band?
 * @b: bounds of the current target
 * @cwnd_segs: congestion window [segments]
 * @window_bytes: the peer's window [bytes of payload]
 *
 * Return: true when the target stays, but for abt_snd_offered_less().
 */
static inline bool abt_snd_inside(const struct abt_snd_bounds *b, u32 cwnd_segs,
				  u32 window_bytes)
{
	return abt_snd_centred(b, cwnd_segs) ||
	       (cwnd_segs >= b->shrink_below &&
		window_bytes <= abt_snd_most_window(b));
}

/**
 * abt_snd_offered_less() - does the peer offer too little for the target?
 * @b: bounds of the current target
 * @window_bytes: the peer's window [bytes of payload]
 *
 * Return: true when it does.
 */
static inline bool abt_snd_offered_less(const struct abt_snd_bounds *b,
					u32 window_bytes)
{
	return window_bytes < b->least_window;
}

#endif /* ABT_MODEL_SEND_H */
