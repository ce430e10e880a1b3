/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ABT_CONN_PARK_H
#define ABT_CONN_PARK_H

#include <linux/types.h>

struct abt_conn;
struct sock;

void abt_park_drs(struct sock *sk);
u32 abt_resumed_space(const struct sock *sk, const struct abt_conn *c);
void abt_resume_drs(struct sock *sk, struct abt_conn *c);

#endif /* ABT_CONN_PARK_H */
