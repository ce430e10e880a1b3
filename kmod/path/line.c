// SPDX-License-Identifier: GPL-2.0
/* A path's bottleneck. See line.h. */
#include <linux/minmax.h>

#include "path/line.h"
#include "path/member.h"
#include "path/path.h"

/* It counts for so many round trips. By then it is known whether a queue stands. */
#define ABT_PATH_LINE_TRIPS	32

/*
 * Rates that differ by no more than 1/8 are the same. With more than 1/8 beyond what it holds
 * under way, and no queue, the bottleneck is another, or faster now.
 */
#define ABT_PATH_LINE_SHIFT	3

/*
 * Data come in packets of segmentation offload, up to 64 KB each. On a path that holds no more than
 * ten, a fifth of headroom would be less than two, and the bottleneck would wait for the next
 * [payload bytes].
 */
#define ABT_PATH_LINE_LEAST	(10U << 16)

/**
 * abt_path_line_holds() - what the bottleneck holds without a queue
 * @path: path
 *
 * Context: @path->lock held.
 * Return: payload bytes; 0: its rate is not known.
 */
u32 abt_path_line_holds(const struct abt_path *path)
{
	return abt_clamp_bytes(abt_line_brings(path->line, abt_path_base(path)));
}

/*
 * Is more under way than the bottleneck could hold, though no queue shows, or too little to share?
 * If it is more because ACKs seem to wait, it counts only if the bottleneck waits for data as well.
 */
static bool abt_path_line_is_wrong(const struct abt_path *path, const struct abt_path_member *m,
				   u32 carried)
{
	u32 waits = m->held - min(m->held, carried);
	u32 holds = abt_path_line_holds(path);
	u32 part = holds >> ABT_PATH_LINE_SHIFT;

	if (holds < ABT_PATH_LINE_LEAST)
		return true;
	if (!abt_path_is_calm(path) || path->held_now <= holds + part)
		return false;
	return waits <= part || path->held_now - waits < holds - part;
}

/**
 * abt_path_hear_line() - a member reports; does it know the bottleneck's rate?
 * @path: path
 * @m: member
 * @rate: the rate [bytes per 1024 us]; 0: it does not, or has told before
 * @carried: bytes that came for it in a base round trip [payload bytes]
 *
 * A train that other data were among had less than all of it, so the largest rate counts.
 *
 * Context: @path->lock held; the member's bytes are counted.
 */
void abt_path_hear_line(struct abt_path *path, const struct abt_path_member *m, u32 rate,
			u32 carried)
{
	if (path->now_us - path->line_us > ABT_PATH_LINE_TRIPS * abt_path_pace(path))
		path->line = 0;
	if (rate > path->line) {
		path->line = rate;
		path->line_us = path->now_us;
	}
	if (abt_path_line_is_wrong(path, m, carried) || abt_watch_bars(&path->watch, path->members))
		path->line = 0;
}

/**
 * abt_path_line_is_of() - is the bottleneck that is known a member's?
 * @path: path
 * @m: member of it
 *
 * A member that saw other trains, or none, may have another bottleneck.
 *
 * Context: @path->lock and the socket lock held.
 * Return: true if its own last train had that rate.
 */
bool abt_path_line_is_of(const struct abt_path *path, const struct abt_path_member *m)
{
	return path->line && m->line.rate >= path->line - (path->line >> ABT_PATH_LINE_SHIFT);
}
