/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The two pools of a host lend each other memory.
 *
 * A host that only sends has use for all of its memory there, and a receiver whose readers keep up
 * holds next to nothing. So a pool that demands exceed borrows from the other one, which keeps
 * twice its own demands, and half of its size at least. If the lender needs a loan back, the
 * borrower's level falls, and the lender gets the memory as the borrower's members give it back.
 * So by loans the charges of both pools together never exceed the sizes of both, floors and windows
 * already offered aside.
 */
#ifndef ABT_POOL_LOAN_H
#define ABT_POOL_LOAN_H

#include <linux/workqueue.h>

#include "pool/overcommit.h"
#include "pool/pool.h"

/**
 * struct abt_loan_side - a pool, loans and overcommitment aside
 * @own: its own memory [bytes of truesize]
 * @asked: demands, or charges if they are more [bytes of truesize]
 * @lacks: demands beyond its own [bytes of truesize]
 * @holds: charges beyond what it has without a loan [bytes of truesize]
 */
struct abt_loan_side {
	u64 own;
	u64 asked;
	u64 lacks;
	u64 holds;
};

/**
 * struct abt_loan - a loan between the two pools of a host
 * @pools: the pools, ABT_DIRS of them; constant
 * @on: they may lend; not if somebody sized one of them
 * @over: their overcommitment; the work writes it
 * @looked_ms: since when loans were not looked at, while a pool is overcommitted [ms]; as @over
 * @work: looks at both, while one borrows, or wants to
 */
struct abt_loan {
	struct abt_pool *pools;
	bool on;
	struct abt_overcommit over;
	u32 looked_ms;
	struct delayed_work work;
};

void abt_loan_init(struct abt_loan *loan, struct abt_pool *pools, u64 (*used)(void));
void abt_loan_exit(struct abt_loan *loan);
void abt_loan_allow(struct abt_loan *loan, bool on);
bool abt_loan_balance(struct abt_loan *loan);
void abt_loan_look(struct abt_loan *loan);

#endif /* ABT_POOL_LOAN_H */
