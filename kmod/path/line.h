/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The path's bottleneck, by members in slow start (model/line.h).
 *
 * A queue that stands tells what a path holds, but late: a slow start has filled the queue by
 * then. If the bottleneck's rate is known before, windows are shared at once, of what it holds and
 * the headroom, and no slow start overflows a queue that has room for the headroom. Sharing for
 * a queue that stands takes over later on.
 */
#ifndef ABT_PATH_LINE_H
#define ABT_PATH_LINE_H

#include <linux/types.h>

struct abt_path;
struct abt_path_member;

void abt_path_hear_line(struct abt_path *path, const struct abt_path_member *m, u32 rate,
			u32 carried);
u32 abt_path_line_holds(const struct abt_path *path);
bool abt_path_line_is_of(const struct abt_path *path, const struct abt_path_member *m);

#endif /* ABT_PATH_LINE_H */
