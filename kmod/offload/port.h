/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A port is a registered device, a member one of its connections.
 *
 *	events (socket locked)		the port's work (one at a time, may sleep)
 *
 *	mark ----> port->inbox ----> due, a round trip after the last state
 *	                                |
 *	                                v
 *	                              visit: lock the socket, is the route still ours?
 *	                                |         take the state, unlock
 *	                                v
 *	forget --> port->gone --.     settle: demand, grant, charge
 *	                        |       |
 *	                        v       v
 *	                    conn_del  conn_add, conn_update
 *
 * registry.c knows the ports, port.c runs a port's work, member.c is the side of the
 * sockets, state.c reads them, and room.c hands out the adapter's memory.
 *
 * A record's pointer to its member decides about ownership: the path that takes the pointer
 * out (the record that goes, the port that closes, a route that leaves) owns the
 * member. A port goes after an RCU grace period in which it could not be found, and
 * another one after its members were taken out.
 */
#ifndef ABT_OFFLOAD_PORT_H
#define ABT_OFFLOAD_PORT_H

#include <linux/list.h>
#include <linux/llist.h>
#include <linux/netdevice.h>
#include <linux/rbtree.h>
#include <linux/workqueue.h>

#include "offload/tcp_abt_offload.h"
#include "pool/pool.h"

struct abt_member;

/**
 * struct abt_port - a registered device
 * @node: in the registry; RCU
 * @number: of the registration, counted from 1; constant
 * @netdev: the device; constant
 * @tracker: of the reference on it
 * @ops: the driver's operations; constant
 * @priv: the driver's; constant
 * @wq: runs @work and @soon, one at a time
 * @work: all that is said to the driver is said here
 * @soon: the same, for members that events left in @inbox and @gone
 * @inbox: members with news
 * @gone: members without a record
 * @closing: it is in no registry any more, @soon is not to be queued
 * @changed: the limits are to be asked for
 * @pool: the adapter's memory
 * @generation: counts the news of @pool
 * @limits: of the adapter
 * @seen: @generation when members were last told of it
 * @ids: last id of a member
 * @floor: the least part of the memory [bytes of truesize]
 * @conns: members that are in @pool
 * @held: members that the driver took on
 * @waits: members in @waiting
 * @adds: times that the driver took one on
 * @updates: times that it was told news of one
 * @refused: times that one was refused, by the driver or for want of room
 * @dels: times that one was taken from it, by reason
 * @members: all
 * @waiting: members that wait for room, the longest first
 * @due: members to be visited, by time
 * @state: the state that the driver is shown
 *
 * From @limits on: the work only; limits, floor and what is counted are read by who
 * shows them, each as it is at some moment.
 */
struct abt_port {
	struct list_head node;
	unsigned long number;
	struct net_device *netdev;
	netdevice_tracker tracker;
	const struct tcp_abt_offload_ops *ops;
	void *priv;
	struct workqueue_struct *wq;
	struct delayed_work work;
	struct delayed_work soon;
	struct llist_head inbox;
	struct llist_head gone;
	bool closing;
	bool changed;
	struct abt_pool pool;
	atomic_t generation;

	struct tcp_abt_offload_limits limits;
	int seen;
	u64 ids;
	u32 floor;
	u32 conns;
	u32 held;
	u32 waits;
	u64 adds;
	u64 updates;
	u64 refused;
	u64 dels[TCP_ABT_DELS];
	struct list_head members;
	struct list_head waiting;
	struct rb_root_cached due;
	struct tcp_abt_offload_state state;
};

/* registry.c */
struct abt_port *abt_port_find(const struct net_device *netdev);
struct abt_port *abt_port_next(const struct net *net, unsigned long number);

/* port.c */
struct abt_port *abt_port_make(struct net_device *netdev,
			       const struct tcp_abt_offload_ops *ops,
			       void *priv);
void abt_port_free(struct abt_port *port);
void abt_port_kick(struct abt_port *port);
void abt_port_due(struct abt_member *m, u64 at);
void abt_port_due_now(struct abt_member *m);
void abt_port_sweep(struct abt_port *port);
void abt_port_close(struct abt_port *port);

#endif /* ABT_OFFLOAD_PORT_H */
