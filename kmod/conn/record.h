/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ABT_CONN_RECORD_H
#define ABT_CONN_RECORD_H

#include <linux/types.h>

#include "conn/conn.h"

struct rhashtable;
struct rhashtable_iter;

int abt_records_init(void);
void abt_records_exit(void);
struct abt_conn *abt_conn_find(const struct sock *sk);
struct abt_conn *abt_conn_make(struct sock *sk, struct abt_net *an);
bool abt_conn_take_out(struct abt_conn *c);
bool abt_conn_hold(const struct abt_conn *c);
void abt_conn_end(struct abt_conn *c);
void abt_conn_forget(struct abt_conn *c);
struct rhashtable *abt_records_table(void);
void abt_records_walk_enter(struct rhashtable_iter *iter);
struct sock *abt_records_walk_next(struct rhashtable_iter *iter,
				   const struct abt_net *an);

#endif /* ABT_CONN_RECORD_H */
