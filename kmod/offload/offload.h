/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the rest of the module knows of the offload hook: events that a driver may
 * have to be told of, and records that go.
 */
#ifndef ABT_OFFLOAD_OFFLOAD_H
#define ABT_OFFLOAD_OFFLOAD_H

#include <linux/jump_label.h>

#include "conn/conn.h"

DECLARE_STATIC_KEY_FALSE(abt_offload_key);

void __abt_offload_event(struct sock *sk, struct abt_conn *c);
void __abt_offload_forget(struct abt_conn *c);

/**
 * abt_offload_event() - something changed that a driver might want to know
 * @sk: socket, locked
 * @c: its record
 *
 * Does nothing while no device is registered.
 *
 * Context: any, RCU-sched read side.
 */
static inline void abt_offload_event(struct sock *sk, struct abt_conn *c)
{
	if (static_branch_unlikely(&abt_offload_key))
		__abt_offload_event(sk, c);
}

/**
 * abt_offload_forget() - a record goes
 * @c: record
 *
 * Context: any, RCU read side; no event of this record comes any more.
 */
static inline void abt_offload_forget(struct abt_conn *c)
{
	if (unlikely(READ_ONCE(c->member)))
		__abt_offload_forget(c);
}

int abt_offload_init(void);
void abt_offload_exit(void);

#endif /* ABT_OFFLOAD_OFFLOAD_H */
