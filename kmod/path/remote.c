// SPDX-License-Identifier: GPL-2.0
/* A peer's base round trip, and its connections' reports in terms of the path. See remote.h. */
#include <linux/bug.h>
#include <linux/minmax.h>

#include "path/member.h"
#include "path/path.h"
#include "path/remote.h"

/*
 * A base is remembered for 2^23 to 2^24 us, 8 to 17 s: one or two of the clock's slots in which
 * connections drain to look for it (model/base.h).
 */
#define ABT_REMOTE_BASE_HALF_US	(1U << 23)

/*
 * Connections of several peers that do not know of each other take the queue that they make
 * together for a part of their bases. The least round trip of 17 to 34 s has less of it; and if a
 * route became longer, that is known after as long [us].
 */
#define ABT_REMOTE_FLOOR_HALF_US	(1U << 24)

/* Longer bases do not occur, and would overflow a product [us]. */
#define ABT_REMOTE_BASE_MAX_US	(10U * 1000 * 1000)

/*
 * The queue is a part of the reference. BBR has no more than twice of a BDP under way, so a queue
 * of more than the base of a peer holds that back. With up to four times the least base it is less.
 */
#define ABT_REMOTE_LEAST_BASES	4

/**
 * abt_remote_init() - nothing is known of a peer yet: it is alone on its path
 * @remote: zeroed memory
 * @net: cookie of its network namespace
 *
 * Return: false without memory.
 */
bool abt_remote_init(struct abt_remote *remote, u64 net)
{
	remote->path = abt_path_make();
	if (!remote->path)
		return false;
	remote->net = net;
	INIT_LIST_HEAD(&remote->candidate);
	abt_remote_count(remote, remote->path);
	return true;
}

/**
 * abt_remote_exit() - the end of a peer without connections, alone or not
 * @remote: peer, in no list
 */
void abt_remote_exit(struct abt_remote *remote)
{
	struct abt_path *path = remote->path;

	WARN_ON_ONCE(remote->delays);
	spin_lock_bh(&path->lock);
	abt_remote_uncount(remote, path);
	spin_unlock_bh(&path->lock);
	abt_path_put(path);
}

/* The reference of a path. Context: @path->lock held. */
static void abt_remote_refer(struct abt_path *path)
{
	u32 least = abt_extreme_least(&path->least);
	u32 mean;

	if (!path->peers)
		return;
	mean = (u32)div_u64(path->bases_us, path->peers);
	path->base_us = path->peers == 1 ? mean :
			clamp(ABT_REMOTE_LEAST_BASES * least, mean / ABT_REMOTE_LEAST_BASES, mean);
}

/* The base of a peer that is on a path, or 0. Context: @path->lock held. */
static void abt_remote_learn_least(struct abt_path *path, u32 base_us)
{
	if (!base_us)
		return;
	if (!path->least.cur)
		abt_extreme_reset(&path->least, base_us, path->now_us);
	abt_extreme_min(&path->least, base_us, path->now_us, ABT_REMOTE_BASE_HALF_US);
}

/**
 * abt_remote_count() - a peer is on a path
 * @remote: peer
 * @path: path
 *
 * Context: @path->lock held; or the path is new.
 */
void abt_remote_count(struct abt_remote *remote, struct abt_path *path)
{
	path->peers++;
	path->bases_us += remote->base_us;
	abt_remote_learn_least(path, remote->base_us);
	abt_remote_refer(path);
}

/**
 * abt_remote_uncount() - a peer is on a path no longer
 * @remote: peer
 * @path: path
 *
 * Context: @path->lock held.
 */
void abt_remote_uncount(struct abt_remote *remote, struct abt_path *path)
{
	path->peers--;
	path->bases_us -= remote->base_us;
	abt_remote_refer(path);
}

/* The base round trip of a peer. Context: @remote->path->lock held. */
static u32 abt_remote_base(const struct abt_remote *remote)
{
	/* beside other peers a connection takes their queue for a part of its base */
	return remote->path->peers > 1 ? abt_remote_floor(remote) :
					 abt_extreme_least(&remote->base);
}

/**
 * abt_remote_forget_floor() - what was learned from others was not of this peer's path
 * @remote: peer
 *
 * Context: @remote->path->lock held.
 */
void abt_remote_forget_floor(struct abt_remote *remote)
{
	abt_extreme_reset(&remote->floor, abt_extreme_least(&remote->base),
			  remote->path->now_us);
}

/**
 * abt_remote_learn() - the round trips that a connection knows of
 * @remote: peer
 * @own: its report
 *
 * Silence tells nothing of the base, so it is no older after one.
 *
 * Context: @remote->path->lock held; the path's time is the connection's.
 */
void abt_remote_learn(struct abt_remote *remote, const struct abt_path_report *own)
{
	struct abt_path *path = remote->path;
	u64 silent_us = path->time_us - min(path->time_us, remote->heard_us);
	u32 base_us = min(own->base_us, ABT_REMOTE_BASE_MAX_US);
	u32 least_us = min(own->rtt_us, base_us);

	if (!remote->floor.cur || silent_us > ABT_REMOTE_FLOOR_HALF_US)
		abt_extreme_reset(&remote->floor, least_us, path->now_us);
	if (!remote->base.cur)
		abt_extreme_reset(&remote->base, base_us, path->now_us);
	else if (silent_us > ABT_PATH_SILENT_TRIPS * abt_path_pace(path))
		remote->base.since += (u32)silent_us;	/* it wraps, as the base's time */
	abt_extreme_min(&remote->base, base_us, path->now_us, ABT_REMOTE_BASE_HALF_US);
	if (path->misled)
		abt_remote_forget_floor(remote);
	path->misled = false;
	abt_extreme_min(&remote->floor, least_us, path->now_us, ABT_REMOTE_FLOOR_HALF_US);
	base_us = abt_remote_base(remote);
	abt_remote_learn_least(path, base_us);
	path->bases_us += base_us - (u64)remote->base_us;
	remote->base_us = base_us;
	remote->heard_us = path->time_us;
	abt_remote_refer(path);
}

/**
 * abt_remote_floor() - the least round trip of late
 * @remote: peer
 *
 * Context: @remote->path->lock held.
 * Return: us; 0: nothing is known.
 */
u32 abt_remote_floor(const struct abt_remote *remote)
{
	return abt_extreme_least(&remote->floor);
}

/**
 * abt_remote_lower_floor() - a peer has never seen its path without the queue
 * @remote: peer
 * @by_us: more of the queue that another peer has seen go [us]
 *
 * By no more than half: if the other's route became longer, it has not seen any of that go.
 *
 * Context: @remote->path->lock held.
 */
void abt_remote_lower_floor(struct abt_remote *remote, u32 by_us)
{
	u32 least_us = abt_remote_floor(remote);

	abt_extreme_reset(&remote->floor, least_us - min(least_us / 2, by_us),
			  remote->path->now_us);
}

/**
 * abt_remote_raise_floor() - a peer's route became longer
 * @remote: peer
 * @by_us: less of the queue that others see [us]
 *
 * Context: @remote->path->lock held.
 */
void abt_remote_raise_floor(struct abt_remote *remote, u32 by_us)
{
	abt_extreme_reset(&remote->floor, abt_remote_floor(remote) + by_us, remote->path->now_us);
}

/**
 * abt_remote_delay() - by how much is a round trip longer than it was at the least?
 * @remote: peer
 * @rtt_us: round trip [us]
 *
 * Context: @remote->path->lock held.
 * Return: us.
 */
u32 abt_remote_delay(const struct abt_remote *remote, u32 rtt_us)
{
	return rtt_us - min(rtt_us, abt_remote_floor(remote));
}

static u32 abt_remote_scale(u32 value, u32 by, u32 of)
{
	return abt_clamp_bytes(div_u64((u64)value * by, of));
}

/* A window of the path, as a connection's: that is of its own base, and the queue. */
static u32 abt_remote_own(const struct abt_remote *remote, u32 window, u32 queue_us)
{
	u32 base_us = abt_path_base(remote->path);

	if (window == ABT_PATH_ALL || remote->base_us == base_us)
		return window;
	return abt_remote_scale(window, remote->base_us + queue_us, base_us + queue_us);
}

/**
 * abt_remote_translate() - a connection's report, in terms of its path
 * @remote: peer
 * @own: the report
 * @r: is set
 *
 * The queue is the same; bytes that are held and asked for become those of the reference.
 *
 * Context: @remote->path->lock held.
 */
void abt_remote_translate(const struct abt_remote *remote, const struct abt_path_report *own,
			  struct abt_path_report *r)
{
	u32 base_us = abt_path_base(remote->path);
	u32 queue_us = abt_scale_q16(base_us, own->headroom_q16);
	u32 beyond_us = own->base_us - min(own->base_us, remote->base_us);

	*r = *own;
	if (remote->base_us == base_us)
		return;
	r->base_us = base_us + beyond_us;
	r->rtt_us = base_us + own->rtt_us - min(own->rtt_us, remote->base_us);
	r->held = abt_remote_scale(own->held, r->base_us, remote->base_us + beyond_us);
	r->carried = abt_remote_scale(own->carried, r->base_us, remote->base_us + beyond_us);
	r->asks = abt_remote_scale(own->asks, base_us + queue_us, remote->base_us + queue_us);
}

/**
 * abt_remote_window() - a share of the path, as a connection's window
 * @remote: peer
 * @share: share [payload bytes], or ABT_PATH_ALL
 * @headroom_q16: the path's queue, in parts of what it holds, Q16
 *
 * Context: @remote->path->lock held.
 * Return: payload bytes, or ABT_PATH_ALL.
 */
u32 abt_remote_window(const struct abt_remote *remote, u32 share, u32 headroom_q16)
{
	return abt_remote_own(remote, share,
			      abt_scale_q16(abt_path_base(remote->path), headroom_q16));
}

/**
 * abt_remote_look() - what is known of a peer and its path
 * @remote: peer
 * @state: is set
 *
 * Context: any, under RCU; no path's lock held.
 */
void abt_remote_look(const struct abt_remote *remote, struct abt_path_state *state)
{
	struct abt_path *path = READ_ONCE(remote->path);
	u32 queue_us;

	spin_lock_bh(&path->lock);
	queue_us = abt_path_trip(path) - min(abt_path_trip(path), abt_path_base(path));
	*state = (struct abt_path_state) {
		.base_us = remote->base_us,
		.rtt_us = remote->base_us + queue_us,
		.held = abt_path_held(path),
		.level = abt_path_shares(path) ? abt_remote_own(remote, path->level, queue_us) :
						 ABT_PATH_ALL,
		.members = path->members,
		.shared = abt_path_shares(path),
		.stopped = path->watch.stopped,
		.peers = path->peers,
		.id = path->peers > 1 ? path->id : 0,
	};
	spin_unlock_bh(&path->lock);
}
