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

#endif /* ABT_POOL_H */
