// SPDX-License-Identifier: GPL-2.0
/*
 * Grant -> applied buffer. With drain.c, the only place that writes to a socket;
 * docs/kernel-contract.md lists every reader in the kernel of each field written.
 *
 * Receive: a buffer is not cut below what was offered, because that can still come
 * (no renege). So the clamp goes down first, the offered edge drains as data arrives,
 * and the buffer follows. The kernel's own tuning is held still by abt_park_drs(), not
 * by SOCK_RCVBUF_LOCK, so SO_RCVLOWAT and SO_BUF_LOCK work as without the module. The
 * bit is set only while a queue takes more than its buffer, and memory is not plenty or
 * the queue is beyond the administrator's own limit, because tcp_clamp_window() would
 * let that queue grow to the raised tcp_rmem[2].
 *
 * Send: while memory is plenty the buffer is only raised, or cut to what the kernel
 * itself would give, and stays unlocked. SOCK_SNDBUF_LOCK is set while memory is short,
 * or a policy has a size of its own, and the buffer has to stay below what
 * tcp_sndbuf_expand() would give: nothing else stops that function. A cut never goes
 * below half of what is queued, because tcp_fragment() refuses to split a segment beyond
 * that, and SACKs would come to nothing.
 */
#include <net/tcp.h>

#include "compat/shrink.h"
#include "compat/memory.h"
#include "compat/tcp_space.h"
#include "conn/conn.h"
#include "control/netlink.h"
#include "trace/abt_trace.h"

/*
 * Growth by less than 1/16 waits: a size that changes at every epoch is work for
 * nothing (what the papers hold against ATBT). But not that of a share: the pool
 * tells of those only when they moved.
 */
#define ABT_APPLY_SHIFT		4

/*
 * A queue this far above its buffer counts as drained [bytes of truesize]: the
 * kernel lets a writer in while the queue is below the buffer, and one buffer of
 * segmentation offload goes beyond it.
 */
#define ABT_SND_SLACK_BYTES	(64U << 10)

/*
 * What a byte that waits may cost, beside a floor: one of a segment of 100 bytes in a
 * buffer of its own. Segments that overlap behind a hole cost as much as their peer
 * likes, a thousand times what they span. No window offered room for that.
 */
#define ABT_WAIT_COST_MAX	8

/* A queue of so many segments shows what a byte costs [segments]. */
#define ABT_COST_SEGS		8

/* Largest window without and per unit of window scale (RFC 7323). */
#define ABT_WINDOW_MAX		65535U

/* rcvq_space.space while the kernel's tuning is held still; it divides by it [bytes]. */
#define ABT_PARKED_SPACE	1

/* tcp_sndbuf_expand() reckons with so many windows, unless congestion control says. */
#define ABT_SND_OWN_WINDOWS	2

static const u8 abt_lock_bit[ABT_DIRS] = {
	[ABT_SND] = SOCK_SNDBUF_LOCK,
	[ABT_RCV] = SOCK_RCVBUF_LOCK,
};

/*
 * Sizes that the module writes are odd, and sizes that setsockopt() writes are even:
 * so a locked buffer tells its owner.
 */
static u32 abt_odd(u32 bytes)
{
	return (bytes - 1) | 1;
}

/**
 * abt_buffer() - a socket's buffer
 * @sk: socket
 * @dir: direction
 *
 * Return: sk_sndbuf or sk_rcvbuf [bytes of truesize].
 */
u32 abt_buffer(const struct sock *sk, enum abt_dir dir)
{
	return dir == ABT_SND ? READ_ONCE(sk->sk_sndbuf) :
				READ_ONCE(sk->sk_rcvbuf);
}

static u32 abt_clamp_max(const struct tcp_sock *tp)
{
	return ABT_WINDOW_MAX << tp->rx_opt.rcv_wscale;
}

/* The clamp that the kernel goes with for its buffer, whenever it sets it. */
static u32 abt_kernel_clamp(const struct sock *sk)
{
	return tcp_win_from_space(sk, READ_ONCE(sk->sk_rcvbuf));
}

/**
 * abt_clamp_is_low() - did the application set TCP_WINDOW_CLAMP before we wrote the clamp?
 * @sk: socket, locked
 * @an: its namespace
 *
 * One well below the kernel's own (which keeps some back: tcp_app_win, a segment; and
 * does not offer more than the administrator's limit allows, should we have handed
 * a larger buffer back to it). Seen with the first segment, or not at all: the kernel
 * sets another one as soon as it knows what a byte costs.
 *
 * Return: true when it did.
 */
bool abt_clamp_is_low(const struct sock *sk, struct abt_net *an)
{
	int app_win = READ_ONCE(sock_net(sk)->ipv4.sysctl_tcp_app_win);
	const struct tcp_sock *tp = tcp_sk(sk);
	u32 kernel = min_t(u32, abt_kernel_clamp(sk),
			   tcp_win_from_space(sk, abt_ceiling_limit(an, ABT_RCV)));

	if (app_win)
		kernel -= kernel >> min(app_win, 31);
	return (u64)READ_ONCE(tp->window_clamp) + 2 * tp->advmss <
	       min(kernel, abt_clamp_max(tp));
}

/*
 * Did the application ever set TCP_WINDOW_CLAMP? Once the module wrote the clamp, a
 * foreign one is neither the module's nor the kernel's. The kernel's is what a buffer
 * stands for, or in tcp_set_rcvlowat() one byte more, because the buffer is rounded.
 */
static bool abt_foreign_clamp(const struct sock *sk, const struct abt_conn *c)
{
	u32 clamp = READ_ONCE(tcp_sk(sk)->window_clamp);

	if (!c->clamp)
		return abt_clamp_is_low(sk, c->an);
	return clamp != c->clamp && clamp - abt_kernel_clamp(sk) > 1;
}

/* Did the application set the size? It locks what is not, or rewrites what is locked. */
static bool abt_foreign_buffer(const struct sock *sk, const struct abt_half *half,
			       enum abt_dir dir)
{
	bool locked = sk->sk_userlocks & abt_lock_bit[dir];

	return locked != half->held ||
	       (half->held && abt_buffer(sk, dir) != half->applied);
}

/**
 * abt_apply_foreign() - did the application set this buffer?
 * @sk: socket, locked
 * @c: its record
 * @dir: direction
 *
 * Return: true when the application did, by setsockopt(), before or after the record
 *	was made.
 */
bool abt_apply_foreign(const struct sock *sk, const struct abt_conn *c,
		       enum abt_dir dir)
{
	return abt_foreign_buffer(sk, &c->half[dir], dir) ||
	       (dir == ABT_RCV && abt_foreign_clamp(sk, c));
}

/* Is a buffer noticeably above where it should be? */
static bool abt_above(u32 buffer, u32 target)
{
	return buffer > target + (target >> ABT_APPLY_SHIFT);
}

/* Does more wait for the reader than can still come? Then a queue tells its rate. */
static bool abt_reader_lags(const struct tcp_sock *tp, u32 offered)
{
	u32 unread = tp->rcv_nxt - tp->copied_seq;

	return unread > offered && unread >= ABT_COST_SEGS * tp->advmss;
}

/* Is less than a segment left of what was offered? A sender waits with that. */
static bool abt_offer_ended(const struct tcp_sock *tp)
{
	return tcp_receive_window(tp) < tp->advmss;
}

/*
 * What waits, in and out of order, of what may wait in the bytes that it spans. The
 * first segment stays whole until its last byte is read, and may be of many.
 */
static u32 abt_waits(const struct sock *sk, const struct abt_conn *c)
{
	const struct sk_buff *first = skb_peek(&sk->sk_receive_queue);
	const struct tcp_sock *tp = tcp_sk(sk);
	u32 span = tp->rcv_nxt - tp->copied_seq + abt_ooo_span(sk);
	u32 used = abt_used(sk, ABT_RCV);
	u64 most = (u64)ABT_WAIT_COST_MAX * span;

	if (used <= most)
		return used;
	return min_t(u64, used, most + abt_floor_rcv(sk, c) +
				(first ? first->truesize : 0));
}

/*
 * What the window already offered will take when it comes: at the kernel's own
 * rate; where a reader lags, at that of what waits, if that is worse (it has all
 * that is out of order in it as well, which errs on the safe side). The end of
 * such an offer comes in small segments, which cost many times their payload:
 * room for some of them on top, and for the very one that arrives now; but not when
 * it has ended, less than a segment is left: then no room is no window. The granule
 * of the scale that the kernel rounds an offer up to is beyond what its buffer
 * stands for, and it is used to that.
 */
static u64 abt_offered_space(const struct sock *sk, const struct abt_conn *c,
			     u32 waits)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	u32 offered = tcp_receive_window(tp);
	u64 space;

	offered -= min(offered, 1U << tp->rx_opt.rcv_wscale);
	space = abt_space(sk, offered);
	if (abt_offer_ended(tp) || !abt_reader_lags(tp, offered))
		return space;
	space = max(space, div_u64((u64)offered * waits,
				   tp->rcv_nxt - tp->copied_seq));
	return space + abt_floor_rcv(sk, c) + c->arriving;
}

/* What the window already offered can bring, and what waits: odd, not a byte less. */
static u32 abt_rcv_hold(const struct sock *sk, const struct abt_conn *c,
			u32 waits)
{
	/* more comes into the backlog while its owner has the socket: some of it counts */
	u32 comes = data_race(READ_ONCE(sk->sk_backlog.len));

	return abt_odd(abt_clamp_bytes(abt_offered_space(sk, c, waits) + comes +
				       waits + 1));
}

/*
 * The least receive buffer: what is offered, unless that is all but within the
 * target. With a reader that keeps up the last bit depends on what a segment costs
 * that happens to be in the queue; should one not fit, its own event makes room.
 */
static u32 abt_rcv_least(const struct sock *sk, const struct abt_conn *c,
			 u32 target)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	u32 waits = abt_waits(sk, c);
	u32 hold = abt_rcv_hold(sk, c, waits);

	if (!abt_above(hold, target) &&
	    !abt_reader_lags(tp, tcp_receive_window(tp)))
		return max(min(hold, target), waits + c->arriving);
	return hold;
}

/* Under memory pressure the kernel lowers rcv_ssthresh: it is not raised then. */
static void abt_raise_ssthresh(struct sock *sk, u32 window)
{
	struct tcp_sock *tp = tcp_sk(sk);

	if (!tcp_under_memory_pressure(sk))
		tp->rcv_ssthresh = max(tp->rcv_ssthresh, window);
}

/* The window that a buffer stands for; at least one granule of the scale. */
static void abt_set_clamp(struct sock *sk, struct abt_conn *c, u32 window)
{
	struct tcp_sock *tp = tcp_sk(sk);
	u32 clamp = clamp_t(u32, window, 1U << tp->rx_opt.rcv_wscale,
			    abt_clamp_max(tp));

	/*
	 * If rcv_ssthresh was pinned at our clamp and the whole window fits in one GSO
	 * packet, raise both together. The kernel would not, because that packet has
	 * already used the free space.
	 */
	if (c->clamp && tp->rcv_ssthresh >= c->clamp && c->clamp <= GSO_LEGACY_MAX_SIZE)
		abt_raise_ssthresh(sk, clamp);
	c->clamp = clamp;
	WRITE_ONCE(tp->window_clamp, clamp);
	tp->rcv_ssthresh = min(tp->rcv_ssthresh, clamp);
}

/*
 * Offer what a buffer of @target stands for. Where what waits for the reader takes all
 * of it, the buffer is larger, to hold what was offered before; that room is not for
 * offering, or a reader that stopped would be sent more at every probe. When it
 * reads again, the window is open at once.
 */
static void abt_offer(struct sock *sk, struct abt_conn *c, u32 target)
{
	struct tcp_sock *tp = tcp_sk(sk);
	u32 offered = tcp_receive_window(tp);
	bool stopped = abt_used(sk, ABT_RCV) >= target &&
		       abt_reader_lags(tp, offered);

	abt_set_clamp(sk, c, stopped && !abt_offer_ended(tp) ? offered :
					tcp_win_from_space(sk, target));
	if (c->stopped && !stopped)
		abt_raise_ssthresh(sk, c->clamp);
	c->stopped = stopped;
}

static void abt_set_buffer(struct sock *sk, enum abt_dir dir, u32 bytes)
{
	if (dir == ABT_SND)
		WRITE_ONCE(sk->sk_sndbuf, bytes);
	else
		WRITE_ONCE(sk->sk_rcvbuf, bytes);
}

static void abt_set_lock(struct sock *sk, struct abt_half *half,
			 enum abt_dir dir, bool held)
{
	if (held)
		sk->sk_userlocks |= abt_lock_bit[dir];
	else
		sk->sk_userlocks &= ~abt_lock_bit[dir];
	half->held = held;
}

/* A cut send buffer is charged for what has yet to drain. */
static u32 abt_charge_cut(const struct sock *sk, struct abt_half *half,
			  u32 want)
{
	u32 queued = min(abt_used(sk, ABT_SND), half->stake.charged);
	u32 keep = queued > want + ABT_SND_SLACK_BYTES ? queued : want;

	half->drains = keep > want;
	abt_stake_charge(&half->stake, keep, 0);
	return want;
}

/*
 * A promise is room that a direction has beyond what it is charged for: what an idle
 * one wakes up with; the window that the kernel opened a connection with, until it was
 * seen to be used; an offer that cannot be taken back; a floor above a share; room that
 * the connection did not come near to using, see abt_entitled(). While an offer drains,
 * its sender may call in as much as it did lately, and that is what it claims.
 *
 * Return: what it is charged for in any case; @want: no promise.
 */
static u32 abt_meant(const struct abt_conn *c, enum abt_dir dir, u32 want,
		     u32 target)
{
	const struct abt_half *half = &c->half[dir];
	bool drains = dir == ABT_RCV && !half->idle && want > target &&
		      c->receiver.epochs && c->above_epochs <= ABT_DRAIN_EPOCHS;

	return min(want, drains ? half->stake.entered[0].demand :
				  half->stake.grant);
}

/* A promise is charged for what was called in of it. */
static u32 abt_charge_promise(const struct sock *sk, struct abt_half *half,
			      enum abt_dir dir, u32 want, u32 meant)
{
	u32 used = abt_used(sk, dir);

	half->drains &= meant > half->stake.grant;
	abt_stake_charge(&half->stake, max(meant, used), used);
	return want;
}

/*
 * Charge for a buffer, growth before it is applied.
 * Return: the buffer that is paid for.
 */
static u32 abt_charge(const struct sock *sk, struct abt_conn *c,
		      enum abt_dir dir, u32 want, u32 least, u32 target)
{
	u32 meant = abt_meant(c, dir, want, target);
	struct abt_half *half = &c->half[dir];

	if (meant < want)
		return abt_charge_promise(sk, half, dir, want, meant);
	if (dir == ABT_SND && want < half->stake.charged)
		return abt_charge_cut(sk, half, want);
	return abt_odd(abt_stake_charge(&half->stake, want, least));
}

/**
 * abt_charge_used() - charge for a buffer that the kernel or the application sizes
 * @sk: socket, locked
 * @half: direction
 * @dir: the same
 *
 * Charged is what it is entitled to, or what is in it if that is more.
 */
void abt_charge_used(const struct sock *sk, struct abt_half *half,
		     enum abt_dir dir)
{
	u32 buffer = min_t(u32, abt_buffer(sk, dir), ABT_BYTES_MAX);

	abt_charge_promise(sk, half, dir, buffer,
			   min(half->stake.grant, buffer));
}

/* Is a demand all that a ceiling allows that the administrator wrote since the module did? */
static bool abt_admin_limits(const struct abt_conn *c, enum abt_dir dir)
{
	u32 cap = abt_ceiling_cap(c->an, dir);

	return c->half[dir].demand == cap &&
	       cap < abt_pool_cap(READ_ONCE(c->an->pool[dir]));
}

static enum abt_reason abt_why(const struct abt_conn *c, enum abt_dir dir,
			       u32 old, u32 want, u32 got, u32 floor)
{
	const struct abt_half *half = &c->half[dir];

	if (got < want)
		return ABT_WHY_POOL;
	if (half->drains || abt_above(got, max(half->stake.grant, floor)))
		return ABT_WHY_HOLD;
	if (!half->shares && abt_admin_limits(c, dir))
		return ABT_WHY_ADMIN;
	if (got == abt_odd(old))
		return half->reason;
	if (got == abt_odd(floor))
		return ABT_WHY_FLOOR;
	if (half->shares)
		return ABT_WHY_SHARE;
	return got < old ? ABT_WHY_SHRINK : ABT_WHY_GROW;
}

/* Too little more to be worth a change? Cuts always are: others wait for them. */
static bool abt_same(const struct abt_half *half, u32 want)
{
	bool exact = half->shares || half->policy == ABT_FIXED;
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
 * Nobody else wrote it, it is paid for and no more than the share; no hole, no
 * reader that lags, no offer that drains asks for more than the demand says; and no
 * memory pressure kept it noticeably below what it may have.
 *
 * Return: true when nothing but another demand or grant would change it.
 */
bool abt_rcv_rests(const struct sock *sk, const struct abt_conn *c)
{
	const struct abt_half *half = &c->half[ABT_RCV];
	const struct tcp_sock *tp = tcp_sk(sk);

	if (half->local)
		return half->stake.charged == abt_buffer(sk, ABT_RCV) &&
		       half->stake.charged <= abt_ceiling_limit(c->an, ABT_RCV);
	return half->applied &&
	       half->stake.charged == min(half->applied, half->stake.grant) &&
	       !abt_above(abt_half_target(half), half->applied) &&
	       abt_buffer(sk, ABT_RCV) == half->applied &&
	       READ_ONCE(tp->window_clamp) == c->clamp &&
	       !half->idle && !c->stopped && !c->above_epochs &&
	       !READ_ONCE(sk->sk_user_data) &&
	       RB_EMPTY_ROOT(&tp->out_of_order_queue) &&
	       !abt_reader_lags(tp, tcp_receive_window(tp));
}

/**
 * abt_park_drs() - hold the kernel's own receive tuning still
 * @sk: socket, locked; in the tracepoint at the head of tcp_rcv_space_adjust()
 *
 * tcp_rcv_space_adjust() sizes the buffer by what was copied since rcvq_space.seq, once
 * a round trip since rcvq_space.time. Right before it looks, both are moved to now: no
 * time has passed and nothing was copied, so that it returns. From 6.18 on a segment out
 * of order has tcp_rcvbuf_grow() make room for rcvq_space.space twice beyond it: a peer
 * that leaves a hole open would raise the buffer for ever, whatever its share is.
 */
void abt_park_drs(struct sock *sk)
{
	struct tcp_sock *tp = tcp_sk(sk);

	tp->rcvq_space.time = tp->tcp_mstamp;
	tp->rcvq_space.seq = tp->copied_seq;
	tp->rcvq_space.space = ABT_PARKED_SPACE;
}

/*
 * The kernel's tuning goes on from what is copied in a round trip. From the window of the
 * handshake, it would take the first round trip for growth by a large factor; and from
 * what a path shorter than an epoch holds in an epoch, for none at all.
 */
static u32 abt_resumed_space(const struct sock *sk, const struct abt_conn *c)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	u32 base_us = max(c->receiver.base.us, 1U);
	u32 rtt_us = min(tp->rcv_rtt_est.rtt_us >> ABT_RTT_SHIFT, base_us);
	u64 copied = (u64)c->receiver.path_bytes * rtt_us;

	return max_t(u32, TCP_INIT_CWND * tp->advmss, div_u64(copied, base_us));
}

static void abt_unpark_drs(struct sock *sk, const struct abt_conn *c)
{
	abt_park_drs(sk);
	tcp_sk(sk)->rcvq_space.space = abt_resumed_space(sk, c);
}

/*
 * What tcp_sndbuf_expand() gives a socket that is not locked, at its present cwnd.
 * The kernel counts in int; the product fits as long as tcp_wmem[2] does.
 */
static u32 abt_snd_own(const struct sock *sk, const struct abt_conn *c)
{
	const struct tcp_congestion_ops *ca = inet_csk(sk)->icsk_ca_ops;
	const struct tcp_sock *tp = tcp_sk(sk);
	u64 windows = ca->sndbuf_expand ? ca->sndbuf_expand((struct sock *)sk) :
					  ABT_SND_OWN_WINDOWS;
	u32 segs = max3(tcp_snd_cwnd(tp), (u32)TCP_INIT_CWND,
			tp->reordering + 1);

	return min_t(u64, windows * segs * abt_worst_segment(tp),
		     READ_ONCE(sock_net(sk)->ipv4.sysctl_tcp_wmem[2]));
}

/*
 * The least send buffer, see the head of this file. tcp_fragment() allows two packets
 * of segmentation offload more than half: that is left for the segments that one ACK
 * splits, because each split adds to what is queued.
 */
static u32 abt_snd_least(const struct sock *sk)
{
	return DIV_ROUND_UP(abt_used(sk, ABT_SND), 2);
}

/*
 * Is a send buffer held at @target, below what the kernel would give? A policy with a
 * size of its own asks for it always; the others only while memory is short.
 */
static bool abt_snd_held(const struct abt_half *half, u32 target, u32 own)
{
	return half->policy != ABT_ATBT ||
	       (target < own && abt_pool_contended(half->stake.pool));
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
 * at once, nor below what the administrator has connections start with.
 */
static u32 abt_snd_free(const struct sock *sk, u32 target, u32 own)
{
	u32 start = READ_ONCE(sock_net(sk)->ipv4.sysctl_tcp_wmem[1]);

	return max(target, min(abt_buffer(sk, ABT_SND), max(own, start)));
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
		abt_decision_tell(sk, c, dir, old);
}

static void abt_apply_snd(struct sock *sk, struct abt_conn *c)
{
	struct abt_half *half = &c->half[ABT_SND];
	u32 floor = abt_floor_snd(sk, c);
	u32 target = max(abt_half_target(half), floor);
	u32 own = abt_snd_own(sk, c);
	bool held = abt_snd_held(half, target, own);
	bool lock = abt_snd_locks(sk, held);
	u32 least = max(floor, abt_snd_least(sk));
	u32 old = abt_buffer(sk, ABT_SND);
	u32 want, got;

	want = max(held ? target : abt_snd_free(sk, target, own), least);
	/* the kernel lowers it to half of what is queued itself */
	want = abt_odd(abt_no_more(sk, ABT_SND, want, SOCK_MIN_SNDBUF));
	half->drains = false;
	if (lock == half->held && abt_same(half, want) && old == half->applied)
		return;

	got = abt_charge(sk, c, ABT_SND, want, abt_odd(min(floor, want)), target);
	got = max(got, abt_odd(min(least, want)));
	half->drains |= want > abt_odd(target) && held;
	abt_set_buffer(sk, ABT_SND, got);
	abt_set_lock(sk, half, ABT_SND, lock);
	half->reason = abt_why(c, ABT_SND, old, want, got, floor);
	half->applied = got;
	c->snd_least = lock ? got : 0;
	c->snd_span = lock ? 0 : max(got, own + (own >> 1));
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

static void abt_apply_rcv(struct sock *sk, struct abt_conn *c)
{
	struct abt_half *half = &c->half[ABT_RCV];
	u32 floor = abt_floor_rcv(sk, c);
	u32 target = max(abt_half_target(half), floor);
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
	abt_park_drs(sk);
	c->parks = true;

	half->reason = abt_why(c, ABT_RCV, old, want, got, floor);
	half->applied = got;
	abt_say(sk, c, ABT_RCV, old, got);
}

/**
 * abt_apply() - give a connection the buffer that it was granted
 * @sk: socket, locked
 * @c: its record
 * @dir: direction
 *
 * Where the pool has less left than the grant, what it has; the rest follows when
 * others gave theirs back.
 */
void abt_apply(struct sock *sk, struct abt_conn *c, enum abt_dir dir)
{
	if (dir == ABT_SND)
		abt_apply_snd(sk, c);
	else
		abt_apply_rcv(sk, c);
}

static void abt_hand_back_snd(struct sock *sk, struct abt_conn *c, u32 limit)
{
	u32 start = READ_ONCE(sock_net(sk)->ipv4.sysctl_tcp_wmem[1]);
	u32 most = max(limit, abt_snd_least(sk));
	u32 buffer = abt_buffer(sk, ABT_SND);

	abt_set_buffer(sk, ABT_SND, clamp(buffer, min(start, most), most));
}

static void abt_hand_back_rcv(struct sock *sk, struct abt_conn *c, u32 limit)
{
	u32 start = READ_ONCE(sock_net(sk)->ipv4.sysctl_tcp_rmem[1]);
	u32 hold = abt_rcv_hold(sk, c, abt_waits(sk, c));
	u32 buffer = abt_buffer(sk, ABT_RCV);

	buffer = clamp(buffer, min(start, limit), limit);
	if (!abt_foreign_clamp(sk, c))
		abt_set_clamp(sk, c, tcp_win_from_space(sk, buffer));
	abt_set_buffer(sk, ABT_RCV, max(buffer, hold));
}

/**
 * abt_keep_granule() - keep a buffer of the application's from having no window for ever
 * @sk: socket, locked
 * @c: its record; the receive buffer is the application's
 *
 * With tcp_shrink_window the kernel rounds a window down to a granule of the scale, which was
 * agreed on when the ceiling was ours. A buffer whose whole window is less than a granule
 * never has one, and the connection stands still. A buffer that is a little larger than was
 * asked for is better.
 */
void abt_keep_granule(struct sock *sk, const struct abt_conn *c)
{
	struct tcp_sock *tp = tcp_sk(sk);
	u32 granule = 1U << tp->rx_opt.rcv_wscale;
	u32 space;

	if (!abt_net_shrinks_windows(sock_net(sk)) || granule == 1 ||
	    READ_ONCE(c->an->mode) != ABT_MODE_ON)
		return;
	space = abt_buffer(sk, ABT_RCV);
	if (abt_win_from_space(sk, space) < granule) {
		space = tcp_space_from_win(sk, granule);
		/* the inverse rounds down where the ratio is measured */
		while (abt_win_from_space(sk, space) < granule)
			space += granule;
		WRITE_ONCE(sk->sk_rcvbuf, ALIGN(space, 2));
	}
	if (READ_ONCE(tp->window_clamp) < granule)
		WRITE_ONCE(tp->window_clamp, granule);
	tp->rcv_ssthresh = max(tp->rcv_ssthresh, granule);
}

static void abt_resume_drs(struct sock *sk, struct abt_conn *c)
{
	if (c->parks)
		abt_unpark_drs(sk, c);
	c->parks = false;
}

/**
 * abt_bound_local() - keep the kernel's own receive tuning within the administrator's limit
 * @sk: socket, locked
 * @c: its record; its receive buffer is the kernel's
 *
 * The kernel tunes up to tcp_rmem[2], which the module raised. At the limit that the
 * administrator had there, a stock kernel would not grow any more: its tuning is held
 * still, and a buffer that jumped beyond it goes back as far as what is offered allows.
 */
void abt_bound_local(struct sock *sk, struct abt_conn *c)
{
	u32 limit = abt_ceiling_limit(c->an, ABT_RCV);

	if (abt_buffer(sk, ABT_RCV) > limit)
		abt_hand_back_rcv(sk, c, limit);
	/* what the kernel set is no clamp of the application's, whatever the buffer does */
	c->clamp = READ_ONCE(tcp_sk(sk)->window_clamp);
	if (abt_buffer(sk, ABT_RCV) < limit) {
		abt_resume_drs(sk, c);
	} else {
		abt_park_drs(sk);
		c->parks = true;
	}
}

/**
 * abt_let_go() - a direction that ends returns to the kernel's own tuning as it is
 * @sk: socket, locked
 * @c: its record
 * @dir: direction
 *
 * Nothing is cut in the middle of a transfer: the buffer stays, and is unlocked.
 */
void abt_let_go(struct sock *sk, struct abt_conn *c, enum abt_dir dir)
{
	struct abt_half *half = &c->half[dir];

	if (dir == ABT_RCV)
		abt_resume_drs(sk, c);
	if (half->held && abt_buffer(sk, dir) == half->applied)
		abt_set_lock(sk, half, dir, false);
	half->held = false;
	half->applied = 0;
}

/**
 * abt_hand_back() - a direction returns to the kernel's own tuning
 * @sk: socket, locked
 * @c: its record
 * @dir: direction
 *
 * The buffer goes to within the administrator's limits, from where the kernel
 * tunes on; a receive buffer not below what is already offered, but no more than
 * the limits allow is offered from now on; a send buffer not below half of what is
 * queued. What the application set in the meantime stays.
 */
void abt_hand_back(struct sock *sk, struct abt_conn *c, enum abt_dir dir)
{
	struct abt_half *half = &c->half[dir];
	bool foreign = abt_foreign_buffer(sk, half, dir);

	if (dir == ABT_RCV)
		abt_resume_drs(sk, c);
	if (!half->applied)
		return;
	if (!foreign && dir == ABT_SND)
		abt_hand_back_snd(sk, c, abt_ceiling_limit(c->an, dir));
	else if (!foreign)
		abt_hand_back_rcv(sk, c, abt_ceiling_limit(c->an, dir));
	if (!foreign)
		abt_set_lock(sk, half, dir, false);
	half->applied = 0;
	half->held = false;
	half->drains = false;
	if (dir == ABT_RCV) {
		c->clamp = 0;
		c->above_epochs = 0;
		c->stopped = false;
	}
}

/**
 * abt_hand_back_forced() - the same beside an owner that does not let the socket go
 * @sk: socket, owned, its spin lock held
 * @c: its record, which no hook has any more
 * @dir: direction
 *
 * The owner is somewhere in its critical section, asleep in all but the rarest case. It may
 * be walking queues, so none is looked at; and it may have decided by what a buffer or
 * window was, so both are raised and never cut. From there the kernel tunes on.
 */
void abt_hand_back_forced(struct sock *sk, struct abt_conn *c, enum abt_dir dir)
{
	const struct netns_ipv4 *ipv4 = &sock_net(sk)->ipv4;
	u32 start = dir == ABT_SND ? READ_ONCE(ipv4->sysctl_tcp_wmem[1]) :
				     READ_ONCE(ipv4->sysctl_tcp_rmem[1]);
	struct abt_half *half = &c->half[dir];
	struct tcp_sock *tp = tcp_sk(sk);
	u32 window;

	if (dir == ABT_RCV && c->parks)
		WRITE_ONCE(tp->rcvq_space.space, abt_resumed_space(sk, c));
	if (!half->applied || abt_buffer(sk, dir) != half->applied)
		return;
	abt_set_buffer(sk, dir, max(half->applied, start));
	if (dir == ABT_RCV && !abt_foreign_clamp(sk, c)) {
		window = min_t(u32, abt_kernel_clamp(sk), abt_clamp_max(tp));
		WRITE_ONCE(tp->window_clamp,
			   max(READ_ONCE(tp->window_clamp), window));
	}
	/* An owner that sets a lock bit at this very moment may lose to us, or we to it. */
	if (half->held)
		sk->sk_userlocks &= ~abt_lock_bit[dir];	/* beside its owner */
	half->held = false;
	half->applied = 0;
}
