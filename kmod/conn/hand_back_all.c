// SPDX-License-Identifier: GPL-2.0
/*
 * All sockets of a namespace, or of the host, return to the kernel's own tuning: at rmmod, at
 * mode=off, and when a namespace ends. Nothing waits for a socket's owner.
 */
#include <linux/delay.h>
#include <linux/jiffies.h>
#include <linux/rhashtable.h>
#include <net/sock.h>

#include "conn/conn.h"
#include "conn/drain.h"
#include "conn/hand_back.h"
#include "conn/hand_back_all.h"
#include "conn/recent.h"
#include "conn/record.h"
#include "state/host.h"

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
		    atomic_read(&abt_records_table()->nelems);
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
 * @more: see abt_hand_back_within()
 * Return: false when it has an owner; nothing is done then.
 */
static bool abt_hand_back_sk(struct sock *sk, u32 more)
{
	struct abt_conn *c;
	enum abt_dir dir;
	bool owned;

	abt_lock_slock(sk);
	rcu_read_lock();
	owned = sock_owned_by_user(sk);
	c = owned ? NULL : abt_conn_find(sk);
	if (c) {
		abt_drain_restore(sk, c);
		for (dir = 0; dir < ABT_DIRS; dir++)
			abt_hand_back_within(sk, c, dir, more);
		abt_conn_forget(c);
	}
	rcu_read_unlock();
	abt_unlock_slock(sk);
	return !owned;
}

/*
 * Take the record of a socket out of the table, although the socket has an owner. The owner may
 * be in one of the module's hooks.
 * Return: the record; hooks that found it may use it until abt_hand_back_beside(). NULL: it
 *	has none, or no owner any more and is handed back.
 */
static struct abt_conn *abt_take_from_owner(struct sock *sk)
{
	struct abt_conn *c;

	if (abt_hand_back_sk(sk, 0))
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
			abt_hand_back_within(sk, c, dir, 0);
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
static unsigned long abt_hand_back_pass(const struct abt_net *an, u32 more)
{
	struct rhashtable_iter iter;
	unsigned long owned = 0;
	struct sock *sk;

	abt_records_walk_enter(&iter);
	rhashtable_walk_start(&iter);
	while ((sk = abt_records_walk_next(&iter, an))) {
		rhashtable_walk_stop(&iter);
		owned += !abt_hand_back_sk(sk, more);
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
	const struct abt_pool *pool = an ? READ_ONCE(an->pool[ABT_RCV]) : &abt_host.pool[ABT_RCV];
	unsigned long until = jiffies + msecs_to_jiffies(ABT_HAND_BACK_PATIENCE_MS);
	/* as it is now: sockets that are handed back leave it */
	u32 more = abt_pool_ease_each(pool, 1);

	while (abt_records_of(an)) {
		bool patient = time_before(jiffies, until) &&
			       (!an || READ_ONCE(abt_host.live));

		if (!abt_hand_back_pass(an, more))
			cond_resched();	/* a record is on its way out */
		else if (patient)
			msleep(ABT_HAND_BACK_PAUSE_MS);
		else
			abt_hand_back_owned(an);
	}
}
