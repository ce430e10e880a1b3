/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ABT_CONN_CHARGE_H
#define ABT_CONN_CHARGE_H

#include <linux/types.h>

#include "pool/pool.h"

struct abt_conn;
struct abt_half;
struct sock;

u32 abt_charge(const struct sock *sk, struct abt_conn *c, enum abt_dir dir,
	       u32 want, u32 least, u32 target);
void abt_recharge_rcv(const struct sock *sk, struct abt_conn *c);
void abt_look_ahead(const struct sock *sk, struct abt_conn *c);
bool abt_charge_fits(const struct sock *sk, const struct abt_half *half,
		     enum abt_dir dir);
void abt_charge_used(const struct sock *sk, struct abt_conn *c, enum abt_dir dir);

#endif /* ABT_CONN_CHARGE_H */
