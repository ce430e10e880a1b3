// SPDX-License-Identifier: GPL-2.0
/* The ceilings tcp_wmem[2] and tcp_rmem[2] of a namespace: see ceiling.h. */
#include <net/net_namespace.h>

#include "pool/room.h"
#include "state/ceiling.h"
#include "state/host.h"
#include "state/net.h"

/*
 * With tcp_shrink_window the kernel rounds a window down to a granule of its scale, so that
 * a small buffer of an application's has no window at all where the granule is 16 KB. Up to
 * this ceiling the scale is 10 and the granule 1 KB; one byte more and they double.
 */
#define ABT_SHRINK_CEILING	((64 << 20) - 1)

static int *abt_ceiling_knob(struct abt_net *an, enum abt_dir dir)
{
	struct netns_ipv4 *ipv4 = &an->net->ipv4;

	return dir == ABT_SND ? &ipv4->sysctl_tcp_wmem[2] :
				&ipv4->sysctl_tcp_rmem[2];
}

/*
 * Was the ceiling written since the module wrote it? Hooks ask while the module may be writing
 * it. @held is zero meanwhile, so its values before and after tell.
 */
static bool abt_ceiling_moved(struct abt_net *an, enum abt_dir dir)
{
	const struct abt_ceiling *ceiling = &an->ceiling[dir];
	int held = READ_ONCE(ceiling->held);
	int now;

	smp_rmb();	/* pairs with the second smp_wmb() of abt_ceiling_write() */
	now = READ_ONCE(*abt_ceiling_knob(an, dir));
	smp_rmb();	/* pairs with the first smp_wmb() there */
	return held && now != held && READ_ONCE(ceiling->held) == held;
}

/* Hosts of containers have thousands of namespaces: of those, the first one is told of. */
static void abt_ceiling_tell(struct abt_net *an, enum abt_dir dir)
{
	const char *name = dir == ABT_SND ? "tcp_wmem" : "tcp_rmem";

	if (net_eq(an->net, &init_net))
		pr_info_ratelimited("%s was written (%d): it is a limit of our grants in the first network namespace from now on, and will not be restored\n",
				    name, READ_ONCE(*abt_ceiling_knob(an, dir)));
	else
		pr_info_once("%s was written (%d) in a network namespace: it is a limit of our grants there from now on, and will not be restored; said once for all namespaces but the first, net.ipv4.%s in each shows it\n",
			     name, READ_ONCE(*abt_ceiling_knob(an, dir)), name);
}

/* Did the administrator write the ceiling since we did? Say so once. */
static bool abt_ceiling_foreign(struct abt_net *an, enum abt_dir dir)
{
	struct abt_ceiling *ceiling = &an->ceiling[dir];

	if (!abt_ceiling_moved(an, dir))
		return READ_ONCE(ceiling->admin);
	if (!xchg(&ceiling->admin, true))
		abt_ceiling_tell(an, dir);
	return true;
}

/* Context: @an->lock held. */
static void abt_ceiling_write(struct abt_net *an, enum abt_dir dir, int held,
			      int knob)
{
	struct abt_ceiling *ceiling = &an->ceiling[dir];

	WRITE_ONCE(ceiling->held, 0);
	smp_wmb();	/* pairs with the second smp_rmb() of abt_ceiling_moved() */
	WRITE_ONCE(*abt_ceiling_knob(an, dir), knob);
	smp_wmb();	/* pairs with the first smp_rmb() there, and abt_ceiling_inherit() */
	WRITE_ONCE(ceiling->held, held);
}

/**
 * abt_ceiling_cap() - the largest buffer that a connection can be given
 * @an: namespace
 * @dir: direction
 *
 * Context: any.
 * Return: bytes of truesize, at most ABT_BYTES_MAX.
 */
u32 abt_ceiling_cap(struct abt_net *an, enum abt_dir dir)
{
	u32 cap = abt_pool_cap(READ_ONCE(an->pool[dir]));

	if (abt_ceiling_foreign(an, dir))
		cap = min_t(u32, cap, READ_ONCE(*abt_ceiling_knob(an, dir)));
	return cap;
}

/**
 * abt_ceiling_inherit() - a namespace is new
 * @an: namespace
 * @dir: direction
 *
 * It has copied the ceilings of the first one: where those are ours, it gets what
 * the administrator had there.
 *
 * Context: before anything else knows @an.
 */
void abt_ceiling_inherit(struct abt_net *an, enum abt_dir dir)
{
	struct abt_ceiling *first = &abt_net_of(&init_net)->ceiling[dir];
	int *knob = abt_ceiling_knob(an, dir);
	/* pairs with the second smp_wmb() of abt_ceiling_write(): @saved was written before */
	int held = smp_load_acquire(&first->held);

	if (!net_eq(an->net, &init_net) && held && READ_ONCE(*knob) == held)
		WRITE_ONCE(*knob, READ_ONCE(first->saved));
}

/**
 * abt_ceiling_limit() - the administrator's own ceiling
 * @an: namespace
 * @dir: direction
 *
 * Context: any.
 * Return: tcp_wmem[2] or tcp_rmem[2] as it is, or was before we held it [bytes].
 */
u32 abt_ceiling_limit(struct abt_net *an, enum abt_dir dir)
{
	const int *knob = abt_ceiling_knob(an, dir);
	/* the smp_rmb() of abt_ceiling_moved() comes between @held and @saved */
	bool ours = READ_ONCE(an->ceiling[dir].held) &&
		    !abt_ceiling_foreign(an, dir);
	int limit = ours ? READ_ONCE(an->ceiling[dir].saved) : READ_ONCE(*knob);

	return max(limit, READ_ONCE(knob[-1]));
}

/**
 * abt_ceiling_hold() - hold the ceiling at the largest grant
 * @an: namespace
 * @dir: direction
 *
 * Nothing is done where the administrator has written it since we did.
 *
 * Context: process, @an->lock held.
 */
void abt_ceiling_hold(struct abt_net *an, enum abt_dir dir)
{
	struct abt_ceiling *ceiling = &an->ceiling[dir];
	const int *knob = abt_ceiling_knob(an, dir);
	int most;

	if (ceiling->held && abt_ceiling_foreign(an, dir))
		return;
	if (!ceiling->held) {
		/* by a hook that was late: it looked before the ceiling was let go */
		WRITE_ONCE(ceiling->admin, false);
		WRITE_ONCE(ceiling->saved, READ_ONCE(*knob));
	}
	most = abt_pool_cap(an->pool[dir]);
	if (dir == ABT_RCV && an->shrinks)
		most = min(most, max(ABT_SHRINK_CEILING, ceiling->saved));
	/* knob[-1] is what a connection starts with, e.g. tcp_rmem[1] */
	most = max(most, READ_ONCE(knob[-1]));
	abt_ceiling_write(an, dir, most, most);
}

/**
 * abt_ceiling_release() - let the ceiling go
 * @an: namespace
 * @dir: direction
 *
 * The former value comes back. A value that the administrator wrote since stays.
 *
 * Context: process, @an->lock held.
 */
void abt_ceiling_release(struct abt_net *an, enum abt_dir dir)
{
	struct abt_ceiling *ceiling = &an->ceiling[dir];

	if (ceiling->held && !abt_ceiling_foreign(an, dir))
		abt_ceiling_write(an, dir, 0, ceiling->saved);
	WRITE_ONCE(ceiling->held, 0);
	WRITE_ONCE(ceiling->admin, false);
}
