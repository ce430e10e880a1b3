/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ABT_CONN_CUT_H
#define ABT_CONN_CUT_H

#include <linux/types.h>

struct abt_conn;
struct sock;

bool abt_snd_waits(const struct sock *sk);
u32 abt_snd_keep(const struct sock *sk, struct abt_conn *c, u32 buffer, u32 target, bool held);

#endif /* ABT_CONN_CUT_H */
