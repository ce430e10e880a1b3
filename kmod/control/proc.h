/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ABT_CONTROL_PROC_H
#define ABT_CONTROL_PROC_H

struct net;

int abt_proc_register(struct net *net);
void abt_proc_unregister(struct net *net);

#endif /* ABT_CONTROL_PROC_H */
