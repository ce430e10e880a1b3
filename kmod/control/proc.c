// SPDX-License-Identifier: GPL-2.0
/*
 * /proc/net/tcp_abt: a line per connection of this namespace.
 * /proc/net/tcp_abt_pool: a line per pool that this namespace draws on.
 *
 * Columns are named in the first line; new ones come at the end.
 */
#include <linux/proc_fs.h>
#include <linux/seq_file.h>

#include "conn/walk.h"
#include "control/proc.h"
#include "control/view.h"
#include "control/words_gen.h"
#include "offload/port.h"
#include "state/host.h"
#include "state/net.h"

static void abt_show_half(struct seq_file *seq,
			  const struct abt_buffer_view *half)
{
	seq_printf(seq, " %u %u %u %u %s", half->demand, half->grant,
		   half->applied, half->used, tcp_abt_reason_words[half->reason]);
}

/* One line. */
static int abt_show_conn(const struct sock *sk, const struct abt_conn *c,
			 void *to)
{
	struct seq_file *seq = to;
	struct abt_view v;

	abt_view_conn(sk, c, &v);
	seq_printf(seq, "%pISpc %pISpc %s %s %u %u %u %u %u %u.%03u",
		   &v.local, &v.remote, tcp_abt_policy_words[v.half[ABT_SND].policy],
		   tcp_abt_policy_words[v.half[ABT_RCV].policy], v.cwnd, v.mss,
		   v.srtt_us, v.min_rtt_us, v.rcv_rtt_us,
		   v.alpha / ABT_VIEW_PER_MILLE, v.alpha % ABT_VIEW_PER_MILLE);
	abt_show_half(seq, &v.half[ABT_SND]);
	abt_show_half(seq, &v.half[ABT_RCV]);
	seq_putc(seq, '\n');
	return 0;
}

/* A reader's place in the file: line 0 names columns, the others are a bucket each. */
struct abt_conns_place {
	struct seq_net_private net;	/* first: see seq_file_net() */
	struct abt_walk walk;
	loff_t line;
};

static void *abt_conns_start(struct seq_file *seq, loff_t *pos)
{
	struct abt_conns_place *place = seq->private;

	if (*pos != place->line || !*pos)
		place->walk = (struct abt_walk) {
			.bucket = max_t(loff_t, *pos - 1, 0),
		};
	place->line = *pos;
	if (!*pos)
		return SEQ_START_TOKEN;
	return abt_walk_here(&place->walk) ? place : NULL;
}

static void *abt_conns_next(struct seq_file *seq, void *v, loff_t *pos)
{
	struct abt_conns_place *place = seq->private;

	if (v != SEQ_START_TOKEN)
		place->walk.bucket++;
	place->line = ++*pos;
	return abt_walk_here(&place->walk) ? place : NULL;
}

static void abt_conns_stop(struct seq_file *seq, void *v)
{
}

static int abt_conns_show(struct seq_file *seq, void *v)
{
	struct abt_conns_place *place = v;

	if (v == SEQ_START_TOKEN) {
		seq_puts(seq, "local remote sender receiver cwnd mss srtt_us minrtt_us rcvrtt_us alpha snd_demand snd_grant snd_applied snd_used snd_reason rcv_demand rcv_grant rcv_applied rcv_used rcv_reason\n");
		return 0;
	}
	return abt_walk_show(&place->walk, abt_net_of(seq_file_net(seq)),
			     abt_show_conn, seq);
}

/* Without CONFIG_PROC_FS nobody asks, for this nor for pools. */
static const struct seq_operations __maybe_unused abt_conns_ops = {
	.start = abt_conns_start,
	.next = abt_conns_next,
	.stop = abt_conns_stop,
	.show = abt_conns_show,
};

static void abt_show_pool(struct seq_file *seq, const char *kind,
			  const char *scope, struct abt_pool *pool)
{
	struct abt_pool_stat s;
	char level[16] = "inf";
	u32 slope;

	abt_pool_stat(pool, &s);
	slope = abt_view_q16(s.slope_q16);
	if (s.level != ABT_LEVEL_NONE)
		snprintf(level, sizeof(level), "%u", s.level);
	seq_printf(seq, "%s %s %llu %llu %llu %s %u %llu %llu %llu %u.%03u\n",
		   kind, scope, s.size, s.charged, s.demand, level, s.members,
		   s.grants, s.shrinks, s.refused, slope / ABT_VIEW_PER_MILLE,
		   slope % ABT_VIEW_PER_MILLE);
}

static void abt_show_adapters(struct seq_file *seq, const struct net *net)
{
	struct abt_port *port = NULL;

	rcu_read_lock();
	while ((port = abt_port_next(net, port ? port->number : 0)))
		abt_show_pool(seq, "adapter", port->netdev->name, &port->pool);
	rcu_read_unlock();
}

static int __maybe_unused abt_pools_show(struct seq_file *seq, void *v)
{
	static const char *const dir_name[ABT_DIRS] = {
		[ABT_SND] = "send",
		[ABT_RCV] = "recv",
	};
	struct abt_net *an = abt_net_of(seq_file_single_net(seq));
	struct abt_pool *pool;
	enum abt_dir dir;

	abt_host_settle();
	seq_puts(seq, "pool scope size charged demand level conns grants shrinks refused slope\n");
	for (dir = 0; dir < ABT_DIRS; dir++)
		for (pool = READ_ONCE(an->pool[dir]); pool; pool = pool->parent)
			abt_show_pool(seq, dir_name[dir],
				      pool->parent ? "net" : "host", pool);
	abt_show_adapters(seq, an->net);
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
			     sizeof(struct abt_conns_place)))
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
