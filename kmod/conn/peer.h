/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ABT_CONN_PEER_H
#define ABT_CONN_PEER_H

#include <linux/types.h>

struct abt_conn;
struct sock;

void abt_peer_note(const struct sock *sk, struct abt_conn *c, bool less);
void abt_peer_forget(struct abt_conn *c);

#endif /* ABT_CONN_PEER_H */
