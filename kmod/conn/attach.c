// SPDX-License-Identifier: GPL-2.0
/* The module's probes, on the kernel's tracepoints while a namespace needs events. See events.c. */
#include <linux/mutex.h>
#include <linux/tracepoint.h>

#include "conn/attach.h"
#include "conn/events.h"

static struct abt_event {
	const char *name;
	void *probe;
	struct tracepoint *tp;
} abt_events[] = {
	{ "tcp_destroy_sock", abt_on_destroy },	/* first in, last out */
	{ "inet_sock_set_state", abt_on_state },
	{ "tcp_probe", abt_on_segment },
	{ "tcp_rcv_space_adjust", abt_on_copy },
};

static void abt_event_match(struct tracepoint *tp, void *priv)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(abt_events); i++)
		if (!strcmp(tp->name, abt_events[i].name))
			abt_events[i].tp = tp;
}

static void abt_events_unregister_from(int i)
{
	while (--i >= 0)
		tracepoint_probe_unregister(abt_events[i].tp,
					    abt_events[i].probe, NULL);
	tracepoint_synchronize_unregister();
}

static int abt_events_register(void)
{
	int i, err;

	if (IS_ENABLED(CONFIG_PREEMPT_RT) && !ABT_PROBES_PREEMPTIBLE) {
		pr_err_ratelimited("tracepoints of this kernel keep preemption off, where locks of PREEMPT_RT sleep: expected Linux 7.0 or newer\n");
		return -EOPNOTSUPP;
	}
	for_each_kernel_tracepoint(abt_event_match, NULL);
	for (i = 0; i < ARRAY_SIZE(abt_events); i++) {
		if (!abt_events[i].tp) {
			pr_err_ratelimited("this kernel has no tracepoint %s (CONFIG_TRACEPOINTS and CONFIG_INET are needed)\n",
					   abt_events[i].name);
			err = -ENOENT;
			goto err_unregister;
		}
		err = tracepoint_probe_register(abt_events[i].tp,
						abt_events[i].probe, NULL);
		if (err) {
			pr_err_ratelimited("cannot attach to tracepoint %s: error %d\n",
					   abt_events[i].name, err);
			goto err_unregister;
		}
	}
	return 0;

err_unregister:
	abt_events_unregister_from(i);
	return err;
}

/* Namespaces that are not off: without any, segments pass as without the module. */
static unsigned int abt_events_users;
static DEFINE_MUTEX(abt_events_lock);

/**
 * abt_events_get() - a namespace needs events
 *
 * Attaches to the kernel's tracepoints, unless somebody did.
 *
 * Context: process, sleeps.
 * Return: 0; -ENOENT where the kernel has not all of them; -EOPNOTSUPP where their
 *	probes must not sleep on a lock, and locks sleep; another error of
 *	tracepoint_probe_register(). Nothing stays attached then.
 */
int abt_events_get(void)
{
	int err = 0;

	mutex_lock(&abt_events_lock);
	if (!abt_events_users)
		err = abt_events_register();
	if (!err)
		abt_events_users++;
	mutex_unlock(&abt_events_lock);
	return err;
}

/**
 * abt_events_put() - a namespace needs no events any more
 *
 * Its records are gone. No hook runs on return, if it was the last one.
 *
 * Context: process, sleeps.
 */
void abt_events_put(void)
{
	mutex_lock(&abt_events_lock);
	if (!--abt_events_users)
		abt_events_unregister_from(ARRAY_SIZE(abt_events));
	mutex_unlock(&abt_events_lock);
}
