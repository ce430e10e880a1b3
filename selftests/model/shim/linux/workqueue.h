/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Delayed work stays pending until the test lets it run, by the kernel's own name for
 * that, flush_delayed_work(). It runs no earlier than it is due: the clock moves on.
 */
#ifndef SHIM_LINUX_WORKQUEUE_H
#define SHIM_LINUX_WORKQUEUE_H

#include <linux/jiffies.h>
#include <linux/timer.h>
#include <linux/types.h>

struct work_struct {
	void (*func)(struct work_struct *work);
};

struct delayed_work {
	struct work_struct work;
	struct timer_list timer;
};

#define INIT_DELAYED_WORK(dwork, function) \
	(*(dwork) = (struct delayed_work) { .work = { .func = (function) } })

static inline struct delayed_work *to_delayed_work(struct work_struct *work)
{
	return container_of(work, struct delayed_work, work);
}

static inline bool delayed_work_pending(const struct delayed_work *dwork)
{
	return timer_pending(&dwork->timer);
}

static inline bool schedule_delayed_work(struct delayed_work *dwork,
					 unsigned long delay)
{
	if (timer_pending(&dwork->timer))
		return false;
	mod_timer(&dwork->timer, jiffies + delay);
	return true;
}

static inline bool flush_delayed_work(struct delayed_work *dwork)
{
	bool due = timer_comes_due(&dwork->timer);

	if (due)
		dwork->work.func(&dwork->work);
	return due;
}

static inline bool cancel_delayed_work_sync(struct delayed_work *dwork)
{
	return timer_delete_sync(&dwork->timer);
}

#endif
