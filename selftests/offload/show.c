// SPDX-License-Identifier: GPL-2.0
/*
 * debugfs, tcp_abt_provider/:
 *	control		write "attach IFNAME", "detach IFNAME", "changed IFNAME": a device of
 *			the writer's network namespace
 *	ports		a line per device
 *	conns		a line per connection: what was told last
 * Columns are named in the first line.
 */
#include <linux/debugfs.h>
#include <linux/nsproxy.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/uaccess.h>

#include "provider.h"

static struct dentry *provider_dir;

static int ports_show(struct seq_file *seq, void *v)
{
	struct provider *p;

	seq_puts(seq, "device conns adds updates gone route room device_gone refused granted most_granted late_us wrong\n");
	mutex_lock(&provider_told);
	list_for_each_entry(p, &provider_list, list)
		seq_printf(seq, "%s %u %llu %llu %llu %llu %llu %llu %llu %llu %llu %lld %s\n",
			   p->netdev->name, p->held, p->adds,
			   p->updates, p->dels[TCP_ABT_DEL_GONE],
			   p->dels[TCP_ABT_DEL_ROUTE], p->dels[TCP_ABT_DEL_ROOM],
			   p->dels[TCP_ABT_DEL_DEVICE], p->refused, p->granted,
			   p->most_granted, p->late_us, p->wrong ?: "none");
	mutex_unlock(&provider_told);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(ports);

static void conn_show(struct seq_file *seq, const struct provider *p,
		      const struct provider_conn *pc)
{
	const struct tcp_abt_offload_state *s = &pc->state;
	unsigned int i;

	seq_printf(seq, "%s %llu %pISpc %pISpc %u %u %u %u", p->netdev->name,
		   pc->id, &s->local, &s->remote, s->update, s->adapter_grant,
		   s->direction, s->interval_us);
	seq_printf(seq, " %u %u %u %u %u %u %u %u %u %llu", s->cwnd,
		   s->ssthresh, s->mss, s->rcv_mss, s->srtt_us, s->min_rtt_us,
		   s->rcv_rtt_us, s->alpha_q16, s->loss_q16, s->delivery_rate);
	seq_printf(seq, " %u %u %u %u %u %u %u %u %u %u", s->unsent,
		   s->in_flight, s->unread, s->out_of_order, s->segs_in,
		   s->segs_out, s->data_segs_in, s->data_segs_out, s->retrans,
		   s->delivered);
	seq_printf(seq, " %llu %llu %llu", s->bytes_sent, s->bytes_acked,
		   s->bytes_received);
	for (i = 0; i < 2; i++)
		seq_printf(seq, " %u %u %u %u", s->half[i].demand,
			   s->half[i].grant, s->half[i].applied,
			   s->half[i].used);
	for (i = 0; i < TCP_ABT_FNS; i++)
		seq_printf(seq, " %llu", s->work[i]);
	seq_putc(seq, '\n');
}

static int conns_show(struct seq_file *seq, void *v)
{
	struct provider_conn *pc;
	struct provider *p;

	seq_puts(seq, "device id local remote update adapter_grant direction interval_us");
	seq_puts(seq, " cwnd ssthresh mss rcv_mss srtt_us min_rtt_us rcv_rtt_us alpha_q16 loss_q16 delivery_rate");
	seq_puts(seq, " unsent in_flight unread out_of_order segs_in segs_out data_segs_in data_segs_out retrans delivered");
	seq_puts(seq, " bytes_sent bytes_acked bytes_received");
	seq_puts(seq, " snd_demand snd_grant snd_applied snd_used rcv_demand rcv_grant rcv_applied rcv_used");
	seq_puts(seq, " alloc copy_in wait check ack copy_out free\n");
	mutex_lock(&provider_told);
	list_for_each_entry(p, &provider_list, list)
		list_for_each_entry(pc, &p->conns, list)
			conn_show(seq, p, pc);
	mutex_unlock(&provider_told);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(conns);

/* Context: provider_lock held; a reference on @netdev, which goes. */
static int control_do(const char *verb, struct net_device *netdev)
{
	int err = 0;

	if (!strcmp(verb, "attach"))
		return provider_attach(netdev);
	if (!strcmp(verb, "detach"))
		err = provider_detach(netdev);
	else if (!strcmp(verb, "changed"))
		tcp_abt_offload_changed(netdev);
	else
		err = -EINVAL;
	dev_put(netdev);
	return err;
}

static ssize_t control_write(struct file *file, const char __user *text,
			     size_t size, loff_t *pos)
{
	char line[64], verb[16], name[IFNAMSIZ];
	struct net_device *netdev;
	int err;

	if (size >= sizeof(line))
		return -EINVAL;
	if (copy_from_user(line, text, size))
		return -EFAULT;
	line[size] = 0;
	if (sscanf(line, "%15s %15s", verb, name) != 2)
		return -EINVAL;
	netdev = dev_get_by_name(current->nsproxy->net_ns, name);
	if (!netdev)
		return -ENODEV;
	mutex_lock(&provider_lock);
	err = control_do(verb, netdev);
	mutex_unlock(&provider_lock);
	return err ?: size;
}

static const struct file_operations control_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = control_write,
};

/**
 * provider_show_init() - the files appear
 *
 * Return: 0, or an error of debugfs's.
 */
int provider_show_init(void)
{
	provider_dir = debugfs_create_dir("tcp_abt_provider", NULL);
	if (IS_ERR(provider_dir))
		return PTR_ERR(provider_dir);
	debugfs_create_file("control", 0200, provider_dir, NULL, &control_fops);
	debugfs_create_file("ports", 0400, provider_dir, NULL, &ports_fops);
	debugfs_create_file("conns", 0400, provider_dir, NULL, &conns_fops);
	return 0;
}

/**
 * provider_show_exit() - the files go
 *
 * Context: process; sleeps until nobody uses them.
 */
void provider_show_exit(void)
{
	debugfs_remove_recursive(provider_dir);
}
