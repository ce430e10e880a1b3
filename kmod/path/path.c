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

/*
 * After so many round trips without a queue, twice of what is held is shared, as DRS does,
 * because the path may hold more.
 */
#define ABT_PATH_CALM_TRIPS	1

/*
 * When sharing begins, all that is under way with the queue is shared, and by 1/16 less a round
 * trip. If the queue is not ours, that takes a quarter of our rate before it is seen, in place of
 * nearly all.
 */
#define ABT_PATH_EASE_SHIFT	4

/*
 * A member that its share limits, and that sees no queue for so many round trips while others
 * do, has no part in theirs.
 */
#define ABT_PATH_ALOOF_TRIPS	4

/*
 * A base of up to 1/2 more than the path's is the path's. More may be its queue, which a
 * newcomer finds: no more than the round trip of members. With more than both, the connection
 * comes another way: from another host behind the peer's address, say.
 */
#define ABT_PATH_APART_SHIFT	1

/* A member that has been silent for so many round trips has nothing under way. */
#define ABT_PATH_SILENT_TRIPS	4

/* The longest round trip of late is remembered for 4 to 8 of them. */
#define ABT_PATH_TRIP_HALF_TRIPS	4

/* With more than so many bases of queue a round trip tells of a reader's pause, not of a queue. */
#define ABT_PATH_TRIP_BASES	8

/* A share limits a member if all but 1/8 of it is under way. */
#define ABT_PATH_LIMITS_SHIFT	3

/* Longer bases do not occur, and would overflow a product [us]. */
#define ABT_PATH_BASE_MAX_US	(10U * 1000 * 1000)

static u32 abt_path_base(const struct abt_path *path)
{
	return min(path->base.cur, path->base.prev);
}

/* The longest round trip of late. */
static u32 abt_path_trip(const struct abt_path *path)
{
	return max(path->trip.cur, path->trip.prev);
}

static u32 abt_path_held(const struct abt_path *path)
{
	return max(path->held.cur, path->held.prev);
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
	/* other members take what it had, and a short one had little of an interval */
	if (m->limited)
		abt_watch_leave(&path->watch, path->now_us,
				abt_watch_rate(m->held, abt_path_base(path)));
	path->members--;
	path->queued -= m->queued;
	path->held_now -= m->held;
	if (m->entered)
		abt_hist_del(path->hist, m->asks);
	m->queued = false;
	m->limited = false;
	m->held = 0;
	m->entered = false;
}

/* Withdraw members that have nothing under way. Context: @path->lock held. */
static void abt_path_expire(struct abt_path *path)
{
	u32 silent_us = ABT_PATH_SILENT_TRIPS * abt_path_trip(path);
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

/* Silence tells nothing of the base, so it is no older after one. Context: @path->lock held. */
static void abt_path_learn_base(struct abt_path *path,
				const struct abt_path_report *r)
{
	u32 base_us = min(r->base_us, ABT_PATH_BASE_MAX_US);
	u32 silent_us = path->now_us - path->heard_us;

	if (!path->base.cur)
		abt_extreme_reset(&path->base, base_us, path->now_us);
	else if (list_empty(&path->active) &&
		 silent_us > ABT_PATH_SILENT_TRIPS * abt_path_trip(path))
		path->base.since += silent_us;
	abt_extreme_min(&path->base, base_us, path->now_us,
			ABT_PATH_BASE_HALF_US);
}

/* Context: @path->lock held. */
static void abt_path_learn_trip(struct abt_path *path, u32 rtt_us)
{
	u32 base_us = abt_path_base(path);

	abt_extreme_max(&path->trip,
			clamp(rtt_us, base_us, ABT_PATH_TRIP_BASES * base_us),
			path->now_us,
			ABT_PATH_TRIP_HALF_TRIPS * abt_path_trip(path));
}

/* Does a connection come another way? Context: @path->lock held. */
static bool abt_path_apart(const struct abt_path *path,
			   const struct abt_path_report *r)
{
	u32 base_us = abt_path_base(path);

	return r->base_us > max(base_us + (base_us >> ABT_PATH_APART_SHIFT),
				abt_path_trip(path));
}

/*
 * Is a connection free of shares, because it had no part in the queue of the others? Context:
 * @path->lock held.
 */
static bool abt_path_free(const struct abt_path *path, struct abt_path_member *m)
{
	if (m->free && (s32)(path->now_us - m->free_until_us) >= 0) {
		m->free = false;
		m->queue_us = path->now_us;
	}
	return m->free;
}

/* Does a share limit a member: is all of its window under way? */
static bool abt_path_limits(const struct abt_path_member *m,
			    const struct abt_path_report *r)
{
	u64 window = div_u64((u64)r->held * r->rtt_us, r->base_us);

	return m->share < r->asks &&
	       window > m->share - (m->share >> ABT_PATH_LIMITS_SHIFT);
}

/*
 * Has a member no part in the queue that the others see now, though a share limits it? Context:
 * @path->lock held.
 */
static bool abt_path_aloof(const struct abt_path *path, struct abt_path_member *m,
			   const struct abt_path_report *r)
{
	if (!m->limited ||
	    abt_trip_beyond(r->rtt_us, abt_path_base(path), ABT_QUEUE_SHIFT))
		m->queue_us = path->now_us;
	return path->now_us - m->queue_us >
		       ABT_PATH_ALOOF_TRIPS * abt_path_trip(path) &&
	       path->now_us - path->watch.high_us <= abt_path_trip(path);
}

static void abt_path_let_free(struct abt_path *path, struct abt_path_member *m)
{
	m->free = true;
	m->free_us = abt_free_next_us(m->free_us);
	m->free_until_us = path->now_us + m->free_us;
}

/* What a member holds, and whether it sees a queue. Context: @path->lock held. */
static void abt_path_count(struct abt_path *path, struct abt_path_member *m,
			   const struct abt_path_report *r)
{
	u32 base_us = abt_path_base(path);
	/* a member may take a queue that it found for a part of its base */
	u32 held = abt_clamp_bytes(div_u64((u64)r->held * base_us,
					   max(r->base_us, base_us)));
	bool queued = abt_trip_beyond(r->rtt_us, base_us, ABT_QUEUE_HIGH_SHIFT);

	path->members += list_empty(&m->active);
	list_move_tail(&m->active, &path->active);
	m->reported_us = path->now_us;
	path->queued += queued - m->queued;
	m->queued = queued;
	path->held_now += held - (u64)m->held;
	m->held = held;
	abt_extreme_max(&path->held, abt_clamp_bytes(path->held_now), path->now_us,
			ABT_PATH_HELD_HALF_TRIPS * base_us);
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

/* With the queue that stands when sharing begins. Context: @path->lock held. */
static void abt_path_ease_from(struct abt_path *path)
{
	u64 window = div_u64((u64)abt_path_held(path) * abt_path_trip(path),
			     abt_path_base(path));

	path->eased = abt_clamp_bytes(window);
	path->eased_us = path->now_us;
}

/* By a part less a round trip. Context: @path->lock held. */
static void abt_path_ease(struct abt_path *path)
{
	if (path->now_us - path->eased_us < abt_path_trip(path))
		return;
	path->eased -= path->eased >> ABT_PATH_EASE_SHIFT;
	path->eased_us = path->now_us;
}

/* The largest window that a member may have. Context: @path->lock held. */
static u32 abt_path_level(const struct abt_path *path,
			  const struct abt_path_report *r)
{
	bool calm = abt_watch_calm(&path->watch, path->now_us,
				   ABT_PATH_CALM_TRIPS * abt_path_base(path));
	u32 headroom = calm ? ABT_Q16_ONE : r->headroom_q16;
	u32 room = abt_scale_q16(min(abt_path_held(path), ABT_BYTES_MAX),
				 ABT_Q16_ONE + headroom);

	if (!path->watch.shared || !r->headroom_q16)
		return ABT_PATH_ALL;
	room = max(room, path->eased);
	return path->hist ? abt_hist_level(path->hist, room) :
			    room / path->members;
}

/* The first member after a silence. Context: @path->lock held. */
static void abt_path_begin(struct abt_path *path)
{
	abt_watch_begin(&path->watch, path->now_us, path->now_us - path->heard_us);
	abt_extreme_reset(&path->held, 0, path->now_us);
}

/* The report of a member of this path. Context: @path->lock held. */
static void abt_path_take(struct abt_path *path, struct abt_path_member *m,
			  const struct abt_path_report *r)
{
	bool shared;

	if (list_empty(&path->active))
		abt_path_begin(path);
	abt_path_learn_trip(path, r->rtt_us);
	m->limited = abt_path_limits(m, r);
	abt_path_count(path, m, r);
	abt_path_ask(path, m, abt_clamp_bytes(r->asks));
	shared = path->watch.shared;
	abt_watch_report(&path->watch, &(struct abt_glance) {
		.now_us = path->now_us,
		.base_us = abt_path_base(path),
		.trip_us = abt_path_trip(path),
		.rtt_us = r->rtt_us,
		.members = path->members,
		.queued = path->queued,
		.bytes = r->bytes,
		.limited = m->limited,
		.lossy = r->lossy,
	});
	if (path->watch.shared && !shared)
		abt_path_ease_from(path);
	abt_path_ease(path);
	m->share = abt_path_level(path, r);
	path->level = m->share;
	if (abt_path_aloof(path, m, r))
		abt_path_let_free(path, m);
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
 * abt_path_look() - what is known of a path
 * @path: path
 * @state: is set
 *
 * Context: any.
 */
void abt_path_look(struct abt_path *path, struct abt_path_state *state)
{
	spin_lock_bh(&path->lock);
	*state = (struct abt_path_state) {
		.base_us = abt_path_base(path),
		.rtt_us = abt_path_trip(path),
		.held = abt_path_held(path),
		.level = path->watch.shared ? path->level : ABT_PATH_ALL,
		.members = path->members,
		.shared = path->watch.shared,
		.stopped = path->watch.stopped,
	};
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
	bool apart;

	spin_lock_bh(&path->lock);
	abt_path_tell_time(path, r->now_us);
	abt_path_expire(path);
	abt_path_learn_base(path, r);
	apart = abt_path_free(path, m) || abt_path_apart(path, r);
	if (!apart)
		abt_path_take(path, m, r);
	if (apart || m->free) {
		abt_path_withdraw(path, m);
		m->share = ABT_PATH_ALL;
	}
	path->heard_us = path->now_us;
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
