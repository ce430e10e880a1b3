/* SPDX-License-Identifier: GPL-2.0 */
/* One connection's part in its pools, in one direction. */
#ifndef ABT_POOL_STAKE_H
#define ABT_POOL_STAKE_H

#include <linux/types.h>

struct abt_pool;

/* Pools that one connection can be charged to: its namespace's and the host's. */
#define ABT_POOL_DEPTH		2

/* Unit of the empty room that connections keep: a buffer of segmentation offload [bytes] */
#define ABT_KEPT_BYTES		65536U

/**
 * struct abt_stake - one connection's part in its pools, in one direction
 * @pool: pool that it draws on; NULL while it is in none
 * @charged: bytes that it is charged for, in every pool up the tree
 * @grant: part of its last demand that its pools let it have [bytes of truesize]
 * @entered: demand that it is entered with, per level of the tree, leaf first [bytes of
 *	truesize]
 *
 * The socket lock protects it.
 */
struct abt_stake {
	struct abt_pool *pool;
	u32 charged;
	u32 grant;
	u32 entered[ABT_POOL_DEPTH];
};

void abt_stake_join(struct abt_stake *stake, struct abt_pool *pool);
void abt_stake_leave(struct abt_stake *stake);
u32 abt_stake_demand(struct abt_stake *stake, u32 demand);
bool abt_stake_regrant(const struct abt_stake *stake);
u32 abt_stake_charge(struct abt_stake *stake, u32 want, u32 floor);
u32 abt_stake_keep(const struct abt_stake *stake, u32 kept, u32 want);

#endif /* ABT_POOL_STAKE_H */
