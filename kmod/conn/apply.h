/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ABT_CONN_APPLY_H
#define ABT_CONN_APPLY_H

#include <linux/types.h>

#include "pool/pool.h"

struct abt_conn;
struct sock;

bool abt_rcv_rests(const struct sock *sk, const struct abt_conn *c);
void abt_apply(struct sock *sk, struct abt_conn *c, enum abt_dir dir);

#endif /* ABT_CONN_APPLY_H */
