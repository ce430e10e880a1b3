// SPDX-License-Identifier: GPL-2.0
/* The host and its namespaces: lookups for connections, and the sysctls that are followed. */
#include <net/netns/generic.h>
#include <net/tcp.h>

#include "compat/shrink.h"
#include "state/host.h"
#include "state/net.h"

struct abt_host abt_host;
unsigned int abt_net_id;

/**
 * abt_net_of() - what we keep for a namespace
 * @net: namespace
 *
 * Context: any; a hook, or while the module is.
 * Return: never NULL.
 */
struct abt_net *abt_net_of(const struct net *net)
{
	return net_generic(net, abt_net_id);
}

/**
 * abt_host_resize_later() - size the pools and ceilings anew
 * @ms: so much later [ms]
 *
 * Not once the module goes, because nothing waits for the work after that.
 *
 * Context: any.
 */
void abt_host_resize_later(unsigned int ms)
{
	rcu_read_lock();	/* see abt_exit() */
	if (READ_ONCE(abt_host.live))
		schedule_delayed_work(&abt_host.resize, msecs_to_jiffies(ms));
	rcu_read_unlock();
}

/**
 * abt_net_follow() - has the administrator written tcp_shrink_window?
 * @an: namespace
 *
 * The kernel tells nobody of such a write, so steps and state changes look. The ceilings
 * are set by a work, later.
 *
 * Context: any.
 */
void abt_net_follow(struct abt_net *an)
{
	if (likely(READ_ONCE(an->shrinks) == abt_net_shrinks_windows(an->net)))
		return;
	rcu_read_lock();	/* see abt_exit() and abt_net_exit() */
	if (READ_ONCE(abt_host.live) && READ_ONCE(an->mode) != TCP_ABT_MODE_OFF)
		schedule_work(&an->follow);
	rcu_read_unlock();
}

/* The pools of a host that nobody sized are parts of tcp_mem; the work is done later. */
static void abt_host_follow_tcp_mem(void)
{
	long pages = READ_ONCE(tcp_prot.sysctl_mem[1]);

	if (likely(READ_ONCE(abt_host.tcp_mem_seen) == pages))
		return;
	WRITE_ONCE(abt_host.tcp_mem_seen, pages);
	abt_host_resize_later(0);
}

/*
 * Above tcp_mem[1] the kernel cuts every window of the host to four segments, until
 * it is below tcp_mem[0] again. The pools of the host are all but tcp_mem[1]: full as they
 * were, they would keep it there. The state that the pools were told is compared, so if two
 * processors see it come and go, the next step puts right the one that was late.
 */
static void abt_host_follow_pressure(void)
{
	bool pressed = READ_ONCE(tcp_memory_pressure);
	enum abt_dir dir;

	for (dir = 0; dir < ABT_DIRS; dir++)
		if (unlikely(READ_ONCE(abt_host.pool[dir].pressed) != pressed))
			abt_pool_press(&abt_host.pool[dir], pressed);
}

/**
 * abt_host_follow() - has the administrator written tcp_mem, has the kernel run short?
 *
 * Looked at by every step: nobody tells.
 *
 * Context: any.
 */
void abt_host_follow(void)
{
	abt_host_follow_tcp_mem();
	abt_host_follow_pressure();
}

/**
 * abt_host_settle() - the same at once, before the pools are shown
 *
 * A host without traffic has no step that looks.
 *
 * Context: process, sleeps.
 */
void abt_host_settle(void)
{
	abt_host_follow();
	flush_delayed_work(&abt_host.resize);
}

/**
 * abt_reclaim_kick() - somebody got less than it asked for
 *
 * Context: any.
 */
void abt_reclaim_kick(void)
{
	if (READ_ONCE(abt_host.live) && !delayed_work_pending(&abt_host.reclaim))
		schedule_delayed_work(&abt_host.reclaim,
				      msecs_to_jiffies(ABT_RECLAIM_PAUSE_MS));
}
