// SPDX-License-Identifier: GPL-2.0
/* A port's work: which member is due when, and the visits. See port.h. */
#include <linux/slab.h>

#include "conn/conn.h"
#include "offload/member.h"
#include "offload/port.h"
#include "offload/room.h"

static void abt_port_work(struct work_struct *work);
static void abt_port_soon(struct work_struct *work);

/**
 * abt_port_make() - a port that nobody knows yet
 * @netdev: device
 * @ops: the driver's operations
 * @priv: the driver's
 *
 * Context: process, sleeps.
 * Return: the port, with a reference on the device; NULL without memory.
 */
struct abt_port *abt_port_make(struct net_device *netdev,
			       const struct tcp_abt_offload_ops *ops,
			       void *priv)
{
	struct abt_port *port = kvzalloc(sizeof(*port), GFP_KERNEL);

	if (!port)
		return NULL;
	port->netdev = netdev;
	port->ops = ops;
	port->priv = priv;
	abt_room_limits(port);
	if (abt_pool_init(&port->pool, NULL, &port->generation,
			  port->limits.bytes))
		goto err_pool;
	port->wq = alloc_ordered_workqueue("tcp_abt_%s", 0, netdev->name);
	if (!port->wq)
		goto err_wq;
	netdev_hold(netdev, &port->tracker, GFP_KERNEL);
	INIT_DELAYED_WORK(&port->work, abt_port_work);
	INIT_DELAYED_WORK(&port->soon, abt_port_soon);
	init_llist_head(&port->inbox);
	init_llist_head(&port->gone);
	INIT_LIST_HEAD(&port->members);
	INIT_LIST_HEAD(&port->waiting);
	port->due = RB_ROOT_CACHED;
	return port;

err_wq:
	abt_pool_exit(&port->pool);
err_pool:
	kvfree(port);
	return NULL;
}

/**
 * abt_port_free() - the end of a port without members
 * @port: port that nobody knows
 *
 * Context: process, sleeps.
 */
void abt_port_free(struct abt_port *port)
{
	abt_pool_exit(&port->pool);
	destroy_workqueue(port->wq);
	netdev_put(port->netdev, &port->tracker);
	kvfree(port);
}

/**
 * abt_port_kick() - there is something to do
 * @port: port
 *
 * At the next tick, so that however many have news, the work runs once a tick.
 *
 * Context: any, RCU read side.
 */
void abt_port_kick(struct abt_port *port)
{
	if (!READ_ONCE(port->closing))
		queue_delayed_work(port->wq, &port->soon, 1);
}

static bool abt_due_before(struct rb_node *a, const struct rb_node *b)
{
	return rb_entry(a, struct abt_member, due)->due_at <
	       rb_entry(b, struct abt_member, due)->due_at;
}

static void abt_port_undue(struct abt_member *m)
{
	if (RB_EMPTY_NODE(&m->due))
		return;
	rb_erase_cached(&m->due, &m->port->due);
	RB_CLEAR_NODE(&m->due);
}

/**
 * abt_port_due() - a member is to be visited
 * @m: member
 * @at: when [ns, CLOCK_MONOTONIC]; if that is sooner than it is to be anyway
 *
 * Context: the port's work.
 */
void abt_port_due(struct abt_member *m, u64 at)
{
	if (!RB_EMPTY_NODE(&m->due) && at >= m->due_at)
		return;
	abt_port_undue(m);
	m->due_at = at;
	rb_add_cached(&m->due, &m->port->due, abt_due_before);
}

/**
 * abt_port_due_now() - a member is to be visited before the work ends
 * @m: member
 *
 * Context: the port's work.
 */
void abt_port_due_now(struct abt_member *m)
{
	abt_port_due(m, ktime_get_ns());
}

/* A state that the driver knows already is told again no sooner than a round trip later. */
static void abt_port_due_in_time(struct abt_member *m)
{
	abt_port_due(m, m->standing == ABT_TOLD ? m->next : ktime_get_ns());
}

static void abt_port_take_inbox(struct abt_port *port)
{
	struct llist_node *first = llist_del_all(&port->inbox);
	struct abt_member *m, *next;

	llist_for_each_entry_safe(m, next, llist_reverse_order(first), inbox) {
		/* from here on an event may put it there again */
		clear_bit_unlock(ABT_IN_INBOX, &m->flags);
		if (list_empty(&m->list)) {
			m->conn.id = ++port->ids;
			list_add_tail(&m->list, &port->members);
		}
		abt_port_due_in_time(m);
	}
}

/* @first was taken from the port's list before its inbox was, so none is in there. */
static void abt_port_bury(struct llist_node *first,
			  enum tcp_abt_offload_why why)
{
	struct abt_member *m, *next;

	llist_for_each_entry_safe(m, next, first, gone) {
		abt_room_unwait(m);
		list_del(&m->list);
		abt_room_leave(m, why);
		abt_port_undue(m);
		kfree(m);
	}
}

/**
 * abt_port_sweep() - all that hold some of the memory look anew, each in its time
 * @port: port
 *
 * Context: the port's work.
 */
void abt_port_sweep(struct abt_port *port)
{
	struct abt_member *m;

	port->seen = atomic_read(&port->generation);
	smp_rmb();	/* pairs with abt_pool_news() */
	list_for_each_entry(m, &port->members, list)
		if (m->stake.pool)
			abt_port_due_in_time(m);
}

static void abt_port_visit(struct abt_member *m)
{
	switch (abt_member_look(m)) {
	case ABT_LOOK_STATE:
		abt_room_settle(m);
		return;
	case ABT_LOOK_BUSY:
		abt_port_due(m, ktime_get_ns() + TICK_NSEC);
		return;
	case ABT_LOOK_ELSEWHERE:
		abt_room_leave(m, TCP_ABT_DEL_ROUTE);
		abt_port_due_now(m);
		return;
	case ABT_LOOK_LEFT:
		return;
	}
}

static struct abt_member *abt_port_first_due(const struct abt_port *port)
{
	struct rb_node *first = rb_first_cached(&port->due);

	return first ? rb_entry(first, struct abt_member, due) : NULL;
}

/* Ticks of the kernel until then, rounded up. */
static unsigned long abt_ticks_until(u64 at)
{
	u64 now = ktime_get_ns();

	return at > now ? nsecs_to_jiffies(at - now) + 1 : 0;
}

/*
 * When to come back: for the member that is due next; and while the pool is short, at its next
 * tick, because its level moves by itself.
 */
static void abt_port_rearm(struct abt_port *port)
{
	unsigned long delay = MAX_JIFFY_OFFSET;
	struct abt_member *m = abt_port_first_due(port);

	if (m)
		delay = abt_ticks_until(m->due_at);
	if (abt_pool_contended(&port->pool) ||
	    port->seen != atomic_read(&port->generation))
		delay = min(delay, msecs_to_jiffies(ABT_POOL_TICK_MS));
	if (delay != MAX_JIFFY_OFFSET)
		mod_delayed_work(port->wq, &port->work, delay);
}

static void abt_port_run(struct abt_port *port)
{
	struct llist_node *gone = llist_del_all(&port->gone);
	struct abt_member *m;

	abt_port_take_inbox(port);
	abt_port_bury(gone, TCP_ABT_DEL_GONE);
	if (xchg(&port->changed, false))
		abt_room_changed(port);
	if (port->seen != atomic_read(&port->generation))
		abt_port_sweep(port);
	while ((m = abt_port_first_due(port)) &&
	       m->due_at <= ktime_get_ns()) {
		abt_port_undue(m);
		abt_port_visit(m);
		cond_resched();
	}
	abt_port_rearm(port);
}

static void abt_port_work(struct work_struct *work)
{
	abt_port_run(container_of(to_delayed_work(work), struct abt_port,
				  work));
}

static void abt_port_soon(struct work_struct *work)
{
	abt_port_run(container_of(to_delayed_work(work), struct abt_port,
				  soon));
}

/**
 * abt_port_close() - the last of a port, and of all its members
 * @port: port that nobody finds any more, since an RCU grace period
 *
 * Context: process, sleeps for what is under way.
 */
void abt_port_close(struct abt_port *port)
{
	struct abt_member *m;

	cancel_delayed_work_sync(&port->soon);
	cancel_delayed_work_sync(&port->work);
	abt_port_take_inbox(port);
	list_for_each_entry(m, &port->members, list)
		if (abt_member_take(m))
			llist_add(&m->gone, &port->gone);
	/* events, and records that went with their member, are done with it */
	synchronize_rcu();
	abt_port_take_inbox(port);
	abt_port_bury(llist_del_all(&port->gone), TCP_ABT_DEL_DEVICE);
	abt_port_free(port);
}
