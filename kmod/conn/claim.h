/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ABT_CONN_CLAIM_H
#define ABT_CONN_CLAIM_H

#include <linux/types.h>

#include "pool/pool.h"

struct abt_conn;
struct sock;

/*
 * An estimate that moved by less than 1/16 counts as unchanged, because that is the width of a
 * bucket of the pool's histogram. A fixed size is no estimate.
 */
#define ABT_DEMAND_SHIFT	ABT_HIST_SUB_SHIFT

void abt_settle_pool(const struct sock *sk, struct abt_conn *c,
		     enum abt_dir dir);
bool abt_claim_stands(const struct sock *sk, const struct abt_conn *c,
		      enum abt_dir dir);
void abt_set_grant(const struct sock *sk, struct abt_conn *c,
		   enum abt_dir dir);

#endif /* ABT_CONN_CLAIM_H */
