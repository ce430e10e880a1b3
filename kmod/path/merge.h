/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which peers are on one path.
 *
 * Peers that see a queue are compared with each other, some at a time. If their round trips vary
 * together (delays.h), they are put on one path, the one with more peers. A queue of ACKs alone may
 * be what they have in common, so it is tried: a peer with another bottleneck sees its queue go
 * once its share limits it, in some round trips. Then it has a path of its own again, and is kept
 * apart, for twice as long each time. So has a peer that has agreed with no other for some minutes;
 * if it was with the right ones, it agrees again as soon as the queue varies.
 */
#ifndef ABT_PATH_MERGE_H
#define ABT_PATH_MERGE_H

#include <linux/types.h>

struct abt_path;
struct abt_remote;

struct abt_path *abt_merge_path_of(const struct abt_remote *remote);
bool abt_merge_is_due(u64 time_us);
bool abt_merge_lapses(const struct abt_remote *remote);
void abt_merge_look(struct abt_remote *remote, u64 time_us);
void abt_merge_forget(struct abt_remote *remote);

#endif /* ABT_PATH_MERGE_H */
