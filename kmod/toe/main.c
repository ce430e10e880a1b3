// SPDX-License-Identifier: GPL-2.0
/*
 * toe_hybrid: attaching to devices, and letting go.
 *
 * RTNL protects who is attached, so that no device goes meanwhile. The hook's operations never
 * take it. A device that goes takes its adapter along.
 */
#include <linux/module.h>
#include <linux/mm.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include <net/net_namespace.h>

#include "toe/toe.h"
#include "version.h"

LIST_HEAD(toe_adapters);

static char *attach;
module_param(attach, charp, 0444);
MODULE_PARM_DESC(attach, "device to attach to at once, in the first network namespace");

static struct toe_adapter *toe_find(const struct net_device *netdev)
{
	struct toe_adapter *a;

	ASSERT_RTNL();
	list_for_each_entry(a, &toe_adapters, list)
		if (a->netdev == netdev)
			return a;
	return NULL;
}

static int toe_build(struct toe_adapter *a)
{
	u32 buffers = (u32)div_u64((u64)a->config.memory_kb << 10, a->config.buffer_bytes);

	for (int k = 0; k < TOE_KINDS; k++) {
		if (toe_program_build(&a->programs[k], &a->config.pieces, k))
			continue;
		pr_warn("the work on a piece of kind %d is no program: expected accesses and at least as many instructions\n",
			k);
		return -EINVAL;
	}
	a->links = kvmalloc_array(buffers, sizeof(*a->links), GFP_KERNEL);
	if (!a->links)
		return -ENOMEM;
	toe_buffers_init(&a->buffers, a->links, buffers);
	toe_sched_init(&a->sched, a->config.policy, a->config.threads, &a->config.pieces);
	a->limits = toe_dma_limits(&a->config.dma);
	return 0;
}

static void toe_free(struct toe_adapter *a)
{
	kvfree(a->links);
	kvfree(a);
}

static struct toe_adapter *toe_make(struct net_device *netdev)
{
	struct toe_adapter *a = kvzalloc(sizeof(*a), GFP_KERNEL);
	int err;

	if (!a)
		return ERR_PTR(-ENOMEM);
	a->netdev = netdev;
	a->start_ns = ktime_get_ns();
	mutex_init(&a->lock);
	INIT_LIST_HEAD(&a->conns);
	toe_config_get(&a->config);
	err = toe_build(a);
	if (!err)
		return a;
	toe_free(a);
	return ERR_PTR(err);
}

/**
 * toe_attach() - an adapter stands in for a device
 * @netdev: device
 *
 * Context: process; RTNL held.
 * Return: 0, or why not: -EEXIST, the device has an adapter already; -EINVAL; -ENOMEM.
 */
int toe_attach(struct net_device *netdev)
{
	struct toe_adapter *a = toe_make(netdev);
	int err;

	ASSERT_RTNL();
	if (IS_ERR(a))
		return PTR_ERR(a);
	netdev_hold(netdev, &a->tracker, GFP_KERNEL);
	err = tcp_abt_offload_register(netdev, &toe_provider_ops, a);
	if (err) {
		netdev_put(netdev, &a->tracker);
		toe_free(a);
		return err;
	}
	toe_tap_open(a);
	list_add_tail(&a->list, &toe_adapters);
	return 0;
}

static void toe_let_go(struct toe_adapter *a)
{
	list_del(&a->list);
	toe_tap_close(a);
	tcp_abt_offload_unregister(a->netdev);
	WARN_ON_ONCE(a->conn_count || a->buffers.used);
	netdev_put(a->netdev, &a->tracker);
	toe_free(a);
}

/**
 * toe_detach() - a device is on its own again
 * @netdev: device
 *
 * Context: process; RTNL held.
 * Return: 0; -ENOENT: no adapter is there.
 */
int toe_detach(struct net_device *netdev)
{
	struct toe_adapter *a = toe_find(netdev);

	if (!a)
		return -ENOENT;
	toe_let_go(a);
	return 0;
}

static int toe_netdev_event(struct notifier_block *nb, unsigned long event, void *ptr)
{
	if (event == NETDEV_UNREGISTER)
		toe_detach(netdev_notifier_info_to_dev(ptr));
	return NOTIFY_DONE;
}

static struct notifier_block toe_notifier = { .notifier_call = toe_netdev_event };

static int __init toe_attach_parameter(void)
{
	struct net_device *netdev;
	int err = -ENODEV;

	if (!attach)
		return 0;
	rtnl_lock();
	netdev = __dev_get_by_name(&init_net, attach);
	if (netdev)
		err = toe_attach(netdev);
	rtnl_unlock();
	if (err)
		pr_warn("attach=%s: %pe: expected a device that nobody is attached to\n", attach,
			ERR_PTR(err));
	return err;
}

static int __init toe_init(void)
{
	int err;

	toe_config_init();
	err = register_netdevice_notifier(&toe_notifier);
	if (err)
		return err;
	err = toe_attach_parameter();
	if (err) {
		unregister_netdevice_notifier(&toe_notifier);
		return err;
	}
	toe_show_init();
	return 0;
}

static void __exit toe_exit(void)
{
	toe_show_exit();
	/* tells it that each device goes */
	unregister_netdevice_notifier(&toe_notifier);
	WARN_ON_ONCE(!list_empty(&toe_adapters));
}

module_init(toe_init);
module_exit(toe_exit);
MODULE_DESCRIPTION("A hybrid TCP/IP offload engine as an emulated adapter, for tcp_abt's hook");
MODULE_LICENSE("GPL");
MODULE_AUTHOR(ABT_AUTHOR);
MODULE_VERSION(ABT_VERSION);
