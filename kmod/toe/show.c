// SPDX-License-Identifier: GPL-2.0
/*
 * /sys/kernel/debug/toe_hybrid/
 *
 *	control		write "attach DEVICE" or "detach DEVICE", of the writer's network namespace
 *	knobs		a line a knob; write "NAME VALUE". An adapter has those of its attaching
 *	adapters	what each did: device, name, value
 *	conns		who is on them, and has what
 */
#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/nsproxy.h>
#include <linux/rtnetlink.h>
#include <linux/seq_file.h>
#include <linux/uaccess.h>
#include <net/net_namespace.h>

#include "toe/toe.h"

/* Longest line that is written. */
#define TOE_LINE_BYTES	128

static struct dentry *toe_directory;

static const char *const toe_function_names[TCP_ABT_FNS] = {
	"alloc", "copy_in", "wait", "check", "ack", "copy_out", "free",
};

static const char *const toe_mode_names[TOE_MODES] = {
	"bcopy", "read_zcopy", "write_zcopy", "transaction",
};

static void toe_line(struct seq_file *m, const struct toe_adapter *a, const char *group,
		     const char *member, const char *name, u64 value)
{
	seq_printf(m, "%s %s%s%s %llu\n", a->netdev->name, group, member, name, value);
}

/* The memory that connections have a right to. Context: @a->lock held. */
static u64 toe_granted(const struct toe_adapter *a)
{
	const struct toe_conn *c;
	u64 bytes = 0;

	list_for_each_entry(c, &a->conns, list)
		bytes += c->grant;
	return bytes;
}

static void toe_show_memory(struct seq_file *m, const struct toe_adapter *a)
{
	const struct toe_buffers *b = &a->buffers;

	toe_line(m, a, "memory", "", ".bytes", (u64)b->count * a->config.buffer_bytes);
	toe_line(m, a, "memory", "", ".granted", toe_granted(a));
	toe_line(m, a, "memory", "", ".used", (u64)b->used * a->config.buffer_bytes);
	toe_line(m, a, "memory", "", ".peak", (u64)b->peak * a->config.buffer_bytes);
	toe_line(m, a, "buffers", "", ".allocs", b->allocs[TOE_ALLOC_DONE]);
	toe_line(m, a, "buffers", "", ".no_grant", b->allocs[TOE_ALLOC_LIMIT]);
	toe_line(m, a, "buffers", "", ".no_memory", b->allocs[TOE_ALLOC_EMPTY]);
	toe_line(m, a, "buffers", "", ".frees", b->frees);
	toe_line(m, a, "conns", "", ".now", a->conn_count);
	toe_line(m, a, "conns", "", ".added", a->stat.added);
	toe_line(m, a, "conns", "", ".refused", a->stat.refused);
	toe_line(m, a, "conns", "", ".gone", a->stat.gone);
	toe_line(m, a, "states", "", ".told", a->stat.updates);
	toe_line(m, a, "states", "", ".waits", a->stat.waits);
	toe_line(m, a, "states", "", ".stalls", a->stat.stalls);
}

static void toe_show_functions(struct seq_file *m, const struct toe_adapter *a)
{
	for (int f = 0; f < TCP_ABT_FNS; f++) {
		const struct toe_function_stat *stat = &a->stat.functions[f];

		toe_line(m, a, "function.", toe_function_names[f], ".count", stat->count);
		toe_line(m, a, "function.", toe_function_names[f], ".ns", stat->ns);
		toe_line(m, a, "function.", toe_function_names[f], ".host_cycles",
			 stat->host_cycles);
	}
}

static void toe_show_modes(struct seq_file *m, const struct toe_adapter *a)
{
	for (int mode = 0; mode < TOE_MODES; mode++) {
		toe_line(m, a, "mode.", toe_mode_names[mode], ".messages",
			 a->stat.messages[mode]);
		toe_line(m, a, "mode.", toe_mode_names[mode], ".bytes", a->stat.bytes[mode]);
		toe_line(m, a, "mode.", toe_mode_names[mode], ".ns", a->stat.mode_ns[mode]);
	}
	toe_line(m, a, "mode", "", ".read_from_bytes", a->limits.read_bytes);
	toe_line(m, a, "mode", "", ".write_from_bytes", a->limits.write_bytes);
	toe_line(m, a, "credits", "", ".waits", a->stat.credit_waits);
	toe_line(m, a, "credits", "", ".updates", a->stat.credit_updates);
}

static void toe_show_cores(struct seq_file *m, const struct toe_adapter *a)
{
	static const char *const names[TOE_PROCESSES] = { "send", "receive" };

	for (int p = 0; p < TOE_PROCESSES; p++) {
		const struct toe_core *core = &a->cores[p];

		toe_line(m, a, "core.", names[p], ".jobs", core->jobs);
		toe_line(m, a, "core.", names[p], ".busy_ns", core->busy_ns);
		toe_line(m, a, "core.", names[p], ".waited_ns", core->waited_ns);
		toe_line(m, a, "core.", names[p], ".longest_ns", core->longest_ns);
	}
}

static void toe_show_wires(struct seq_file *m, struct toe_adapter *a)
{
	static const char *const kinds[TOE_KINDS] = { ".mop", ".eop", ".sop", ".only" };
	static const char *const engines[TOE_PORT_ENGINES] = { ".engine_0", ".engine_1" };
	char number[4];

	for (u32 i = 0; i < a->config.ports; i++) {
		struct toe_wire *w = &a->wires[i];

		snprintf(number, sizeof(number), "%u", i);
		spin_lock_bh(&w->lock);
		toe_line(m, a, "port.", number, ".packets", w->packets);
		toe_line(m, a, "port.", number, ".missed", w->missed);
		toe_line(m, a, "port.", number, ".overrun", w->port.overrun);
		for (int k = 0; k < TOE_KINDS; k++)
			toe_line(m, a, "port.", number, kinds[k], w->port.done[k]);
		for (int e = 0; e < TOE_PORT_ENGINES; e++)
			toe_line(m, a, "port.", number, engines[e], w->port.engines[e].busy);
		spin_unlock_bh(&w->lock);
	}
}

static int toe_adapters_show(struct seq_file *m, void *unused)
{
	struct toe_adapter *a;

	seq_puts(m, "device name value\n");
	rtnl_lock();
	list_for_each_entry(a, &toe_adapters, list) {
		mutex_lock(&a->lock);
		toe_show_memory(m, a);
		toe_show_functions(m, a);
		toe_show_modes(m, a);
		toe_show_cores(m, a);
		mutex_unlock(&a->lock);
		toe_show_wires(m, a);
	}
	rtnl_unlock();
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(toe_adapters);

static int toe_conns_show(struct seq_file *m, void *unused)
{
	struct toe_adapter *a;
	struct toe_conn *c;

	seq_puts(m, "device id grant send_buffers send_mode receive_buffers receive_mode\n");
	rtnl_lock();
	list_for_each_entry(a, &toe_adapters, list) {
		mutex_lock(&a->lock);
		list_for_each_entry(c, &a->conns, list)
			seq_printf(m, "%s %llu %u %u %s %u %s\n", a->netdev->name, c->id,
				   c->grant, c->flows[TOE_SEND].queue.held,
				   toe_mode_names[c->flows[TOE_SEND].mode],
				   c->flows[TOE_RECEIVE].queue.held,
				   toe_mode_names[c->flows[TOE_RECEIVE].mode]);
		mutex_unlock(&a->lock);
	}
	rtnl_unlock();
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(toe_conns);

static int toe_knobs_show(struct seq_file *m, void *unused)
{
	toe_config_show(m);
	return 0;
}

/* A line of two words. Return: the second, with the first in @line, or NULL. */
static char *toe_two_words(char *line, const char __user *from, size_t bytes)
{
	char *second;

	if (bytes >= TOE_LINE_BYTES || copy_from_user(line, from, bytes))
		return NULL;
	line[bytes] = '\0';
	second = strim(line);
	strsep(&second, " ");
	return second;
}

static ssize_t toe_knobs_write(struct file *file, const char __user *from, size_t bytes,
			       loff_t *at)
{
	char line[TOE_LINE_BYTES];
	char *value = toe_two_words(line, from, bytes);
	int err;

	if (!value) {
		pr_warn("knobs: expected a line 'NAME VALUE'\n");
		return -EINVAL;
	}
	err = toe_config_set(line, value);
	return err ?: bytes;
}

static int toe_knobs_open(struct inode *inode, struct file *file)
{
	return single_open(file, toe_knobs_show, NULL);
}

static const struct file_operations toe_knobs_fops = {
	.owner = THIS_MODULE,
	.open = toe_knobs_open,
	.read = seq_read,
	.write = toe_knobs_write,
	.llseek = seq_lseek,
	.release = single_release,
};

static int toe_do(int (*action)(struct net_device *netdev), const char *name)
{
	struct net_device *netdev;
	int err = -ENODEV;

	rtnl_lock();
	netdev = __dev_get_by_name(current->nsproxy->net_ns, name);
	if (netdev)
		err = action(netdev);
	rtnl_unlock();
	return err;
}

static ssize_t toe_control_write(struct file *file, const char __user *from, size_t bytes,
				 loff_t *at)
{
	char line[TOE_LINE_BYTES];
	char *name = toe_two_words(line, from, bytes);
	int err = -EINVAL;

	if (name && !strcmp(line, "attach"))
		err = toe_do(toe_attach, name);
	else if (name && !strcmp(line, "detach"))
		err = toe_do(toe_detach, name);
	if (err == -EINVAL)
		pr_warn("control: expected a line 'attach DEVICE' or 'detach DEVICE'\n");
	else if (err)
		pr_warn("control: %s %s: %pe\n", line, name, ERR_PTR(err));
	return err ?: bytes;
}

static const struct file_operations toe_control_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = toe_control_write,
	.llseek = noop_llseek,
};

/**
 * toe_show_init() - the files are there
 */
void toe_show_init(void)
{
	toe_directory = debugfs_create_dir(KBUILD_MODNAME, NULL);
	debugfs_create_file("control", 0200, toe_directory, NULL, &toe_control_fops);
	debugfs_create_file("knobs", 0600, toe_directory, NULL, &toe_knobs_fops);
	debugfs_create_file("adapters", 0400, toe_directory, NULL, &toe_adapters_fops);
	debugfs_create_file("conns", 0400, toe_directory, NULL, &toe_conns_fops);
}

/**
 * toe_show_exit() - remove the files, and wait for readers
 */
void toe_show_exit(void)
{
	debugfs_remove(toe_directory);
}
