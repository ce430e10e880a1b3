// SPDX-License-Identifier: GPL-2.0
/*
 * The table of records: socket -> record.
 *
 * A record lives from the first event of a socket that moved more than a floor to
 * tcp_destroy_sock, or until its socket is handed back to the kernel's own tuning. It
 * holds no reference to the socket: a walk of the table takes one first, and looks whether the
 * record still stands once the socket is locked.
 *
 * Before the table stand the slots of recent.c, where most events find their record.
 */
#include <linux/delay.h>
#include <linux/hash.h>
#include <linux/jiffies.h>
#include <linux/rhashtable.h>
#include <linux/slab.h>
#include <net/sock.h>

#include "conn/buffer.h"
#include "conn/conn.h"
#include "conn/hooks.h"
#include "conn/recent.h"
#include "conn/record.h"
#include "conn/sample.h"
#include "path/table.h"

static struct rhashtable abt_records;
static struct kmem_cache *abt_conn_cache;

/* Ten thousand connections are to cost little beside their sockets of 2 KB each. */
#define ABT_CONN_BYTES_MAX	256

static_assert(sizeof(struct abt_conn) <= ABT_CONN_BYTES_MAX);

/* A pointer needs no more than a multiplication. */
static u32 abt_hash_sk(const void *key, u32 len, u32 seed)
{
	return hash_long(*(const unsigned long *)key ^ seed, 32);
}

static const struct rhashtable_params abt_records_params = {
	.key_len = sizeof(struct sock *),
	.key_offset = offsetof(struct abt_conn, sk),
	.head_offset = offsetof(struct abt_conn, node),
	.hashfn = abt_hash_sk,
	.automatic_shrinking = true,
};

/**
 * abt_records_init() - an empty table
 *
 * Context: process, sleeps.
 * Return: 0, or -ENOMEM.
 */
int abt_records_init(void)
{
	int err;

	err = abt_recent_init();
	if (err)
		return err;
	abt_conn_cache = kmem_cache_create("tcp_abt_conn",
					   sizeof(struct abt_conn), 0,
					   SLAB_HWCACHE_ALIGN, NULL);
	if (!abt_conn_cache) {
		err = -ENOMEM;
		goto err_recent;
	}
	err = rhashtable_init(&abt_records, &abt_records_params);
	if (err)
		goto err_cache;
	return 0;

err_cache:
	kmem_cache_destroy(abt_conn_cache);
err_recent:
	abt_recent_exit();
	return err;
}

/**
 * abt_records_exit() - the end of the table
 *
 * All records were forgotten, no hook runs any more.
 * Context: process; sleeps until the last record is freed.
 */
void abt_records_exit(void)
{
	WARN_ON_ONCE(atomic_read(&abt_records.nelems));
	rhashtable_destroy(&abt_records);
	rcu_barrier();
	kmem_cache_destroy(abt_conn_cache);
	abt_recent_exit();
}

/**
 * abt_conn_find() - the record of a socket
 * @sk: socket
 *
 * Context: RCU read side.
 * Return: the record, or NULL.
 */
struct abt_conn *abt_conn_find(const struct sock *sk)
{
	struct abt_conn *c;

	if (abt_conn_glance(sk, &c))
		return c;
	return rhashtable_lookup(&abt_records, &sk, abt_records_params);
}

/**
 * abt_conn_make() - a record for a socket that has none
 * @sk: socket, locked
 * @an: its namespace
 *
 * Context: atomic; the socket lock held.
 * Return: the record; NULL without memory: the socket stays with the kernel's own
 *	tuning until its next event.
 */
struct abt_conn *abt_conn_make(struct sock *sk, struct abt_net *an)
{
	struct abt_conn *c = kmem_cache_zalloc(abt_conn_cache,
					       GFP_ATOMIC | __GFP_NOWARN);

	if (!c)
		return NULL;
	c->sk = sk;
	c->an = an;
	abt_sample_start(sk, c);
	abt_conn_set_due(c);
	/* first: the namespace does not end before this is counted out again */
	atomic_inc(&an->records);
	if (rhashtable_insert_fast(&abt_records, &c->node, abt_records_params)) {
		atomic_dec(&an->records);
		kmem_cache_free(abt_conn_cache, c);
		return NULL;
	}
	abt_conn_remember(c);
	return c;
}

static void abt_conn_free(struct rcu_head *rcu)
{
	kmem_cache_free(abt_conn_cache,
			container_of(rcu, struct abt_conn, rcu));
}

/**
 * abt_conn_take_out() - take a record out of the table
 * @c: record
 *
 * Context: any, RCU read side; the socket's spin lock held, or the last reference.
 * Return: false when it was taken out before.
 */
bool abt_conn_take_out(struct abt_conn *c)
{
	WRITE_ONCE(c->dead, true);
	abt_conn_unremember(c);
	return !rhashtable_remove_fast(&abt_records, &c->node,
				       abt_records_params);
}

/**
 * abt_conn_end() - free a record, and give back what it was charged for
 * @c: record, out of the table
 *
 * Context: any; the socket's spin lock held, or the last reference.
 */
void abt_conn_end(struct abt_conn *c)
{
	struct abt_net *an = c->an;
	enum abt_dir dir;

	abt_tell_forgotten(c);
	abt_set_applied(c, ABT_RCV, 0);
	for (dir = 0; dir < ABT_DIRS; dir++)
		abt_half_leave(&c->half[dir]);
	abt_path_leave(c->path);
	call_rcu(&c->rcu, abt_conn_free);
	/* Pairs with abt_records_of(). The namespace and its pools may go after this. */
	smp_mb__before_atomic();
	atomic_dec(&an->records);
}

/**
 * abt_conn_forget() - end a record, and its charges
 * @c: record
 *
 * Context: any, RCU read side; the socket lock held, or the last reference.
 */
void abt_conn_forget(struct abt_conn *c)
{
	if (abt_conn_take_out(c))
		abt_conn_end(c);
}

/**
 * abt_records_table() - the table, for other kinds of walks
 *
 * Return: it; as long as the module is.
 */
struct rhashtable *abt_records_table(void)
{
	return &abt_records;
}

/**
 * abt_records_walk_enter() - walk the table
 * @iter: iterator, to be ended by rhashtable_walk_exit()
 *
 * Context: process.
 */
void abt_records_walk_enter(struct rhashtable_iter *iter)
{
	rhashtable_walk_enter(&abt_records, iter);
}

/**
 * abt_conn_hold() - take a reference on the socket of a record
 * @c: record
 *
 * Memory of a socket may be another socket by now.
 *
 * Context: RCU read side.
 * Return: false when the socket went, or the record did.
 */
bool abt_conn_hold(const struct abt_conn *c)
{
	struct sock *sk = c->sk;

	if (!refcount_inc_not_zero(&sk->sk_refcnt))
		return false;
	/*
	 * Pairs with the smp_wmb() before the kernel sets sk_refcnt of a new socket, as in
	 * sk_clone_lock(): the record of the former one was marked dead before.
	 */
	smp_rmb();
	if (!READ_ONCE(c->dead))
		return true;
	sock_put(sk);
	return false;
}

/* After so many records of other namespaces a walk lets others have the processor. */
#define ABT_WALK_BURST		64

/**
 * abt_records_walk_next() - the next socket of a walk, with a reference
 * @iter: iterator
 * @an: namespace to stay in, or NULL
 *
 * Context: process, between rhashtable_walk_start() and _stop(). The RCU read side
 *	of the walk may be left and entered again.
 * Return: a socket, to be given back by sock_put(); NULL at the end.
 */
struct sock *abt_records_walk_next(struct rhashtable_iter *iter,
				   const struct abt_net *an)
{
	unsigned int passed;
	struct abt_conn *c;

	for (passed = 1; (c = rhashtable_walk_next(iter)); passed++) {
		/* -EAGAIN: the table grew, the walk begins anew */
		if (IS_ERR(c) || (an && c->an != an)) {
			if (passed % ABT_WALK_BURST)
				continue;
			rhashtable_walk_stop(iter);
			cond_resched();
			rhashtable_walk_start(iter);
			continue;
		}
		if (abt_conn_hold(c))
			return c->sk;
	}
	return NULL;
}
