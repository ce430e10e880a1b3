/* SPDX-License-Identifier: GPL-2.0 */
/* The state of a network namespace. */
#ifndef ABT_STATE_NET_H
#define ABT_STATE_NET_H

#include <linux/mutex.h>
#include <linux/cache.h>
#include <linux/rcupdate.h>
#include <linux/workqueue.h>
#include <net/net_namespace.h>

#include "pool/pool.h"
#include "state/ceiling.h"
#include "state/config.h"

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
 * struct abt_writers - how many writers of a namespace are at work
 * @since: looks are counted since then [tcp_jiffies32]
 * @looks: looks at writers
 * @count: writers, by the looks of the span before
 */
struct abt_writers {
	u32 since;
	atomic_t looks;
	u32 count;
};

/**
 * struct abt_net - a network namespace
 * @mode: copy of config->mode, for the hot path
 * @epoch_min_us: copy of config->epoch_min_us, the same
 * @config: the knobs; RCU, replaced under @lock
 * @pool: pools that its connections draw on, its own or the host's; read
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
 * @receives: receive buffers that the module gave them [bytes of truesize]; written as these change
 * @writers: writers whose unsent data are bounded; written at each look at one
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
	atomic64_t receives;
	struct abt_writers writers;
};

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

struct abt_net *abt_net_of(const struct net *net);
void abt_net_follow(struct abt_net *an);

#endif /* ABT_STATE_NET_H */
