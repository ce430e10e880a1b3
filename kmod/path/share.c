// SPDX-License-Identifier: GPL-2.0
/* The windows of a path's members: max-min of what the path holds and the headroom. See path.h. */
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/slab.h>

#include "path/line.h"
#include "path/member.h"
#include "path/path.h"
#include "path/share.h"

/*
 * When sharing begins, all that is under way with the queue is shared, and by 1/16 less a round
 * trip. If the queue is not ours, that takes a quarter of our rate before it is seen, in place of
 * nearly all.
 */
#define ABT_PATH_EASE_SHIFT	4

/**
 * abt_path_ask() - the window that a member asks for, in the histogram
 * @path: path
 * @m: member of it, that reported lately
 * @asks: window [payload bytes]
 *
 * Context: @path->lock held.
 */
void abt_path_ask(struct abt_path *path, struct abt_path_member *m, u32 asks)
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

/**
 * abt_path_ease_from() - sharing begins: with all that is under way, the queue as well
 * @path: path
 *
 * Context: @path->lock held.
 */
void abt_path_ease_from(struct abt_path *path)
{
	u64 window = div_u64((u64)abt_path_held(path) * abt_path_trip(path),
			     abt_path_base(path));

	path->eased = abt_clamp_bytes(window);
	path->eased_us = path->now_us;
}

/**
 * abt_path_ease() - and by a part less a round trip
 * @path: path
 *
 * Context: @path->lock held.
 */
void abt_path_ease(struct abt_path *path)
{
	if (path->now_us - path->eased_us < abt_path_trip(path))
		return;
	path->eased -= path->eased >> ABT_PATH_EASE_SHIFT;
	path->eased_us = path->now_us;
}

/* More than 1/8 above what it held before a drain is more than the drain let in. */
#define ABT_PATH_GREW_SHIFT	3

/* A short queue is empty now and then. After so many round trips a path may hold more. */
#define ABT_PATH_TIGHT_TRIPS	8

/* See abt_path_steady(). */
#define ABT_PATH_STEADY_SHIFT	5

/*
 * The headroom. With several members some segments are always lost if it overflows; a single member
 * shares nothing after a loss.
 */
static u32 abt_path_headroom(const struct abt_path *path, u32 headroom_q16)
{
	if (path->members == 1)
		return headroom_q16;
	return abt_overflow_headroom(&path->overflow, abt_path_base(path), headroom_q16);
}

/*
 * May a path hold more than is known, because no queue is seen? A queue that a drain took away
 * tells nothing of that, but if more arrives than the path held before the drain, it does.
 */
static bool abt_path_holds_more(const struct abt_path *path, bool tight)
{
	u32 tight_us = ABT_PATH_TIGHT_TRIPS * abt_path_base(path);

	if (tight ? !abt_watch_calm(&path->watch, path->now_us, tight_us) : !abt_path_is_calm(path))
		return false;
	return !abt_path_emptied(path) ||
	       abt_path_held(path) > path->undrained + (path->undrained >> ABT_PATH_GREW_SHIFT);
}

/**
 * abt_path_drain_begins() - a member reports that it drains
 * @path: path
 *
 * Other members drain at the same time or soon after.
 *
 * Context: @path->lock held; before the watch is told.
 */
void abt_path_drain_begins(struct abt_path *path)
{
	if (!abt_path_emptied(path))
		path->undrained = abt_path_held(path);
}

/*
 * The bytes that a path holds, by its rate over several round trips and the time that ACKs wait.
 * The most of a single round trip may be a burst. With less than 1/32 more a steady rate would
 * fall.
 */
static u32 abt_path_steady(const struct abt_path *path)
{
	u64 bytes = abt_line_brings(path->watch.brings, abt_path_base(path));

	return abt_clamp_bytes(bytes + (bytes >> ABT_PATH_STEADY_SHIFT) + path->waits);
}

/* The windows that members may have together for the queue that stands. */
static u32 abt_path_room(const struct abt_path *path, u32 held, u32 wanted_q16)
{
	u32 headroom_q16 = abt_path_headroom(path, wanted_q16);
	bool tight = headroom_q16 < wanted_q16;

	/* twice of what is held, as DRS has it, if the path may hold more */
	if (abt_path_holds_more(path, tight))
		headroom_q16 = ABT_Q16_ONE;
	else if (tight && path->watch.brings)
		held = min(held, abt_path_steady(path));
	return max(abt_scale_q16(held, ABT_Q16_ONE + headroom_q16), path->eased);
}

/* And no more than the bottleneck is known to hold, and the headroom. */
static u32 abt_path_bounded_room(const struct abt_path *path, u32 headroom_q16)
{
	u32 held = min(abt_path_held(path), ABT_BYTES_MAX);
	u32 room = path->watch.shared ? abt_path_room(path, held, headroom_q16) : U32_MAX;

	if (!path->line)
		return room;
	return min(room, abt_scale_q16(max(held, abt_path_line_holds(path)),
				       ABT_Q16_ONE + headroom_q16));
}

/**
 * abt_path_level() - the largest window that a member may have
 * @path: path
 * @headroom_q16: the queue that it is to have, in parts of what it holds, Q16; 0: nothing is
 *	shared
 *
 * Context: @path->lock held.
 * Return: payload bytes, or ABT_PATH_ALL.
 */
u32 abt_path_level(const struct abt_path *path, u32 headroom_q16)
{
	u32 room;

	if (!abt_path_shares(path) || !headroom_q16)
		return ABT_PATH_ALL;
	room = abt_path_bounded_room(path, headroom_q16);
	return path->hist ? abt_hist_level(path->hist, room) :
			    room / path->members;
}
