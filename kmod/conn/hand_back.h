/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ABT_CONN_HAND_BACK_H
#define ABT_CONN_HAND_BACK_H

#include <linux/types.h>

#include "pool/pool.h"

struct abt_conn;
struct sock;

void abt_bound_local(struct sock *sk, struct abt_conn *c);
void abt_bound_app(struct sock *sk, struct abt_conn *c);
void abt_bound_half_closed(struct sock *sk, struct abt_conn *c);
void abt_let_go(struct sock *sk, struct abt_conn *c, enum abt_dir dir);
void abt_hand_back_within(struct sock *sk, struct abt_conn *c, enum abt_dir dir, u32 more);
void abt_hand_back(struct sock *sk, struct abt_conn *c, enum abt_dir dir);
void abt_hand_back_forced(struct sock *sk, struct abt_conn *c,
			  enum abt_dir dir);

#endif /* ABT_CONN_HAND_BACK_H */
