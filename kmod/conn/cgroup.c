// SPDX-License-Identifier: GPL-2.0
/*
 * A socket's memory cgroup: the buffers of its sockets count against memory.max.
 *
 * The pools know the host's memory alone. A cgroup whose limit is reached reclaims what it
 * can, and then a process of it is killed; data that wait for a reader cannot be
 * reclaimed. The kernel's own signal, mem_cgroup_under_socket_pressure(), comes when
 * windows are offered already.
 */
#include <linux/memcontrol.h>
#include <net/sock.h>

#include "conn/cgroup.h"
#include "pool/pool.h"
#include "state/ceiling.h"
#include "state/net.h"

/*
 * A connection may have one of so many parts of the memory that its cgroup has left: readers of
 * some connections may stop at once, and others of the cgroup's processes want memory as well. If
 * the namespace has more than eight, all of them may stop, and half is left to others.
 */
#define ABT_CGROUP_PARTS	16
#define ABT_CGROUP_PARTS_EACH	2

/* Usage changes with every page. The cap follows in steps of 1/8, so that a step stays one. */
#define ABT_CGROUP_STEP_SHIFT	3

#ifdef CONFIG_MEMCG
/* Pages that a cgroup has left, and each above it. */
static u64 abt_cgroup_room(const struct mem_cgroup *memcg)
{
	const struct page_counter *counter;
	u64 room = U64_MAX;

	for (counter = &memcg->memory; counter; counter = counter->parent) {
		u64 most = min(READ_ONCE(counter->max), READ_ONCE(counter->high));
		u64 usage = atomic_long_read(&counter->usage);

		room = min(room, most - min(most, usage));
	}
	return room;
}
#endif

/* Return: bytes of truesize; ABT_BYTES_MAX where there is no cgroup, or it has plenty. */
static u32 abt_cgroup_part(const struct sock *sk, const struct abt_net *an)
{
#ifdef CONFIG_MEMCG
	u32 parts = max(ABT_CGROUP_PARTS, ABT_CGROUP_PARTS_EACH * atomic_read(&an->records));
	const struct mem_cgroup *memcg = READ_ONCE(sk->sk_memcg);
	u64 pages;
	u32 bytes;

	if (!memcg)
		return ABT_BYTES_MAX;
	pages = div_u64(abt_cgroup_room(memcg), parts);
	if (pages >= ABT_BYTES_MAX >> PAGE_SHIFT)
		return ABT_BYTES_MAX;
	bytes = pages << PAGE_SHIFT;
	return bytes & (~0U << max(fls(bytes) - 1 - ABT_CGROUP_STEP_SHIFT, 0));
#else
	return ABT_BYTES_MAX;
#endif
}

/**
 * abt_cgroup_cap() - the largest buffer that a socket's memory cgroup has room for
 * @sk: socket, locked
 * @an: its namespace
 * @dir: direction
 *
 * The kernel's own tuning looks at no cgroup, and could give the administrator's ceiling.
 *
 * Return: bytes of truesize, at least that; at most ABT_BYTES_MAX or that.
 */
u32 abt_cgroup_cap(const struct sock *sk, struct abt_net *an, enum abt_dir dir)
{
	return max(abt_cgroup_part(sk, an), abt_ceiling_limit(an, dir));
}
