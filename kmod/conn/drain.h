/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ABT_CONN_DRAIN_H
#define ABT_CONN_DRAIN_H

#include <linux/types.h>

struct abt_conn;
struct sock;

bool abt_drain_possible(const struct sock *sk, const struct abt_conn *c);
void abt_drain_offer(struct sock *sk, struct abt_conn *c);
void abt_drain_restore(struct sock *sk, struct abt_conn *c);

#endif /* ABT_CONN_DRAIN_H */
