// SPDX-License-Identifier: GPL-2.0
/* A walk over the table of records: see walk.h. */
#include <linux/rhashtable.h>
#include <net/sock.h>

#include "conn/conn.h"
#include "conn/record.h"
#include "conn/walk.h"

static void abt_walk_enter(struct abt_walk *walk,
			   const struct bucket_table *table)
{
	walk->torn |= walk->size > 0;
	walk->rnd = table->hash_rnd;
	walk->size = table->size;
	walk->bucket = walk->torn ? 0 : walk->bucket;
}

/*
 * The table that a walk is in. While records move to another, they move from the
 * first one to the next, so a walk through the first, then the next, misses none.
 * Return: NULL when it is through. Context: RCU read side.
 */
static struct bucket_table *abt_walk_table(struct abt_walk *walk)
{
	struct bucket_table *first, *table;

	first = rcu_dereference(abt_records_table()->tbl);
	for (table = first; table; table = rcu_dereference(table->future_tbl))
		if (table->hash_rnd == walk->rnd && table->size == walk->size)
			break;
	if (!table) {
		table = first;
		abt_walk_enter(walk, table);
	}
	while (table && walk->bucket >= table->size) {
		table = rcu_dereference(table->future_tbl);
		if (table)
			abt_walk_enter(walk, table);
	}
	if (table && rcu_access_pointer(table->future_tbl))
		walk->torn = true;
	return table;
}

/**
 * abt_walk_here() - is a walk at a bucket?
 * @walk: place
 *
 * Context: any.
 * Return: false when it is through.
 */
bool abt_walk_here(struct abt_walk *walk)
{
	bool here;

	rcu_read_lock();
	here = abt_walk_table(walk);
	rcu_read_unlock();
	return here;
}

/* A record, while its socket is held. */
static int abt_walk_record(const struct abt_conn *c, abt_show_t show, void *to)
{
	int err;

	if (!abt_conn_hold(c))
		return 0;
	err = show(c->sk, c, to);
	sock_put(c->sk);
	return err;
}

/**
 * abt_walk_show() - show the records of the bucket that a walk is at
 * @walk: place; stays there
 * @an: namespace to stay in
 * @show: shows one
 * @to: passed to it
 *
 * Context: any; @show is called on the RCU read side.
 * Return: 0, or the value that @show returned.
 */
int abt_walk_show(struct abt_walk *walk, const struct abt_net *an,
		  abt_show_t show, void *to)
{
	struct bucket_table *table;
	struct rhash_head *node;
	struct abt_conn *c;
	int err = 0;

	rcu_read_lock();
	table = abt_walk_table(walk);
	if (!table)
		goto out;
	rht_for_each_entry_rcu(c, node, table, walk->bucket, node) {
		if (c->an == an)
			err = abt_walk_record(c, show, to);
		if (err)
			break;
	}
out:
	rcu_read_unlock();
	return err;
}
