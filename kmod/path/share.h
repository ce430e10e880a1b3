/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ABT_PATH_SHARE_H
#define ABT_PATH_SHARE_H

#include <linux/types.h>

struct abt_path;
struct abt_path_member;

void abt_path_ask(struct abt_path *path, struct abt_path_member *m, u32 asks);
void abt_path_ease_from(struct abt_path *path);
void abt_path_ease(struct abt_path *path);
void abt_path_drain_begins(struct abt_path *path);
u32 abt_path_level(const struct abt_path *path, u32 headroom_q16);

#endif /* ABT_PATH_SHARE_H */
