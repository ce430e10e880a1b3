// SPDX-License-Identifier: GPL-2.0
/*
 * Namespaces: their pools, their ceilings, and how a set of knobs takes effect.
 */
#include <linux/slab.h>
#include <net/net_namespace.h>
#include <net/netns/generic.h>
#include <net/tcp.h>

#include "conn/conn.h"
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

static int *abt_ceiling_knob(struct abt_net *an, enum abt_dir dir)
{
	struct netns_ipv4 *ipv4 = &an->net->ipv4;

	return dir == ABT_SND ? &ipv4->sysctl_tcp_wmem[2] :
				&ipv4->sysctl_tcp_rmem[2];
}

/*
 * Did somebody write the ceiling since we did? Hooks ask while we may be writing it:
 * @held is zero meanwhile, so what it is before and after says whether we were.
 */
static bool abt_ceiling_moved(struct abt_net *an, enum abt_dir dir)
{
	const struct abt_ceiling *ceiling = &an->ceiling[dir];
	int held = READ_ONCE(ceiling->held);
	int now;

	smp_rmb();	/* pairs with abt_ceiling_write() */
	now = READ_ONCE(*abt_ceiling_knob(an, dir));
	smp_rmb();	/* the same */
	return held && now != held && READ_ONCE(ceiling->held) == held;
}

/* Did the administrator write the ceiling since we did? Say so once. */
static bool abt_ceiling_foreign(struct abt_net *an, enum abt_dir dir)
{
	struct abt_ceiling *ceiling = &an->ceiling[dir];

	if (!abt_ceiling_moved(an, dir))
		return READ_ONCE(ceiling->admin);
	if (!xchg(&ceiling->admin, true))
		pr_info_ratelimited("%s was written (%d): it is a limit of our grants in this network namespace from now on, and will not be restored\n",
				    dir == ABT_SND ? "tcp_wmem" : "tcp_rmem",
				    READ_ONCE(*abt_ceiling_knob(an, dir)));
	return true;
}

/* Context: @an->lock held. */
static void abt_ceiling_write(struct abt_net *an, enum abt_dir dir, int held,
			      int knob)
{
	struct abt_ceiling *ceiling = &an->ceiling[dir];

	WRITE_ONCE(ceiling->held, 0);
	smp_wmb();	/* pairs with abt_ceiling_moved() */
	WRITE_ONCE(*abt_ceiling_knob(an, dir), knob);
	smp_wmb();	/* the same */
	WRITE_ONCE(ceiling->held, held);
}

/**
 * abt_net_cap() - the largest buffer that a connection can be given
 * @an: namespace
 * @dir: direction
 *
 * Context: any.
 * Return: bytes of truesize, at most ABT_BYTES_MAX.
 */
u32 abt_net_cap(struct abt_net *an, enum abt_dir dir)
{
	u32 cap = abt_pool_cap(READ_ONCE(an->pool[dir]));

	if (abt_ceiling_foreign(an, dir))
		cap = min_t(u32, cap, READ_ONCE(*abt_ceiling_knob(an, dir)));
	return cap;
}

/*
 * A new namespace copies the ceilings of the first one: where those are ours, it
 * gets what the administrator had there.
 */
static void abt_ceiling_inherit(struct abt_net *an, enum abt_dir dir)
{
	struct abt_ceiling *first = &abt_net_of(&init_net)->ceiling[dir];
	int *knob = abt_ceiling_knob(an, dir);

	if (!net_eq(an->net, &init_net) && READ_ONCE(first->held) &&
	    READ_ONCE(*knob) == READ_ONCE(first->held))
		WRITE_ONCE(*knob, READ_ONCE(first->saved));
}

/**
 * abt_net_limit() - the administrator's own ceiling
 * @an: namespace
 * @dir: direction
 *
 * Context: any.
 * Return: tcp_wmem[2] or tcp_rmem[2] as it is, or was before we held it [bytes].
 */
u32 abt_net_limit(struct abt_net *an, enum abt_dir dir)
{
	const int *knob = abt_ceiling_knob(an, dir);
	bool ours = READ_ONCE(an->ceiling[dir].held) &&
		    !abt_ceiling_foreign(an, dir);
	int limit = ours ? READ_ONCE(an->ceiling[dir].saved) : READ_ONCE(*knob);

	return max(limit, READ_ONCE(knob[-1]));
}

/* Hold the ceiling at the largest grant. Context: @an->lock held. */
static void abt_ceiling_hold(struct abt_net *an, enum abt_dir dir)
{
	struct abt_ceiling *ceiling = &an->ceiling[dir];
	const int *knob = abt_ceiling_knob(an, dir);
	int most;

	if (abt_ceiling_foreign(an, dir))
		return;
	if (!ceiling->held)
		ceiling->saved = READ_ONCE(*knob);
	/* knob[-1] is what a connection starts with, e.g. tcp_rmem[1] */
	most = max_t(int, abt_pool_cap(an->pool[dir]), READ_ONCE(knob[-1]));
	abt_ceiling_write(an, dir, most, most);
}

/* Let the ceiling go. Context: @an->lock held. */
static void abt_ceiling_release(struct abt_net *an, enum abt_dir dir)
{
	struct abt_ceiling *ceiling = &an->ceiling[dir];

	if (ceiling->held && !abt_ceiling_foreign(an, dir))
		abt_ceiling_write(an, dir, 0, ceiling->saved);
	WRITE_ONCE(ceiling->held, 0);
	WRITE_ONCE(ceiling->admin, false);
}

static void abt_net_set_ceilings(struct abt_net *an,
				 const struct abt_config *config)
{
	const u32 policy[ABT_DIRS] = {
		[ABT_SND] = config->sender,
		[ABT_RCV] = config->receiver,
	};
	enum abt_dir dir;

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
 * floors and for what the kernel rounds up to pages.
 */
#define ABT_HOST_PARTS	32

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
			      &abt_host.generation,
			      abt_config_pool(staged, dir));
	}
	return 0;
}

static void abt_net_set_pools(struct abt_net *an,
			      const struct abt_config *config)
{
	enum abt_dir dir;

	for (dir = 0; dir < ABT_DIRS; dir++) {
		u64 size = abt_config_pool(config, dir);
		struct abt_pool *pool = &abt_host.pool[dir];
		bool ours = net_eq(an->net, &init_net);

		if (ours) {
			size = size ?: abt_host_default_size(dir);
		} else if (size) {
			pool = an->own[dir];
			ours = true;
		}
		if (ours) {
			abt_pool_resize(pool, size);
			abt_pool_set_share(pool, config->share,
					   config->fair_bdp);
		}
		WRITE_ONCE(an->pool[dir], pool);
	}
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
	abt_net_set_pools(an, config);
	abt_net_set_ceilings(an, config);
	WRITE_ONCE(an->mode, leaves ? ABT_MODE_OFF : config->mode);
	WRITE_ONCE(an->epoch_min_us, config->epoch_min_us);
	atomic_inc(&abt_host.generation);
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

/* Every namespace that draws on a pool of the host gets its ceilings anew. */
static void abt_host_resized(struct work_struct *work)
{
	struct net *net;

	down_read(&net_rwsem);
	for_each_net(net) {
		struct abt_net *an = abt_net_of(net);
		const struct abt_config *config;

		mutex_lock(&an->lock);
		config = rcu_dereference_protected(an->config,
						   lockdep_is_held(&an->lock));
		if (config) {
			abt_net_set_pools(an, config);
			abt_net_set_ceilings(an, config);
		}
		mutex_unlock(&an->lock);
	}
	up_read(&net_rwsem);
	atomic_inc(&abt_host.generation);
}

static DECLARE_WORK(abt_host_resize, abt_host_resized);

/**
 * abt_host_follow_tcp_mem() - has the administrator written tcp_mem?
 *
 * The pools of a host that nobody sized follow it. Looked at when a record is
 * made; the work is done later.
 *
 * Context: any.
 */
void abt_host_follow_tcp_mem(void)
{
	long pages = READ_ONCE(tcp_prot.sysctl_mem[1]);

	if (likely(READ_ONCE(abt_host.tcp_mem_seen) == pages))
		return;
	WRITE_ONCE(abt_host.tcp_mem_seen, pages);
	schedule_work(&abt_host_resize);
}

/**
 * abt_host_follow_pressure() - has the kernel come under memory pressure?
 *
 * Above tcp_mem[1] it cuts every window to four segments, whoever's it is, until it is
 * below tcp_mem[0] again. The pools of the host are all but tcp_mem[1]: full as they
 * were, they would keep it there. Looked at by every step.
 *
 * Context: any.
 */
void abt_host_follow_pressure(void)
{
	bool pressed = READ_ONCE(tcp_memory_pressure);
	enum abt_dir dir;

	if (likely(READ_ONCE(abt_host.pressed) == pressed))
		return;
	WRITE_ONCE(abt_host.pressed, pressed);
	for (dir = 0; dir < ABT_DIRS; dir++)
		abt_pool_press(&abt_host.pool[dir], pressed);
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

	mutex_lock(&an->lock);
	for (dir = 0; dir < ABT_DIRS; dir++)
		abt_ceiling_release(an, dir);
	abt_records_hand_back(an);
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

	cancel_work_sync(&abt_host_resize);
	unregister_pernet_subsys(&abt_net_ops);
	for (dir = 0; dir < ABT_DIRS; dir++)
		abt_pool_exit(&abt_host.pool[dir]);
}
