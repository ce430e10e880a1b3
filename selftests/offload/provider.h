/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A driver that does nothing with the connections that it is told of but to look
 * whether all that the hook promises is so.
 */
#ifndef TCP_ABT_PROVIDER_H
#define TCP_ABT_PROVIDER_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/netdevice.h>

#include "tcp_abt_offload.h"

/**
 * struct provider_conn - a connection that was taken on
 * @list: in its device's
 * @id: the hook's
 * @state: what was told last
 */
struct provider_conn {
	struct list_head list;
	u64 id;
	struct tcp_abt_offload_state state;
};

/**
 * struct provider - a device that is attached to
 * @list: in the list of all
 * @netdev: the device, with a reference
 * @limits: what the hook was told last
 * @conns: struct provider_conn
 * @held: how many they are
 * @granted: their adapter_grant added up [bytes]
 * @most_granted: the most that ever was [bytes]
 * @adds: connections taken on
 * @refused: connections refused
 * @updates: of connections taken on
 * @dels: connections given up, by reason
 * @late_us: by how much the latest update exceeded the bound [us]; negative: none did
 * @wrong: the first promise that was broken, or NULL
 * @busy: an operation runs
 */
struct provider {
	struct list_head list;
	struct net_device *netdev;
	struct tcp_abt_offload_limits limits;
	struct list_head conns;
	u32 held;
	u64 granted;
	u64 most_granted;
	u64 adds;
	u64 refused;
	u64 updates;
	u64 dels[TCP_ABT_DELS];
	s64 late_us;
	const char *wrong;
	atomic_t busy;
};

/* provider.c */
extern struct list_head provider_list;	/* under both locks */
extern struct mutex provider_lock;	/* who is attached; not taken by operations */
extern struct mutex provider_told;	/* what was told; taken by operations */

int provider_attach(struct net_device *netdev);
int provider_detach(const struct net_device *netdev);

/* show.c */
int provider_show_init(void);
void provider_show_exit(void);

#endif /* TCP_ABT_PROVIDER_H */
