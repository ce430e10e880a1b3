/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ABT_CONN_OFFER_H
#define ABT_CONN_OFFER_H

#include <linux/types.h>

struct abt_conn;
struct sock;
struct tcp_sock;

bool abt_reader_lags(const struct tcp_sock *tp, u32 offered);
u32 abt_rcv_least(const struct sock *sk, const struct abt_conn *c, u32 target);
u32 abt_offer_room(const struct sock *sk, struct abt_conn *c, u32 window_bytes);
void abt_set_clamp(struct sock *sk, struct abt_conn *c, u32 window);
void abt_offer(struct sock *sk, struct abt_conn *c, u32 target);
void abt_keep_granule(struct sock *sk, const struct abt_conn *c);

#endif /* ABT_CONN_OFFER_H */
