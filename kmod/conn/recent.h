/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ABT_CONN_RECENT_H
#define ABT_CONN_RECENT_H

#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/rcupdate.h>

#include "conn/conn.h"

/* At most 2^18 slots, 2 MB. */
#define ABT_RECENT_BITS_MAX	18

extern void *abt_recent;
extern u32 abt_recent_mask;

/* The home of a socket's record. By bytes, because an index takes an instruction more. */
static inline struct abt_conn __rcu **abt_recent_home(const struct sock *sk)
{
	u32 hash = hash_32((u32)(unsigned long)sk,
			   ABT_RECENT_BITS_MAX + ilog2(sizeof(void *)));

	return abt_recent + (hash & abt_recent_mask);
}

/**
 * abt_conn_glance() - the record of a socket, if it is at home
 * @sk: socket
 * @c: where it goes; another socket's, if it is not
 *
 * A segment cannot afford a look into the table: it takes more instructions than
 * all else that is done for it.
 *
 * Context: RCU or RCU-sched read side.
 * Return: true when @c is the socket's; else look into the rest of its set.
 */
static inline bool abt_conn_glance(const struct sock *sk, struct abt_conn **c)
{
	*c = rcu_dereference_check(*abt_recent_home(sk),
				   rcu_read_lock_sched_held());
	return likely((*c)->sk == sk);
}

int abt_recent_init(void);
void abt_recent_exit(void);
struct abt_conn *abt_conn_recent(const struct sock *sk);
void abt_conn_remember(struct abt_conn *c);
void abt_conn_unremember(struct abt_conn *c);
void abt_conn_come_home(struct abt_conn *c);

#endif /* ABT_CONN_RECENT_H */
