/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory that both pools of a host hand out.
 *
 * A pool hands out buffers, and the kernel counts the bytes in them. Readers that keep up use next
 * to nothing of their windows. So if both pools are short, or one can borrow too little, each may
 * hand out a part of the memory that no socket uses.
 *
 * That is right as long as readers keep up. If use rises fast, all of it is called back at once.
 * The balance in the same work hands out what is still unused.
 */
#ifndef ABT_POOL_OVERCOMMIT_H
#define ABT_POOL_OVERCOMMIT_H

#include <linux/types.h>

struct abt_loan_side;
struct abt_pool;

/*
 * Use is looked at so often while a pool is overcommitted [ms]: as often as a level follows
 * demands, because a call back lowers levels.
 */
#define ABT_OVERCOMMIT_MS	10U

/**
 * struct abt_overcommit - overcommitment of the pools of a host
 * @used: reads the memory in use by sockets [bytes]; called from a work; constant
 * @seen: its result at the last look [bytes]
 * @stands: a pool is overcommitted
 */
struct abt_overcommit {
	u64 (*used)(void);
	u64 seen;
	bool stands;
};

void abt_overcommit_balance(struct abt_overcommit *over, struct abt_pool *pools,
			    const struct abt_loan_side *side, bool on);
void abt_overcommit_watch(struct abt_overcommit *over, struct abt_pool *pools);

#endif /* ABT_POOL_OVERCOMMIT_H */
