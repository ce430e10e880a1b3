// SPDX-License-Identifier: GPL-2.0
/* The state of a path. See path.h. */
#include <linux/bug.h>
#include <linux/minmax.h>
#include <linux/slab.h>

#include "path/member.h"
#include "path/path.h"

/* The longest round trip of late is remembered for 4 to 8 of them. */
#define ABT_PATH_TRIP_HALF_TRIPS	4

/* With more than so many bases of queue a round trip tells of a reader's pause, not of a queue. */
#define ABT_PATH_TRIP_BASES	8

/**
 * abt_path_make() - a path that nothing is known of
 *
 * Context: any.
 * Return: the path, to be put; or NULL without memory.
 */
struct abt_path *abt_path_make(void)
{
	struct abt_path *path = kzalloc(sizeof(*path), GFP_ATOMIC | __GFP_NOWARN);

	if (!path)
		return NULL;
	refcount_set(&path->users, 1);
	spin_lock_init(&path->lock);
	INIT_LIST_HEAD(&path->active);
	return path;
}

/**
 * abt_path_put() - a peer or a member refers to a path no longer
 * @path: path
 *
 * Context: any; its lock not held.
 */
void abt_path_put(struct abt_path *path)
{
	if (!refcount_dec_and_test(&path->users))
		return;
	WARN_ON_ONCE(path->members);
	kfree(path->hist);
	kfree_rcu(path, rcu);
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
	if (time_us <= path->time_us)
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

static void abt_path_learn_longest(struct abt_path *path, struct abt_extreme *trip, u32 rtt_us,
				   u32 base_us)
{
	abt_extreme_max(trip, clamp(rtt_us, base_us, ABT_PATH_TRIP_BASES * base_us), path->now_us,
			ABT_PATH_TRIP_HALF_TRIPS * abt_extreme_most(trip));
}

/**
 * abt_path_learn_trip() - a round trip of a member
 * @path: path
 * @rtt_us: round trip, in terms of the reference [us]
 * @own_us: the same, as the member has it [us]
 * @own_base_us: its base [us]
 *
 * Context: @path->lock held.
 */
void abt_path_learn_trip(struct abt_path *path, u32 rtt_us, u32 own_us, u32 own_base_us)
{
	abt_path_learn_longest(path, &path->trip, rtt_us, abt_path_base(path));
	abt_path_learn_longest(path, &path->longest, own_us, own_base_us);
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
	path->overflow.queue_us = 0;
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
	if (!path->members) {
		kfree(path->hist);
		path->hist = NULL;
	}
	spin_unlock_bh(&path->lock);
}
