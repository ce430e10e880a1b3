/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The data that are written and not sent yet: as much as keeps the wire busy until the writer has
 * been woken and is back.
 *
 *	write_seq - snd_nxt	waits in the send buffer; nothing written later overtakes it
 *	tp->notsent_lowat	a writer is stopped there, and woken at half of it
 *
 * A send buffer holds several cwnd, so data wait for up to some round trips, and longer behind a
 * bottleneck that is slow. A prompt writer needs a few milliseconds of data there, and a writer
 * that is away now and then needs all of the buffer. So the writer is looked at several times a
 * second, and model/unsent.h has the bound.
 *
 * An application that sets TCP_NOTSENT_LOWAT, and an administrator that writes
 * net.ipv4.tcp_notsent_lowat, keep their own bound.
 */
#ifndef ABT_CONN_UNSENT_H
#define ABT_CONN_UNSENT_H

#include <net/tcp.h>

struct abt_conn;
struct abt_config;

void abt_unsent_settle(struct sock *sk, struct abt_conn *c, const struct abt_config *config);
void abt_unsent_look(struct sock *sk, struct abt_conn *c, const struct sk_buff *skb);
void abt_unsent_let_go(struct sock *sk, struct abt_conn *c);

#endif /* ABT_CONN_UNSENT_H */
