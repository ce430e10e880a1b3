// SPDX-License-Identifier: GPL-2.0
/*
 * The table of paths: network namespace, peer and own address -> path.
 *
 * A path outlives its connections, so that the next one knows the base round trip. Those
 * without connections are kept up to ABT_PATHS_IDLE_MAX, and the one that was left first goes
 * first.
 */
#include <linux/jiffies.h>
#include <linux/rhashtable.h>
#include <linux/slab.h>
#include <net/ipv6.h>
#include <net/sock.h>

#include "path/member.h"
#include "path/merge.h"
#include "path/path.h"
#include "path/remote.h"
#include "path/table.h"

/* Paths that are kept without a connection, with their peers: 0.75 KB each, as the slab has it. */
#define ABT_PATHS_IDLE_MAX	4096

/* After that a route is likely to have changed: nothing of it is believed [s]. */
#define ABT_PATH_KEPT_S		300

/**
 * struct abt_path_key - which path
 * @net: cookie of the network namespace, which no later one has
 * @peer: address of the peer; of IPv4 as a mapped one
 * @local: our address: hosts that have several may have a link for each
 * @device: the device that the socket is bound to: addresses are of its VRF; 0: none
 */
struct abt_path_key {
	u64 net;
	struct in6_addr peer;
	struct in6_addr local;
	u64 device;
};

/**
 * struct abt_path_entry - a peer in the table
 * @remote: the peer
 * @key: which one
 * @node: in the table
 * @idle: in the list of those without connections
 * @rcu: when it has left that list and the table, a walk may still look at it
 * @users: connections; written under abt_paths_lock
 * @left: when the last one went [jiffies]
 */
struct abt_path_entry {
	struct abt_remote remote;
	struct abt_path_key key;
	struct rhash_head node;
	union {
		struct list_head idle;
		struct rcu_head rcu;
	};
	unsigned int users;
	unsigned long left;
};

static struct rhashtable abt_paths;
static LIST_HEAD(abt_paths_idle);
static unsigned int abt_paths_idle_count;

/* Protects the table, the list, and users of each path. A walk reads the table under RCU. */
static DEFINE_SPINLOCK(abt_paths_lock);

static const struct rhashtable_params abt_paths_params = {
	.key_len = sizeof(struct abt_path_key),
	.key_offset = offsetof(struct abt_path_entry, key),
	.head_offset = offsetof(struct abt_path_entry, node),
	.automatic_shrinking = true,
};

/**
 * abt_paths_init() - no paths yet
 *
 * Context: process.
 * Return: 0, or -ENOMEM.
 */
int abt_paths_init(void)
{
	return rhashtable_init(&abt_paths, &abt_paths_params);
}

static void abt_entry_free(void *entry, void *unused)
{
	struct abt_path_entry *e = entry;

	abt_remote_exit(&e->remote);
	kfree_rcu(e, rcu);
}

/**
 * abt_paths_exit() - all paths go
 *
 * Context: process; no connection is left.
 */
void abt_paths_exit(void)
{
	rhashtable_free_and_destroy(&abt_paths, abt_entry_free, NULL);
}

static struct abt_path_key abt_path_key_of(const struct sock *sk)
{
	struct abt_path_key key = {
		.net = sock_net(sk)->net_cookie,
		.device = READ_ONCE(sk->sk_bound_dev_if),
	};

#if IS_ENABLED(CONFIG_IPV6)
	if (sk->sk_family == AF_INET6) {
		key.peer = sk->sk_v6_daddr;
		key.local = sk->sk_v6_rcv_saddr;
		return key;
	}
#endif
	ipv6_addr_set_v4mapped(sk->sk_daddr, &key.peer);
	ipv6_addr_set_v4mapped(sk->sk_rcv_saddr, &key.local);
	return key;
}

/* Context: abt_paths_lock held. */
static void abt_entry_drop(struct abt_path_entry *e)
{
	list_del(&e->idle);
	abt_paths_idle_count--;
	rhashtable_remove_fast(&abt_paths, &e->node, abt_paths_params);
	abt_entry_free(e, NULL);
}

/* Context: abt_paths_lock held. Return: NULL without memory. */
static struct abt_path_entry *abt_entry_make(const struct abt_path_key *key)
{
	struct abt_path_entry *e = kzalloc(sizeof(*e), GFP_ATOMIC | __GFP_NOWARN);

	if (!e)
		return NULL;
	e->key = *key;
	INIT_LIST_HEAD(&e->idle);
	if (!abt_remote_init(&e->remote, key->net))
		goto err_free;
	if (rhashtable_insert_fast(&abt_paths, &e->node, abt_paths_params))
		goto err_exit;
	return e;

err_exit:
	abt_remote_exit(&e->remote);
err_free:
	kfree(e);
	return NULL;
}

/* The path of a key, in use. Context: abt_paths_lock held. */
static struct abt_path_entry *abt_entry_get(const struct abt_path_key *key)
{
	struct abt_path_entry *e;

	e = rhashtable_lookup_fast(&abt_paths, key, abt_paths_params);
	if (e && !e->users &&
	    time_after(jiffies, e->left + ABT_PATH_KEPT_S * HZ)) {
		abt_entry_drop(e);
		e = NULL;
	}
	if (!e)
		e = abt_entry_make(key);
	else if (!e->users)
		abt_paths_idle_count--;
	if (!e)
		return NULL;
	list_del_init(&e->idle);
	e->users++;
	return e;
}

/**
 * abt_path_join() - a connection finds its path
 * @sk: socket, locked
 *
 * Context: any.
 * Return: its part in the path, or NULL without memory.
 */
struct abt_path_member *abt_path_join(const struct sock *sk)
{
	struct abt_path_member *m = kmalloc(sizeof(*m),
					    GFP_ATOMIC | __GFP_NOWARN);
	struct abt_path_key key = abt_path_key_of(sk);
	struct abt_path_entry *e;

	if (!m)
		return NULL;
	spin_lock_bh(&abt_paths_lock);
	e = abt_entry_get(&key);
	spin_unlock_bh(&abt_paths_lock);
	if (!e) {
		kfree(m);
		return NULL;
	}
	abt_path_enter(m, &e->remote);
	return m;
}

/**
 * abt_path_leave() - a connection leaves its path
 * @m: its part, or NULL
 *
 * Context: any; the socket lock held, or the last reference.
 */
void abt_path_leave(struct abt_path_member *m)
{
	struct abt_path_entry *e;

	if (!m)
		return;
	e = container_of(m->remote, struct abt_path_entry, remote);
	abt_path_quit(m);
	kfree(m);
	spin_lock_bh(&abt_paths_lock);
	if (!--e->users) {
		abt_merge_forget(&e->remote);
		abt_path_rest(READ_ONCE(e->remote.path));
		e->left = jiffies;
		list_add_tail(&e->idle, &abt_paths_idle);
		if (++abt_paths_idle_count > ABT_PATHS_IDLE_MAX)
			abt_entry_drop(list_first_entry(&abt_paths_idle, struct abt_path_entry,
							idle));
	}
	spin_unlock_bh(&abt_paths_lock);
}

/**
 * abt_paths_walk_enter() - before a walk over the table
 * @iter: place in the table
 *
 * Context: process.
 */
void abt_paths_walk_enter(struct rhashtable_iter *iter)
{
	rhashtable_walk_enter(&abt_paths, iter);
}

static void abt_path_view(struct abt_path_entry *e, struct abt_path_view *view)
{
	view->peer = e->key.peer;
	view->local = e->key.local;
	view->conns = READ_ONCE(e->users);
	abt_remote_look(&e->remote, &view->state);
}

/**
 * abt_paths_walk() - show the paths of a network namespace
 * @iter: place in the table; all before it have been shown
 * @net: network namespace
 * @show: shows one
 * @to: passed to it
 *
 * While the table grows or shrinks, a path may be shown twice.
 *
 * Context: process.
 * Return: 0 at the end, or the error of @show.
 */
int abt_paths_walk(struct rhashtable_iter *iter, const struct net *net,
		   abt_path_show_t show, void *to)
{
	struct abt_path_view view;
	struct abt_path_entry *e;
	int err = 0;

	rhashtable_walk_start(iter);
	for (e = rhashtable_walk_peek(iter); e; e = rhashtable_walk_next(iter)) {
		if (IS_ERR(e) || e->key.net != net->net_cookie)
			continue;	/* the table is another size now, or not ours */
		abt_path_view(e, &view);
		err = show(&view, to);
		if (err)
			break;
	}
	rhashtable_walk_stop(iter);
	return err;
}

/**
 * abt_paths_walk_exit() - a walk is over
 * @iter: place in the table
 *
 * Context: process.
 */
void abt_paths_walk_exit(struct rhashtable_iter *iter)
{
	rhashtable_walk_exit(iter);
}
