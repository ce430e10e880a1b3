/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events of connections, for the layers above. They register functions here, so that no file
 * of conn/ calls up.
 */
#ifndef ABT_CONN_HOOKS_H
#define ABT_CONN_HOOKS_H

#include <linux/jump_label.h>

#include "conn/conn.h"

/**
 * struct abt_hooks - who is called, set before the first connection is looked at
 * @event: something changed that a driver might want to know. While @abt_hooks_event is
 *	enabled; the socket locked, RCU-sched read side.
 * @forget: a record goes that has a member; no event of it comes any more. RCU read side.
 * @changed: a buffer was changed; the socket locked, RCU read side. The direction, and the
 *	buffer before [bytes of truesize].
 */
struct abt_hooks {
	void (*event)(struct sock *sk, struct abt_conn *c);
	void (*forget)(struct abt_conn *c);
	void (*changed)(const struct sock *sk, const struct abt_conn *c,
			enum abt_dir dir, u32 old);
};

extern struct abt_hooks abt_hooks;

DECLARE_STATIC_KEY_FALSE(abt_hooks_event);

/**
 * abt_tell_event() - something changed that a driver might want to know
 * @sk: socket, locked
 * @c: its record
 *
 * Does nothing while no device is registered.
 *
 * Context: any, RCU-sched read side.
 */
static inline void abt_tell_event(struct sock *sk, struct abt_conn *c)
{
	if (static_branch_unlikely(&abt_hooks_event))
		abt_hooks.event(sk, c);
}

/**
 * abt_tell_forgotten() - a record goes
 * @c: record
 *
 * Context: any, RCU read side; no event of this record comes any more.
 */
static inline void abt_tell_forgotten(struct abt_conn *c)
{
	if (unlikely(READ_ONCE(c->member)))
		abt_hooks.forget(c);
}

#endif /* ABT_CONN_HOOKS_H */
