// SPDX-License-Identifier: GPL-2.0
/* A member's epoch: its report to the path, and the share that it gets. See path.h. */
#include <linux/minmax.h>

#include "path/delays.h"
#include "path/line.h"
#include "path/member.h"
#include "path/merge.h"
#include "path/path.h"
#include "path/remote.h"
#include "path/share.h"

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

/* A queue of 1/16 of the base beyond what shares make is longer than that. */
#define ABT_PATH_LONGER_SHIFT	4

/* A share binds a member for so many round trips after it saw the queue. */
#define ABT_PATH_BINDS_TRIPS	32

/* A share limits a member if all but 1/8 of it is under way. */
#define ABT_PATH_LIMITS_SHIFT	3

/* What is held is remembered for 4 to 8 round trips, as long as the peak of a connection. */
#define ABT_PATH_HELD_HALF_TRIPS	4

/**
 * abt_path_enter() - a connection becomes a member
 * @m: its part
 * @remote: its peer
 *
 * It counts from its first report on.
 *
 * Context: any; the socket lock held.
 */
void abt_path_enter(struct abt_path_member *m, struct abt_remote *remote)
{
	*m = (struct abt_path_member) {
		.remote = remote,
		.path = abt_merge_path_of(remote),
		.share = ABT_PATH_ALL,
	};
	INIT_LIST_HEAD(&m->active);
}

/**
 * abt_path_is_shared() - has a connection a share of its path, beside other members?
 * @m: its part, or NULL
 *
 * If it is alone, the queue that its share is for is its own, and its window explains all of
 * that.
 *
 * Context: any; the socket lock held.
 * Return: true if it has.
 */
bool abt_path_is_shared(const struct abt_path_member *m)
{
	return abt_path_bounds(m) && READ_ONCE(m->path->members) > 1;
}

/* A member no longer holds or asks for anything. Context: @path->lock held. */
static void abt_path_withdraw(struct abt_path *path, struct abt_path_member *m)
{
	if (list_empty(&m->active))
		return;
	list_del_init(&m->active);
	/* other members take what it had, and a short one had little of an interval */
	if (m->limited)
		abt_watch_leave(&path->watch, m->reported_us,
				abt_watch_rate(m->held, abt_path_base(path)));
	WRITE_ONCE(path->members, path->members - 1);
	path->queued -= m->queued;
	path->held_now -= m->held;
	path->waits -= m->waits;
	if (m->entered)
		abt_hist_del(path->hist, m->asks);
	m->queued = 0;
	m->limited = false;
	m->held = 0;
	m->waits = 0;
	m->entered = false;
}

/* Withdraw members that have nothing under way. Context: @path->lock held. */
static void abt_path_expire(struct abt_path *path)
{
	u32 silent_us = ABT_PATH_SILENT_TRIPS * abt_path_pace(path);
	bool all = abt_path_silent_us(path) > silent_us;
	struct abt_path_member *m, *next;

	/* if all are, reports may be older than what 32 bits can tell */
	list_for_each_entry_safe(m, next, &path->active, active) {
		if (!all && path->now_us - m->reported_us <= silent_us)
			break;
		abt_path_withdraw(path, m);
	}
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

/*
 * Does a round trip tell of the path? After a pause of the sender it tells of that; and if a
 * connection is alone and spares its window, its estimate may be that of an earlier queue.
 */
static bool abt_path_tells(const struct abt_path *path, const struct abt_path_report *r)
{
	return !r->paused && !(r->spares && path->members == 1);
}

/* Does a round trip tell of a queue? */
static bool abt_path_shows_queue(const struct abt_path *path,
				 const struct abt_path_report *r, int shift)
{
	return abt_path_tells(path, r) && abt_trip_beyond(r->rtt_us, abt_path_base(path), shift);
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
		       ABT_PATH_ALOOF_TRIPS * abt_path_pace(path) &&
	       path->now_us - path->watch.high_us <= abt_path_pace(path);
}

static void abt_path_let_free(struct abt_path *path, struct abt_path_member *m)
{
	m->free = true;
	m->free_us = abt_free_next_us(m->free_us);
	m->free_until_us = path->now_us + m->free_us;
}

/* A member may take a queue that it found for a part of its base. Return: payload bytes. */
static u32 abt_path_held_by(const struct abt_path *path, const struct abt_path_report *r)
{
	u32 base_us = abt_path_base(path);

	return abt_clamp_bytes(div_u64((u64)r->held * base_us, max(r->base_us, base_us)));
}

/*
 * Has a member far less under way than before, by itself? With less than half of the mean it had
 * little. Context: @path->lock held; the report is not counted yet.
 */
static bool abt_path_yields(const struct abt_path *path, const struct abt_path_member *m,
			    const struct abt_path_report *r)
{
	return !m->limited && 2ULL * abt_path_held_by(path, r) < m->held &&
	       2ULL * m->held * path->members >= path->held_now;
}

/* The bytes that a member holds, and whether it sees a queue. Context: @path->lock held. */
static void abt_path_count(struct abt_path *path, struct abt_path_member *m,
			   const struct abt_path_report *r)
{
	u32 held = abt_path_held_by(path, r);
	u32 waits = r->lossy ? 0 : held - min(held, r->carried);
	u32 queued = abt_path_shows_queue(path, r, ABT_QUEUE_HIGH_SHIFT) ? held : 0;

	WRITE_ONCE(path->members, path->members + list_empty(&m->active));
	list_move_tail(&m->active, &path->active);
	m->reported_us = path->now_us;
	path->queued += queued - (u64)m->queued;
	m->queued = queued;
	path->held_now += held - (u64)m->held;
	m->held = held;
	path->waits += waits - (u64)m->waits;
	m->waits = waits;
	abt_extreme_max(&path->held, abt_clamp_bytes(path->held_now), path->now_us,
			ABT_PATH_HELD_HALF_TRIPS * abt_path_longest_base(path));
}

/* Does a member see a queue that counts? With less than half of the mean it speaks for few. */
static bool abt_path_sees(const struct abt_path *path,
			  const struct abt_path_member *m,
			  const struct abt_path_report *r)
{
	return abt_path_tells(path, r) && 2ULL * m->held * path->members >= path->held_now;
}

/* Does a round trip tell of more of a queue than shares make? Context: @path->lock held. */
static bool abt_path_longer(const struct abt_path *path, const struct abt_path_report *r)
{
	u32 base_us = abt_path_base(path);

	return r->rtt_us > base_us + abt_scale_q16(base_us, r->headroom_q16) +
				   (base_us >> ABT_PATH_LONGER_SHIFT);
}

/*
 * A share binds a member that has seen the queue itself, or had trains of the known rate. Another
 * has no part in a queue yet, or there is none.
 */
static bool abt_path_binds(const struct abt_path *path, struct abt_path_member *m,
			   const struct abt_path_report *r)
{
	if (abt_path_shows_queue(path, r, ABT_QUEUE_SHIFT)) {
		m->saw = true;
		m->saw_us = path->now_us;
	}
	m->saw &= path->now_us - m->saw_us <= ABT_PATH_BINDS_TRIPS * abt_path_pace(path);
	return m->saw || abt_path_line_is_of(path, m);
}

/*
 * The report of a member of this path, as it told it and in terms of the path. Context: @path->lock
 * held.
 */
static void abt_path_take(struct abt_path *path, struct abt_path_member *m,
			  const struct abt_path_report *own, const struct abt_path_report *r)
{
	bool joins = list_empty(&m->active);
	bool shared, yields;

	if (list_empty(&path->active))
		abt_path_begin(path);
	abt_path_learn_trip(path, r->paused ? r->base_us : r->rtt_us,
			    r->paused ? own->base_us : own->rtt_us, m->remote->base_us);
	m->limited = abt_path_limits(m, own);
	yields = abt_path_yields(path, m, r);
	abt_path_count(path, m, r);
	abt_path_ask(path, m, abt_clamp_bytes(r->asks));
	if (r->drains || yields)
		abt_path_drain_begins(path);
	abt_overflow_see(&path->overflow, path->now_us,
			 r->rtt_us - min(r->rtt_us, abt_path_base(path)), r->lossy);
	shared = path->watch.shared;
	abt_watch_report(&path->watch, &(struct abt_glance) {
		.now_us = path->now_us,
		.base_us = abt_path_base(path),
		.trip_us = abt_path_pace(path),
		.rtt_us = r->rtt_us,
		.members = path->members,
		.queued = 2 * path->queued > path->held_now,
		.seen = abt_path_sees(path, m, r),
		.bytes = r->bytes,
		.limited = m->limited,
		.longer = abt_path_longer(path, r),
		.lossy = r->lossy,
		.drains = r->drains,
		.yields = yields,
		.joins = joins,
	});
	if (path->watch.shared && !shared)
		abt_path_ease_from(path);
	abt_path_ease(path);
	abt_path_hear_line(path, m, r->line, r->carried);
	m->share = abt_path_level(path, r->headroom_q16);
	path->level = m->share;
	if (!abt_path_binds(path, m, r))
		m->share = ABT_PATH_ALL;
	if (!abt_path_aloof(path, m, r))
		return;
	/* if its peer was merged with others, that was an error */
	if (path->peers > 1)
		m->remote->leaves = true;
	else
		abt_path_let_free(path, m);
}

/* A member is where its peer is. Context: no lock held. Return: its path, locked. */
static struct abt_path *abt_path_lock(struct abt_path_member *m)
	__acquires(&m->path->lock)
{
	for (;;) {
		struct abt_path *path = m->path;

		spin_lock_bh(&path->lock);
		if (likely(path == READ_ONCE(m->remote->path)))
			return path;
		abt_path_withdraw(path, m);
		spin_unlock_bh(&path->lock);
		m->path = abt_merge_path_of(m->remote);
		abt_path_put(path);
	}
}

/*
 * The queue that a member's peer sees. Context: @path->lock held. Return: true if it is time to
 * compare the peer with others, or to take it from them.
 */
static bool abt_path_show_delay(struct abt_path *path, struct abt_remote *remote,
				const struct abt_path_report *own)
{
	u32 delay_us = abt_remote_delay(remote, own->rtt_us);
	bool long_enough = delay_us >= ABT_DELAYS_SHORT_US;

	if (remote->leaves || abt_merge_lapses(remote))
		return true;
	if (own->paused)
		return false;
	if (!remote->delays)
		return long_enough && abt_merge_is_due(path->time_us);
	return abt_delays_see(remote->delays, path->time_us, own->rtt_us,
			      abt_path_drained(path)) &&
	       long_enough && abt_merge_is_due(path->time_us);
}

/**
 * abt_path_report() - an epoch of a member ended
 * @m: member, of a path; @m->share is set
 * @own: its report, in terms of the connection
 *
 * Context: any; the socket lock held.
 * Return: true if its peer is on another path than before.
 */
bool abt_path_report(struct abt_path_member *m, const struct abt_path_report *own)
{
	struct abt_path *before = m->path;
	struct abt_path *path = abt_path_lock(m);
	struct abt_path_report r;
	bool apart, looks;
	u64 time_us;

	abt_path_tell_time(path, own->now_us);
	if (path != before)
		m->queue_us = path->now_us;
	abt_path_expire(path);
	abt_remote_learn(m->remote, own);
	abt_remote_translate(m->remote, own, &r);
	apart = abt_path_free(path, m) || abt_path_apart(path, &r);
	if (!apart)
		abt_path_take(path, m, own, &r);
	if (apart || m->free) {
		abt_path_withdraw(path, m);
		m->share = ABT_PATH_ALL;
	}
	m->share = abt_remote_window(m->remote, m->share, own->headroom_q16);
	looks = !apart && abt_path_show_delay(path, m->remote, own);
	time_us = path->time_us;
	path->heard_us = path->time_us;
	spin_unlock_bh(&path->lock);
	if (looks)
		abt_merge_look(m->remote, time_us);
	return path != before;
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
	abt_path_put(m->path);
}
