// SPDX-License-Identifier: GPL-2.0
/*
 * The registry of devices: the functions that a driver calls, and the notifier for devices that
 * go by themselves. See tcp_abt_offload.h.
 */
#include <linux/export.h>
#include <linux/mutex.h>
#include <linux/netdevice.h>
#include <linux/rhashtable.h>
#include <net/sock.h>

#include "conn/hooks.h"
#include "conn/record.h"
#include "offload/offload.h"
#include "offload/member.h"
#include "offload/port.h"

/* Few: found by going through. RCU, written under the lock. */
static LIST_HEAD(abt_ports);

/* Registrations so far; under the lock. */
static unsigned long abt_ports_numbered;

/* Held until a port is closed, so a second caller finds it closed. */
static DEFINE_MUTEX(abt_ports_lock);

/**
 * abt_port_find() - the port of a device
 * @netdev: device
 *
 * Context: RCU or RCU-sched read side, or under the lock.
 * Return: the port, or NULL: it is not registered.
 */
struct abt_port *abt_port_find(const struct net_device *netdev)
{
	struct abt_port *port;

	list_for_each_entry_rcu(port, &abt_ports, node,
				rcu_read_lock_sched_held() ||
				lockdep_is_held(&abt_ports_lock))
		if (port->netdev == netdev)
			return port;
	return NULL;
}

/**
 * abt_port_next() - the ports of a namespace, one by one, as they were registered
 * @net: namespace
 * @number: of the one before, 0: the first is looked for
 *
 * Who goes by numbers misses none that stays, and has none twice, though others come and
 * go meanwhile.
 *
 * Context: RCU read side.
 * Return: the port, or NULL: that was the last.
 */
struct abt_port *abt_port_next(const struct net *net, unsigned long number)
{
	struct abt_port *port;

	list_for_each_entry_rcu(port, &abt_ports, node)
		if (port->number > number && net_eq(dev_net(port->netdev), net))
			return port;
	return NULL;
}

static int abt_port_publish(struct abt_port *port)
{
	int err = 0;

	mutex_lock(&abt_ports_lock);
	if (abt_port_find(port->netdev)) {
		err = -EEXIST;
	} else if (port->netdev->reg_state != NETREG_REGISTERED) {
		err = -ENODEV;
	} else {
		port->number = ++abt_ports_numbered;
		list_add_tail_rcu(&port->node, &abt_ports);
		static_branch_inc(&abt_hooks_event);
	}
	mutex_unlock(&abt_ports_lock);
	return err;
}

/* A socket that somebody is at comes by itself, with its next event. */
static void abt_adopt_sk(struct sock *sk)
{
	struct abt_conn *c = NULL;

	rcu_read_lock();
	local_bh_disable();
	bh_lock_sock(sk);
	if (!sock_owned_by_user(sk))
		c = abt_conn_find(sk);
	if (c && !READ_ONCE(c->member))
		abt_member_adopt(sk, c);
	bh_unlock_sock(sk);
	local_bh_enable();
	rcu_read_unlock();
}

/* Connections that are there already, silent ones too. */
static void abt_adopt_all(void)
{
	struct rhashtable_iter iter;
	struct sock *sk;

	abt_records_walk_enter(&iter);
	rhashtable_walk_start(&iter);
	while ((sk = abt_records_walk_next(&iter, NULL))) {
		rhashtable_walk_stop(&iter);
		abt_adopt_sk(sk);
		sock_put(sk);
		cond_resched();
		rhashtable_walk_start(&iter);
	}
	rhashtable_walk_stop(&iter);
	rhashtable_walk_exit(&iter);
}

int tcp_abt_offload_register(struct net_device *netdev,
			     const struct tcp_abt_offload_ops *ops, void *priv)
{
	struct abt_port *port;
	int err;

	if (!ops->limits || !ops->conn_add || !ops->conn_update ||
	    !ops->conn_del)
		return -EINVAL;
	port = abt_port_make(netdev, ops, priv);
	if (!port)
		return -ENOMEM;
	err = abt_port_publish(port);
	if (err)
		abt_port_free(port);
	else
		abt_adopt_all();
	return err;
}
EXPORT_SYMBOL_GPL(tcp_abt_offload_register);

void tcp_abt_offload_unregister(struct net_device *netdev)
{
	struct abt_port *port;

	mutex_lock(&abt_ports_lock);
	port = abt_port_find(netdev);
	if (port) {
		list_del_rcu(&port->node);
		WRITE_ONCE(port->closing, true);
		synchronize_rcu();
		abt_port_close(port);
		static_branch_dec(&abt_hooks_event);
	}
	mutex_unlock(&abt_ports_lock);
}
EXPORT_SYMBOL_GPL(tcp_abt_offload_unregister);

void tcp_abt_offload_changed(struct net_device *netdev)
{
	struct abt_port *port;

	rcu_read_lock();
	port = abt_port_find(netdev);
	if (port) {
		WRITE_ONCE(port->changed, true);
		abt_port_kick(port);
	}
	rcu_read_unlock();
}
EXPORT_SYMBOL_GPL(tcp_abt_offload_changed);

/* A device goes, or its MTU, by which floors go. Context: RTNL held. */
static int abt_netdev_event(struct notifier_block *nb, unsigned long event,
			    void *ptr)
{
	struct net_device *netdev = netdev_notifier_info_to_dev(ptr);

	if (event == NETDEV_UNREGISTER)
		tcp_abt_offload_unregister(netdev);
	else if (event == NETDEV_CHANGEMTU)
		tcp_abt_offload_changed(netdev);
	return NOTIFY_DONE;
}

static struct notifier_block abt_netdev_notifier = {
	.notifier_call = abt_netdev_event,
};

/**
 * abt_offload_init() - drivers may register
 *
 * Context: process, sleeps.
 * Return: 0 or an error.
 */
int abt_offload_init(void)
{
	abt_hooks.event = abt_member_event;
	abt_hooks.forget = abt_member_forget;
	return register_netdevice_notifier(&abt_netdev_notifier);
}

/**
 * abt_offload_exit() - no driver is registered any more
 *
 * Drivers used symbols of this module, so they went before it.
 * Context: process, sleeps.
 */
void abt_offload_exit(void)
{
	unregister_netdevice_notifier(&abt_netdev_notifier);
	WARN_ON_ONCE(!list_empty(&abt_ports));
}
