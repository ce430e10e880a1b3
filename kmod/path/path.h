/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The way from a peer, or from several behind one bottleneck, shared by their connections: what it
 * holds, and each one's share of that.
 *
 * DRS estimates what a path holds, for one connection at a time. If each has twice of that, a
 * queue of one BDP stands, and the connection that came first keeps most of the path, because
 * only a loss takes any from it. So while a queue stands, the connections of a path share
 *
 *	(1 + headroom) x sum(held)
 *
 * max-min. held is what a connection has under way without the queue. A connection that has
 * less than its share grows into it, and the windows of the others fall by as much. The queue
 * that stands is the headroom, so nothing overflows; if segments are lost in a queue that is
 * hardly longer, the headroom is less (overflow.h). While no queue stands, the path may hold
 * more, and each connection has the window that it asks for; unless the bottleneck's rate is known,
 * from members in slow start, and what it holds with it (line.h).
 *
 * On a path of our own sharing takes no rate, because the queue keeps it busy. If it does, the
 * queue is not ours, and sharing stops (watch.h). A member whose share limits it though it sees
 * no queue has a bottleneck of its own, or is behind a link that the others do not use: it is
 * free of shares. Both are tried again later.
 *
 * The arithmetic alone: table.c finds the path of a connection. Compiles in user space.
 */
#ifndef ABT_PATH_PATH_H
#define ABT_PATH_PATH_H

#include <linux/list.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#include "model/extreme.h"
#include "path/overflow.h"
#include "path/watch.h"
#include "pool/hist.h"

/**
 * struct abt_path - what is known of a path
 * @users: peers and members that refer to it
 * @rcu: a walk over the table may look at one that goes
 * @lock: protects all that follows, and the members' parts; BH-safe
 * @peers: peers that are on it
 * @bases_us: sum of their base round trips [us]
 * @least: windowed minimum of them [us, over us]
 * @base_us: the reference: of several peers a mean [us]; see remote.h
 * @id: number of a path that several peers are, or were, on; 0: none
 * @misled: a peer that was on it in error left the last one with a wrong floor
 * @trip: windowed maximum of the members' round trips, in terms of the reference [us, over us]
 * @longest: the same, in their own terms
 * @held: windowed maximum of @held_now [payload bytes, over us]
 * @time_us: the latest time that a member told of [us]
 * @now_us: the same [us, wraps]
 * @heard_us: the last report of any connection [us]
 * @held_now: what the members have under way without the queue [payload bytes]
 * @waits: the part of it that is for ACKs that wait [payload bytes]
 * @eased: at least so much is shared [payload bytes]
 * @eased_us: when that was lowered last [us, wraps]
 * @undrained: what it held when members began to drain last [payload bytes]
 * @overflow: the queue that overflows
 * @line: rate of the bottleneck [bytes per 1024 us]; 0: not known, or not of late
 * @line_us: when a member told of it last [us, wraps]
 * @watch: whether windows are to be shared
 * @level: the share of the member that reported last [payload bytes]
 * @hist: windows that members ask for, made for the second of them; NULL: there is one, or no
 *	memory
 * @active: members that reported lately, the one that is silent for longest first
 * @members: how many these are
 * @queued: sum of the members' queued bytes [payload bytes]
 */
struct abt_path {
	refcount_t users;
	struct rcu_head rcu;
	spinlock_t lock;	/* all that follows */
	u32 peers;
	u64 bases_us;
	struct abt_extreme least;
	u32 base_us;
	u32 id;
	bool misled;
	struct abt_extreme trip;
	struct abt_extreme longest;
	struct abt_extreme held;
	u64 time_us;
	u64 heard_us;
	u32 now_us;
	u64 held_now;
	u64 waits;
	u32 eased;
	u32 eased_us;
	u32 undrained;
	struct abt_overflow overflow;
	u32 line;
	u32 line_us;
	struct abt_watch watch;
	u32 level;
	struct abt_hist *hist;
	struct list_head active;
	u32 members;
	u64 queued;
};

/**
 * struct abt_path_state - a path, to be shown
 * @base_us: base round trip [us]
 * @rtt_us: longest round trip of late [us]
 * @held: bytes that the path holds [payload bytes]
 * @level: the largest share [payload bytes]; ABT_PATH_ALL: none is shared
 * @members: members that reported lately
 * @shared: windows are shared
 * @stopped: they are not, because sharing took rate
 * @peers: peers that share them
 * @id: number of the path, if there are several; or 0
 */
struct abt_path_state {
	u32 base_us;
	u32 rtt_us;
	u32 held;
	u32 level;
	u32 members;
	bool shared;
	bool stopped;
	u32 peers;
	u32 id;
};

/* A member that has been silent for so many round trips has nothing under way. */
#define ABT_PATH_SILENT_TRIPS	4

struct abt_path *abt_path_make(void);
void abt_path_put(struct abt_path *path);
void abt_path_tell_time(struct abt_path *path, u64 time_us);
u32 abt_path_silent_us(const struct abt_path *path);
bool abt_path_is_calm(const struct abt_path *path);
void abt_path_begin(struct abt_path *path);
void abt_path_learn_trip(struct abt_path *path, u32 rtt_us, u32 own_us, u32 own_base_us);
void abt_path_rest(struct abt_path *path);

/* The base round trip that it is counted in [us]. Context: @path->lock held. */
static inline u32 abt_path_base(const struct abt_path *path)
{
	return path->base_us;
}

/* The longest round trip of late [us]. Context: @path->lock held. */
static inline u32 abt_path_trip(const struct abt_path *path)
{
	return abt_extreme_most(&path->trip);
}

/* The longest round trip of late, as its member has it [us]. Context: @path->lock held. */
static inline u32 abt_path_pace(const struct abt_path *path)
{
	return abt_extreme_most(&path->longest);
}

/* The base round trip of that member [us]. Context: @path->lock held. */
static inline u32 abt_path_longest_base(const struct abt_path *path)
{
	u32 trip_us = abt_path_trip(path);

	return abt_path_base(path) + max(abt_path_pace(path), trip_us) - trip_us;
}

/* Did a member drain the queue lately? Context: @path->lock held. */
static inline bool abt_path_drained(const struct abt_path *path)
{
	return abt_watch_drained(&path->watch, path->now_us, abt_path_longest_base(path));
}

/* Did one drain it, or look at the base, so that none is seen? Context: @path->lock held. */
static inline bool abt_path_emptied(const struct abt_path *path)
{
	return abt_watch_emptied(&path->watch, path->now_us, abt_path_longest_base(path));
}

/* Does a queue stand, or is the bottleneck known? Windows are shared then. Context: @path->lock. */
static inline bool abt_path_shares(const struct abt_path *path)
{
	return path->watch.shared || path->line;
}

/* The most that members had under way of late [payload bytes]. Context: @path->lock held. */
static inline u32 abt_path_held(const struct abt_path *path)
{
	return abt_extreme_most(&path->held);
}

#endif /* ABT_PATH_PATH_H */
