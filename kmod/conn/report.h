/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ABT_CONN_REPORT_H
#define ABT_CONN_REPORT_H

struct abt_config;
struct abt_conn;
struct abt_rcv_sample;
struct sock;

void abt_report(struct sock *sk, struct abt_conn *c,
		const struct abt_config *config, const struct abt_rcv_sample *s,
		u32 held);
void abt_report_end(struct abt_conn *c);

#endif /* ABT_CONN_REPORT_H */
