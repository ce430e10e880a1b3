/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ABT_CONN_CUT_H
#define ABT_CONN_CUT_H

#include <linux/types.h>

struct sock;

bool abt_snd_waits(const struct sock *sk);
u32 abt_snd_keep(const struct sock *sk, u32 buffer, u32 target, u32 limit, bool held);

#endif /* ABT_CONN_CUT_H */
