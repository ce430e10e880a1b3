// SPDX-License-Identifier: GPL-2.0
/*
 * Room in the adapter: a third max-min pool, of the memory that the driver says it
 * has, by the same code as the host's two.
 *
 * A connection demands what is in its two buffers, but its floor at least, and has
 * min(demand, level), charged before the driver is told. The floor is one for the
 * whole device, so that as many connections fit as there are floors in the memory, and
 * the level is never below it. A later connection is refused and waits. A connection that
 * goes makes room for the one that has waited longest.
 */
#include <net/tcp.h>

#include "offload/member.h"
#include "offload/port.h"
#include "offload/room.h"

/* As in the host's memory, a connection keeps three segments each way. */
#define ABT_ROOM_SEGS	(3 * ABT_DIRS)

static u32 abt_room_default_floor(const struct net_device *netdev)
{
	return ABT_ROOM_SEGS *
	       SKB_TRUESIZE(READ_ONCE(netdev->mtu) + MAX_TCP_HEADER);
}

/**
 * abt_room_limits() - ask the driver what the adapter can hold
 * @port: port
 *
 * Context: process; the port's work, or before that runs.
 */
void abt_room_limits(struct abt_port *port)
{
	struct tcp_abt_offload_limits limits = {};
	u32 floor = 0;

	port->ops->limits(port->priv, &limits);
	if (limits.functions & TCP_ABT_FN_BUFFERS)
		floor = limits.floor_bytes ?:
			abt_room_default_floor(port->netdev);
	WRITE_ONCE(port->limits.bytes, limits.bytes);
	WRITE_ONCE(port->limits.conns, limits.conns);
	WRITE_ONCE(port->limits.functions, limits.functions);
	WRITE_ONCE(port->limits.floor_bytes, limits.floor_bytes);
	WRITE_ONCE(port->floor, floor);
}

/* The work alone counts, and others look. */
static void abt_room_count(u64 *times)
{
	WRITE_ONCE(*times, *times + 1);
}

/* Connections that fit. */
static u64 abt_room_capacity(const struct abt_port *port)
{
	u64 conns = port->limits.conns;

	return port->floor ?
		min(conns, div_u64(port->limits.bytes, port->floor)) : conns;
}

/**
 * abt_room_unwait() - a member waits for room no more
 * @m: member, whether it does or not
 *
 * Context: the port's work, or after its last.
 */
void abt_room_unwait(struct abt_member *m)
{
	if (list_empty(&m->waiting))
		return;
	list_del_init(&m->waiting);
	WRITE_ONCE(m->port->waits, m->port->waits - 1);
}

/* The next step is to ask, from the beginning. */
static void abt_room_ask(struct abt_member *m)
{
	abt_room_unwait(m);
	m->standing = ABT_NEW;
	WRITE_ONCE(m->quiet, false);
	abt_port_due_now(m);
}

/* It stays on the host path, until there is room or its route changes. */
static void abt_room_wait(struct abt_member *m)
{
	abt_room_unwait(m);
	m->standing = ABT_WAITING;
	WRITE_ONCE(m->quiet, true);
	list_add_tail(&m->waiting, &m->port->waiting);
	WRITE_ONCE(m->port->waits, m->port->waits + 1);
}

static void abt_room_refuse(struct abt_member *m, int err)
{
	abt_room_count(&m->port->refused);
	if (err == -ENOSPC) {
		abt_room_wait(m);
		return;
	}
	m->standing = ABT_REFUSED;
	WRITE_ONCE(m->quiet, true);
}

static void abt_room_put(struct abt_member *m)
{
	abt_stake_leave(&m->stake);
	m->port->conns--;
}

/**
 * abt_room_leave() - a member is not the driver's any more, nor in the pool
 * @m: member, of any standing
 * @why: the reason that the driver is told
 *
 * Context: process; the port's work, or after its last.
 */
void abt_room_leave(struct abt_member *m, enum tcp_abt_offload_why why)
{
	struct abt_port *port = m->port;
	struct abt_member *next;

	if (m->standing == ABT_TOLD) {
		port->ops->conn_del(port->priv, &m->conn, why);
		abt_room_count(&port->dels[why]);
		WRITE_ONCE(port->held, port->held - 1);
	}
	m->standing = ABT_NEW;
	if (!m->stake.pool)
		return;
	abt_room_put(m);
	next = list_first_entry_or_null(&port->waiting, struct abt_member,
					waiting);
	if (next)
		abt_room_ask(next);
}

/*
 * Enter what the connection demands, charge what it may have.
 * Return: is that enough to be there?
 */
static bool abt_room_charge(struct abt_member *m)
{
	struct tcp_abt_offload_state *s = &m->port->state;
	u32 floor = m->port->floor, demand = 0, grant;

	if (floor)
		demand = max(floor, abt_clamp_bytes((u64)s->half[ABT_SND].used +
						    s->half[ABT_RCV].used));
	grant = abt_stake_demand(&m->stake, demand);
	s->adapter_grant = abt_stake_charge(&m->stake, max(grant, floor), 0);
	return s->adapter_grant >= floor;
}

/* The driver was told: when may it be told again? */
static void abt_room_told(struct abt_member *m)
{
	const struct tcp_abt_offload_state *s = &m->port->state;

	m->next = s->taken_ns + (u64)s->interval_us * NSEC_PER_USEC;
}

/* Ask the driver, as soon as others gave back enough for the floor. */
static void abt_room_offer(struct abt_member *m)
{
	struct abt_port *port = m->port;
	int err;

	m->standing = ABT_JOINED;
	if (!abt_room_charge(m)) {
		abt_port_due(m, ktime_get_ns() + ABT_POOL_TICK_MS * NSEC_PER_MSEC);
		return;
	}
	port->state.update = ++m->update;
	err = port->ops->conn_add(port->priv, &m->conn, &port->state);
	abt_room_told(m);
	if (err) {
		abt_room_put(m);
		abt_room_refuse(m, err);
		return;
	}
	m->standing = ABT_TOLD;
	abt_room_count(&port->adds);
	WRITE_ONCE(port->held, port->held + 1);
}

/**
 * abt_room_settle() - tell the driver of a connection, if it may be told
 * @m: member; its state is in the port
 *
 * Context: the port's work.
 */
void abt_room_settle(struct abt_member *m)
{
	struct abt_port *port = m->port;

	switch (m->standing) {
	case ABT_NEW:
		if (port->conns >= abt_room_capacity(port)) {
			abt_room_refuse(m, -ENOSPC);
			return;
		}
		abt_stake_join(&m->stake, &port->pool);
		port->conns++;
		abt_room_offer(m);
		return;
	case ABT_JOINED:
		abt_room_offer(m);
		return;
	case ABT_TOLD:
		abt_room_charge(m);
		port->state.update = ++m->update;
		port->ops->conn_update(port->priv, &m->conn, &port->state);
		abt_room_count(&port->updates);
		abt_room_told(m);
		return;
	case ABT_WAITING:
	case ABT_REFUSED:
		/* news from before it knew */
		return;
	}
}

/**
 * abt_room_changed() - other limits
 * @port: port
 *
 * Who came last goes first; all that wait are asked again.
 *
 * Context: the port's work.
 */
void abt_room_changed(struct abt_port *port)
{
	struct abt_member *m, *next;

	abt_room_limits(port);
	abt_pool_resize(&port->pool, port->limits.bytes);
	list_for_each_entry_reverse(m, &port->members, list) {
		if (port->conns <= abt_room_capacity(port))
			break;
		if (m->stake.pool) {
			abt_room_leave(m, TCP_ABT_DEL_ROOM);
			abt_room_wait(m);
		}
	}
	list_for_each_entry_safe(m, next, &port->waiting, waiting)
		abt_room_ask(m);
	abt_port_sweep(port);
}
