/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ABT_CONN_RECORD_H
#define ABT_CONN_RECORD_H

#include <linux/hash.h>
#include <linux/rcupdate.h>

#include "conn/conn.h"

struct rhashtable;
struct rhashtable_iter;

/* Sockets whose records are found at a glance: 128 KB of pointers. */
#define ABT_RECENT_BITS		14

extern struct abt_conn __rcu *abt_recent[1 << ABT_RECENT_BITS];

static inline struct abt_conn __rcu **abt_recent_slot(const struct sock *sk)
{
	return &abt_recent[hash_32((u32)(unsigned long)sk, ABT_RECENT_BITS)];
}

/**
 * abt_conn_glance() - the record of a socket, if it was found here lately
 * @sk: socket
 * @c: where it goes; another socket's, if it was not
 *
 * A segment cannot afford a look into the table: it takes more instructions than
 * all else that is done for it.
 *
 * Context: RCU or RCU-sched read side.
 * Return: true when @c is the socket's; else look into the table.
 */
static inline bool abt_conn_glance(const struct sock *sk, struct abt_conn **c)
{
	*c = rcu_dereference_check(*abt_recent_slot(sk),
				   rcu_read_lock_sched_held());
	return likely((*c)->sk == sk);
}

int abt_records_init(void);
void abt_records_exit(void);
struct abt_conn *abt_conn_find(const struct sock *sk);
struct abt_conn *abt_conn_make(struct sock *sk, struct abt_net *an);
void abt_conn_remember(struct abt_conn *c);
void abt_conn_unremember(struct abt_conn *c);
bool abt_conn_take_out(struct abt_conn *c);
bool abt_conn_hold(const struct abt_conn *c);
void abt_conn_end(struct abt_conn *c);
void abt_conn_forget(struct abt_conn *c);
struct rhashtable *abt_records_table(void);
void abt_records_walk_enter(struct rhashtable_iter *iter);
struct sock *abt_records_walk_next(struct rhashtable_iter *iter,
				   const struct abt_net *an);

#endif /* ABT_CONN_RECORD_H */
