/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ABT_CONN_STEER_H
#define ABT_CONN_STEER_H

struct abt_conn;
struct sock;

void abt_steer(struct sock *sk, struct abt_conn *c);
void abt_steer_snd(struct sock *sk, struct abt_conn *c);
void abt_steer_rcv(struct sock *sk, struct abt_conn *c);
void abt_steer_queue(struct sock *sk, struct abt_conn *c);
void abt_steer_epoch(struct sock *sk, struct abt_conn *c);
void abt_steer_state(struct sock *sk, struct abt_conn *c, int state);

#endif /* ABT_CONN_STEER_H */
