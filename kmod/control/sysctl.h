/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ABT_CONTROL_SYSCTL_H
#define ABT_CONTROL_SYSCTL_H

#include "state/config.h"

struct abt_net;

int abt_sysctl_register(struct abt_net *an);
void abt_sysctl_unregister(struct abt_net *an);
void abt_config_default(struct abt_config *config, enum tcp_abt_mode mode);

#endif /* ABT_CONTROL_SYSCTL_H */
