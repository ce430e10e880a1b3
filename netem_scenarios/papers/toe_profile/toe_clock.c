// SPDX-License-Identifier: GPL-2.0
/*
 * toe_clock - time in the functions of a TCP transfer, each without the others
 *
 * An entry and an exit probe on each function: an fprobe, which interrupts may nest in, or, where
 * ftrace has no hook, a kretprobe. A function's own time is what passes between them, less what
 * the probed functions take that it calls or that interrupt it, and less the probes' own cost,
 * which is found by calling functions that do nothing. A call
 * counts for the work that it is a part of: a send call, a receive call, or a packet's arrival at
 * the receiver; what is done for none of these (the sender's ACKs, timers, softirqs on top of
 * a call) is taken out of the work it interrupts.
 *
 *	insmod toe_clock.ko receiver=DEV
 *	echo 0 >/sys/kernel/debug/toe_clock	count anew
 *	cat /sys/kernel/debug/toe_clock		work, function, calls, own time
 *
 * Time is that of the time-stamp counter: instructions, under QEMU's -icount. For one processor;
 * for kernels whose fprobe passes pt_regs (up to 6.13).
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/debugfs.h>
#include <linux/fprobe.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/sched.h>
#include <linux/seq_file.h>

#define MAX_TASKS	64	/* that are in a probed function at a time */
#define MAX_ACTIVE	64	/* calls of one function at a time */
#define CALIBRATIONS	1024
#define CALIBRATED	2	/* the first sites, that do nothing */

static char *receiver = "receiver";
module_param(receiver, charp, 0444);
MODULE_PARM_DESC(receiver, "the device that the data arrives at");

enum work { WORK_NONE, WORK_SEND, WORK_RECEIVE, WORK_ARRIVAL, N_WORKS, WORK_INHERITED };

static const char * const work_names[] = { "none", "send", "receive", "arrival" };

/* A call under way; lives in what fprobe keeps of it until it returns. */
struct frame {
	struct frame *caller;
	u64 began;
	u64 inside;		/* took the probed functions that it called */
	u64 around;		/* took their probes, before and after them */
	enum work work;
};

struct site {
	const char *symbol;
	enum work work;
	bool arrival;		/* whose second argument is the device */
	bool breakpoint;	/* by a kretprobe */
	struct fprobe hook;
	struct kretprobe trap;
	struct {
		u64 calls;
		s64 own;
	} sums[N_WORKS];
};

/* What a probe takes: between its two readings of the clock, and before and after them. */
static struct cost {
	u64 inside;
	u64 outside;
} hook_cost, trap_cost;

static void toe_clock_hooked(void);
static void toe_clock_trapped(void);

#define SITE(_symbol, _work)	{ .symbol = (_symbol), .work = (_work) }

static struct site sites[] = {
	SITE("toe_clock_hooked", WORK_NONE),
	{ .symbol = "toe_clock_trapped", .work = WORK_NONE, .breakpoint = true },
	SITE("handle_softirqs", WORK_NONE),
	SITE("hrtimer_interrupt", WORK_NONE),
	SITE("tcp_sendmsg", WORK_SEND),
	SITE("tcp_stream_alloc_skb", WORK_INHERITED),
	SITE("sk_page_frag_refill", WORK_INHERITED),
	{ .symbol = "_copy_from_iter", .work = WORK_INHERITED, .breakpoint = true },
	SITE("sk_stream_wait_memory", WORK_INHERITED),
	SITE("__ip_queue_xmit", WORK_INHERITED),
	{ .symbol = "ip_rcv", .work = WORK_NONE, .arrival = true },
	SITE("tcp_v4_rcv", WORK_INHERITED),
	SITE("tcp_send_ack", WORK_INHERITED),
	SITE("tcp_recvmsg", WORK_RECEIVE),
	SITE("sk_wait_data", WORK_INHERITED),
	SITE("skb_copy_datagram_iter", WORK_INHERITED),
	SITE("__kfree_skb", WORK_INHERITED),
	SITE("skb_attempt_defer_free", WORK_INHERITED),
};

/* The innermost call of each task; softirqs nest in the task that they interrupt. */
static struct {
	struct task_struct *task;
	struct frame *innermost;
} stacks[MAX_TASKS];

static u64 missed;		/* calls for want of a place in stacks */

static struct frame **stack_of(struct task_struct *task)
{
	int unused = -1;

	for (int i = 0; i < MAX_TASKS; i++) {
		if (stacks[i].innermost && stacks[i].task == task)
			return &stacks[i].innermost;
		if (!stacks[i].innermost && unused < 0)
			unused = i;
	}
	if (unused < 0)
		return NULL;
	stacks[unused].task = task;
	return &stacks[unused].innermost;
}

static enum work work_of(const struct site *site, const struct frame *caller, struct pt_regs *regs)
{
	if (site->arrival) {
		const struct net_device *dev = (void *)regs_get_kernel_argument(regs, 1);

		return strcmp(dev->name, receiver) ? WORK_NONE : WORK_ARRIVAL;
	}
	if (site->work != WORK_INHERITED)
		return site->work;
	return caller ? caller->work : WORK_NONE;
}

static const struct cost *cost_of(const struct site *site)
{
	return site->breakpoint ? &trap_cost : &hook_cost;
}

/* Return whether the call's end is to be seen as well: 0 if so. */
static int enter(const struct site *site, struct frame *frame, struct pt_regs *regs)
{
	struct frame **innermost = stack_of(current);

	if (!innermost) {
		missed++;
		return 1;
	}
	*frame = (struct frame){
		.caller = *innermost,
		.work = work_of(site, *innermost, regs),
	};
	*innermost = frame;
	frame->began = get_cycles();
	return 0;
}

static void leave(struct site *site, struct frame *frame)
{
	u64 took = get_cycles() - frame->began;
	const struct cost *cost = cost_of(site);
	struct frame *caller = frame->caller;

	site->sums[frame->work].calls++;
	site->sums[frame->work].own += (s64)(took - cost->inside - frame->inside - frame->around);
	if (caller) {
		caller->inside += took;
		caller->around += cost->outside;
	}
	*stack_of(current) = caller;
}

static int hook_entry(struct fprobe *hook, unsigned long ip, unsigned long ret_ip,
		      struct pt_regs *regs, void *data)
{
	return enter(container_of(hook, struct site, hook), data, regs);
}

static void hook_exit(struct fprobe *hook, unsigned long ip, unsigned long ret_ip,
		      struct pt_regs *regs, void *data)
{
	leave(container_of(hook, struct site, hook), data);
}

static int trap_entry(struct kretprobe_instance *call, struct pt_regs *regs)
{
	const struct site *site = container_of(get_kretprobe(call), struct site, trap);

	return enter(site, (struct frame *)call->data, regs);
}

static int trap_exit(struct kretprobe_instance *call, struct pt_regs *regs)
{
	struct site *site = container_of(get_kretprobe(call), struct site, trap);

	leave(site, (struct frame *)call->data);
	return 0;
}

static noinline void toe_clock_hooked(void)
{
	barrier();
}

static noinline notrace void toe_clock_trapped(void)
{
	barrier();
}

static void count_anew(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(sites); i++) {
		memset(sites[i].sums, 0, sizeof(sites[i].sums));
		sites[i].hook.nmissed = 0;
		sites[i].trap.nmissed = 0;
		sites[i].trap.kp.nmissed = 0;
	}
	missed = 0;
}

/*
 * As if called by a probed function, so that the search for this task's stack is as short as it
 * is where the cost counts. What a function that does nothing takes itself is left out of account.
 */
static struct cost cost_around(void (*function)(void))
{
	struct frame caller = { .work = WORK_NONE };
	u64 began;
	u64 took;

	local_bh_disable();
	*stack_of(current) = &caller;
	began = get_cycles();
	for (int i = 0; i < CALIBRATIONS; i++)
		function();
	took = get_cycles() - began;
	*stack_of(current) = NULL;
	local_bh_enable();
	return (struct cost){
		.inside = div_u64(caller.inside, CALIBRATIONS),
		.outside = div_u64(took - caller.inside, CALIBRATIONS),
	};
}

static void calibrate(void)
{
	struct cost hook = cost_around(toe_clock_hooked);
	struct cost trap = cost_around(toe_clock_trapped);

	hook_cost = hook;
	trap_cost = trap;
	count_anew();
}

static int toe_clock_show(struct seq_file *file, void *unused)
{
	u64 lost = missed;

	seq_puts(file, "work\tfunction\tcalls\town\n");
	for (size_t i = CALIBRATED; i < ARRAY_SIZE(sites); i++) {
		lost += sites[i].hook.nmissed + sites[i].trap.nmissed + sites[i].trap.kp.nmissed;
		for (int work = WORK_NONE; work < N_WORKS; work++)
			if (sites[i].sums[work].calls)
				seq_printf(file, "%s\t%s\t%llu\t%lld\n", work_names[work],
					   sites[i].symbol, sites[i].sums[work].calls,
					   sites[i].sums[work].own);
	}
	seq_printf(file, "probe\tmissed\t%llu\t0\n", lost);
	seq_printf(file, "probe\thook\t1\t%llu\n", hook_cost.inside + hook_cost.outside);
	seq_printf(file, "probe\ttrap\t1\t%llu\n", trap_cost.inside + trap_cost.outside);
	return 0;
}

static int toe_clock_open(struct inode *inode, struct file *file)
{
	return single_open(file, toe_clock_show, NULL);
}

static ssize_t toe_clock_write(struct file *file, const char __user *text, size_t size,
			       loff_t *position)
{
	count_anew();
	return size;
}

static const struct file_operations toe_clock_operations = {
	.owner = THIS_MODULE,
	.open = toe_clock_open,
	.read = seq_read,
	.write = toe_clock_write,
	.llseek = seq_lseek,
	.release = single_release,
};

static int probe(struct site *site)
{
	if (site->breakpoint) {
		site->trap.kp.symbol_name = site->symbol;
		site->trap.entry_handler = trap_entry;
		site->trap.handler = trap_exit;
		site->trap.data_size = sizeof(struct frame);
		site->trap.maxactive = MAX_ACTIVE;
		return register_kretprobe(&site->trap);
	}
	site->hook.entry_handler = hook_entry;
	site->hook.exit_handler = hook_exit;
	site->hook.entry_data_size = sizeof(struct frame);
	site->hook.nr_maxactive = MAX_ACTIVE;
	return register_fprobe_syms(&site->hook, &site->symbol, 1);
}

static void unprobe_first(size_t count)
{
	while (count--) {
		if (sites[count].breakpoint)
			unregister_kretprobe(&sites[count].trap);
		else
			unregister_fprobe(&sites[count].hook);
	}
}

static int __init toe_clock_init(void)
{
	if (num_online_cpus() != 1) {
		pr_err("%u processors, expected 1\n", num_online_cpus());
		return -EOPNOTSUPP;
	}
	for (size_t i = 0; i < ARRAY_SIZE(sites); i++) {
		int error = probe(&sites[i]);

		if (error) {
			pr_err("no probe on %s: error %d\n", sites[i].symbol, error);
			unprobe_first(i);
			return error;
		}
	}
	calibrate();
	debugfs_create_file(KBUILD_MODNAME, 0600, NULL, NULL, &toe_clock_operations);
	return 0;
}
module_init(toe_clock_init);

static void __exit toe_clock_exit(void)
{
	debugfs_lookup_and_remove(KBUILD_MODNAME, NULL);
	unprobe_first(ARRAY_SIZE(sites));
}
module_exit(toe_clock_exit);

MODULE_DESCRIPTION("Time in the functions of a TCP transfer");
MODULE_LICENSE("GPL");
