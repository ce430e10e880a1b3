/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A walk over the table of records, to list them: bucket by bucket, each in
 * one RCU read side. A record that is there from the first bucket to the last is
 * shown once, whichever others come and go; when the table itself is replaced by a
 * larger or smaller one, once or twice.
 */
#ifndef ABT_CONN_WALK_H
#define ABT_CONN_WALK_H

#include <linux/types.h>

struct abt_conn;
struct abt_net;
struct sock;

/**
 * struct abt_walk - a place in the table of records; all 0: before its begin
 * @rnd: tells the hash table that it is in from those before and after
 * @size: buckets of that; 0: none yet
 * @bucket: the one that it is at; may be moved on by who walks
 * @torn: the table was replaced on the way
 */
struct abt_walk {
	u32 rnd;
	u32 size;
	u32 bucket;
	bool torn;
};

/* Shows a record. Return: 0, or an error that ends the bucket. */
typedef int (*abt_show_t)(const struct sock *sk, const struct abt_conn *c,
			  void *to);

bool abt_walk_here(struct abt_walk *walk);
int abt_walk_show(struct abt_walk *walk, const struct abt_net *an,
		  abt_show_t show, void *to);

#endif /* ABT_CONN_WALK_H */
