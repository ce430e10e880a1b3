/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The way from a peer, shared by its connections: what it holds, and each one's share of that.
 *
 * DRS estimates what a path holds, for one connection at a time. If each has twice of that, a
 * queue of one BDP stands, and the connection that came first keeps most of the path, because
 * only a loss takes any from it. So while a queue stands, the connections of a path share
 *
 *	(1 + headroom) x sum(held)
 *
 * max-min. held is what a connection has under way without the queue. A connection that has
 * less than its share grows into it, and the windows of the others fall by as much. The queue
 * that stands is the headroom, so nothing overflows. While no queue stands, the path may hold
 * more, and each connection has the window that it asks for.
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
#include <linux/spinlock.h>
#include <linux/types.h>

#include "model/extreme.h"
#include "path/watch.h"
#include "pool/hist.h"

/* No share: a connection has all that it asks for. */
#define ABT_PATH_ALL	ABT_LEVEL_NONE

/**
 * struct abt_path - what is known of a path
 * @lock: protects all that follows, and the members' parts; BH-safe
 * @base: windowed minimum of the members' base round trips [us, over us]
 * @trip: windowed maximum of their round trips [us, over us]
 * @held: windowed maximum of @held_now [payload bytes, over us]
 * @now_us: the latest time that a member told of [us, wraps]
 * @heard_us: the last report of any connection [us, wraps]
 * @held_now: what the members have under way without the queue [payload bytes]
 * @eased: at least so much is shared [payload bytes]
 * @eased_us: when that was lowered last [us, wraps]
 * @watch: whether windows are to be shared
 * @level: the share of the member that reported last [payload bytes]
 * @hist: windows that members ask for, made for the second of them; NULL: there is one, or no
 *	memory
 * @active: members that reported lately, the one that is silent for longest first
 * @members: how many these are
 * @queued: how many of these saw a queue last
 */
struct abt_path {
	spinlock_t lock;	/* all that follows */
	struct abt_extreme base;
	struct abt_extreme trip;
	struct abt_extreme held;
	u32 now_us;
	u32 heard_us;
	u64 held_now;
	u32 eased;
	u32 eased_us;
	struct abt_watch watch;
	u32 level;
	struct abt_hist *hist;
	struct list_head active;
	u32 members;
	u32 queued;
};

/**
 * struct abt_path_member - a connection's part in its path
 * @path: the path; constant
 * @share: the largest window that it may have of the path [payload bytes]; ABT_PATH_ALL: the
 *	window that it asks for; the socket lock protects it
 * @held: what it has under way without the queue [payload bytes]
 * @asks: window that it asks for [payload bytes]
 * @reported_us: when it reported last [us, wraps]
 * @queue_us: when it saw a queue last, or its share began to limit it [us, wraps]
 * @free_us: for how long it is free of shares if it has no part in the queue [us]
 * @free_until_us: until when it is [us, wraps]
 * @active: in the path's list, if it reported lately
 * @entered: @asks is in the path's histogram
 * @queued: it saw a queue last
 * @limited: its share limits it
 * @free: it is free of shares until @free_until_us
 *
 * The path's lock protects the other fields: a member that is silent is taken out by another
 * one's report.
 */
struct abt_path_member {
	struct abt_path *path;
	struct list_head active;
	u32 share;
	u32 held;
	u32 asks;
	u32 reported_us;
	u32 queue_us;
	u32 free_us;
	u32 free_until_us;
	bool entered;
	bool queued;
	bool limited;
	bool free;
};

/**
 * struct abt_path_report - an epoch of a member
 * @now_us: time at its end, by the member's last segment [us, wraps]
 * @rtt_us: receiver's round-trip estimate at its end [us]
 * @base_us: base round trip that the connection knows of [us], at least 1
 * @held: what it had under way without the queue [payload bytes]
 * @asks: window that it asks for [payload bytes]
 * @bytes: payload that the application took in it [bytes]
 * @headroom_q16: the path's queue, in parts of what it holds, Q16
 * @lossy: segments arrived out of order in it
 */
struct abt_path_report {
	u32 now_us;
	u32 rtt_us;
	u32 base_us;
	u32 held;
	u32 asks;
	u32 bytes;
	u32 headroom_q16;
	bool lossy;
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
 */
struct abt_path_state {
	u32 base_us;
	u32 rtt_us;
	u32 held;
	u32 level;
	u32 members;
	bool shared;
	bool stopped;
};

void abt_path_init(struct abt_path *path);
void abt_path_exit(struct abt_path *path);
void abt_path_enter(struct abt_path_member *m, struct abt_path *path);
void abt_path_report(struct abt_path_member *m, const struct abt_path_report *r);
void abt_path_quit(struct abt_path_member *m);
void abt_path_rest(struct abt_path *path);
void abt_path_look(struct abt_path *path, struct abt_path_state *state);

/**
 * abt_path_share() - the largest window that a connection may have of its path
 * @m: its part, or NULL
 *
 * Context: any; the socket lock held.
 * Return: payload bytes, or ABT_PATH_ALL.
 */
static inline u32 abt_path_share(const struct abt_path_member *m)
{
	return m ? m->share : ABT_PATH_ALL;
}

#endif /* ABT_PATH_PATH_H */
