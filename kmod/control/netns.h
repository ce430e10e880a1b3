/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the module keeps for a network namespace, and for the host.
 */
#ifndef ABT_CONTROL_NETNS_H
#define ABT_CONTROL_NETNS_H

#include <linux/mutex.h>
#include <linux/cache.h>
#include <linux/rcupdate.h>
#include <linux/workqueue.h>
#include <net/net_namespace.h>

#include "control/ceiling.h"
#include "control/config.h"
#include "pool/pool.h"

/**
 * struct abt_told - decisions told to who listens
 * @window: span of time that is being counted
 * @count: decisions in it
 * @lost: decisions that were not told, ever
 */
struct abt_told {
	unsigned long window;
	atomic_t count;
	atomic64_t lost;
};

/**
 * struct abt_net - a network namespace
 * @mode: copy of config->mode, for the hot path
 * @epoch_min_us: copy of config->epoch_min_us, the same
 * @config: the knobs; RCU, replaced under @lock
 * @pool: what connections of the namespace draw on, its own or the host's; read
 *	anywhere, written under @lock
 * @own: pools of its own, made at first use; @lock
 * @ceiling: tcp_wmem[2] and tcp_rmem[2]
 * @told: decisions told
 * @generation: counts changes of its knobs, and of levels of its own pools
 * @shrinks: tcp_shrink_window when the ceilings were set last; written under @lock, read
 *	anywhere
 * @follow: sets the ceilings anew
 * @net: the namespace; constant
 * @sysctl_header: net.ipv4.tcp_abt; constant
 * @sysctl_table: its entries; constant
 * @lock: serialises changes of all this; sleeps
 * @records: connections that it has; written when one is made or goes, so in a line of
 *	its own
 */
struct abt_net {
	u32 mode;
	u32 epoch_min_us;
	atomic_t generation;
	bool shrinks;
	struct abt_config __rcu *config;
	struct abt_pool *pool[ABT_DIRS];
	struct abt_pool *own[ABT_DIRS];
	struct abt_ceiling ceiling[ABT_DIRS];
	struct abt_told told;
	struct net *net;
	struct ctl_table_header *sysctl_header;
	struct ctl_table *sysctl_table;
	struct work_struct follow;
	struct mutex lock;	/* changes of all this */
	atomic_t records ____cacheline_aligned_in_smp;
};

/**
 * struct abt_host - what there is once
 * @pool: the host's pools
 * @generation: counts changes of the pools: their levels, sizes and ways of sharing
 * @default_mode: mode of a namespace that nobody configured
 * @tcp_mem_seen: tcp_mem[1] that the pools were last sized by [pages]
 * @live: hooks may make records; cleared first when the module goes
 */
struct abt_host {
	struct abt_pool pool[ABT_DIRS];
	atomic_t generation;
	enum abt_mode default_mode;
	long tcp_mem_seen;
	bool live;
};

extern struct abt_host abt_host;
extern unsigned int abt_net_id;

/**
 * abt_net_config() - the knobs of a namespace
 * @an: namespace
 *
 * Context: RCU or RCU-sched read side.
 * Return: one consistent set.
 */
static inline const struct abt_config *abt_net_config(const struct abt_net *an)
{
	return rcu_dereference_check(an->config, rcu_read_lock_sched_held());
}

/**
 * abt_generation() - how often did something change for connections of a namespace?
 * @an: namespace
 *
 * Of the host and of the namespace, added up: both only rise, so that a connection learns
 * with one compare for each segment that there is news. They wrap.
 *
 * Return: a number that differs from those before the last change.
 */
static inline u32 abt_generation(const struct abt_net *an)
{
	return (u32)atomic_read(&abt_host.generation) +
	       (u32)atomic_read(&an->generation);
}

struct abt_net *abt_net_of(const struct net *net);
int abt_net_commit(struct abt_net *an, const struct abt_config *staged);
void abt_net_follow(struct abt_net *an);
void abt_host_follow(void);
void abt_host_settle(void);

int abt_netns_register(void);
void abt_netns_unregister(void);

int abt_sysctl_register(struct abt_net *an);
void abt_sysctl_unregister(struct abt_net *an);
void abt_config_default(struct abt_config *config, enum abt_mode mode);

int abt_proc_register(struct net *net);
void abt_proc_unregister(struct net *net);

#endif /* ABT_CONTROL_NETNS_H */
