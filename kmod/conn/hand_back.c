// SPDX-License-Identifier: GPL-2.0
/* A direction returns to the kernel's own tuning: as it is, within limits, or by force. */
#include <net/tcp.h>

#include "compat/tcp_space.h"
#include "conn/activity.h"
#include "conn/buffer.h"
#include "conn/conn.h"
#include "conn/hand_back.h"
#include "conn/offer.h"
#include "conn/park.h"
#include "conn/unsent.h"
#include "state/ceiling.h"
#include "state/net.h"

static void abt_hand_back_snd(struct sock *sk, u32 limit)
{
	u32 start = abt_buffer_start(sk, ABT_SND);
	u32 most = max(limit, abt_snd_least(sk));
	u32 buffer = abt_buffer(sk, ABT_SND);

	abt_set_buffer(sk, ABT_SND, clamp(buffer, min(start, most), most));
}

/* The module leaves the path's queue out of a window. With one of a BDP, the kernel's is twice. */
#define ABT_QUEUED_FACTOR	2

/*
 * The buffer of a reader that may wait for all of a message. The kernel's tuning does not grow a
 * buffer that nothing is taken from, so one that it would not have cut may be needed. Not if half
 * of the buffer is full, because the reader may as well have stopped.
 */
static u32 abt_hand_back_least(const struct sock *sk, const struct abt_conn *c, u32 more)
{
	u32 most = min(ABT_QUEUED_FACTOR * abt_rcv_most(c), abt_ceiling_limit(c->an, ABT_RCV));
	u32 buffer = abt_buffer(sk, ABT_RCV);

	if (most <= buffer || abt_used(sk, ABT_RCV) > buffer / 2 || tcp_under_memory_pressure(sk))
		return buffer;
	return buffer + min(most - buffer, more);
}

static void abt_hand_back_rcv(struct sock *sk, struct abt_conn *c, u32 limit, u32 more)
{
	u32 buffer = abt_hand_back_least(sk, c, more);
	u32 start = abt_buffer_start(sk, ABT_RCV);
	struct tcp_sock *tp = tcp_sk(sk);
	u32 held;

	buffer = clamp(buffer, min(start, limit), limit);
	held = max(buffer, abt_rcv_least(sk, c, buffer));
	/* a clamp below what the buffer stands for would look like the application's */
	if (!abt_foreign_clamp(sk, c)) {
		abt_set_clamp(sk, c, tcp_win_from_space(sk, min(held, limit)));
		tp->rcv_ssthresh = min_t(u32, tp->rcv_ssthresh, tcp_win_from_space(sk, buffer));
	}
	abt_set_buffer(sk, ABT_RCV, held);
}

/* The kernel tunes a receive buffer on, but no further than to a limit. */
static void abt_tune_within(struct sock *sk, struct abt_conn *c, u32 limit)
{
	if (abt_buffer(sk, ABT_RCV) > limit)
		abt_hand_back_rcv(sk, c, limit, 0);
	if (abt_buffer(sk, ABT_RCV) < limit)
		abt_resume_drs(sk, c);
	else
		abt_hold_drs(sk, c);
}

/**
 * abt_bound_app() - keep a receive buffer that the application has a say in within its limit
 * @sk: socket, locked
 * @c: its record, of policy "app"
 *
 * With SO_RCVBUF the kernel tunes it no more. With TCP_WINDOW_CLAMP alone it does, and would go
 * up to the raised tcp_rmem[2].
 */
void abt_bound_app(struct sock *sk, struct abt_conn *c)
{
	if (abt_app_is_tuned(sk, c))
		abt_tune_within(sk, c, abt_ceiling_limit(c->an, ABT_RCV));
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
	/* not the module's, so rcv_ssthresh does not go up with it, see abt_set_clamp() */
	if (!abt_foreign_clamp(sk, c))
		c->clamp = 0;
	abt_tune_within(sk, c, abt_ceiling_limit(c->an, ABT_RCV));
	/* a clamp that the kernel set is not the application's, however the buffer changes */
	c->clamp = READ_ONCE(tcp_sk(sk)->window_clamp);
}

static void abt_grow_rcv(struct sock *sk, struct abt_conn *c, u32 buffer)
{
	if (buffer <= abt_buffer(sk, ABT_RCV))
		return;
	if (!abt_foreign_clamp(sk, c))
		abt_set_clamp(sk, c, tcp_win_from_space(sk, buffer));
	abt_set_buffer(sk, ABT_RCV, buffer);
}

/* Half-closed readers are in no pool: together they may have 1/4 of what leaves it plenty. */
#define ABT_HALF_CLOSED_SHIFT	2

/*
 * A reader may wait for all of a message, so its buffer may be larger than what keeps the path
 * full. But many may stop reading, so each gets an even part at most; and if DRS never asked for
 * more than a connection begins with, the stock kernel's buffer is no larger either.
 */
static u32 abt_half_closed_most(const struct sock *sk, const struct abt_conn *c, u32 asks)
{
	const struct abt_pool *pool = READ_ONCE(c->an->pool[ABT_RCV]);
	u32 even = abt_pool_ease_each(pool, atomic_read(&c->an->records));
	u32 limit = abt_ceiling_limit(c->an, ABT_RCV);
	u32 queued = min(ABT_QUEUED_FACTOR * min(asks, limit), limit);

	if (asks <= abt_buffer_start(sk, ABT_RCV))
		return queued;
	return max(min(abt_waits_limit(sk, c, asks), even >> ABT_HALF_CLOSED_SHIFT), queued);
}

/**
 * abt_bound_half_closed() - size the receive buffer of a connection that has sent its FIN
 * @sk: socket, locked
 * @c: its record; its receive buffer is in no pool
 *
 * No event tells of its segments, and the kernel's own tuning would go up to the raised
 * tcp_rmem[2]. So that is held still. The buffer has room for a message that a reader waits for,
 * because nothing tells of that later on. It is cut only to the limit that the administrator had
 * there.
 */
void abt_bound_half_closed(struct sock *sk, struct abt_conn *c)
{
	u32 limit = abt_ceiling_limit(c->an, ABT_RCV);
	u32 asks = max(abt_rcv_most(c), abt_space(sk, abt_rcv_window(&c->receiver, true)));

	if (abt_buffer(sk, ABT_RCV) > limit)
		abt_hand_back_rcv(sk, c, limit, 0);
	else if (!tcp_under_memory_pressure(sk))
		abt_grow_rcv(sk, c, abt_half_closed_most(sk, c, asks));
	c->clamp = READ_ONCE(tcp_sk(sk)->window_clamp);
	abt_hold_drs(sk, c);
}

/* A window that the kernel would have with its buffer is not left lower. */
static void abt_raise_clamp(struct sock *sk, const struct abt_conn *c)
{
	struct tcp_sock *tp = tcp_sk(sk);
	u32 window = min(abt_kernel_clamp(sk), abt_clamp_max(tp));

	if (!abt_foreign_clamp(sk, c))
		WRITE_ONCE(tp->window_clamp,
			   max(READ_ONCE(tp->window_clamp), window));
}

/* Nothing of a direction is the module's any more. */
static void abt_forget_applied(struct abt_conn *c, enum abt_dir dir)
{
	struct abt_half *half = &c->half[dir];

	abt_set_applied(c, dir, 0);
	half->held = false;
	half->drains = false;
	if (dir == ABT_RCV) {
		c->clamp = 0;
		c->above_epochs = 0;
		c->stopped = false;
	}
}

/**
 * abt_let_go() - a connection leaves ESTABLISHED, and a direction its pool
 * @sk: socket, locked
 * @c: its record
 * @dir: direction
 *
 * A send buffer stays as it is, unlocked, and returns to the kernel's own tuning. A receive buffer
 * that was not the application's goes to within the administrator's limit.
 */
void abt_let_go(struct sock *sk, struct abt_conn *c, enum abt_dir dir)
{
	struct abt_half *half = &c->half[dir];
	bool tuned = half->local || c->parks || abt_app_is_tuned(sk, c);
	bool ours = dir == ABT_RCV && tuned && !abt_foreign_buffer(sk, half, dir);

	if (half->held && abt_buffer(sk, dir) == half->applied)
		abt_set_lock(sk, half, dir, false);
	if (dir == ABT_SND)
		abt_unsent_let_go(sk, c);
	else if (ours)
		abt_bound_half_closed(sk, c);
	else
		abt_resume_drs(sk, c);
	abt_forget_applied(c, dir);
	if (ours)
		c->clamp = READ_ONCE(tcp_sk(sk)->window_clamp);	/* as abt_bound_local() leaves it */
}

/**
 * abt_hand_back_within() - a direction returns to the kernel's own tuning
 * @sk: socket, locked
 * @c: its record
 * @dir: direction
 * @more: so much may a receive buffer be raised that was cut [bytes of truesize]
 *
 * The buffer goes to within the administrator's limits, from where the kernel
 * tunes on; a receive buffer not below what is already offered, but no more than
 * the limits allow is offered from now on; a send buffer not below half of what is
 * queued. A size that the application set in the meantime stays.
 */
void abt_hand_back_within(struct sock *sk, struct abt_conn *c, enum abt_dir dir, u32 more)
{
	struct abt_half *half = &c->half[dir];
	u32 limit;

	if (dir == ABT_RCV)
		abt_resume_drs(sk, c);
	else
		abt_unsent_let_go(sk, c);
	if (!half->applied)
		return;
	if (!abt_foreign_buffer(sk, half, dir)) {
		limit = abt_ceiling_limit(c->an, dir);
		if (dir == ABT_SND)
			abt_hand_back_snd(sk, limit);
		else
			abt_hand_back_rcv(sk, c, limit, more);
		abt_set_lock(sk, half, dir, false);
	} else if (dir == ABT_RCV) {
		abt_raise_clamp(sk, c);	/* 6.12 leaves it as it was */
	}
	abt_forget_applied(c, dir);
}

/**
 * abt_hand_back() - the same, with an even part of what leaves the pool plenty
 * @sk: socket, locked
 * @c: its record
 * @dir: direction
 */
void abt_hand_back(struct sock *sk, struct abt_conn *c, enum abt_dir dir)
{
	const struct abt_half *half = &c->half[dir];
	bool raises = dir == ABT_RCV && half->applied;

	abt_hand_back_within(sk, c, dir, raises ? abt_pool_ease_each(half->stake.pool, 1) : 0);
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
	u32 start = abt_buffer_start(sk, dir);
	struct abt_half *half = &c->half[dir];

	if (dir == ABT_RCV && c->parks)
		WRITE_ONCE(tcp_sk(sk)->rcvq_space.space,
			   abt_resumed_space(sk, c));
	if (dir == ABT_SND)
		abt_unsent_let_go(sk, c);
	if (!half->applied || abt_buffer(sk, dir) != half->applied)
		return;
	abt_set_buffer(sk, dir, max(half->applied, start));
	if (dir == ABT_RCV)
		abt_raise_clamp(sk, c);
	/* An owner that sets a lock bit at this very moment may lose to us, or we to it. */
	if (half->held)
		abt_set_lock(sk, half, dir, false);
	abt_set_applied(c, dir, 0);
}
