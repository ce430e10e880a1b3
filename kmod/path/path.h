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
 * On a path of our own sharing takes no rate, because the queue keeps it busy. If sharing does
 * take rate, the queue is other traffic's, or the round trip varies for another reason, and
 * smaller windows would only give the path away. So sharing stops, and is tried again later.
 *
 * The arithmetic alone: table.c finds the path of a connection. Compiles in user space.
 */
#ifndef ABT_PATH_PATH_H
#define ABT_PATH_PATH_H

#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#include "model/extreme.h"
#include "pool/hist.h"

/* No share: a connection has all that it asks for. */
#define ABT_PATH_ALL	ABT_LEVEL_NONE

/**
 * struct abt_path - what is known of a path
 * @lock: protects all that follows, and the members' parts; BH-safe
 * @base: windowed minimum of the members' base round trips [us, over us]
 * @held: windowed maximum of @held_now [payload bytes, over us]
 * @now_us: the latest time that a member told of [us, wraps]
 * @held_now: what the members have under way without the queue [payload bytes]
 * @shared_us: since when windows are shared [us, wraps]
 * @best: the most that @held was since shares settled [payload bytes]
 * @hist: windows that members ask for, made for the second of them; NULL: there is one, or no
 *	memory
 * @active: members that reported lately, the one that is silent for longest first
 * @members: how many these are
 * @queued_us: a queue was seen last [us, wraps]
 * @stands_us: since when it has been seen without a pause [us, wraps]
 * @free_us: how long sharing stops if it takes rate [us]
 * @free_until_us: until when it has stopped [us, wraps]
 * @shared: a queue stands, and windows are shared out
 * @stopped: sharing has stopped until @free_until_us
 */
struct abt_path {
	spinlock_t lock;	/* all that follows */
	struct abt_extreme base;
	struct abt_extreme held;
	u32 now_us;
	u64 held_now;
	u32 shared_us;
	u32 best;
	struct abt_hist *hist;
	struct list_head active;
	u32 members;
	u32 queued_us;
	u32 stands_us;
	u32 free_us;
	u32 free_until_us;
	bool shared;
	bool stopped;
};

/**
 * struct abt_path_member - a connection's part in its path
 * @path: the path; constant
 * @share: the largest window that it may have of the path [payload bytes]; ABT_PATH_ALL: the
 *	window that it asks for; the socket lock protects it
 * @held: what it has under way without the queue [payload bytes]
 * @asks: window that it asks for [payload bytes]
 * @reported_us: when it reported last [us, wraps]
 * @active: in the path's list, if it reported lately
 * @entered: @asks is in the path's histogram
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
	bool entered;
};

/**
 * struct abt_path_report - an epoch of a member
 * @now_us: time at its end, by the member's last segment [us, wraps]
 * @rtt_us: receiver's round-trip estimate at its end [us]
 * @base_us: base round trip that the connection knows of [us], at least 1
 * @held: what it had under way without the queue [payload bytes]
 * @asks: window that it asks for [payload bytes]
 * @headroom_q16: the path's queue, in parts of what it holds, Q16
 */
struct abt_path_report {
	u32 now_us;
	u32 rtt_us;
	u32 base_us;
	u32 held;
	u32 asks;
	u32 headroom_q16;
};

void abt_path_init(struct abt_path *path);
void abt_path_exit(struct abt_path *path);
void abt_path_enter(struct abt_path_member *m, struct abt_path *path);
void abt_path_report(struct abt_path_member *m, const struct abt_path_report *r);
void abt_path_quit(struct abt_path_member *m);
void abt_path_rest(struct abt_path *path);

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
