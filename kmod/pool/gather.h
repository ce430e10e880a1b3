/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ABT_POOL_GATHER_H
#define ABT_POOL_GATHER_H

#include "pool/pool.h"

static inline u32 abt_parts(const struct abt_pool *pool)
{
	return 1U << pool->parts_shift;
}

int abt_parts_init(struct abt_pool *pool);
void abt_parts_exit(struct abt_pool *pool);
void abt_parts_gather(struct abt_pool *pool);
bool abt_parts_moved(struct abt_pool *pool);
void abt_parts_call_in(struct abt_pool *pool);
void abt_parts_reopen(struct abt_pool *pool);

#endif /* ABT_POOL_GATHER_H */
