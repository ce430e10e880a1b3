/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ABT_CONN_AIM_H
#define ABT_CONN_AIM_H

#include <linux/types.h>

struct abt_conn;
struct sock;

/**
 * struct abt_snd_aim - how a step sizes a send buffer
 * @own: size that tcp_sndbuf_expand() would give it [bytes of truesize]
 * @target: size that it should have [bytes of truesize]
 * @held: it is held there, because the kernel would give more
 * @strict: memory is not plenty, so it is cut as fast as it drains
 * @local: the path is a local one: the kernel sizes it, within the administrator's limit
 */
struct abt_snd_aim {
	u32 own;
	u32 target;
	bool held;
	bool strict;
	bool local;
};

struct abt_snd_aim abt_snd_aim(const struct sock *sk, const struct abt_conn *c,
			       u32 floor);

#endif /* ABT_CONN_AIM_H */
