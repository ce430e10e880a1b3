/* SPDX-License-Identifier: GPL-2.0 */
/* A connection's part in its path: its reports, and the share that it gets. */
#ifndef ABT_PATH_MEMBER_H
#define ABT_PATH_MEMBER_H

#include <linux/list.h>
#include <linux/types.h>

#include "model/line.h"
#include "pool/hist.h"

struct abt_path;
struct abt_remote;

/* No share: a connection has all that it asks for. */
#define ABT_PATH_ALL	ABT_LEVEL_NONE

/**
 * struct abt_path_member - a connection's part in its path
 * @remote: its peer; constant
 * @path: the path that it is counted on: that of its peer, as of its last report; the socket
 *	lock protects it
 * @share: the largest window that it may have of the path [payload bytes]; ABT_PATH_ALL: the
 *	window that it asks for; the socket lock protects it
 * @line: its estimate of the bottleneck; the socket lock protects it
 * @held: what it has under way without the queue [payload bytes]
 * @waits: the part of @held that is for ACKs that wait, unless it lost segments [payload bytes]
 * @queued: @held if it saw a queue last, else 0 [payload bytes]
 * @asks: window that it asks for [payload bytes]
 * @reported_us: when it reported last [us, wraps]
 * @queue_us: when it saw a queue last, or its share began to limit it [us, wraps]
 * @saw_us: when it saw a queue last [us, wraps]
 * @free_us: for how long it is free of shares if it has no part in the queue [us]
 * @free_until_us: until when it is [us, wraps]
 * @active: in the path's list, if it reported lately
 * @entered: @asks is in the path's histogram
 * @saw: it saw one lately, so that its share binds it
 * @limited: its share limits it
 * @free: it is free of shares until @free_until_us
 *
 * The path's lock protects the other fields: a member that is silent is taken out by another
 * one's report.
 */
struct abt_path_member {
	struct abt_remote *remote;
	struct abt_path *path;
	struct list_head active;
	u32 share;
	struct abt_line line;
	u32 held;
	u32 waits;
	u32 queued;
	u32 asks;
	u32 reported_us;
	u32 queue_us;
	u32 saw_us;
	u32 free_us;
	u32 free_until_us;
	bool entered;
	bool saw;
	bool limited;
	bool free;
};

/**
 * struct abt_path_report - an epoch of a member
 * @now_us: time at its end, by the member's last segment [us]
 * @rtt_us: receiver's round-trip estimate at its end [us]
 * @base_us: base round trip that the connection knows of [us], at least 1
 * @held: what it had under way without the queue [payload bytes]
 * @carried: bytes that came in a base round trip, if ACKs wait or not [payload bytes]
 * @asks: window that it asks for [payload bytes]
 * @bytes: payload that the application took in it [bytes]
 * @headroom_q16: the path's queue, in parts of what it holds, Q16
 * @line: the bottleneck's rate, if something new is known of it [bytes per 1024 us]; or 0
 * @paused: its sender paused, so that its round trip tells of that
 * @spares: it has far less under way than its window, which is no queue's cause
 * @lossy: segments arrived out of order in it
 * @drains: it drains its window, to see the base
 */
struct abt_path_report {
	u64 now_us;
	u32 rtt_us;
	u32 base_us;
	u32 held;
	u32 carried;
	u32 asks;
	u32 bytes;
	u32 headroom_q16;
	u32 line;
	bool paused;
	bool spares;
	bool lossy;
	bool drains;
};

void abt_path_enter(struct abt_path_member *m, struct abt_remote *remote);
bool abt_path_report(struct abt_path_member *m, const struct abt_path_report *own);
bool abt_path_is_shared(const struct abt_path_member *m);
void abt_path_quit(struct abt_path_member *m);

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

/**
 * abt_path_bounds() - has a connection a share of its path?
 * @m: its part, or NULL
 *
 * Context: any; the socket lock held.
 * Return: true if it has; false if it may have all that it asks for.
 */
static inline bool abt_path_bounds(const struct abt_path_member *m)
{
	return abt_path_share(m) != ABT_PATH_ALL;
}

#endif /* ABT_PATH_MEMBER_H */
