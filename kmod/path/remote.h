/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A peer: its base round trip, and the path that its connections share.
 *
 * Peers behind one bottleneck have one path (merge.h), though their base round trips differ. Then
 * connections have equal rates if each window is of the connection's own base and the queue. The
 * path counts in round trips of its reference, a mean of the peers' bases: a connection's report
 * is translated into it, and the share that it gets back into its own. A peer that is alone on its
 * path is the reference, and nothing is translated.
 */
#ifndef ABT_PATH_REMOTE_H
#define ABT_PATH_REMOTE_H

#include <linux/list.h>
#include <linux/types.h>

#include "model/extreme.h"

struct abt_delays;
struct abt_path;
struct abt_path_report;
struct abt_path_state;

/**
 * struct abt_remote - a peer
 * @path: the path that its connections share; abt_merge_lock and that path's lock protect it
 * @net: cookie of the network namespace; constant
 * @base: windowed minimum of its connections' base round trips [us, over us]
 * @floor: windowed minimum of their round trips [us, over us]
 * @base_us: the base, as it counts in the path's reference [us]; 0: nothing is known
 * @heard_us: the last report of a connection [us]
 * @apart_us: for how long it was kept apart last, because it was merged in error [us]
 * @apart_until_us: until when it is kept apart [us]
 * @delays: round trips; NULL: none are collected
 * @agreed_us: when another peer on its path saw the same queue last [us]
 * @leaves: it does not belong to the peers that it is merged with
 * @agree: peers on its path that saw the same queue of late
 * @differ: and another one; abt_merge_lock protects both
 * @candidate: in the list of those that are compared, if it has @delays; abt_merge_lock protects it
 *
 * The lock of its path protects the fields between. @delays is allocated and freed under both.
 */
struct abt_remote {
	struct abt_path *path;
	u64 net;
	struct abt_extreme base;
	struct abt_extreme floor;
	u32 base_us;
	u64 heard_us;
	u32 apart_us;
	u64 apart_until_us;
	struct abt_delays *delays;
	u64 agreed_us;
	bool leaves;
	u8 agree;
	u8 differ;
	struct list_head candidate;
};

bool abt_remote_init(struct abt_remote *remote, u64 net);
void abt_remote_exit(struct abt_remote *remote);
void abt_remote_count(struct abt_remote *remote, struct abt_path *path);
void abt_remote_uncount(struct abt_remote *remote, struct abt_path *path);
void abt_remote_learn(struct abt_remote *remote, const struct abt_path_report *own);
void abt_remote_forget_floor(struct abt_remote *remote);
void abt_remote_lower_floor(struct abt_remote *remote, u32 by_us);
void abt_remote_raise_floor(struct abt_remote *remote, u32 by_us);
u32 abt_remote_floor(const struct abt_remote *remote);
u32 abt_remote_delay(const struct abt_remote *remote, u32 rtt_us);
void abt_remote_translate(const struct abt_remote *remote, const struct abt_path_report *own,
			  struct abt_path_report *r);
u32 abt_remote_window(const struct abt_remote *remote, u32 share, u32 headroom_q16);
void abt_remote_look(const struct abt_remote *remote, struct abt_path_state *state);

#endif /* ABT_PATH_REMOTE_H */
