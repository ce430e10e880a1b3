/* SPDX-License-Identifier: GPL-2.0 */
/* Where the water stands in a pool, and who is told of it. */
#ifndef ABT_POOL_LEVEL_H
#define ABT_POOL_LEVEL_H

#include <linux/types.h>

struct abt_pool;

bool abt_level_crossed(const struct abt_pool *pool);
void abt_level_refresh(struct abt_pool *pool);
void abt_level_tell_refused(struct abt_pool *pool);
void abt_level_tell_end(struct abt_pool *pool);

#endif /* ABT_POOL_LEVEL_H */
