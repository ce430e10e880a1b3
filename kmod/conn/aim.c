// SPDX-License-Identifier: GPL-2.0
/* Grant -> aim: the target of a send buffer, and whether the kernel may go beyond it. */
#include <net/tcp.h>

#include "conn/aim.h"
#include "conn/buffer.h"
#include "conn/cgroup.h"
#include "conn/conn.h"
#include "conn/cut.h"
#include "conn/demand.h"
#include "conn/sample.h"
#include "state/ceiling.h"

/* tcp_sndbuf_expand() reckons with so many windows, unless congestion control says. */
#define ABT_SND_OWN_WINDOWS	2

/*
 * The buffer that tcp_sndbuf_expand() gives a socket that is not locked, at its present cwnd.
 * The kernel counts in int; the product fits as long as tcp_wmem[2] does.
 */
static u32 abt_snd_own(const struct sock *sk, const struct abt_conn *c)
{
	const struct tcp_congestion_ops *ca = inet_csk(sk)->icsk_ca_ops;
	const struct tcp_sock *tp = tcp_sk(sk);
	u64 windows = ca->sndbuf_expand ? ca->sndbuf_expand((struct sock *)sk) :
					  ABT_SND_OWN_WINDOWS;

	return min_t(u64, windows * abt_snd_segs(tp) * abt_worst_segment(tp),
		     READ_ONCE(sock_net(sk)->ipv4.sysctl_tcp_wmem[2]));
}

/*
 * Would the kernel make room for more than the pool can promise, where memory is not plenty? A
 * writer whose reader is slow waits for such a buffer to drain, and new connections have room.
 */
static bool abt_snd_takes_much(const struct abt_half *half, u32 own)
{
	return own > abt_half_target(half) &&
	       !abt_pool_at_ease(half->stake.pool);
}

/*
 * Is a send buffer to be no more than its share? With a policy that has a size of its own, and
 * while memory is short.
 */
static bool abt_snd_scarce(const struct abt_half *half)
{
	return half->policy != TCP_ABT_POLICY_ATBT || abt_pool_contended(half->stake.pool);
}

/*
 * Is the buffer of a sender to be kept from growing with cwnd: if its memory cgroup has no room for
 * that; if it is bounded, or needs no more than the administrator's limit, while the kernel would
 * go beyond that? The stock kernel has it grow up to there.
 */
static bool abt_snd_outgrows(const struct sock *sk, const struct abt_conn *c, u32 own)
{
	const struct abt_half *half = &c->half[ABT_SND];
	u32 limit = abt_ceiling_limit(c->an, ABT_SND);

	return own > abt_cgroup_cap(sk, c, ABT_SND) ||
	       ((half->bounded || (half->demand <= limit && own > limit)) &&
		abt_snd_queues_much(sk, c));
}

/*
 * The peer's window takes none of the buffer that the kernel itself would give, which is at
 * most the administrator's tcp_wmem[2]: with that much queued, a writer may wake late. A
 * policy with a size of its own holds the buffer always; ATBT while memory is short, or if
 * the kernel would make room for a cwnd that the peer's window keeps the connection from
 * using, or that is more than the path needs.
 */
static struct abt_snd_aim abt_snd_aim_share(const struct sock *sk,
					    const struct abt_conn *c, u32 floor,
					    u32 own, bool share, bool strict)
{
	const struct abt_half *half = &c->half[ABT_SND];
	u32 target = max(abt_half_target(half), floor);
	bool outgrows = !share && abt_snd_outgrows(sk, c, own);

	if (outgrows)
		target = max(target, abt_ceiling_limit(c->an, ABT_SND));
	else if (c->offer_lasts && !share)
		target = max(target, min(own, abt_ceiling_limit(c->an, ABT_SND)));
	return (struct abt_snd_aim){
		.own = own,
		.target = target,
		.held = half->policy != TCP_ABT_POLICY_ATBT ||
			outgrows || (target < own && (c->offer_lasts || strict)),
		.strict = strict,
	};
}

/* On a local path: the kernel's own buffer, at most the administrator's limit. */
static struct abt_snd_aim abt_snd_aim_local(const struct sock *sk,
					    const struct abt_conn *c,
					    u32 floor, u32 own)
{
	u32 limit = abt_ceiling_limit(c->an, ABT_SND);
	bool held = own > limit;
	u32 target = held ? limit : min(abt_buffer(sk, ABT_SND), limit);

	return (struct abt_snd_aim){
		.own = own,
		.target = max(target, floor),
		.held = held,
		.local = true,
	};
}

/**
 * abt_snd_aim() - the target of a send buffer
 * @sk: socket, locked
 * @c: its record
 * @floor: its floor [bytes of truesize]
 *
 * Return: the target, and how it is held.
 */
struct abt_snd_aim abt_snd_aim(const struct sock *sk, const struct abt_conn *c,
			       u32 floor)
{
	u32 own = abt_snd_own(sk, c);
	bool scarce = abt_snd_scarce(&c->half[ABT_SND]);
	bool strict = scarce || abt_snd_takes_much(&c->half[ABT_SND], own);

	if (!strict && abt_path_is_local(sk, c))
		return abt_snd_aim_local(sk, c, floor, own);
	return abt_snd_aim_share(sk, c, floor, own,
				 scarce || (strict && !abt_snd_waits(sk)), strict);
}
