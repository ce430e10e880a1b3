// SPDX-License-Identifier: GPL-2.0
/*
 * /proc/net/tcp_abt: a line per connection of this namespace.
 * /proc/net/tcp_abt_pool: a line per pool that this namespace draws on.
 *
 * Columns are named in the first line; new ones come at the end.
 */
#include <linux/proc_fs.h>
#include <linux/rhashtable.h>
#include <linux/seq_file.h>
#include <net/tcp.h>

#include "conn/conn.h"
#include "control/netns.h"
#include "trace/address.h"

static const char *const abt_policy_name[] = {
	[ABT_STOCK] = "stock",
	[ABT_FIXED] = "fixed",
	[ABT_MAX] = "max",
	[ABT_ATBT] = "atbt",
	[ABT_SABT] = "sabt",
	[ABT_DRS] = "drs",
	[ABT_TBT_PLR] = "tbt_plr",
	[ABT_APP] = "app",
};

static const char *const abt_reason_name[ABT_WHYS] = {
	[ABT_WHY_INIT] = "init",
	[ABT_WHY_GROW] = "grow",
	[ABT_WHY_SHRINK] = "shrink",
	[ABT_WHY_SHARE] = "share",
	[ABT_WHY_POOL] = "pool",
	[ABT_WHY_HOLD] = "hold",
	[ABT_WHY_FLOOR] = "floor",
	[ABT_WHY_ADMIN] = "admin",
	[ABT_WHY_APP] = "app",
	[ABT_WHY_STOCK] = "stock",
	[ABT_WHY_OBSERVE] = "observe",
};

static void abt_show_half(struct seq_file *seq, const struct sock *sk,
			  const struct abt_conn *c, enum abt_dir dir)
{
	const struct abt_half *half = &c->half[dir];

	seq_printf(seq, " %u %u %u %u %s", READ_ONCE(half->demand),
		   READ_ONCE(half->grant), abt_buffer(sk, dir),
		   abt_used(sk, dir),
		   abt_reason_name[READ_ONCE(half->reason)]);
}

/*
 * One line. The socket is not locked: figures are each of some moment just past,
 * as in /proc/net/tcp.
 */
static void abt_show_conn(struct seq_file *seq, const struct sock *sk,
			  const struct abt_conn *c)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	struct sockaddr_in6 local, remote;
	u32 alpha = (READ_ONCE(c->receiver.alpha_q16) * 1000ULL) >> 16;

	abt_addresses(sk, &local, &remote);
	seq_printf(seq, "%pISpc %pISpc %s %s %u %u %u %u %u %u.%03u",
		   &local, &remote,
		   abt_policy_name[READ_ONCE(c->half[ABT_SND].policy)],
		   abt_policy_name[READ_ONCE(c->half[ABT_RCV].policy)],
		   tcp_snd_cwnd(tp), tp->mss_cache, tp->srtt_us >> 3,
		   c->receiver.base.us,
		   tp->rcv_rtt_est.rtt_us >> 3, alpha / 1000, alpha % 1000);
	abt_show_half(seq, sk, c, ABT_SND);
	abt_show_half(seq, sk, c, ABT_RCV);
	seq_putc(seq, '\n');
}

/* A reader's place in the table of records. */
struct abt_conns_walk {
	struct seq_net_private net;	/* first: see seq_file_net() */
	struct rhashtable_iter iter;
};

static void *abt_conns_next_record(struct seq_file *seq)
{
	struct abt_conns_walk *walk = seq->private;
	void *next;

	do {	/* -EAGAIN: the table was resized, the walk begins anew */
		next = rhashtable_walk_next(&walk->iter);
	} while (IS_ERR(next));
	return next;
}

static void *abt_conns_start(struct seq_file *seq, loff_t *pos)
	__acquires(RCU)
{
	struct abt_conns_walk *walk = seq->private;
	void *v = SEQ_START_TOKEN;
	loff_t skip;

	abt_records_walk_enter(&walk->iter);
	rhashtable_walk_start(&walk->iter);
	for (skip = *pos; skip && v; skip--)
		v = abt_conns_next_record(seq);
	return v;
}

static void *abt_conns_next(struct seq_file *seq, void *v, loff_t *pos)
{
	++*pos;
	return abt_conns_next_record(seq);
}

static void abt_conns_stop(struct seq_file *seq, void *v)
	__releases(RCU)
{
	struct abt_conns_walk *walk = seq->private;

	rhashtable_walk_stop(&walk->iter);
	rhashtable_walk_exit(&walk->iter);
}

static int abt_conns_show(struct seq_file *seq, void *v)
{
	struct abt_conn *c = v;
	struct sock *sk;

	if (v == SEQ_START_TOKEN) {
		seq_puts(seq, "local remote sender receiver cwnd mss srtt_us minrtt_us rcvrtt_us alpha snd_demand snd_grant snd_applied snd_used snd_reason rcv_demand rcv_grant rcv_applied rcv_used rcv_reason\n");
		return 0;
	}
	if (c->an != abt_net_of(seq_file_net(seq)))
		return 0;
	sk = c->sk;
	if (!refcount_inc_not_zero(&sk->sk_refcnt))
		return 0;
	/* memory of a socket may be another socket by now */
	if (!READ_ONCE(c->dead))
		abt_show_conn(seq, sk, c);
	sock_put(sk);
	return 0;
}

static const struct seq_operations abt_conns_ops = {
	.start = abt_conns_start,
	.next = abt_conns_next,
	.stop = abt_conns_stop,
	.show = abt_conns_show,
};

static void abt_show_pool(struct seq_file *seq, const char *dir,
			  const char *scope, struct abt_pool *pool)
{
	struct abt_pool_stat s;
	char level[16] = "inf";

	abt_pool_stat(pool, &s);
	if (s.level != ABT_LEVEL_NONE)
		snprintf(level, sizeof(level), "%u", s.level);
	seq_printf(seq, "%s %s %llu %llu %llu %s %u %llu %llu %llu %u.%03u %llu\n",
		   dir, scope, s.size, s.charged, s.demand, level, s.members,
		   s.grants, s.shrinks, s.refused, s.slope_q16 >> 16,
		   ((s.slope_q16 & (ABT_Q16_ONE - 1)) * 1000) >> 16,
		   s.useful);
}

static int abt_pools_show(struct seq_file *seq, void *v)
{
	static const char *const dir_name[ABT_DIRS] = {
		[ABT_SND] = "send",
		[ABT_RCV] = "recv",
	};
	struct abt_net *an = abt_net_of(seq_file_single_net(seq));
	struct abt_pool *pool;
	enum abt_dir dir;

	seq_puts(seq, "pool scope size charged demand level conns grants shrinks refused slope useful\n");
	for (dir = 0; dir < ABT_DIRS; dir++)
		for (pool = READ_ONCE(an->pool[dir]); pool; pool = pool->parent)
			abt_show_pool(seq, dir_name[dir],
				      pool->parent ? "net" : "host", pool);
	return 0;
}

/**
 * abt_proc_register() - the files of a namespace appear
 * @net: namespace
 *
 * Context: process, sleeps.
 * Return: 0 or -ENOMEM.
 */
int abt_proc_register(struct net *net)
{
	if (!proc_create_net("tcp_abt", 0444, net->proc_net, &abt_conns_ops,
			     sizeof(struct abt_conns_walk)))
		return -ENOMEM;
	if (!proc_create_net_single("tcp_abt_pool", 0444, net->proc_net,
				    abt_pools_show, NULL)) {
		remove_proc_entry("tcp_abt", net->proc_net);
		return -ENOMEM;
	}
	return 0;
}

/**
 * abt_proc_unregister() - the files of a namespace go
 * @net: namespace
 *
 * Context: process; sleeps until nobody reads them.
 */
void abt_proc_unregister(struct net *net)
{
	remove_proc_entry("tcp_abt_pool", net->proc_net);
	remove_proc_entry("tcp_abt", net->proc_net);
}
