/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The ceilings of a namespace's buffers: ours while it is on, the administrator's as
 * soon as he writes them.
 */
#ifndef ABT_STATE_CEILING_H
#define ABT_STATE_CEILING_H

#include <linux/types.h>

#include "pool/pool.h"

struct abt_net;

/**
 * struct abt_ceiling - tcp_rmem[2] or tcp_wmem[2], held while a namespace is on
 * @saved: the administrator's value [bytes]
 * @held: the value that we wrote [bytes]; 0 while we hold nothing
 * @admin: the administrator wrote it since: it is a ceiling of our grants now
 *
 * The window scale is fixed in the SYN from tcp_rmem[2], so that has to be right
 * before any connection is. Written under struct abt_net.lock, read anywhere.
 */
struct abt_ceiling {
	int saved;
	int held;
	bool admin;
};

u32 abt_ceiling_cap(struct abt_net *an, enum abt_dir dir);
u32 abt_ceiling_limit(struct abt_net *an, enum abt_dir dir);
void abt_ceiling_inherit(struct abt_net *an, enum abt_dir dir);
void abt_ceiling_hold(struct abt_net *an, enum abt_dir dir);
void abt_ceiling_release(struct abt_net *an, enum abt_dir dir);

#endif /* ABT_STATE_CEILING_H */
