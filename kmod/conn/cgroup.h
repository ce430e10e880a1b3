/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ABT_CONN_CGROUP_H
#define ABT_CONN_CGROUP_H

#include <linux/types.h>

#include "pool/pool.h"

struct abt_net;
struct sock;

u32 abt_cgroup_cap(const struct sock *sk, struct abt_net *an, enum abt_dir dir);

#endif /* ABT_CONN_CGROUP_H */
