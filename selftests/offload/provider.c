// SPDX-License-Identifier: GPL-2.0
/*
 * The operations, and what is looked at in each: that they do not overlap, that
 * a connection is known when there is news of it, and with one device only, that states
 * come in order, no sooner than a round trip apart and no later than promised, and
 * that the grants never exceed the memory.
 */
#include <linux/delay.h>
#include <linux/jiffies.h>
#include <linux/module.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include <net/tcp.h>

#include "provider.h"

static ulong bytes = 64UL << 20;
module_param(bytes, ulong, 0644);
MODULE_PARM_DESC(bytes, "memory of the adapter (default: 64 MB)");

static uint conns = 1000;
module_param(conns, uint, 0644);
MODULE_PARM_DESC(conns, "connections that it can hold (default: 1000)");

static uint floor_bytes;
module_param(floor_bytes, uint, 0644);
MODULE_PARM_DESC(floor_bytes, "the least memory that a connection needs (default: the hook's)");

static uint functions = (1U << TCP_ABT_FNS) - 1;
module_param(functions, uint, 0644);
MODULE_PARM_DESC(functions, "functions that are taken over, a mask (default: all)");

static int refuse;
module_param(refuse, int, 0644);
MODULE_PARM_DESC(refuse, "refuse each connection with that errno, e.g. 28: ENOSPC (default: 0, take it on)");

static uint slow_ms;
module_param(slow_ms, uint, 0644);
MODULE_PARM_DESC(slow_ms, "each operation takes so long [ms] (default: 0)");

LIST_HEAD(provider_list);
/* who is attached */
DEFINE_MUTEX(provider_lock);
/* what was told */
DEFINE_MUTEX(provider_told);

static void provider_wrong(struct provider *p, const char *what)
{
	if (!p->wrong)
		p->wrong = what;
}

static void provider_enter(struct provider *p)
{
	if (atomic_inc_return(&p->busy) != 1)
		provider_wrong(p, "overlap");
	if (slow_ms)
		msleep(slow_ms);
	mutex_lock(&provider_told);
}

static void provider_leave(struct provider *p)
{
	mutex_unlock(&provider_told);
	atomic_dec(&p->busy);
}

static void provider_limits(void *priv, struct tcp_abt_offload_limits *limits)
{
	struct provider *p = priv;

	*limits = (struct tcp_abt_offload_limits) {
		.bytes = bytes,
		.conns = conns,
		.functions = functions,
		.floor_bytes = floor_bytes,
	};
	mutex_lock(&provider_told);
	p->limits = *limits;
	mutex_unlock(&provider_told);
}

/* Is a connection with these ends known, whatever the device? */
static bool provider_knows(const struct tcp_abt_offload_state *s)
{
	struct provider_conn *pc;
	struct provider *p;

	list_for_each_entry(p, &provider_list, list)
		list_for_each_entry(pc, &p->conns, list)
			if (!memcmp(&pc->state.local, &s->local, sizeof(s->local)) &&
			    !memcmp(&pc->state.remote, &s->remote, sizeof(s->remote)))
				return true;
	return false;
}

static void provider_grant(struct provider *p, u32 from, u32 to)
{
	p->granted += to - (u64)from;
	p->most_granted = max(p->most_granted, p->granted);
	/* narrower limits are honoured by and by, growth never goes beyond */
	if (to > from && p->granted > p->limits.bytes)
		provider_wrong(p, "grants");
}

static void provider_check_time(struct provider *p,
				const struct tcp_abt_offload_state *old,
				const struct tcp_abt_offload_state *new)
{
	u64 apart_us = (new->taken_ns - old->taken_ns) / NSEC_PER_USEC;
	u64 after_us = (ktime_get_ns() - new->since_ns) / NSEC_PER_USEC;
	u64 bound_us = old->interval_us + old->interval_us / 8 +
		       2 * jiffies_to_usecs(1);

	if (apart_us < old->interval_us)
		provider_wrong(p, "soon");
	p->late_us = max(p->late_us, (s64)(after_us - bound_us));
}

static void provider_check_order(struct provider *p,
				 const struct tcp_abt_offload_state *old,
				 const struct tcp_abt_offload_state *new)
{
	if (new->update != old->update + 1 || new->taken_ns < old->taken_ns ||
	    new->since_ns > new->taken_ns)
		provider_wrong(p, "order");
	if (before(new->snd_una, old->snd_una) ||
	    before(new->rcv_nxt, old->rcv_nxt) ||
	    before(new->copied_seq, old->copied_seq) ||
	    new->bytes_received < old->bytes_received)
		provider_wrong(p, "backwards");
}

static int provider_conn_add(void *priv, struct tcp_abt_offload_conn *conn,
			     const struct tcp_abt_offload_state *state)
{
	struct provider *p = priv;
	struct provider_conn *pc;
	int err = -refuse;

	provider_enter(p);
	pc = err ? NULL : kzalloc(sizeof(*pc), GFP_KERNEL);
	if (!pc) {
		p->refused++;
		provider_leave(p);
		return err ?: -ENOSPC;
	}
	if (state->version != TCP_ABT_OFFLOAD_VERSION ||
	    state->size != sizeof(*state))
		provider_wrong(p, "version");
	if (provider_knows(state))
		provider_wrong(p, "twice");
	pc->id = conn->id;
	pc->state = *state;
	list_add_tail(&pc->list, &p->conns);
	p->held++;
	conn->driver = pc;
	p->adds++;
	provider_grant(p, 0, state->adapter_grant);
	provider_leave(p);
	return 0;
}

/* The connection, if it is one that was taken on. */
static struct provider_conn *provider_find(struct provider *p,
					   const struct tcp_abt_offload_conn *conn)
{
	struct provider_conn *pc;

	list_for_each_entry(pc, &p->conns, list)
		if (pc == conn->driver && pc->id == conn->id)
			return pc;
	provider_wrong(p, "unknown");
	return NULL;
}

static void provider_conn_update(void *priv, struct tcp_abt_offload_conn *conn,
				 const struct tcp_abt_offload_state *state)
{
	struct provider *p = priv;
	struct provider_conn *pc;

	provider_enter(p);
	pc = provider_find(p, conn);
	if (pc) {
		provider_check_order(p, &pc->state, state);
		provider_check_time(p, &pc->state, state);
		provider_grant(p, pc->state.adapter_grant, state->adapter_grant);
		pc->state = *state;
		p->updates++;
	}
	provider_leave(p);
}

static void provider_conn_del(void *priv, struct tcp_abt_offload_conn *conn,
			      enum tcp_abt_offload_why why)
{
	struct provider *p = priv;
	struct provider_conn *pc;

	provider_enter(p);
	pc = provider_find(p, conn);
	if (pc) {
		provider_grant(p, pc->state.adapter_grant, 0);
		p->dels[why]++;
		list_del(&pc->list);
		p->held--;
		conn->driver = NULL;
		kfree(pc);
	}
	provider_leave(p);
}

static const struct tcp_abt_offload_ops provider_ops = {
	.limits = provider_limits,
	.conn_add = provider_conn_add,
	.conn_update = provider_conn_update,
	.conn_del = provider_conn_del,
};

static struct provider *provider_of(const struct net_device *netdev)
{
	struct provider *p;

	list_for_each_entry(p, &provider_list, list)
		if (p->netdev == netdev)
			return p;
	return NULL;
}

/* Its device goes with it. */
static void provider_forget(struct provider *p)
{
	mutex_lock(&provider_told);
	list_del(&p->list);
	mutex_unlock(&provider_told);
	dev_put(p->netdev);
	kfree(p);
}

/**
 * provider_attach() - take on the connections of a device
 * @netdev: device, with a reference that is ours from now on
 *
 * Context: process, @provider_lock held.
 * Return: 0 or an error; the reference is dropped then.
 */
int provider_attach(struct net_device *netdev)
{
	struct provider *p = kzalloc(sizeof(*p), GFP_KERNEL);
	int err;

	if (!p) {
		dev_put(netdev);
		return -ENOMEM;
	}
	p->netdev = netdev;
	p->late_us = S64_MIN;
	INIT_LIST_HEAD(&p->conns);
	mutex_lock(&provider_told);
	list_add_tail(&p->list, &provider_list);
	mutex_unlock(&provider_told);

	err = tcp_abt_offload_register(netdev, &provider_ops, p);
	if (err)
		provider_forget(p);
	return err;
}

/**
 * provider_detach() - give a device's connections up
 * @netdev: device
 *
 * Context: process, @provider_lock held.
 * Return: 0; -ENODEV: not attached.
 */
int provider_detach(const struct net_device *netdev)
{
	struct provider *p = provider_of(netdev);

	if (!p)
		return -ENODEV;
	tcp_abt_offload_unregister(p->netdev);
	if (!list_empty(&p->conns))
		pr_warn("WARNING: %s: connections without a conn_del\n",
			p->netdev->name);
	provider_forget(p);
	return 0;
}

/* A device goes: so does our reference. Context: RTNL held. */
static int provider_netdev_event(struct notifier_block *nb, unsigned long event,
				 void *ptr)
{
	if (event == NETDEV_UNREGISTER) {
		mutex_lock(&provider_lock);
		provider_detach(netdev_notifier_info_to_dev(ptr));
		mutex_unlock(&provider_lock);
	}
	return NOTIFY_DONE;
}

static struct notifier_block provider_notifier = {
	.notifier_call = provider_netdev_event,
};

static int __init provider_init(void)
{
	int err = register_netdevice_notifier(&provider_notifier);

	if (err)
		return err;
	err = provider_show_init();
	if (err)
		unregister_netdevice_notifier(&provider_notifier);
	return err;
}

static void __exit provider_exit(void)
{
	struct provider *p, *next;

	provider_show_exit();
	mutex_lock(&provider_lock);
	list_for_each_entry_safe(p, next, &provider_list, list)
		provider_detach(p->netdev);
	mutex_unlock(&provider_lock);
	unregister_netdevice_notifier(&provider_notifier);
}

module_init(provider_init);
module_exit(provider_exit);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The tcp_abt authors");
MODULE_DESCRIPTION("Test of tcp_abt's offload hook: takes connections on and checks what it is told");
