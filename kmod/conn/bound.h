/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ABT_CONN_BOUND_H
#define ABT_CONN_BOUND_H

#include <linux/types.h>

struct abt_net;
struct sock;

void abt_bound_lowat(struct sock *sk, struct abt_net *an);
bool abt_bound_subflow(struct sock *sk, struct abt_net *an);

#endif /* ABT_CONN_BOUND_H */
