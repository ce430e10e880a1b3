// SPDX-License-Identifier: GPL-2.0
/*
 * The side of the sockets: events mark a member, a record that goes leaves it, and the
 * port's work looks at the socket.
 *
 * An event does no more than to set a flag, and, once a round trip, to put the
 * member into its port's inbox. The work takes the state, which includes all that happened
 * until then.
 */
#include <linux/slab.h>
#include <net/tcp.h>

#include "offload/member.h"
#include "offload/port.h"
#include "offload/room.h"

/* The device that a socket's route leaves by; NULL: not known at present. */
static struct net_device *abt_route(const struct sock *sk)
{
	const struct dst_entry *dst = rcu_dereference_raw(sk->sk_dst_cache);

	return dst ? READ_ONCE(dst->dev) : NULL;
}

/* Context: the socket locked, RCU read side; @m is not marked. */
static void abt_member_mark(struct abt_member *m)
{
	struct abt_port *port = m->port;

	m->marked = true;
	m->since_ns = ktime_get_ns();
	if (!test_and_set_bit(ABT_IN_INBOX, &m->flags) &&
	    llist_add(&m->inbox, &port->inbox))
		abt_port_kick(port);
}

/**
 * abt_member_adopt() - make a connection a member of the port of its route
 * @sk: socket, locked
 * @c: its record, a member of none
 *
 * Where the route's device is not registered, or there is no memory, nothing
 * happens: its next event comes by here again.
 *
 * Context: atomic, RCU or RCU-sched read side.
 */
void abt_member_adopt(struct sock *sk, struct abt_conn *c)
{
	struct net_device *netdev = abt_route(sk);
	struct abt_port *port = netdev ? abt_port_find(netdev) : NULL;
	struct abt_member *m;

	if (!port)
		return;
	m = kzalloc(sizeof(*m), GFP_ATOMIC | __GFP_NOWARN);
	if (!m)
		return;
	m->c = c;
	m->port = port;
	RB_CLEAR_NODE(&m->due);
	INIT_LIST_HEAD(&m->list);
	INIT_LIST_HEAD(&m->waiting);
	WRITE_ONCE(c->member, m);
	abt_member_mark(m);
}

/* A connection that was refused has news only where its route changed. */
static bool abt_member_has_news(const struct sock *sk,
				const struct abt_member *m)
{
	struct net_device *netdev;

	if (m->marked)
		return false;
	if (likely(!READ_ONCE(m->quiet)))
		return true;
	netdev = abt_route(sk);
	return netdev && netdev != m->port->netdev;
}

/**
 * abt_member_event() - something changed that a driver might want to know
 * @sk: socket, locked
 * @c: its record
 *
 * Context: any, RCU-sched read side.
 */
void abt_member_event(struct sock *sk, struct abt_conn *c)
{
	struct abt_member *m = READ_ONCE(c->member);

	if (unlikely(!m))
		abt_member_adopt(sk, c);
	else if (abt_member_has_news(sk, m))
		abt_member_mark(m);
}

/**
 * abt_member_forget() - a record goes
 * @c: record
 *
 * Context: any, RCU read side; no event of this record comes any more.
 */
void abt_member_forget(struct abt_conn *c)
{
	struct abt_member *m = xchg(&c->member, NULL);
	struct abt_port *port;

	if (!m)
		return;
	port = m->port;
	WRITE_ONCE(m->c, NULL);
	if (llist_add(&m->gone, &port->gone))
		abt_port_kick(port);
}

/**
 * abt_member_take() - take a member from its record
 * @m: member
 *
 * Context: process.
 * Return: false when the record went: the member is on its way to the port's list of
 *	those that are gone.
 */
bool abt_member_take(struct abt_member *m)
{
	struct abt_conn *c;
	bool taken = false;

	rcu_read_lock();
	c = READ_ONCE(m->c);
	if (c)
		taken = cmpxchg(&c->member, m, NULL) == m;
	rcu_read_unlock();
	return taken;
}

/*
 * The driver of the old route knows nothing of it any more: to the port of the new
 * one, or to none. Context: the socket locked, RCU read side.
 */
static void abt_member_move(struct abt_member *m, struct abt_conn *c,
			    struct net_device *netdev)
{
	struct abt_port *port = abt_port_find(netdev);

	list_del_init(&m->list);
	abt_room_unwait(m);
	if (!port) {
		/* an event of the socket comes after this: no hook looks at it now */
		WRITE_ONCE(c->member, NULL);
		kfree(m);
		return;
	}
	m->conn = (struct tcp_abt_offload_conn) {};
	m->standing = ABT_NEW;
	m->update = 0;
	m->next = 0;
	WRITE_ONCE(m->quiet, false);
	m->port = port;
	abt_member_mark(m);
}

/* Context: the socket locked, RCU read side. */
static enum abt_look abt_member_look_locked(struct sock *sk,
					    struct abt_conn *c,
					    struct abt_member *m)
{
	struct tcp_abt_offload_state *s = &m->port->state;
	struct net_device *netdev = abt_route(sk);

	if (netdev && netdev != m->port->netdev) {
		if (test_bit(ABT_IN_INBOX, &m->flags))
			return ABT_LOOK_BUSY;
		if (m->stake.pool)
			return ABT_LOOK_ELSEWHERE;
		abt_member_move(m, c, netdev);
		return ABT_LOOK_LEFT;
	}
	abt_state_take(sk, c, s);
	s->since_ns = m->marked ? m->since_ns : s->taken_ns;
	m->marked = false;
	return ABT_LOOK_STATE;
}

/**
 * abt_member_look() - look at a member's socket
 * @m: member, due for nothing
 *
 * Who has the socket locked, be it for long, holds up the news of this socket only.
 *
 * Context: the port's work.
 * Return: the result of the look; the state is in the port.
 */
enum abt_look abt_member_look(struct abt_member *m)
{
	enum abt_look look = ABT_LOOK_LEFT;
	struct abt_conn *c;
	struct sock *sk;

	rcu_read_lock();
	c = READ_ONCE(m->c);
	if (!c || !refcount_inc_not_zero(&c->sk->sk_refcnt))
		goto out;
	sk = c->sk;
	local_bh_disable();
	bh_lock_sock(sk);
	/* memory of a socket may be another socket by now */
	if (READ_ONCE(m->c))
		look = sock_owned_by_user(sk) ? ABT_LOOK_BUSY :
						abt_member_look_locked(sk, c, m);
	bh_unlock_sock(sk);
	local_bh_enable();
	sock_put(sk);
out:
	rcu_read_unlock();
	return look;
}
