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
 */
#ifndef ABT_MODEL_SEND_H
#define ABT_MODEL_SEND_H

#include "model/fixed.h"

/**
 * struct abt_snd_sample - what the sender's side of a connection shows
 * @cwnd_segs: congestion window [segments]
 * @mss_bytes: payload of a full segment [bytes], 1 .. 65535
 * @queued_bytes: memory of the send queue [bytes of truesize]
 * @queued_payload: bytes of payload in it, sent or not
 * @worst_bytes: truesize of one full segment in a buffer of its own [bytes],
 *	the kernel's worst case
 */
struct abt_snd_sample {
	u32 cwnd_segs;
	u32 mss_bytes;
	u32 queued_bytes;
	u32 queued_payload;
	u32 worst_bytes;
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
 * struct abt_snd_bounds - the band around a target, turned into cwnd
 * @shrink_below: the target moves when cwnd is below this [segments]
 * @grow_above: or above this [segments]
 *
 * Two compares per segment are all that the hot path does with the band.
 */
struct abt_snd_bounds {
	u32 shrink_below;
	u32 grow_above;
};

u32 abt_snd_cost_q16(const struct abt_snd_sample *s);
struct abt_snd_bounds abt_snd_bounds(const struct abt_snd_band *band,
				     u32 cwnd_segs);
u32 abt_snd_demand(const struct abt_snd_band *band,
		   const struct abt_snd_sample *s);

/**
 * abt_snd_inside() - is cwnd inside the band?
 * @b: bounds of the current target
 * @cwnd_segs: congestion window [segments]
 *
 * The hot path: once per inbound segment.
 *
 * Return: true when the target stays.
 */
static inline bool abt_snd_inside(const struct abt_snd_bounds *b, u32 cwnd_segs)
{
	return cwnd_segs >= b->shrink_below && cwnd_segs <= b->grow_above;
}

#endif /* ABT_MODEL_SEND_H */
