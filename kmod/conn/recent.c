// SPDX-License-Identifier: GPL-2.0
/*
 * Slots before the table of records: most events find their record here, and write nothing.
 *
 * A socket's hash gives a set of slots, which are the pointers of a cache line, and in it the home
 * of its record. The record is put at home, or into another slot of the set if the home is
 * taken. So a connection whose home is taken is found beside it, and the processors do not take the
 * line from each other.
 *
 * A record that has a slot is in the table as well. Only the holder of the socket's lock puts a
 * record into a slot, when it is in none, so it is never in two. Sockets of a set share no lock: a
 * record may be displaced at any time, and is then found in the table, and put into a slot that is
 * free.
 */
#include <linux/bug.h>
#include <linux/cache.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <net/inet_hashtables.h>
#include <net/net_namespace.h>

#include "conn/conn.h"
#include "conn/recent.h"

/* Slots of a set: on 64 bits a cache line of 64 bytes. */
#define ABT_RECENT_WAYS		8

/*
 * So many slots for a bucket of the kernel's table of established connections. That has one for
 * 128 KB of memory, so a host of 4 GB has 2^18 slots. Of the events of 100,000 connections 0.5 %
 * miss them, and 6 % would miss half as many.
 */
#define ABT_RECENT_PER_BUCKET	8

/* The smallest host has 2^14 slots, 128 KB. */
#define ABT_RECENT_BITS_MIN	14

/* In a full set one miss of so many displaces a record. */
#define ABT_RECENT_PATIENCE	16

/*
 * One find of so many beside a home has the record take it. A busy connection would else be found
 * beside the home of an idle one for all of its life, which takes 90 instructions more a segment.
 */
#define ABT_RECENT_STAYS	64

/* Of a processor: misses in full sets, and finds beside homes that are taken. */
static DEFINE_PER_CPU(u32, abt_recent_misses);
static DEFINE_PER_CPU(u32, abt_recent_asides);

/* The array of slots, and an offset into it that is the last slot's [bytes]. */
void *abt_recent __ro_after_init;
u32 abt_recent_mask __ro_after_init;

/* In the slots that are free, so that a glance takes one compare: no socket's record. */
static struct abt_conn abt_nobody;

/* Way 0 is the home of a socket's record. */
static struct abt_conn __rcu **abt_recent_slot(const struct sock *sk, u32 way)
{
	unsigned long home = (unsigned long)abt_recent_home(sk);

	return (struct abt_conn __rcu **)(home ^ way * sizeof(void *));
}

/**
 * abt_recent_init() - slots, all of them free
 *
 * Context: process, sleeps.
 * Return: 0, or -ENOMEM.
 */
int abt_recent_init(void)
{
	u32 buckets = init_net.ipv4.tcp_death_row.hashinfo->ehash_mask + 1;
	u32 bits = ilog2(buckets) + ilog2(ABT_RECENT_PER_BUCKET);
	struct abt_conn __rcu **slots;
	size_t i, n;

	n = BIT(clamp_t(u32, bits, ABT_RECENT_BITS_MIN, ABT_RECENT_BITS_MAX));
	slots = kvmalloc_array(n, sizeof(*slots), GFP_KERNEL);
	if (!slots)
		return -ENOMEM;
	for (i = 0; i < n; i++)
		RCU_INIT_POINTER(slots[i], &abt_nobody);
	abt_recent = slots;
	abt_recent_mask = (n - 1) * sizeof(*slots);
	return 0;
}

/**
 * abt_recent_exit() - free the slots
 *
 * All records were forgotten, no hook runs any more. A record that still has a slot could have
 * been found after its end.
 *
 * Context: process, sleeps.
 */
void abt_recent_exit(void)
{
	struct abt_conn __rcu **slots = abt_recent;
	size_t i;

	for (i = 0; i <= abt_recent_mask / sizeof(*slots); i++)
		WARN_ON_ONCE(rcu_access_pointer(slots[i]) != &abt_nobody);
	kvfree(slots);
}

/**
 * abt_conn_recent() - the record of a socket, if it is in its set and not at home
 * @sk: socket
 *
 * Writes nothing.
 *
 * Context: RCU or RCU-sched read side.
 * Return: the record, or NULL: look into the table.
 */
struct abt_conn *abt_conn_recent(const struct sock *sk)
{
	struct abt_conn *c;
	u32 way;

	for (way = 1; way < ABT_RECENT_WAYS; way++) {
		c = rcu_dereference_check(*abt_recent_slot(sk, way),
					  rcu_read_lock_sched_held());
		if (c->sk == sk)
			return c;
	}
	return NULL;
}

/**
 * abt_conn_remember() - let a record be found in its set
 * @c: record, in the table and in no slot
 *
 * It takes the first free slot, in the order in which it is looked for. In a full set few misses
 * displace a record. If each miss did, the records of a set that is short of one slot would
 * displace each other in turn, and each of their events would write the line.
 *
 * Context: any; the socket lock held.
 */
void abt_conn_remember(struct abt_conn *c)
{
	u32 misses, way;

	for (way = 0; way < ABT_RECENT_WAYS; way++)
		if (rcu_access_pointer(*abt_recent_slot(c->sk, way)) == &abt_nobody)
			break;
	if (way == ABT_RECENT_WAYS) {
		misses = this_cpu_inc_return(abt_recent_misses);
		if (misses % ABT_RECENT_PATIENCE)
			return;
		way = misses / ABT_RECENT_PATIENCE % ABT_RECENT_WAYS;
	}
	rcu_assign_pointer(*abt_recent_slot(c->sk, way), c);
}

/**
 * abt_conn_unremember() - let a record be found in the table alone
 * @c: record. A hook that found it in the table before it was taken out may still remember it. If
 *	there may be such a hook, call this once more after a grace period.
 *
 * Other sockets share the set, and their owners do not hold this socket's lock.
 *
 * Context: any.
 */
void abt_conn_unremember(struct abt_conn *c)
{
	struct abt_conn __rcu **slot;
	u32 way;

	for (way = 0; way < ABT_RECENT_WAYS; way++) {
		slot = abt_recent_slot(c->sk, way);
		if (rcu_access_pointer(*slot) == c)
			cmpxchg(slot, RCU_INITIALIZER(c),
				RCU_INITIALIZER(&abt_nobody));
	}
}

/**
 * abt_conn_come_home() - a record was found beside its home
 * @c: record, in a slot
 *
 * It goes there at once if the home is free. A record that was taken out of the table beside its
 * socket's owner stays: hooks that find it until the slots are cleared for the second time may
 * still run then, and nothing would clear its home. A hook that does not see yet that it is dead
 * ends before that, see abt_hand_back_owned().
 *
 * Context: RCU or RCU-sched read side; the socket lock held.
 */
void abt_conn_come_home(struct abt_conn *c)
{
	struct abt_conn __rcu **home = abt_recent_slot(c->sk, 0);

	if (READ_ONCE(c->dead))
		return;
	if (rcu_access_pointer(*home) != &abt_nobody &&
	    this_cpu_inc_return(abt_recent_asides) % ABT_RECENT_STAYS)
		return;
	abt_conn_unremember(c);
	rcu_assign_pointer(*home, c);
}
