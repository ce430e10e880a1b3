// SPDX-License-Identifier: GPL-2.0
/*
 * Namespaces: their pools, and how a set of knobs takes effect.
 */
#include <linux/slab.h>
#include <net/net_namespace.h>
#include <net/netns/generic.h>
#include <net/tcp.h>

#include "compat/shrink.h"
#include "conn/conn.h"
#include "conn/events.h"
#include "conn/hand_back_all.h"
#include "control/ceiling.h"
#include "control/netns.h"

unsigned int abt_net_id;

/**
 * abt_net_of() - what we keep for a namespace
 * @net: namespace
 *
 * Context: any; a hook, or while the module is.
 * Return: never NULL.
 */
struct abt_net *abt_net_of(const struct net *net)
{
	return net_generic(net, abt_net_id);
}

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
		if (config->mode == ABT_MODE_ON && policy[dir] != ABT_STOCK)
			abt_ceiling_hold(an, dir);
		else
			abt_ceiling_release(an, dir);
	}
}

/*
 * The host's pools, where nobody sized them, in parts of tcp_mem[1]: a byte
 * costs more where it is received, in buffers of a segment or a few, than where it
 * is sent from. Both full, one part is left below the kernel's pressure mark, for
 * floors and for what the kernel rounds up to pages: up to one a socket, half of which
 * either pool bears. Where sockets are so many that it takes more, pools share out less.
 */
#define ABT_HOST_PARTS		32
#define ABT_HOST_ROUNDING	(PAGE_SIZE / ABT_DIRS)

static const u8 abt_host_part[ABT_DIRS] = {
	[ABT_SND] = 14,
	[ABT_RCV] = 17,
};

static u64 abt_host_default_size(enum abt_dir dir)
{
	u64 pages = min_t(u64, READ_ONCE(tcp_prot.sysctl_mem[1]),
			  ABT_POOL_MAX >> PAGE_SHIFT);

	return (pages << PAGE_SHIFT) / ABT_HOST_PARTS * abt_host_part[dir];
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

/* Memory for pools of its own, where @staged wants them. */
static int abt_net_prepare_pools(struct abt_net *an,
				 const struct abt_config *staged)
{
	enum abt_dir dir;

	for (dir = 0; dir < ABT_DIRS; dir++) {
		if (net_eq(an->net, &init_net) || an->own[dir] ||
		    !abt_config_pool(staged, dir))
			continue;
		an->own[dir] = kvzalloc(sizeof(*an->own[dir]),
					GFP_KERNEL_ACCOUNT);
		if (!an->own[dir])
			return -ENOMEM;
		abt_pool_init(an->own[dir], &abt_host.pool[dir],
			      &an->generation,
			      abt_config_pool(staged, dir));
	}
	return 0;
}

/* Return: true when another pool of the host's is shared out, or in another way, than before. */
static bool abt_net_set_pools(struct abt_net *an,
			      const struct abt_config *config)
{
	bool changed = false;
	enum abt_dir dir;

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
			changed |= abt_pool_set_share(pool, config->share,
						      config->fair_bdp);
		}
		WRITE_ONCE(an->pool[dir], pool);
	}
	changed &= net_eq(an->net, &init_net);
	if (changed)
		atomic_inc(&abt_host.generation);
	return changed;
}

static void abt_host_resized(struct work_struct *work);

static DECLARE_DELAYED_WORK(abt_host_resize, abt_host_resized);

/* Not once the module goes: nobody waits for what comes after that. */
static void abt_host_resize_later(unsigned int ms)
{
	rcu_read_lock();	/* see abt_exit() */
	if (READ_ONCE(abt_host.live))
		schedule_delayed_work(&abt_host_resize, msecs_to_jiffies(ms));
	rcu_read_unlock();
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
	return from != ABT_MODE_OFF && to != from && to != ABT_MODE_ON;
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
	if (!err && mode == ABT_MODE_OFF && config->mode != ABT_MODE_OFF)
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
	WRITE_ONCE(an->mode, leaves ? ABT_MODE_OFF : config->mode);
	WRITE_ONCE(an->epoch_min_us, config->epoch_min_us);
	atomic_inc(&an->generation);
	if (old)
		kfree_rcu(old, rcu);

	if (leaves) {
		synchronize_rcu();	/* hooks that saw the old mode are done */
		abt_records_hand_back(an);
		/* not before: busy sockets would have new records all the time */
		WRITE_ONCE(an->mode, config->mode);
	}
	if (mode != ABT_MODE_OFF && config->mode == ABT_MODE_OFF)
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
 * abt_net_follow() - has the administrator written tcp_shrink_window?
 * @an: namespace
 *
 * The kernel tells nobody of such a write, so steps and state changes look. The ceilings
 * are set by a work, later.
 *
 * Context: any.
 */
void abt_net_follow(struct abt_net *an)
{
	if (likely(READ_ONCE(an->shrinks) == abt_net_shrinks_windows(an->net)))
		return;
	rcu_read_lock();	/* see abt_exit() and abt_net_exit() */
	if (READ_ONCE(abt_host.live) && READ_ONCE(an->mode) != ABT_MODE_OFF)
		schedule_work(&an->follow);
	rcu_read_unlock();
}

/* The pools of a host that nobody sized are parts of tcp_mem; the work is done later. */
static void abt_host_follow_tcp_mem(void)
{
	long pages = READ_ONCE(tcp_prot.sysctl_mem[1]);

	if (likely(READ_ONCE(abt_host.tcp_mem_seen) == pages))
		return;
	WRITE_ONCE(abt_host.tcp_mem_seen, pages);
	abt_host_resize_later(0);
}

/*
 * Above tcp_mem[1] the kernel cuts every window to four segments, whoever's it is, until
 * it is below tcp_mem[0] again. The pools of the host are all but tcp_mem[1]: full as they
 * were, they would keep it there. What the pools were told is compared, not what was seen:
 * of two processors that saw it come and go, the one that is late is put right by the next step.
 */
static void abt_host_follow_pressure(void)
{
	bool pressed = READ_ONCE(tcp_memory_pressure);
	enum abt_dir dir;

	for (dir = 0; dir < ABT_DIRS; dir++)
		if (unlikely(READ_ONCE(abt_host.pool[dir].pressed) != pressed))
			abt_pool_press(&abt_host.pool[dir], pressed);
}

/**
 * abt_host_follow() - has the administrator written tcp_mem, has the kernel run short?
 *
 * Looked at by every step: nobody tells.
 *
 * Context: any.
 */
void abt_host_follow(void)
{
	abt_host_follow_tcp_mem();
	abt_host_follow_pressure();
}

/**
 * abt_host_settle() - the same at once, for who is about to show the pools
 *
 * A host without traffic has no step that looks.
 *
 * Context: process, sleeps.
 */
void abt_host_settle(void)
{
	abt_host_follow();
	flush_delayed_work(&abt_host_resize);
}

/* Context: process, sleeps. Return: 0, or an error of abt_net_commit(). */
static int abt_net_set_mode(struct abt_net *an, enum abt_mode mode)
{
	struct abt_config config;
	int err;

	mutex_lock(&an->lock);
	config = *rcu_dereference_protected(an->config,
					    lockdep_is_held(&an->lock));
	config.mode = mode;
	err = abt_net_commit(an, &config);
	mutex_unlock(&an->lock);
	return err;
}

/* Knobs of a namespace where nothing is on yet. */
static int abt_net_configure(struct abt_net *an)
{
	struct abt_config config;
	int err;

	abt_config_default(&config, ABT_MODE_OFF);
	mutex_lock(&an->lock);
	err = abt_net_commit(an, &config);
	mutex_unlock(&an->lock);
	return err;
}

/* An RCU grace period follows before abt_net_exit(). */
static void __net_exit abt_net_pre_exit(struct net *net)
{
	struct abt_net *an = abt_net_of(net);

	abt_proc_unregister(net);
	abt_sysctl_unregister(an);
	WRITE_ONCE(an->mode, ABT_MODE_OFF);
}

static void __net_exit abt_net_exit(struct net *net)
{
	struct abt_net *an = abt_net_of(net);
	struct abt_config *config;
	enum abt_dir dir;

	cancel_work_sync(&an->follow);
	mutex_lock(&an->lock);
	for (dir = 0; dir < ABT_DIRS; dir++)
		abt_ceiling_release(an, dir);
	abt_records_hand_back(an);
	/* a record that went with its socket leaves the table first, its pools after that */
	if (an->own[ABT_SND] || an->own[ABT_RCV])
		synchronize_rcu();
	for (dir = 0; dir < ABT_DIRS; dir++) {
		if (an->own[dir])
			abt_pool_exit(an->own[dir]);
		kvfree(an->own[dir]);
	}
	config = rcu_dereference_protected(an->config,
					   lockdep_is_held(&an->lock));
	if (config->mode != ABT_MODE_OFF)
		abt_events_put();
	kfree(config);
	mutex_unlock(&an->lock);
}

/*
 * Of a namespace that is in use, somebody may read and write the knobs as soon as
 * they can be seen: first they are made, off, and last it is turned on.
 */
static int __net_init abt_net_init(struct net *net)
{
	struct abt_net *an = abt_net_of(net);
	enum abt_dir dir;
	int err;

	an->net = net;
	mutex_init(&an->lock);
	INIT_WORK(&an->follow, abt_net_follow_work);
	for (dir = 0; dir < ABT_DIRS; dir++)
		abt_ceiling_inherit(an, dir);
	err = abt_net_configure(an);
	if (err)
		return err;
	err = abt_sysctl_register(an);
	if (err)
		goto err_config;
	err = abt_proc_register(net);
	if (err)
		goto err_sysctl;
	err = abt_net_set_mode(an, abt_host.default_mode);
	if (err)
		goto err_proc;
	return 0;

err_proc:
	abt_proc_unregister(net);
err_sysctl:
	abt_sysctl_unregister(an);
	WRITE_ONCE(an->mode, ABT_MODE_OFF);	/* by who wrote it meanwhile */
	synchronize_rcu();
err_config:
	abt_net_exit(net);
	return err;
}

static struct pernet_operations abt_net_ops = {
	.init = abt_net_init,
	.pre_exit = abt_net_pre_exit,
	.exit = abt_net_exit,
	.id = &abt_net_id,
	.size = sizeof(struct abt_net),
};

/**
 * abt_netns_register() - pools for the host, knobs and files for all namespaces
 *
 * Context: process, sleeps.
 * Return: 0 or an error; nothing stays behind then.
 */
int abt_netns_register(void)
{
	enum abt_dir dir;
	int err;

	abt_host.tcp_mem_seen = READ_ONCE(tcp_prot.sysctl_mem[1]);
	for (dir = 0; dir < ABT_DIRS; dir++)
		abt_pool_init(&abt_host.pool[dir], NULL, &abt_host.generation,
			      abt_host_default_size(dir));
	err = register_pernet_subsys(&abt_net_ops);
	if (err)
		for (dir = 0; dir < ABT_DIRS; dir++)
			abt_pool_exit(&abt_host.pool[dir]);
	return err;
}

/**
 * abt_netns_unregister() - all namespaces off, all sockets handed back
 *
 * Context: process, sleeps. Only tcp_destroy_sock may still come, or nothing.
 */
void abt_netns_unregister(void)
{
	enum abt_dir dir;

	cancel_delayed_work_sync(&abt_host_resize);
	unregister_pernet_subsys(&abt_net_ops);
	for (dir = 0; dir < ABT_DIRS; dir++)
		abt_pool_exit(&abt_host.pool[dir]);
}
