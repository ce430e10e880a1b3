/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ABT_CONN_FLOOR_H
#define ABT_CONN_FLOOR_H

#include <linux/types.h>

struct abt_conn;
struct sock;

/*
 * Every connection keeps three segments' worth each way, because it needs as much to restart
 * after a timeout (TBT-PLR, section on the floor).
 */
#define ABT_FLOOR_SEGS	3

u32 abt_floor_snd(const struct sock *sk, const struct abt_conn *c);
u32 abt_floor_rcv(const struct sock *sk, const struct abt_conn *c);

#endif /* ABT_CONN_FLOOR_H */
