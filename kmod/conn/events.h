/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ABT_CONN_EVENTS_H
#define ABT_CONN_EVENTS_H

#include "compat/probe.h"

struct sock;

void abt_on_segment(void *data, struct sock *sk, abt_probe_skb *skb);
void abt_on_copy(void *data, struct sock *sk);
void abt_on_state(void *data, const struct sock *sk, int old, int state);
void abt_on_destroy(void *data, struct sock *sk);

#endif /* ABT_CONN_EVENTS_H */
