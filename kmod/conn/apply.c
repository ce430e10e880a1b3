// SPDX-License-Identifier: GPL-2.0
/*
 * Grant -> applied buffer. docs/kernel-contract.md lists every reader in the kernel of each
 * field that is written.
 *
 * Receive: the kernel's own tuning is held still by abt_park_drs(), not by SOCK_RCVBUF_LOCK,
 * so SO_RCVLOWAT and SO_BUF_LOCK work as without the module. The bit is set only while a
 * queue takes more than its buffer, and memory is not plenty or the queue is beyond the
 * administrator's own limit, because tcp_clamp_window() would let that queue grow to the
 * raised tcp_rmem[2]. offer.c says what can be cut.
 *
 * Send: while memory is plenty the buffer is only raised, or cut to what the kernel itself
 * would give and the room that it may keep, and stays unlocked. cut.c says how far it is cut
 * at once.
 * SOCK_SNDBUF_LOCK is set while memory is not plenty, or a policy has a size of its own,
 * and the buffer has to stay below what tcp_sndbuf_expand() would give: nothing else
 * stops that function. A cut never goes below half of what is queued, because
 * tcp_fragment() refuses to split a segment beyond that, and SACKs would come to nothing.
 */
#include <net/tcp.h>

#include "compat/memory.h"
#include "compat/tcp_space.h"
#include "conn/activity.h"
#include "conn/aim.h"
#include "conn/apply.h"
#include "conn/buffer.h"
#include "conn/cgroup.h"
#include "conn/charge.h"
#include "conn/conn.h"
#include "conn/cut.h"
#include "conn/demand.h"
#include "conn/drain.h"
#include "conn/floor.h"
#include "conn/hooks.h"
#include "conn/offer.h"
#include "conn/park.h"
#include "conn/sample.h"
#include "state/ceiling.h"
#include "trace/abt_trace.h"

/* Is a demand all that a ceiling allows that the administrator wrote since the module did? */
static bool abt_admin_limits(const struct abt_conn *c, enum abt_dir dir)
{
	u32 cap = abt_ceiling_cap(c->an, dir);

	return c->half[dir].demand == cap &&
	       cap < abt_pool_cap(READ_ONCE(c->an->pool[dir]));
}

static enum tcp_abt_reason abt_why(const struct abt_conn *c, enum abt_dir dir,
				   u32 old, u32 want, u32 got, u32 floor)
{
	const struct abt_half *half = &c->half[dir];

	if (got < want)
		return TCP_ABT_REASON_POOL;
	if (half->drains || abt_above(got, max(half->stake.grant, floor)))
		return TCP_ABT_REASON_HOLD;
	if (!half->shares && abt_admin_limits(c, dir))
		return TCP_ABT_REASON_ADMIN;
	if (got == abt_odd(old))
		return half->reason;
	if (got == abt_odd(floor))
		return TCP_ABT_REASON_FLOOR;
	if (half->shares || (half->stake.grant < half->demand &&
			     !abt_pool_at_ease(half->stake.pool)))
		return TCP_ABT_REASON_SHARE;
	return got < old ? TCP_ABT_REASON_SHRINK : TCP_ABT_REASON_GROW;
}

/* Too little more to be worth a change? Cuts always are: others wait for them. */
static bool abt_same(const struct abt_half *half, u32 want)
{
	bool exact = half->shares || half->ahead ||
		     half->policy == TCP_ABT_POLICY_FIXED;
	u32 little = exact ? 0 : half->applied >> ABT_APPLY_SHIFT;

	return half->applied && want >= half->applied &&
	       want - half->applied <= little &&
	       half->stake.charged == half->applied &&
	       half->stake.charged <= half->stake.grant;
}

/* Epochs above the target count from where the buffer came noticeably nearer last. */
static void abt_count_from(struct abt_conn *c, bool above, bool nearer)
{
	if (!above)
		c->above_epochs = 0;
	else if (nearer || !c->above_epochs)
		c->above_epochs = 1;
}

/**
 * abt_rcv_rests() - is a receive buffer what it was granted, and nothing under way?
 * @sk: socket, locked
 * @c: its record
 *
 * No other writer changed it, it is paid for; no hole, no reader that lags, no offer that
 * may drain asks for more or less than the demand says; and it is not noticeably below what it
 * may have, but for a pool that is full: that tells of what comes back.
 *
 * Return: true when nothing but another demand or grant would change it.
 */
bool abt_rcv_rests(const struct sock *sk, const struct abt_conn *c)
{
	const struct abt_half *half = &c->half[ABT_RCV];
	const struct tcp_sock *tp = tcp_sk(sk);

	if (half->local)
		return abt_charge_fits(sk, half, ABT_RCV) &&
		       abt_buffer(sk, ABT_RCV) <= abt_ceiling_limit(c->an, ABT_RCV);
	return half->applied &&
	       half->stake.charged == min(half->applied, half->stake.grant) &&
	       (half->reason == TCP_ABT_REASON_POOL ||
		!abt_above(abt_half_target(half), half->applied)) &&
	       abt_buffer(sk, ABT_RCV) == half->applied &&
	       READ_ONCE(tp->window_clamp) == c->clamp &&
	       !half->idle && !c->stopped && abt_rcv_settled(c) &&
	       !READ_ONCE(sk->sk_user_data) &&
	       !abt_rcv_has_hole(tp) &&
	       !abt_reader_lags(tp, tcp_receive_window(tp));
}

/*
 * Is memory out, so that the kernel has sk_stream_moderate_sndbuf() lower what is not
 * locked? Above tcp_mem[2], or in a memory cgroup under pressure. Between tcp_mem[1] and
 * that the kernel lowers no send buffer, and a lock that is let go there has
 * tcp_sndbuf_expand() take all of it as soon as the pressure pauses.
 */
static bool abt_memory_is_out(const struct sock *sk)
{
	if (!tcp_under_memory_pressure(sk))
		return false;
	return !READ_ONCE(tcp_memory_pressure) ||
	       sk_memory_allocated(sk) >= sk_prot_mem_limits(sk, 2);
}

/*
 * Does that take the lock bit? Not where memory is out: that relief is not to be kept
 * from the kernel. A buffer with twice tcp_wmem[2] queued is locked in any case,
 * because tcp_sndbuf_expand() lowers it to that, however much is queued.
 */
static bool abt_snd_locks(const struct sock *sk, bool held)
{
	u32 ceiling = READ_ONCE(sock_net(sk)->ipv4.sysctl_tcp_wmem[2]);

	return !abt_memory_is_out(sk) &&
	       (held || abt_snd_least(sk) > ceiling);
}

/*
 * A send buffer that the kernel may raise is not cut below what it would be raised to
 * at once, nor below what the administrator has connections start with. While memory is plenty
 * it keeps its room up to the administrator's limit as well, see abt_stake_keep(): the stock
 * kernel cuts none, and a writer that pauses fills the path out of its queue. A buffer that is
 * held keeps none, and on a local path all of that is in its target.
 */
static u32 abt_snd_wants(const struct sock *sk, struct abt_conn *c,
			 const struct abt_snd_aim *aim)
{
	u32 most = min(abt_buffer(sk, ABT_SND), abt_ceiling_limit(c->an, ABT_SND));
	u32 least = max(aim->own, abt_buffer_start(sk, ABT_SND));
	bool keeps = !aim->held && !aim->local && most > least;

	least += abt_half_keep(&c->half[ABT_SND], keeps ? most - least : 0);
	return aim->held ? aim->target :
			   max(aim->target, min(abt_buffer(sk, ABT_SND), least));
}

/* Under memory pressure nothing grows that the kernel would not grow itself. */
static u32 abt_no_more(const struct sock *sk, enum abt_dir dir, u32 want,
		       u32 least)
{
	if (!tcp_under_memory_pressure(sk))
		return want;
	return max(least, min(want, abt_buffer(sk, dir)));
}

static void abt_say(struct sock *sk, struct abt_conn *c, enum abt_dir dir,
		    u32 old, u32 got)
{
	const struct abt_half *half = &c->half[dir];

	if (got > old)
		trace_tcp_abt_grant(sk, dir, half, old);
	else if (got < old)
		trace_tcp_abt_shrink(sk, dir, half, old);
	if (got != old)
		abt_hooks.changed(sk, c, dir, old);
}

/*
 * How often a sender that is held at the administrator's limit, or at what keeps its path
 * busy, looks for another limit, path or rate, at the least [jiffies].
 */
#define ABT_SND_LIMIT_LOOK	HZ

/*
 * Nothing tells it of any, while its cwnd stays. Without a queue its buffer may be what
 * limits it, and while that grows, bursts into it look like a queue.
 */
static void abt_snd_looks_again(const struct sock *sk, struct abt_conn *c,
				const struct abt_snd_aim *aim)
{
	bool grows = aim->target > abt_buffer(sk, ABT_SND);
	const struct tcp_sock *tp = tcp_sk(sk);
	u32 after = ABT_SND_LIMIT_LOOK;

	if (!aim->local && (grows || !abt_path_queues(sk)))
		after = min_t(u32, after, usecs_to_jiffies(tp->srtt_us >> ABT_RTT_SHIFT));
	c->comes_down = true;
	c->offer_due = tcp_jiffies32 + after;
}

/*
 * The queue of a writer that pauses drains, and its buffer is held no more. Once it fills that
 * again, the kernel makes room for all of its cwnd, far beyond the administrator's limit. So it is
 * looked at when the queue is half of that limit again, because then it may be bounded.
 */
static void abt_snd_minds_queue(const struct sock *sk, struct abt_conn *c,
				const struct abt_snd_aim *aim)
{
	struct abt_half *half = &c->half[ABT_SND];

	if (half->policy == TCP_ABT_POLICY_ATBT && !abt_snd_queues_much(sk, c) &&
	    aim->own > abt_ceiling_limit(c->an, ABT_SND))
		half->recheck_above = min(half->recheck_above, abt_snd_much(c));
}

/*
 * While more is queued than a held buffer is to be, it is cut as the queue drains: with each
 * segment where its target is strict, else every few round trips.
 */
static void abt_apply_snd(struct sock *sk, struct abt_conn *c)
{
	struct abt_half *half = &c->half[ABT_SND];
	u32 floor = abt_floor_snd(sk, c);
	const struct abt_snd_aim aim = abt_snd_aim(sk, c, floor);
	bool lock = abt_snd_locks(sk, aim.held);
	u32 least = max(floor, abt_snd_least(sk));
	u32 old = abt_buffer(sk, ABT_SND);
	u32 want, got;
	bool down;

	if (!aim.strict)
		least = max(least, abt_snd_keep(sk, c, old, aim.target, aim.held));
	want = max(abt_snd_wants(sk, c, &aim), least);
	/* the kernel lowers it to half of what is queued itself */
	want = abt_odd(abt_no_more(sk, ABT_SND, want, SOCK_MIN_SNDBUF));
	half->drains = false;
	down = aim.held && want > abt_odd(aim.target);
	if (down && !aim.strict)
		c->comes_down = true;
	else if (aim.local ? aim.held :
		 !abt_pool_contended(half->stake.pool) &&
			 aim.own > abt_ceiling_limit(c->an, ABT_SND))
		abt_snd_looks_again(sk, c, &aim);
	if (!lock)
		abt_snd_minds_queue(sk, c, &aim);
	if (lock == half->held && abt_same(half, want) && old == half->applied)
		return;

	got = abt_charge(sk, c, ABT_SND, want, abt_odd(min(floor, want)), aim.target);
	got = max(got, abt_odd(min(least, want)));
	half->drains |= down && aim.strict;
	abt_set_buffer(sk, ABT_SND, got);
	abt_set_lock(sk, half, ABT_SND, lock);
	half->reason = abt_why(c, ABT_SND, old, want, got, floor);
	abt_set_applied(c, ABT_SND, got);
	c->snd_least = lock ? got : 0;
	c->snd_span = lock ? 0 : max(got, aim.own + (aim.own >> 1));
	abt_say(sk, c, ABT_SND, old, got);
}

/*
 * Has the lock bit to keep tcp_clamp_window() from raising a buffer? See above; and
 * beyond the administrator's own limit, where a stock kernel would collapse the queue.
 */
static bool abt_rcv_hold_down(const struct sock *sk, const struct abt_conn *c,
			      u32 buffer)
{
	u32 used = abt_used(sk, ABT_RCV) + c->arriving;

	return used > buffer && !tcp_under_memory_pressure(sk) &&
	       (!abt_pool_at_ease(c->half[ABT_RCV].stake.pool) ||
		used > abt_ceiling_limit(c->an, ABT_RCV));
}

/*
 * The target of a receive buffer. If it were cut below what waits for the reader, no window
 * would be open until that is read. The stock kernel never cuts a buffer, so its peer can write
 * on. Where memory is plenty, such a buffer stays. One that has to grow, to hold what was
 * offered, does not: it would offer a larger window. For a reader that rests no buffer grows,
 * because its peer would fill that as well.
 */
static u32 abt_rcv_target(const struct sock *sk, const struct abt_conn *c,
			  u32 floor)
{
	const struct abt_half *half = &c->half[ABT_RCV];
	u32 target = max(abt_half_target(half), floor);
	u32 buffer = abt_buffer(sk, ABT_RCV);

	if (abt_policy_estimates(half->policy) && abt_reader_rests(sk, c))
		target = max(min(target, buffer), floor);
	if (half->policy == TCP_ABT_POLICY_FIXED || abt_used(sk, ABT_RCV) <= target ||
	    !abt_pool_at_ease(half->stake.pool) ||
	    abt_rcv_least(sk, c, buffer) > buffer)
		return target;
	return max(target, buffer);
}

static void abt_apply_rcv(struct sock *sk, struct abt_conn *c)
{
	struct abt_half *half = &c->half[ABT_RCV];
	u32 floor = abt_floor_rcv(sk, c);
	u32 target = abt_rcv_target(sk, c, floor);
	u32 least = max(floor, abt_rcv_least(sk, c, target));
	u32 want = abt_odd(abt_no_more(sk, ABT_RCV, max(target, least), least));
	u32 old = abt_buffer(sk, ABT_RCV);
	u32 got;

	half->drains = want > abt_odd(target);
	abt_count_from(c, half->drains, abt_above(old, want));
	if (!half->drains && !half->held && abt_same(half, want) &&
	    old == half->applied)
		return;

	if (target < old)
		abt_offer(sk, c, target);
	got = abt_charge(sk, c, ABT_RCV, want, abt_odd(least), target);
	abt_set_buffer(sk, ABT_RCV, got);
	abt_offer(sk, c, min(target, got));
	abt_set_lock(sk, half, ABT_RCV, abt_rcv_hold_down(sk, c, got));
	abt_hold_drs(sk, c);

	half->reason = abt_why(c, ABT_RCV, old, want, got, floor);
	abt_set_applied(c, ABT_RCV, got);
	abt_say(sk, c, ABT_RCV, old, got);
}

/**
 * abt_apply() - give a connection the buffer that it was granted
 * @sk: socket, locked
 * @c: its record
 * @dir: direction
 *
 * If the pool has less left than the grant, the connection gets the remainder of the pool. The
 * rest follows when other connections have given theirs back.
 */
void abt_apply(struct sock *sk, struct abt_conn *c, enum abt_dir dir)
{
	if (dir == ABT_SND)
		abt_apply_snd(sk, c);
	else
		abt_apply_rcv(sk, c);
}
