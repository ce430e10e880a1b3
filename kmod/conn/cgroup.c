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
#include "conn/conn.h"
#include "pool/pool.h"
#include "state/ceiling.h"
#include "state/net.h"

/*
 * A connection may have one of so many parts of the memory that its cgroup has left: readers of
 * some connections may stop at once, and others of the cgroup's processes want memory as well.
 */
#define ABT_CGROUP_PARTS	16

/*
 * If the namespace has more than eight, each may have an even part of half as much as those
 * would. A send buffer can be cut at any time.
 */
#define ABT_CGROUP_PARTS_EACH	2

/*
 * A window that was offered cannot be taken back, even if the connection rests. So all receive
 * buffers together may have one of so many parts, and each an even part of that.
 */
#define ABT_CGROUP_PARTS_RCV	8

/* Usage changes with every page. The cap follows in steps of 1/8, so that a step stays one. */
#define ABT_CGROUP_STEP_SHIFT	3

#ifdef CONFIG_MEMCG
/* Pages that a cgroup has left, and each above it. PAGE_COUNTER_MAX of them are S64_MAX bytes. */
static u64 abt_cgroup_room(const struct mem_cgroup *memcg)
{
	const struct page_counter *counter;
	u64 room = PAGE_COUNTER_MAX;

	for (counter = &memcg->memory; counter; counter = counter->parent) {
		u64 most = min(READ_ONCE(counter->max), READ_ONCE(counter->high));
		u64 usage = atomic_long_read(&counter->usage);

		room = min(room, most - min(most, usage));
	}
	return room;
}

/* Return: the part of @room that a buffer may have [bytes of truesize]. */
static u64 abt_cgroup_part(const struct abt_conn *c, enum abt_dir dir, u64 room)
{
	u64 most = div_u64(room, ABT_CGROUP_PARTS);
	u32 records = atomic_read(&c->an->records);
	u64 others;

	if (dir == ABT_SND)
		return min(most, div_u64(room, ABT_CGROUP_PARTS_EACH * records));
	room = div_u64(room, ABT_CGROUP_PARTS_RCV);
	others = atomic64_read(&c->an->receives) - c->half[ABT_RCV].applied;
	return min3(most, div_u64(room, records), room - min(room, others));
}
#endif

/**
 * abt_cgroup_spare() - the buffer that a socket's memory cgroup has room for
 * @sk: socket, locked
 * @c: its record
 * @dir: direction
 *
 * Return: bytes of truesize; ABT_BYTES_MAX where there is no cgroup, or it has plenty.
 */
u32 abt_cgroup_spare(const struct sock *sk, const struct abt_conn *c, enum abt_dir dir)
{
#ifdef CONFIG_MEMCG
	const struct mem_cgroup *memcg = READ_ONCE(sk->sk_memcg);
	u32 bytes;

	if (!memcg)
		return ABT_BYTES_MAX;
	bytes = min_t(u64, abt_cgroup_part(c, dir, abt_cgroup_room(memcg) << PAGE_SHIFT),
		      ABT_BYTES_MAX);
	return bytes & (~0U << max(fls(bytes) - 1 - ABT_CGROUP_STEP_SHIFT, 0));
#else
	return ABT_BYTES_MAX;
#endif
}

/**
 * abt_cgroup_cap() - the largest buffer that a path may need
 * @sk: socket, locked
 * @c: its record
 * @dir: direction
 *
 * The kernel's own tuning looks at no cgroup, and could give the administrator's ceiling.
 *
 * Return: bytes of truesize, at least that; at most ABT_BYTES_MAX or that.
 */
u32 abt_cgroup_cap(const struct sock *sk, const struct abt_conn *c, enum abt_dir dir)
{
	return max(abt_cgroup_spare(sk, c, dir), abt_ceiling_limit(c->an, dir));
}
