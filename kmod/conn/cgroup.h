/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ABT_CONN_CGROUP_H
#define ABT_CONN_CGROUP_H

#include <linux/types.h>

#include "pool/pool.h"

struct abt_conn;
struct sock;

u32 abt_cgroup_spare(const struct sock *sk, const struct abt_conn *c, enum abt_dir dir);
u32 abt_cgroup_cap(const struct sock *sk, const struct abt_conn *c, enum abt_dir dir);

#endif /* ABT_CONN_CGROUP_H */
