/* SPDX-License-Identifier: GPL-2.0 */
/* A connection of a port. See port.h. */
#ifndef ABT_OFFLOAD_MEMBER_H
#define ABT_OFFLOAD_MEMBER_H

#include <linux/list.h>
#include <linux/llist.h>
#include <linux/rbtree.h>

#include "conn/conn.h"
#include "offload/tcp_abt_offload.h"

struct abt_port;

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

/* The result of a visit to a member. */
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

void abt_state_take(struct sock *sk, const struct abt_conn *c,
		    struct tcp_abt_offload_state *s);

#endif /* ABT_OFFLOAD_MEMBER_H */
