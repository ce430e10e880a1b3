// SPDX-License-Identifier: GPL-2.0
/* What a path holds, and each member's share of it. See path.h. */
#include <linux/bug.h>
#include <linux/minmax.h>
#include <linux/slab.h>

#include "path/path.h"

/*
 * A base is remembered for 2^23 to 2^24 us, 8 to 17 s: one or two of the clock's slots in which
 * connections drain to look for it (model/base.h).
 */
#define ABT_PATH_BASE_HALF_US	(1U << 23)

/* What is held is remembered for 4 to 8 round trips, as long as the peak of a connection. */
#define ABT_PATH_HELD_HALF_TRIPS	4

/* A round trip of 1/8 more than the base has a queue in it, one of 1/16 more may have. */
#define ABT_PATH_QUEUED_SHIFT	3
#define ABT_PATH_CALM_SHIFT	4

/*
 * After so many round trips without a queue, twice of what is held is shared, as DRS does,
 * because the path may hold more; after so many, each has what it asks for.
 */
#define ABT_PATH_CALM_TRIPS	1
#define ABT_PATH_END_TRIPS	32

/* The queue of a connection that is alone stands after so many round trips. */
#define ABT_PATH_ALONE_TRIPS	8

/*
 * Shares have settled after so many round trips. Until then one member's rate is of before
 * another one gave way, and their sum is more than the path holds.
 */
#define ABT_PATH_SETTLE_TRIPS	8

/* A fall by more than 1/8 of what was held is rate that sharing took. */
#define ABT_PATH_TAKEN_SHIFT	2

/*
 * A base of up to 1/2 more than the path's may have a part of its queue in it. With more, the
 * connection comes another way: from another host behind the peer's address, say.
 */
#define ABT_PATH_APART_SHIFT	1

/*
 * Sharing stops for 8 s at first, a slot of the clock for drains, and for twice as long each
 * time that it takes rate again [us].
 */
#define ABT_PATH_FREE_US	(1U << 23)
#define ABT_PATH_FREE_MAX_US	(1U << 27)

/*
 * A member that has been silent for so many round trips, and for longer than most pauses
 * between two messages, has nothing under way.
 */
#define ABT_PATH_SILENT_TRIPS	16
#define ABT_PATH_SILENT_US	250000U

/* Longer round trips do not occur, and would overflow a product [us]. */
#define ABT_PATH_TRIP_MAX_US	(10U * 1000 * 1000)

static u32 abt_path_base(const struct abt_path *path)
{
	return min(path->base.cur, path->base.prev);
}

static u32 abt_path_held(const struct abt_path *path)
{
	return max(path->held.cur, path->held.prev);
}

/* Return: us. */
static u32 abt_path_trips(const struct abt_path *path, u32 trips)
{
	return trips * min(abt_path_base(path), ABT_PATH_TRIP_MAX_US);
}

/**
 * abt_path_init() - nothing is known of a path yet
 * @path: zeroed memory
 */
void abt_path_init(struct abt_path *path)
{
	spin_lock_init(&path->lock);
	INIT_LIST_HEAD(&path->active);
}

/**
 * abt_path_exit() - the end of a path without members
 * @path: path
 */
void abt_path_exit(struct abt_path *path)
{
	WARN_ON_ONCE(path->members);
	kfree(path->hist);
}

/**
 * abt_path_enter() - a connection becomes a member
 * @m: its part
 * @path: the path
 *
 * It counts from its first report on.
 *
 * Context: any; the socket lock held.
 */
void abt_path_enter(struct abt_path_member *m, struct abt_path *path)
{
	*m = (struct abt_path_member) { .path = path, .share = ABT_PATH_ALL };
	INIT_LIST_HEAD(&m->active);
}

/* What a member holds and asks for no longer counts. Context: @path->lock held. */
static void abt_path_withdraw(struct abt_path *path, struct abt_path_member *m)
{
	if (list_empty(&m->active))
		return;
	list_del_init(&m->active);
	path->members--;
	path->held_now -= m->held;
	path->best -= min(path->best, m->held);
	m->held = 0;
	if (m->entered)
		abt_hist_del(path->hist, m->asks);
	m->entered = false;
}

/* Withdraw members that have nothing under way. Context: @path->lock held. */
static void abt_path_expire(struct abt_path *path)
{
	u32 silent_us = max(abt_path_trips(path, ABT_PATH_SILENT_TRIPS),
			    ABT_PATH_SILENT_US);
	struct abt_path_member *m, *next;

	list_for_each_entry_safe(m, next, &path->active, active) {
		if (path->now_us - m->reported_us <= silent_us)
			break;
		abt_path_withdraw(path, m);
	}
}

/*
 * Members tell the time of their last segments, and not in order: a reader that was away tells an
 * old one. Time goes on alone. Context: @path->lock held.
 */
static void abt_path_tell_time(struct abt_path *path, u32 now_us)
{
	if (list_empty(&path->active) || (s32)(now_us - path->now_us) > 0)
		path->now_us = now_us;
}

/*
 * The first member after a silence finds no queue, and grows as on a path of its own. Context:
 * @path->lock held.
 */
static void abt_path_begin(struct abt_path *path)
{
	path->shared = false;
	abt_extreme_reset(&path->held, 0, path->now_us);
}

/* Context: @path->lock held. */
static void abt_path_learn_base(struct abt_path *path,
				const struct abt_path_report *r)
{
	if (!path->base.cur)
		abt_extreme_reset(&path->base, r->base_us, path->now_us);
	else if (list_empty(&path->active))
		path->base.since = path->now_us;	/* silence tells nothing */
	abt_extreme_min(&path->base, r->base_us, path->now_us,
			ABT_PATH_BASE_HALF_US);
}

/* Does a connection come another way? Context: @path->lock held. */
static bool abt_path_apart(const struct abt_path *path,
			   const struct abt_path_report *r)
{
	u32 base_us = abt_path_base(path);

	return r->base_us > base_us + (base_us >> ABT_PATH_APART_SHIFT);
}

/* What a member holds and asks for. Context: @path->lock held. */
static void abt_path_count(struct abt_path *path, struct abt_path_member *m,
			   const struct abt_path_report *r)
{
	u32 base_us = abt_path_base(path);
	/* a member may take a queue that it found for a part of its base */
	u32 held = abt_clamp_bytes(div_u64((u64)r->held * base_us,
					   max(r->base_us, base_us)));

	path->members += list_empty(&m->active);
	list_move_tail(&m->active, &path->active);
	m->reported_us = path->now_us;
	path->held_now += held - (u64)m->held;
	m->held = held;
	abt_extreme_max(&path->held, abt_clamp_bytes(path->held_now), path->now_us,
			abt_path_trips(path, ABT_PATH_HELD_HALF_TRIPS));
}

/* The window that a member asks for, in the histogram. Context: @path->lock held. */
static void abt_path_ask(struct abt_path *path, struct abt_path_member *m,
			 u32 asks)
{
	if (!path->hist && path->members > 1)
		path->hist = kzalloc(sizeof(*path->hist),
				     GFP_ATOMIC | __GFP_NOWARN);
	if (!path->hist || (m->entered && m->asks == asks))
		return;
	if (m->entered)
		abt_hist_del(path->hist, m->asks);
	abt_hist_add(path->hist, asks);
	m->asks = asks;
	m->entered = true;
}

/* Has no queue been seen for so many round trips? */
static bool abt_path_calm(const struct abt_path *path, u32 trips)
{
	return path->now_us - path->queued_us > abt_path_trips(path, trips);
}

/* Does sharing take rate? */
static bool abt_path_loses(struct abt_path *path)
{
	if (path->now_us - path->shared_us <=
	    abt_path_trips(path, ABT_PATH_SETTLE_TRIPS))
		return false;
	path->best = max(path->best, abt_path_held(path));
	return abt_path_held(path) <
	       path->best - (path->best >> ABT_PATH_TAKEN_SHIFT);
}

static void abt_path_stop(struct abt_path *path)
{
	path->shared = false;
	path->stopped = true;
	path->free_us = clamp(2 * path->free_us, ABT_PATH_FREE_US,
			      ABT_PATH_FREE_MAX_US);
	path->free_until_us = path->now_us + path->free_us;
}

/*
 * Is there anything to share? One connection shares with the next one, so its queue is to be
 * short by then; but its own bursts make a queue that is gone a round trip later.
 */
static bool abt_path_stands(const struct abt_path *path)
{
	return path->members > 1 ||
	       path->now_us - path->stands_us >
	       abt_path_trips(path, ABT_PATH_ALONE_TRIPS);
}

/* A round trip without a queue, or with one. Context: @path->lock held. */
static void abt_path_see(struct abt_path *path, u32 rtt_us)
{
	u32 base_us = abt_path_base(path);

	if (rtt_us <= base_us + (base_us >> ABT_PATH_CALM_SHIFT))
		return;
	/* a connection that is alone tells of its round trips one at a time */
	if (path->now_us - path->queued_us > 2 * min(rtt_us, ABT_PATH_TRIP_MAX_US))
		path->stands_us = path->now_us;
	path->queued_us = path->now_us;
}

/* Are windows to be shared? Context: @path->lock held. */
static void abt_path_watch(struct abt_path *path, u32 rtt_us)
{
	u32 base_us = abt_path_base(path);

	abt_path_see(path, rtt_us);
	if (path->stopped && (s32)(path->now_us - path->free_until_us) >= 0)
		path->stopped = false;
	if (path->shared && abt_path_loses(path)) {
		abt_path_stop(path);
	} else if (path->shared && abt_path_calm(path, ABT_PATH_END_TRIPS)) {
		path->shared = false;
		path->free_us = 0;
	} else if (!path->shared && !path->stopped &&
		   abt_path_stands(path) &&
		   rtt_us > base_us + (base_us >> ABT_PATH_QUEUED_SHIFT)) {
		path->shared = true;
		path->shared_us = path->now_us;
		path->best = 0;
	}
}

/* The largest window that a member may have. Context: @path->lock held. */
static u32 abt_path_level(const struct abt_path *path,
			  const struct abt_path_report *r)
{
	u32 headroom = abt_path_calm(path, ABT_PATH_CALM_TRIPS) ?
		       ABT_Q16_ONE : r->headroom_q16;
	u32 room = abt_scale_q16(min(abt_path_held(path), ABT_BYTES_MAX),
				 ABT_Q16_ONE + headroom);

	if (!path->shared || !r->headroom_q16)
		return ABT_PATH_ALL;
	return path->hist ? abt_hist_level(path->hist, room) :
			    room / path->members;
}

/* The report of a member of this path. Context: @path->lock held. */
static void abt_path_take(struct abt_path *path, struct abt_path_member *m,
			  const struct abt_path_report *r)
{
	if (list_empty(&path->active))
		abt_path_begin(path);
	abt_path_count(path, m, r);
	abt_path_ask(path, m, abt_clamp_bytes(r->asks));
	abt_path_watch(path, r->rtt_us);
}

/**
 * abt_path_rest() - a path without connections takes less memory
 * @path: path
 *
 * Context: any.
 */
void abt_path_rest(struct abt_path *path)
{
	spin_lock_bh(&path->lock);
	kfree(path->hist);
	path->hist = NULL;
	spin_unlock_bh(&path->lock);
}

/**
 * abt_path_report() - an epoch of a member ended
 * @m: member, of a path; @m->share is set
 * @r: its report
 *
 * Context: any; the socket lock held.
 */
void abt_path_report(struct abt_path_member *m, const struct abt_path_report *r)
{
	struct abt_path *path = m->path;

	spin_lock_bh(&path->lock);
	abt_path_tell_time(path, r->now_us);
	abt_path_expire(path);
	abt_path_learn_base(path, r);
	if (abt_path_apart(path, r)) {
		abt_path_withdraw(path, m);
		m->share = ABT_PATH_ALL;
	} else {
		abt_path_take(path, m, r);
		m->share = abt_path_level(path, r);
	}
	spin_unlock_bh(&path->lock);
}

/**
 * abt_path_quit() - a connection is a member no longer
 * @m: its part, of a path
 *
 * Context: any; the socket lock held, or the last reference.
 */
void abt_path_quit(struct abt_path_member *m)
{
	spin_lock_bh(&m->path->lock);
	abt_path_withdraw(m->path, m);
	spin_unlock_bh(&m->path->lock);
}
