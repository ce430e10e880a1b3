// SPDX-License-Identifier: GPL-2.0
/*
 * The table of records: socket -> record.
 *
 * A record lives from the first event of a socket that moved more than a floor to
 * tcp_destroy_sock, or until its socket is handed back to the kernel's own tuning. It
 * holds no reference to the socket: whoever comes by the table takes one first, and
 * looks whether the record still stands once it has the socket locked.
 *
 * Before the table stand those found lately, one a slot: a record that is in one
 * is in the table as well. The socket's lock keeps its slot and the table alike.
 */
#include <linux/delay.h>
#include <linux/hash.h>
#include <linux/jiffies.h>
#include <linux/rhashtable.h>
#include <linux/slab.h>
#include <net/sock.h>

#include "conn/conn.h"
#include "offload/offload.h"

static struct rhashtable abt_records;
static struct kmem_cache *abt_conn_cache;

/* Ten thousand connections are to cost little beside their sockets of 2 KB each. */
#define ABT_CONN_BYTES_MAX	256

static_assert(sizeof(struct abt_conn) <= ABT_CONN_BYTES_MAX);

struct abt_conn __rcu *abt_recent[1 << ABT_RECENT_BITS];

/* In the slots that are free, so that a glance takes one compare: no socket's record. */
static struct abt_conn abt_nobody;

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
 * Context: process.
 * Return: 0, or -ENOMEM.
 */
int abt_records_init(void)
{
	unsigned int i;
	int err;

	for (i = 0; i < ARRAY_SIZE(abt_recent); i++)
		RCU_INIT_POINTER(abt_recent[i], &abt_nobody);

	abt_conn_cache = kmem_cache_create("tcp_abt_conn",
					   sizeof(struct abt_conn), 0,
					   SLAB_HWCACHE_ALIGN, NULL);
	if (!abt_conn_cache)
		return -ENOMEM;
	err = rhashtable_init(&abt_records, &abt_records_params);
	if (err)
		kmem_cache_destroy(abt_conn_cache);
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
	/* not the generation of now: the first step is due */
	c->generation = abt_generation(an) - 1;
	/* first: the namespace does not end before this is counted out again */
	atomic_inc(&an->records);
	if (rhashtable_insert_fast(&abt_records, &c->node, abt_records_params)) {
		atomic_dec(&an->records);
		kmem_cache_free(abt_conn_cache, c);
		return NULL;
	}
	return c;
}

/**
 * abt_conn_remember() - let a record be found at a glance
 * @c: record, in the table
 *
 * Context: any; the socket lock held.
 */
void abt_conn_remember(struct abt_conn *c)
{
	rcu_assign_pointer(*abt_recent_slot(c->sk), c);
}

/* Others' sockets share the slot, and do not hold our lock. */
static void abt_conn_unremember(struct abt_conn *c)
{
	struct abt_conn __rcu **slot = abt_recent_slot(c->sk);

	if (rcu_access_pointer(*slot) == c)
		cmpxchg(slot, RCU_INITIALIZER(c), RCU_INITIALIZER(&abt_nobody));
}

static void abt_conn_free(struct rcu_head *rcu)
{
	kmem_cache_free(abt_conn_cache,
			container_of(rcu, struct abt_conn, rcu));
}

/* Return: false when the record was taken out of the table before. */
static bool abt_conn_take_out(struct abt_conn *c)
{
	WRITE_ONCE(c->dead, true);
	abt_conn_unremember(c);
	return !rhashtable_remove_fast(&abt_records, &c->node,
				       abt_records_params);
}

/* A record that is out of the table gives back what it was charged for, and is freed. */
static void abt_conn_end(struct abt_conn *c)
{
	struct abt_net *an = c->an;
	enum abt_dir dir;

	abt_offload_forget(c);
	for (dir = 0; dir < ABT_DIRS; dir++)
		abt_stake_leave(&c->half[dir].stake);
	call_rcu(&c->rcu, abt_conn_free);
	/* Pairs with abt_records_of(). The namespace and its pools may go after this. */
	smp_mb__before_atomic();
	atomic_dec(&an->records);
}

/**
 * abt_conn_forget() - a record goes, and what it was charged for
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
 * abt_records_table() - the table, for who looks at it in another way
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
		if (!refcount_inc_not_zero(&c->sk->sk_refcnt))
			continue;
		/* memory of a socket may be another socket by now */
		if (!READ_ONCE(c->dead))
			return c->sk;
		sock_put(c->sk);
	}
	return NULL;
}

/*
 * No socket's owner is waited for: it may sleep in send() for as long as it likes, on a page
 * that it provides itself. A socket that is owned is passed over and come back to. After so
 * long, counted for all sockets together, the rest is handed back beside its owners [ms], so
 * that rmmod and a knob write return within 2 s.
 */
#define ABT_HAND_BACK_PATIENCE_MS	1000

/* An owner that runs is done within this, and so seldom is the table walked [ms]. */
#define ABT_HAND_BACK_PAUSE_MS		10

/* So many sockets share the two grace periods that handing back beside an owner takes. */
#define ABT_FORCED_BURST		64

/* Records of a namespace, NULL: of all. At 0 none refers to it or its pools any more. */
static int abt_records_of(const struct abt_net *an)
{
	return an ? atomic_read_acquire(&an->records) :
		    atomic_read(&abt_records.nelems);
}

static void abt_lock_slock(struct sock *sk)
	__acquires(&sk->sk_lock.slock)
{
	local_bh_disable();
	bh_lock_sock(sk);
}

static void abt_unlock_slock(struct sock *sk)
	__releases(&sk->sk_lock.slock)
{
	bh_unlock_sock(sk);
	local_bh_enable();
}

/*
 * Hand one socket back to the kernel's own tuning, by the lock of softirqs: of a connection
 * that waits to be accepted, a listener that ends asks for no other.
 * Return: false when it has an owner; nothing is done then.
 */
static bool abt_hand_back_sk(struct sock *sk)
{
	struct abt_conn *c;
	enum abt_dir dir;
	bool owned;

	abt_lock_slock(sk);
	rcu_read_lock();
	owned = sock_owned_by_user(sk);
	c = owned ? NULL : abt_conn_find(sk);
	if (c) {
		for (dir = 0; dir < ABT_DIRS; dir++)
			abt_hand_back(sk, c, dir);
		abt_conn_forget(c);
	}
	rcu_read_unlock();
	abt_unlock_slock(sk);
	return !owned;
}

/*
 * Take the record of a socket out of the table, although the socket has an owner, who may be
 * in a hook of ours.
 * Return: the record; hooks that found it may use it until abt_hand_back_beside(). NULL: it
 *	has none, or no owner any more and is handed back.
 */
static struct abt_conn *abt_take_from_owner(struct sock *sk)
{
	struct abt_conn *c;

	if (abt_hand_back_sk(sk))
		return NULL;
	abt_lock_slock(sk);
	rcu_read_lock();
	c = abt_conn_find(sk);
	if (c && !abt_conn_take_out(c))
		c = NULL;
	rcu_read_unlock();
	abt_unlock_slock(sk);
	return c;
}

/* No hook has the record any more. */
static void abt_hand_back_beside(struct abt_conn *c)
{
	struct sock *sk = c->sk;
	enum abt_dir dir;

	abt_lock_slock(sk);
	for (dir = 0; dir < ABT_DIRS; dir++) {
		if (sock_owned_by_user(sk))
			abt_hand_back_forced(sk, c, dir);
		else
			abt_hand_back(sk, c, dir);
	}
	abt_conn_end(c);
	abt_unlock_slock(sk);
	sock_put(sk);
}

/*
 * Hand back some of the sockets that have owners. While we hold the spin lock an owner can
 * neither release the socket nor take it anew, so that it stays in the one critical section
 * that it is stuck in. Two grace periods pass: hooks that found the record in the table may
 * have remembered it, and hooks that found it by that end in the second.
 */
static void abt_hand_back_owned(const struct abt_net *an)
{
	struct abt_conn *taken[ABT_FORCED_BURST];
	struct rhashtable_iter iter;
	unsigned int i, n = 0;
	struct sock *sk;

	abt_records_walk_enter(&iter);
	rhashtable_walk_start(&iter);
	while (n < ABT_FORCED_BURST && (sk = abt_records_walk_next(&iter, an))) {
		rhashtable_walk_stop(&iter);
		taken[n] = abt_take_from_owner(sk);
		if (taken[n])
			n++;
		else
			sock_put(sk);
		cond_resched();
		rhashtable_walk_start(&iter);
	}
	rhashtable_walk_stop(&iter);
	rhashtable_walk_exit(&iter);
	if (!n)
		return;
	synchronize_rcu_expedited();
	for (i = 0; i < n; i++)
		abt_conn_unremember(taken[i]);
	synchronize_rcu_expedited();
	for (i = 0; i < n; i++)
		abt_hand_back_beside(taken[i]);
}

/* One walk over the table. Return: how many sockets of @an have owners. */
static unsigned long abt_hand_back_pass(const struct abt_net *an)
{
	struct rhashtable_iter iter;
	unsigned long owned = 0;
	struct sock *sk;

	abt_records_walk_enter(&iter);
	rhashtable_walk_start(&iter);
	while ((sk = abt_records_walk_next(&iter, an))) {
		rhashtable_walk_stop(&iter);
		owned += !abt_hand_back_sk(sk);
		sock_put(sk);
		cond_resched();
		rhashtable_walk_start(&iter);
	}
	rhashtable_walk_stop(&iter);
	rhashtable_walk_exit(&iter);
	return owned;
}

/**
 * abt_records_hand_back() - hand back all sockets of a namespace
 * @an: namespace, NULL: all of the host; no hook makes records for it any more, and an
 *	RCU grace period has passed since
 *
 * A walk that removes what it comes by may step over its neighbour: walk until
 * nothing is left. A namespace without records walks nothing. When the module goes,
 * all namespaces together have been waited for, and none is again.
 *
 * Context: process, sleeps, for ABT_HAND_BACK_PATIENCE_MS and some grace periods at most.
 */
void abt_records_hand_back(struct abt_net *an)
{
	unsigned long until = jiffies + msecs_to_jiffies(ABT_HAND_BACK_PATIENCE_MS);

	while (abt_records_of(an)) {
		bool patient = time_before(jiffies, until) &&
			       (!an || READ_ONCE(abt_host.live));

		if (!abt_hand_back_pass(an))
			cond_resched();	/* a record is on its way out */
		else if (patient)
			msleep(ABT_HAND_BACK_PAUSE_MS);
		else
			abt_hand_back_owned(an);
	}
}
