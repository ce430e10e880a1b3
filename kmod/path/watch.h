/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Whether the windows of a path are to be shared: a queue stands, and sharing takes no rate.
 *
 * A burst makes a queue as well, and so does a connection that starts; a round trip later it is
 * gone. A queue stands if members that hold most see it for some round trips. A round trip may be
 * longer than its base for another reason: traffic that is not ours fills the queue, or a radio
 * link delays. Then a smaller window is less rate, in all members together, and sharing stops.
 *
 * The arithmetic alone. Compiles in user space.
 */
#ifndef ABT_PATH_WATCH_H
#define ABT_PATH_WATCH_H

#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/types.h>

#include "model/base.h"
#include "model/line.h"

/**
 * struct abt_watch - a path's queue, and its rate; the path's lock protects it
 * @queue_us: some member saw a queue last, if a short one [us, wraps]
 * @high_us: the same of one that is more than jitter [us, wraps]
 * @drained_us: some member drained its window last, to see the base [us, wraps]
 * @low_us: members that hold no more than half saw one, last [us, wraps]
 * @metered_us: since when @bytes count [us, wraps]
 * @judged_us: the end of the last whole interval, or when sharing began [us, wraps]
 * @lossy_us: segments arrived out of order last [us, wraps]
 * @short_us: some member saw no more of a queue than shares make, last [us, wraps]
 * @yielded_us: a member began to look at the base by itself, last [us, wraps]
 * @bytes: payload that arrived [bytes]
 * @limited: part of @bytes, of members that their shares limit [bytes]
 * @rate: the largest rate lately, of a whole interval [bytes per 1024 us]
 * @same_rate: as @rate, since a member left whose share limited it
 * @last_rate: the rate of the last whole interval
 * @brings: as @rate, but with the parts of members that left, since the others take these
 * @free_us: how long sharing stops if it takes rate [us]
 * @free_until_us: until when it has stopped [us, wraps]
 * @lossy: segments arrived out of order lately
 * @grew: the rate grew in the last whole interval, or there is none yet
 * @left: a member that its share limited left in this interval
 * @shared: windows are shared
 * @stopped: sharing has stopped until @free_until_us
 */
struct abt_watch {
	u32 queue_us;
	u32 high_us;
	u32 drained_us;
	u32 low_us;
	u32 metered_us;
	u32 judged_us;
	u32 lossy_us;
	u32 short_us;
	u32 yielded_us;
	u64 bytes;
	u64 limited;
	u32 rate;
	u32 same_rate;
	u32 last_rate;
	u32 brings;
	u32 free_us;
	u32 free_until_us;
	bool lossy;
	bool grew;
	bool left;
	bool shared;
	bool stopped;
};

/**
 * struct abt_glance - a report, as the watch takes it
 * @now_us: time of it [us, wraps]
 * @base_us: base round trip of the path [us]
 * @trip_us: round trip of late, the longest of any member [us]
 * @rtt_us: round trip of this member [us]
 * @members: members that report
 * @queued: members that hold most saw a queue last
 * @seen: this member's round trip tells of a queue, if it is long
 * @bytes: payload that arrived at this member [bytes]
 * @limited: its share limits it
 * @longer: its round trip tells of more of a queue than shares make
 * @lossy: segments arrived out of order
 * @drains: this member drains its window, to see the base
 * @yields: it has far less under way than before, by itself
 * @joins: it reports for the first time, or again
 */
struct abt_glance {
	u32 now_us;
	u32 base_us;
	u32 trip_us;
	u32 rtt_us;
	u32 members;
	u32 bytes;
	bool queued;
	bool seen;
	bool limited;
	bool longer;
	bool lossy;
	bool drains;
	bool yields;
	bool joins;
};

void abt_watch_begin(struct abt_watch *w, u32 now_us, u32 silent_us);
void abt_watch_report(struct abt_watch *w, const struct abt_glance *g);
void abt_watch_join(struct abt_watch *w, u32 now_us, u32 rate);
void abt_watch_clear(struct abt_watch *w, u32 now_us);
void abt_watch_leave(struct abt_watch *w, u32 told_us, u32 rate);
bool abt_watch_calm(const struct abt_watch *w, u32 now_us, u32 for_us);
bool abt_watch_drained(const struct abt_watch *w, u32 now_us, u32 base_us);
bool abt_watch_emptied(const struct abt_watch *w, u32 now_us, u32 base_us);
u32 abt_free_next_us(u32 free_us);

/**
 * abt_watch_bars() - is nothing to be shared, even if the bottleneck is known?
 * @w: the path's watch
 * @members: members that report
 *
 * A connection that is alone and loses segments now and then needs a window that its cwnd can
 * grow back into, and its queue delays nobody else.
 *
 * Return: true if sharing took rate, or for that reason.
 */
static inline bool abt_watch_bars(const struct abt_watch *w, u32 members)
{
	return w->stopped || (members == 1 && w->lossy);
}

/**
 * abt_watch_rate() - a rate in the unit of the bottleneck's
 * @bytes: payload [bytes]
 * @us: the time that it took [us]
 *
 * Return: bytes per 1024 us.
 */
static inline u32 abt_watch_rate(u64 bytes, u32 us)
{
	u64 units = min_t(u64, bytes, U64_MAX >> ABT_LINE_UNIT_SHIFT) << ABT_LINE_UNIT_SHIFT;

	return min_t(u64, div_u64(units, max(us, 1U)), U32_MAX);
}

#endif /* ABT_PATH_WATCH_H */
