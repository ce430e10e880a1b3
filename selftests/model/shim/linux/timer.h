/* SPDX-License-Identifier: GPL-2.0 */
/* A timer stays pending until the test lets it run. It is due then: the clock moves on. */
#ifndef SHIM_LINUX_TIMER_H
#define SHIM_LINUX_TIMER_H

#include <linux/jiffies.h>
#include <linux/types.h>

struct timer_list {
	void (*function)(struct timer_list *timer);
	unsigned long expires;
	bool pending;
};

#define timer_setup(timer, callback, flags) \
	(*(timer) = (struct timer_list) { .function = (callback) })

static inline bool timer_pending(const struct timer_list *timer)
{
	return timer->pending;
}

static inline int mod_timer(struct timer_list *timer, unsigned long expires)
{
	bool was = timer->pending;

	timer->expires = expires;
	timer->pending = true;
	return was;
}

static inline int timer_delete_sync(struct timer_list *timer)
{
	bool was = timer->pending;

	timer->pending = false;
	return was;
}

/* This and the next are not of the kernel's. Return: was it pending? */
static inline bool timer_comes_due(struct timer_list *timer)
{
	if (!timer->pending)
		return false;
	timer->pending = false;
	if ((long)(timer->expires - jiffies) > 0)
		jiffies = timer->expires;
	return true;
}

/* Return: did it run? */
static inline bool run_timer(struct timer_list *timer)
{
	bool due = timer_comes_due(timer);

	if (due)
		timer->function(timer);
	return due;
}

#endif
