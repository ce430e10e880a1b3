/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The receiver's half of the model: how large a window a connection can use.
 *
 * DRS (Fisk, Feng 2001): the receiver measures what arrives in one of its own
 * round trips; that is the sender's cwnd, and always one round trip late.
 * TBT-PLR (Yoo, Kim 2004): alpha is the share of the packets that arrived in
 * order; the buffer grows by the factor 1 + alpha a step, in place of DRS's 2,
 * because much out of order means loss, and a sender that has cut its cwnd.
 *
 * One formula holds both. Per epoch (one receiver round trip or more):
 *
 *	path   = arrived x (elapsed - (rtt - base rtt)) / elapsed
 *	peak   = the largest path of the last epochs
 *	window = (1 + alpha) x peak			a steady connection
 *	window = 3 x (1 + alpha) x peak			when it just grew, without a queue
 *	window = peak					while the base is looked at
 *	window = (1 + alpha) x kept			where memory is plenty, if that is more
 *
 * With alpha = 1 that is DRS: 2 x BDP. In slow start, an estimate that is one round
 * trip late needs 4 x; 4 x is exactly what a doubling sender then has in flight, and
 * any segment that is late, or a granule of the scale, would hold it up: so 6 x, as
 * the kernel's own tuning allows. Once a queue shows, the path is nearly full, and a
 * sender that doubles on would fill its queue to the end: so 2 x from there on. But not before
 * the kernel's own tuning would be at its ceiling: jitter may look like a queue.
 *
 * arrived is what the application copied, and by how much more than before waits
 * out of order. path is what the connection needs in flight without the queue that
 * it causes itself: rtt - base rtt of the epoch were spent in that queue. Taking the whole
 * of it instead makes the estimate chase its own queue, up to any ceiling. The
 * time by which the reader was away for longer than a round trip stays in: the
 * window has to cover it. But not of many round trips, where the window follows what comes
 * meanwhile: for one pause it would then fill the path's queue.
 *
 * kept is the most that the path was ever seen to hold. An application that sends little for
 * a while, and then a burst, finds the window for that, as on a stock kernel, which never makes
 * a buffer smaller. A path that holds less than it did shows a queue, and then kept falls.
 */
#ifndef ABT_MODEL_RECEIVE_H
#define ABT_MODEL_RECEIVE_H

#include "model/base.h"
#include "model/extreme.h"
#include "model/fixed.h"

/**
 * enum abt_alpha_signal - what alpha is measured from
 * @ABT_ALPHA_EPOCH: segments of the last epoch, in order / all
 * @ABT_ALPHA_QUEUE: the paper's instantaneous ratio: bytes that wait in order /
 *	all that wait. A fast reader leaves both queues empty: 1.0 then.
 */
enum abt_alpha_signal {
	ABT_ALPHA_EPOCH,
	ABT_ALPHA_QUEUE,
};

/**
 * struct abt_rcv_sample - one epoch of a receiver
 * @now_us: time at its end [us]
 * @elapsed_us: its length [us], at least 1
 * @gap_us: since the application took data the time before [us]
 * @rtt_us: receiver's round-trip estimate at its end [us], at least 1
 * @echo_us: how old the ACK is that the last segment echoes [us]; 0: not known
 * @copied_bytes: payload that the application took in it [bytes]
 * @unread_bytes: payload that waits in order for the application [bytes]
 * @ooo_bytes: payload span that waits out of order [bytes]
 * @offered_bytes: window that the peer has been offered [payload bytes]
 * @own_bytes: window that the kernel's own tuning would offer at most [payload bytes]
 * @granule_bytes: granule of the window scale, in which it is offered [bytes]
 * @mss_bytes: payload of a full segment [bytes]
 * @segs: data segments that arrived in it
 * @ooo_segs: segments of @segs that arrived out of order
 * @shared: the window is a share, less than what the estimate asked for
 * @follows: the window followed what came while the reader was away
 * @most_bytes: payload that its segments can have brought [bytes]
 */
struct abt_rcv_sample {
	u64 now_us;
	u32 elapsed_us;
	u32 gap_us;
	u32 rtt_us;
	u32 echo_us;
	u32 copied_bytes;
	u32 unread_bytes;
	u32 ooo_bytes;
	u32 offered_bytes;
	u32 own_bytes;
	u32 granule_bytes;
	u32 mss_bytes;
	u32 segs;
	u32 ooo_segs;
	bool shared;
	bool follows;
	u32 most_bytes;
};

/**
 * struct abt_rcv_model - what is known of a receiver; the socket lock protects it
 * @base: the path's round trip
 * @peak: windowed maximum of path [bytes, over epochs]
 * @epochs: how many epochs were seen, the clock of @peak
 * @alpha_q16: smoothed alpha, Q16, 0 .. 1.0
 * @ooo_bytes: payload span that waited out of order at the last epoch's end [bytes]
 * @path_bytes: the most that the path held lately [payload bytes]
 * @used_bytes: mean of what a round trip brought, over ABT_USED_SHIFT [payload bytes]
 * @kept: the most that the path was seen to hold [1 << ABT_KEPT_SHIFT payload bytes]
 * @pauses: epochs for which the round trip still tells of a pause of the sender
 * @growing: epochs for which growth is still believed
 * @grows: growth was believed at the last epoch's end
 * @queued: a queue showed at the last epoch's end, of a path that holds so much that the kernel's
 *	own tuning would be at its ceiling
 * @took_all: the reader left no more than a round trip brings, when it took data last; the
 *	caller writes it
 */
struct abt_rcv_model {
	struct abt_base base;
	struct abt_extreme peak;
	u32 epochs;
	u32 alpha_q16;
	u32 ooo_bytes;
	u32 path_bytes;
	u32 used_bytes;
	u16 kept;
	u8 pauses:4;
	u8 growing:2;
	u8 grows:1;
	u8 queued:1;
	bool took_all;	/* a copy writes it, and a bit would take four instructions more */
};

/* Unit of what is kept: 64 K of them are the largest window. A smaller path needs none. */
#define ABT_KEPT_SHIFT		14

/* A round trip that a pause made longer is smoothed over some of the next. */
#define ABT_PAUSE_EPOCHS	4

/* More than 1/8 above the peak is growth, less is noise. */
#define ABT_GROWTH_SHIFT	3

/*
 * The mean use of a receiver is taken over 2^18 us, a quarter of a second. A burst that is
 * shorter counts by the share of that time that it took: a thousand connections that receive
 * 60 KB each and then nothing would otherwise claim all of a pool that they do not need.
 */
#define ABT_USED_SHIFT		18

void abt_rcv_init(struct abt_rcv_model *m);
void abt_rcv_use(struct abt_rcv_model *m, u32 copied_bytes, u32 elapsed_us,
		 u32 rtt_us);
u32 abt_rcv_update(struct abt_rcv_model *m, const struct abt_rcv_sample *s,
		   enum abt_alpha_signal signal);
u32 abt_rcv_window(const struct abt_rcv_model *m, bool use_alpha);
u32 abt_rcv_kept_window(const struct abt_rcv_model *m, bool use_alpha);

#endif /* ABT_MODEL_RECEIVE_H */
