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

#include "conn/conn.h"
#include "offload/tcp_abt_offload.h"
#include "pool/pool.h"

/**
 * enum abt_standing - how a member stands with the driver
 * @ABT_NEW: not asked yet, or to be asked again
 * @ABT_JOINED: in the pool, until others gave back enough for its floor
 * @ABT_TOLD: the driver took it on
 * @ABT_WAITING: refused for want of room
 * @ABT_REFUSED: refused for good
 */
enum abt_standing {
	ABT_NEW,
	ABT_JOINED,
	ABT_TOLD,
	ABT_WAITING,
	ABT_REFUSED,
};

/* It is in the inbox, and has to be taken from there before it can go to another. */
#define ABT_IN_INBOX	0

/**
 * struct abt_member - a connection of a port
 * @conn: the handle that the driver knows it by
 * @c: its record, NULL once that is gone
 * @port: written under the socket lock
 * @inbox: node in the port's inbox
 * @flags: ABT_IN_INBOX; atomic
 * @gone: node in the port's list of those whose record is gone
 * @since_ns: when it was marked [ns, CLOCK_MONOTONIC]; socket lock
 * @marked: something is new since the last state; socket lock
 * @quiet: only another route is news
 * @due: node in the port's tree of those to be visited, RB_EMPTY_NODE: in none
 * @due_at: when [ns, CLOCK_MONOTONIC]
 * @list: in the port's list of all
 * @waiting: in the port's list of those that wait for room
 * @stake: its part of the adapter's memory
 * @next: not before that may the driver be told again [ns, CLOCK_MONOTONIC]
 * @update: counts the states
 * @standing: with the driver
 *
 * From @due on: the port's work only.
 */
struct abt_member {
	struct tcp_abt_offload_conn conn;
	struct abt_conn *c;
	struct abt_port *port;
	struct llist_node inbox;
	unsigned long flags;
	struct llist_node gone;
	u64 since_ns;
	bool marked;
	bool quiet;

	struct rb_node due;
	u64 due_at;
	struct list_head list;
	struct list_head waiting;
	struct abt_stake stake;
	u64 next;
	u32 update;
	enum abt_standing standing;
};

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

/* member.c */
enum abt_look {
	ABT_LOOK_STATE,		/* the port has the state */
	ABT_LOOK_BUSY,		/* the socket has an owner: later */
	ABT_LOOK_ELSEWHERE,	/* its route left: the driver has to forget it first */
	ABT_LOOK_LEFT,		/* not ours any more */
};

void abt_member_adopt(struct sock *sk, struct abt_conn *c);
void abt_member_event(struct sock *sk, struct abt_conn *c);
void abt_member_forget(struct abt_conn *c);
enum abt_look abt_member_look(struct abt_member *m);
bool abt_member_take(struct abt_member *m);

/* room.c */
void abt_room_limits(struct abt_port *port);
void abt_room_changed(struct abt_port *port);
void abt_room_unwait(struct abt_member *m);
void abt_room_settle(struct abt_member *m);
void abt_room_leave(struct abt_member *m, enum tcp_abt_offload_why why);

/* state.c */
void abt_state_take(struct sock *sk, const struct abt_conn *c,
		    struct tcp_abt_offload_state *s);

#endif /* ABT_OFFLOAD_PORT_H */
