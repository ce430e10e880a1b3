/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ABT_CONN_DRAIN_H
#define ABT_CONN_DRAIN_H

#include <linux/types.h>

#include "conn/conn.h"

struct sk_buff;
struct sock;

/*
 * An offer drains in one round trip, if it drains: a peer may be silent, and
 * with a window scale whose granule is larger than what a single ACK covers, the
 * kernel rounds each offer up to where it was. After so many epochs in which the
 * buffer came no nearer to its target, we stop waiting, until the queue is long enough
 * for an ACK to cover a granule.
 */
#define ABT_DRAIN_EPOCHS	5

/* So far @above_epochs counts. */
#define ABT_ABOVE_EPOCHS_MAX	15

/**
 * abt_rcv_drains() - is a receive buffer on its way down to its target?
 * @c: record
 *
 * Return: true while what was promised drains.
 */
static inline bool abt_rcv_drains(const struct abt_conn *c)
{
	return (u8)(c->above_epochs - 1) < ABT_DRAIN_EPOCHS;
}

/**
 * abt_rcv_settled() - is a receive buffer at its target, or above it for good?
 * @c: record
 *
 * The first epoch in which no drain is waited for charges the buffer anew, see abt_meant().
 *
 * Return: true when the next epoch need not look.
 */
static inline bool abt_rcv_settled(const struct abt_conn *c)
{
	return (u8)(c->above_epochs - 1) > ABT_DRAIN_EPOCHS;
}

bool abt_drain_is_short(const struct sock *sk, const struct abt_conn *c);
bool abt_drain_possible(const struct sock *sk, const struct abt_conn *c);
void abt_drain_copied(struct sock *sk, struct abt_conn *c);
void abt_drain_stopped(struct sock *sk, struct abt_conn *c, const struct sk_buff *skb);
void abt_drain_restore(struct sock *sk, struct abt_conn *c);

#endif /* ABT_CONN_DRAIN_H */
