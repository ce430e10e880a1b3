/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ABT_CONN_DEMAND_H
#define ABT_CONN_DEMAND_H

#include <linux/types.h>

#include "pool/pool.h"

struct abt_config;
struct abt_conn;
struct abt_half;
struct sock;

u32 abt_demand_snd(const struct sock *sk, struct abt_conn *c,
		   const struct abt_config *config);
u32 abt_demand_rcv(const struct sock *sk, struct abt_conn *c,
		   const struct abt_config *config);
u32 abt_demand_app(const struct sock *sk, const struct abt_conn *c, enum abt_dir dir);
bool abt_gives_way(const struct abt_half *half);
u32 abt_snd_much(const struct abt_conn *c);
bool abt_snd_queues_much(const struct sock *sk, const struct abt_conn *c);
void abt_bounds_open(struct abt_conn *c);

#endif /* ABT_CONN_DEMAND_H */
