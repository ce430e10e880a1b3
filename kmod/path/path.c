// SPDX-License-Identifier: GPL-2.0
/* The state of a path. See path.h. */
#include <linux/bug.h>
#include <linux/minmax.h>
#include <linux/slab.h>

#include "path/member.h"
#include "path/path.h"

/*
 * A base is remembered for 2^23 to 2^24 us, 8 to 17 s: one or two of the clock's slots in which
 * connections drain to look for it (model/base.h).
 */
#define ABT_PATH_BASE_HALF_US	(1U << 23)

/* The longest round trip of late is remembered for 4 to 8 of them. */
#define ABT_PATH_TRIP_HALF_TRIPS	4

/* With more than so many bases of queue a round trip tells of a reader's pause, not of a queue. */
#define ABT_PATH_TRIP_BASES	8

/* Longer bases do not occur, and would overflow a product [us]. */
#define ABT_PATH_BASE_MAX_US	(10U * 1000 * 1000)

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
 * abt_path_tell_time() - the time of a member's last segment
 * @path: path
 * @time_us: that time [us]
 *
 * Members do not tell it in order: a reader that was away tells an old one. Time goes on alone.
 *
 * Context: @path->lock held.
 */
void abt_path_tell_time(struct abt_path *path, u64 time_us)
{
	if (!list_empty(&path->active) && time_us <= path->time_us)
		return;
	path->time_us = time_us;
	path->now_us = (u32)time_us;
}

/**
 * abt_path_silent_us() - for how long has no connection reported?
 * @path: path
 *
 * Context: @path->lock held.
 * Return: us, at most U32_MAX.
 */
u32 abt_path_silent_us(const struct abt_path *path)
{
	return min_t(u64, path->time_us - path->heard_us, U32_MAX);
}

/**
 * abt_path_learn_base() - the base round trip that a connection knows of
 * @path: path
 * @base_us: base round trip [us]
 *
 * Silence tells nothing of the base, so it is no older after one.
 *
 * Context: @path->lock held.
 */
void abt_path_learn_base(struct abt_path *path, u32 base_us)
{
	u32 silent_us = (u32)(path->time_us - path->heard_us);	/* it wraps, as the base's time */

	base_us = min(base_us, ABT_PATH_BASE_MAX_US);
	if (!path->base.cur)
		abt_extreme_reset(&path->base, base_us, path->now_us);
	else if (list_empty(&path->active) &&
		 silent_us > ABT_PATH_SILENT_TRIPS * abt_path_trip(path))
		path->base.since += silent_us;
	abt_extreme_min(&path->base, base_us, path->now_us,
			ABT_PATH_BASE_HALF_US);
}

/**
 * abt_path_learn_trip() - a round trip of a member
 * @path: path
 * @rtt_us: round trip [us]
 *
 * Context: @path->lock held.
 */
void abt_path_learn_trip(struct abt_path *path, u32 rtt_us)
{
	u32 base_us = abt_path_base(path);

	abt_extreme_max(&path->trip,
			clamp(rtt_us, base_us, ABT_PATH_TRIP_BASES * base_us),
			path->now_us,
			ABT_PATH_TRIP_HALF_TRIPS * abt_path_trip(path));
}

/**
 * abt_path_begin() - the first member after a silence
 * @path: path
 *
 * Context: @path->lock held.
 */
void abt_path_begin(struct abt_path *path)
{
	abt_watch_begin(&path->watch, path->now_us, abt_path_silent_us(path));
	abt_extreme_reset(&path->held, 0, path->now_us);
	path->line = 0;
}

/* After so many round trips without a queue a path may hold more than is known. */
#define ABT_PATH_CALM_TRIPS	1

/**
 * abt_path_is_calm() - has no queue been seen for some round trips?
 * @path: path
 *
 * Context: @path->lock held.
 * Return: true if none was seen.
 */
bool abt_path_is_calm(const struct abt_path *path)
{
	return abt_watch_calm(&path->watch, path->now_us,
			      ABT_PATH_CALM_TRIPS * abt_path_base(path));
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
		.level = abt_path_shares(path) ? path->level : ABT_PATH_ALL,
		.members = path->members,
		.shared = abt_path_shares(path),
		.stopped = path->watch.stopped,
	};
	spin_unlock_bh(&path->lock);
}
