// SPDX-License-Identifier: GPL-2.0
/* How a set of knobs takes effect: pools, their sizes, ceilings, and the mode. */
#include <linux/slab.h>
#include <net/net_namespace.h>
#include <net/tcp.h>

#include "compat/memory.h"
#include "compat/shrink.h"
#include "conn/attach.h"
#include "conn/hand_back_all.h"
#include "control/commit.h"
#include "state/ceiling.h"
#include "state/config.h"
#include "state/host.h"
#include "state/net.h"

static void abt_net_set_ceilings(struct abt_net *an,
				 const struct abt_config *config)
{
	const u32 policy[ABT_DIRS] = {
		[ABT_SND] = config->sender,
		[ABT_RCV] = config->receiver,
	};
	enum abt_dir dir;

	WRITE_ONCE(an->shrinks, abt_net_shrinks_windows(an->net));
	for (dir = 0; dir < ABT_DIRS; dir++) {
		if (config->mode == TCP_ABT_MODE_ON && policy[dir] != TCP_ABT_POLICY_STOCK)
			abt_ceiling_hold(an, dir);
		else
			abt_ceiling_release(an, dir);
	}
}

/*
 * The default sizes of the host's pools, in parts of tcp_mem[1]: a byte
 * costs more where it is received, in buffers of a segment or a few, than where it
 * is sent from. Both full, one part is left below the kernel's pressure mark, for
 * floors and for what the kernel rounds up to pages: up to one a socket, half of which
 * either pool bears. Where sockets are so many that it takes more, pools share out less.
 */
#define ABT_HOST_ROUNDING	(PAGE_SIZE / ABT_DIRS)

static const u8 abt_host_part[ABT_DIRS] = {
	[ABT_SND] = TCP_ABT_SEND_POOL_PARTS,
	[ABT_RCV] = TCP_ABT_RECEIVE_POOL_PARTS,
};

static u64 abt_host_default_size(enum abt_dir dir)
{
	u64 pages = min_t(u64, READ_ONCE(tcp_prot.sysctl_mem[1]),
			  ABT_POOL_MAX >> PAGE_SHIFT);

	return (pages << PAGE_SHIFT) / TCP_ABT_POOL_PARTS * abt_host_part[dir];
}

/* A host's pool that somebody sized shares out all of it. */
static void abt_host_set_rounding(enum abt_dir dir, u64 own_size)
{
	u32 taken = abt_host_part[ABT_SND] + abt_host_part[ABT_RCV];

	abt_pool_set_rounding(&abt_host.pool[dir],
			      own_size ? 0 : ABT_HOST_ROUNDING,
			      div_u64(abt_host_default_size(dir), taken));
}

static u64 abt_config_pool(const struct abt_config *config, enum abt_dir dir)
{
	return dir == ABT_SND ? config->send_pool : config->recv_pool;
}

static struct abt_pool *abt_net_make_pool(struct abt_net *an, enum abt_dir dir,
					  u64 size)
{
	struct abt_pool *pool = kvzalloc(sizeof(*pool), GFP_KERNEL_ACCOUNT);

	if (pool && abt_pool_init(pool, &abt_host.pool[dir], &an->generation, size)) {
		kvfree(pool);
		return NULL;
	}
	return pool;
}

/* Memory for pools of its own, where @staged wants them. */
static int abt_net_prepare_pools(struct abt_net *an,
				 const struct abt_config *staged)
{
	enum abt_dir dir;

	for (dir = 0; dir < ABT_DIRS; dir++) {
		if (net_eq(an->net, &init_net) || an->own[dir] ||
		    !abt_config_pool(staged, dir))
			continue;
		an->own[dir] = abt_net_make_pool(an, dir,
						 abt_config_pool(staged, dir));
		if (!an->own[dir])
			return -ENOMEM;
	}
	return 0;
}

/* Return: true when another pool of the host's is shared out, or in another way, than before. */
static bool abt_net_set_pools(struct abt_net *an,
			      const struct abt_config *config)
{
	bool changed = false;
	enum abt_dir dir;

	if (net_eq(an->net, &init_net))
		abt_loan_allow(&abt_host.loan, !config->send_pool && !config->recv_pool);
	for (dir = 0; dir < ABT_DIRS; dir++) {
		u64 size = abt_config_pool(config, dir);
		struct abt_pool *pool = &abt_host.pool[dir];
		bool ours = net_eq(an->net, &init_net);

		if (ours) {
			abt_host_set_rounding(dir, size);
			size = size ?: abt_host_default_size(dir);
		} else if (size) {
			pool = an->own[dir];
			ours = true;
		}
		if (ours) {
			changed |= abt_pool_resize(pool, size);
			changed |= abt_pool_set_share(pool, config->share);
		}
		/* initialised, for abt_pool_of() */
		smp_store_release(&an->pool[dir], pool);
	}
	changed &= net_eq(an->net, &init_net);
	if (changed)
		abt_pool_news(&abt_host.generation, ABT_NEWS_ALL);
	return changed;
}

/* Return: false while somebody changes its knobs. */
static bool abt_net_resized(struct abt_net *an)
{
	const struct abt_config *config;

	if (!mutex_trylock(&an->lock))
		return false;
	config = rcu_dereference_protected(an->config,
					   lockdep_is_held(&an->lock));
	if (config) {
		abt_net_set_pools(an, config);
		abt_net_set_ceilings(an, config);
	}
	mutex_unlock(&an->lock);
	return true;
}

/*
 * A knob write holds the lock of its namespace while sockets are handed back, up to
 * ABT_HAND_BACK_PATIENCE_MS. This work tries and comes back [ms], because whoever makes or
 * ends a namespace waits for net_rwsem.
 */
#define ABT_RESIZE_AGAIN_MS	1000

/* Every namespace that draws on a pool of the host gets its ceilings anew. */
static void abt_host_resized(struct work_struct *work)
{
	bool all = true;
	struct net *net;

	down_read(&net_rwsem);
	for_each_net(net)
		all &= abt_net_resized(abt_net_of(net));
	up_read(&net_rwsem);
	if (!all)
		abt_host_resize_later(ABT_RESIZE_AGAIN_MS);
}

static bool abt_net_leaves_on(u32 from, u32 to)
{
	return from != TCP_ABT_MODE_OFF && to != from && to != TCP_ABT_MODE_ON;
}

/**
 * abt_net_commit() - a set of knobs takes effect
 * @an: namespace
 * @staged: the set, checked
 *
 * Context: process, @an->lock held; sleeps.
 * Return: 0; -ENOMEM, or an error of abt_events_get(), and nothing changed.
 */
int abt_net_commit(struct abt_net *an, const struct abt_config *staged)
{
	bool leaves = abt_net_leaves_on(an->mode, staged->mode);
	struct abt_config *old, *config;
	u32 mode = an->mode;
	int err;

	config = kmemdup(staged, sizeof(*staged), GFP_KERNEL_ACCOUNT);
	if (!config)
		return -ENOMEM;
	err = abt_net_prepare_pools(an, staged);
	if (!err && mode == TCP_ABT_MODE_OFF && config->mode != TCP_ABT_MODE_OFF)
		err = abt_events_get();
	if (err) {
		kfree(config);
		return err;
	}

	old = rcu_replace_pointer(an->config, config,
				  lockdep_is_held(&an->lock));
	if (abt_net_set_pools(an, config))
		abt_host_resize_later(0);
	abt_net_set_ceilings(an, config);
	WRITE_ONCE(an->mode, leaves ? TCP_ABT_MODE_OFF : config->mode);
	WRITE_ONCE(an->epoch_min_us, config->epoch_min_us);
	abt_pool_news(&an->generation, ABT_NEWS_ALL);
	if (old)
		kfree_rcu(old, rcu);

	if (leaves) {
		synchronize_rcu();	/* hooks that saw the old mode are done */
		abt_records_hand_back(an);
		/* not before: busy sockets would have new records all the time */
		WRITE_ONCE(an->mode, config->mode);
	}
	if (mode != TCP_ABT_MODE_OFF && config->mode == TCP_ABT_MODE_OFF)
		abt_events_put();
	return 0;
}

static void abt_net_follow_work(struct work_struct *work)
{
	struct abt_net *an = container_of(work, struct abt_net, follow);

	mutex_lock(&an->lock);
	abt_net_set_ceilings(an, rcu_dereference_protected(an->config,
							   lockdep_is_held(&an->lock)));
	mutex_unlock(&an->lock);
}

/**
 * abt_commit_init_net() - before the first set of knobs of a namespace
 * @an: namespace
 *
 * Context: process.
 */
void abt_commit_init_net(struct abt_net *an)
{
	mutex_init(&an->lock);
	INIT_WORK(&an->follow, abt_net_follow_work);
}

/**
 * abt_commit_init() - the host's pools
 *
 * Context: process, sleeps.
 * Return: 0, or -ENOMEM: there are none.
 */
int abt_commit_init(void)
{
	enum abt_dir dir;
	int err = 0;

	INIT_DELAYED_WORK(&abt_host.resize, abt_host_resized);
	abt_host.tcp_mem_seen = READ_ONCE(tcp_prot.sysctl_mem[1]);
	for (dir = 0; dir < ABT_DIRS && !err; dir++)
		err = abt_pool_init(&abt_host.pool[dir], NULL,
				    &abt_host.generation,
				    abt_host_default_size(dir));
	if (err && dir > ABT_RCV)
		abt_pool_exit(&abt_host.pool[ABT_SND]);
	else if (!err)
		abt_loan_init(&abt_host.loan, abt_host.pool, abt_memory_used);
	return err;
}

/**
 * abt_commit_stop() - no resizing of the host's pools is under way on return
 *
 * Context: process, sleeps. The module goes.
 */
void abt_commit_stop(void)
{
	cancel_delayed_work_sync(&abt_host.resize);
}

/**
 * abt_commit_exit() - the end of the host's pools
 *
 * Context: process, sleeps. No namespace draws on them any more.
 */
void abt_commit_exit(void)
{
	enum abt_dir dir;

	abt_loan_exit(&abt_host.loan);
	for (dir = 0; dir < ABT_DIRS; dir++)
		abt_pool_exit(&abt_host.pool[dir]);
}
