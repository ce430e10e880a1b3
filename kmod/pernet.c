// SPDX-License-Identifier: GPL-2.0
/* The life of a network namespace: its knobs and files come, and go with all that it holds. */
#include <linux/slab.h>
#include <net/net_namespace.h>

#include "conn/attach.h"
#include "conn/hand_back_all.h"
#include "control/commit.h"
#include "control/proc.h"
#include "control/sysctl.h"
#include "pernet.h"
#include "state/ceiling.h"
#include "state/host.h"
#include "state/net.h"

/* Context: process, sleeps. Return: 0, or an error of abt_net_commit(). */
static int abt_net_set_mode(struct abt_net *an, enum tcp_abt_mode mode)
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

	abt_config_default(&config, TCP_ABT_MODE_OFF);
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
	WRITE_ONCE(an->mode, TCP_ABT_MODE_OFF);
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
	if (config->mode != TCP_ABT_MODE_OFF)
		abt_events_put();
	kfree(config);
	mutex_unlock(&an->lock);
}

/*
 * In a namespace that is in use, knobs may be read and written as soon as they can be seen. So
 * they are made first, with the mode off, and the mode is turned on last.
 */
static int __net_init abt_net_init(struct net *net)
{
	struct abt_net *an = abt_net_of(net);
	enum abt_dir dir;
	int err;

	an->net = net;
	abt_commit_init_net(an);
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
	WRITE_ONCE(an->mode, TCP_ABT_MODE_OFF);	/* by who wrote it meanwhile */
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
 * abt_pernet_register() - pools for the host, knobs and files for all namespaces
 *
 * Context: process, sleeps.
 * Return: 0 or an error; nothing stays behind then.
 */
int abt_pernet_register(void)
{
	int err = abt_commit_init();

	if (err)
		return err;
	err = register_pernet_subsys(&abt_net_ops);
	if (err)
		abt_commit_exit();
	return err;
}

/**
 * abt_pernet_unregister() - all namespaces off, all sockets handed back
 *
 * Context: process, sleeps. Only tcp_destroy_sock may still come, or nothing.
 */
void abt_pernet_unregister(void)
{
	abt_commit_stop();
	unregister_pernet_subsys(&abt_net_ops);
	abt_commit_exit();
}
