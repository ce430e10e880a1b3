/* SPDX-License-Identifier: GPL-2.0 */
/* The pools that this network namespace draws on. */
#ifndef ABT_POOL_H
#define ABT_POOL_H

#include "record.h"

/* Two directions, each of the namespace and of the host. */
#define POOLS	4

struct pools {
	struct pool all[POOLS];
	int count;
};

void pools_get(struct pools *pools);

/* The pool that a direction runs into first: the one with the least level, else the host's. */
const struct pool *pools_tightest(const struct pools *pools, uint32_t direction);

/* The figures of a pool, of connections or of an adapter: half a line, and with -s another one. */
void show_pool_memory(const struct pool *pool);
void show_pool_counters(const struct pool *pool);
void json_pool_figures(const struct pool *pool);

#endif /* ABT_POOL_H */
