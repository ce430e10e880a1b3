/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ABT_CONTROL_COMMIT_H
#define ABT_CONTROL_COMMIT_H

struct abt_config;
struct abt_net;

int abt_net_commit(struct abt_net *an, const struct abt_config *staged);
void abt_commit_init_net(struct abt_net *an);
int abt_commit_init(void);
void abt_commit_stop(void);
void abt_commit_exit(void);

#endif /* ABT_CONTROL_COMMIT_H */
