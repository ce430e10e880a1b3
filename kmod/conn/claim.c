// SPDX-License-Identifier: GPL-2.0
/* Demand -> claim -> grant: how much a connection asks its pool for, and how much it may have. */
#include <net/tcp.h>

#include "compat/memory.h"
#include "compat/tcp_space.h"
#include "conn/activity.h"
#include "conn/buffer.h"
#include "conn/claim.h"
#include "conn/conn.h"
#include "conn/floor.h"
#include "conn/sample.h"

/*
 * The pool that a direction draws on; NULL: none. A connection that is only observed
 * takes nothing from others. A connection that bypasses tcp_mem takes none of the memory that
 * the pools are made of.
 */
static struct abt_pool *abt_pool_of(const struct sock *sk,
				    const struct abt_conn *c, enum abt_dir dir)
{
	if (READ_ONCE(c->an->mode) != TCP_ABT_MODE_ON || abt_bypasses_mem(sk))
		return NULL;
	return READ_ONCE(c->an->pool[dir]);
}

/**
 * abt_settle_pool() - into its pool, because a demand depends on what there is
 * @sk: socket, locked
 * @c: its record
 * @dir: direction
 */
void abt_settle_pool(const struct sock *sk, struct abt_conn *c,
		     enum abt_dir dir)
{
	struct abt_half *half = &c->half[dir];
	struct abt_pool *pool = abt_pool_of(sk, c, dir);

	if (half->stake.pool != pool) {
		abt_half_leave(half);
		abt_stake_join(&half->stake, pool);
	}
}

/*
 * A member can claim so many times what it used lately: the window that DRS has a steady
 * connection offer, and room to double in a round trip. While memory is not short, a
 * connection has all of its demand beyond that as a promise; when it is, a neighbour that uses
 * next to nothing can claim next to nothing.
 */
#define ABT_ENTITLED_FACTOR	2

/* A segment that was written by itself: its payload in pages, beside a head. */
static u32 abt_single_segment(const struct tcp_sock *tp)
{
	return tp->mss_cache + SKB_TRUESIZE(MAX_TCP_HEADER);
}

/* The larger of a sender's queue and its recent flight [bytes of truesize]. */
static u64 abt_snd_use(const struct sock *sk)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	u32 segs = max(tp->max_packets_out, tp->packets_out);

	return max_t(u64, abt_used(sk, ABT_SND),
		     (u64)segs * abt_single_segment(tp));
}

/*
 * For so long a new connection claims what it opens with, before its first estimate: with
 * less, others would give way a round trip late, and its slow start would meet a full
 * queue. After that it claims by its use, even if its round trip is not known yet [us].
 */
#define ABT_OPENS_US	1000000

static bool abt_rcv_opens(const struct sock *sk, const struct abt_conn *c)
{
	return !c->receiver.epochs &&
	       (u32)tcp_sk(sk)->tcp_mstamp - c->epoch_start_us < ABT_OPENS_US;
}

/* A burst of the initial window counts in full, however short it is. */
static u32 abt_rcv_burst(const struct sock *sk, const struct abt_conn *c)
{
	return min(abt_space(sk, c->receiver.path_bytes),
		   TCP_INIT_CWND * abt_rcv_segment(tcp_sk(sk)));
}

/*
 * The use of a round trip: its mean, but at least its recent peak up to the initial window. With
 * the mean alone, a connection at its floor that loses a segment now and then would never claim
 * more.
 *
 * Return: bytes of truesize.
 */
static u64 abt_rcv_use_now(const struct sock *sk, const struct abt_conn *c)
{
	u32 use = max(abt_space(sk, c->receiver.used_bytes), abt_rcv_burst(sk, c));

	return abt_rcv_opens(sk, c) ? max(use, abt_floor_rcv(sk, c)) : use;
}

/*
 * The largest claim of a receiver. The queue comes on top of the window, because data behind
 * a hole do. A segment that arrives is in it, as it still is when it is copied: otherwise the
 * claim would be another at each event. A queue that the reader has left counts once, because a
 * claim of twice the queue would grow with it.
 *
 * Return: bytes of truesize.
 */
static u64 abt_rcv_entitled(const struct sock *sk, const struct abt_conn *c)
{
	u32 queued = abt_used(sk, ABT_RCV) + c->arriving;
	u64 use = abt_rcv_use_now(sk, c);

	if (abt_policy_estimates(c->half[ABT_RCV].policy) && abt_reader_leaves(sk))
		return use + max_t(u64, use, queued);
	return ABT_ENTITLED_FACTOR * (use + queued);
}

/*
 * The most of a shared pool that a connection can claim. A claim follows use, however much a
 * policy or an application asks for. An idle direction claims the bytes in its buffer: its
 * reader may have stopped, but it needs no more than that.
 */
static u32 abt_entitled(const struct sock *sk, const struct abt_conn *c,
			enum abt_dir dir)
{
	if (c->half[dir].idle)
		return abt_used(sk, dir);
	return abt_clamp_bytes(dir == ABT_SND ? ABT_ENTITLED_FACTOR * abt_snd_use(sk) :
						abt_rcv_entitled(sk, c));
}

/*
 * The claim of a direction is its demand, but no more than it is entitled to. Use moves with
 * every segment, so the claim follows in steps of 1/16.
 */
static u32 abt_claim(const struct sock *sk, const struct abt_conn *c,
		     enum abt_dir dir)
{
	const struct abt_half *half = &c->half[dir];
	u32 claim = half->stake.entered[0];
	u32 most;

	if (!half->stake.pool)
		return half->demand;
	most = abt_entitled(sk, c, dir);
	if (most >= half->demand || abt_differs(most, claim, ABT_DEMAND_SHIFT))
		claim = most;
	return min(claim, half->demand);
}

/**
 * abt_claim_stands() - is a claim what it was entered with?
 * @sk: socket, locked
 * @c: its record
 * @dir: direction
 *
 * Return: true when it is, or there is no pool.
 */
bool abt_claim_stands(const struct sock *sk, const struct abt_conn *c,
		      enum abt_dir dir)
{
	const struct abt_stake *stake = &c->half[dir].stake;

	return !stake->pool || abt_claim(sk, c, dir) == stake->entered[0];
}

/*
 * A sender that queues more than 3/4 of its claim, half more than it used when it claimed, claims
 * anew. Its whole claim would be too late: a buffer of the size of the claim holds no more than
 * that, and the writer refills it from 2/3 on.
 */
#define ABT_OUTGREW_SHIFT	2

/**
 * abt_set_grant() - enter the claim, learn the grant
 * @sk: socket, locked
 * @c: its record
 * @dir: direction
 */
void abt_set_grant(const struct sock *sk, struct abt_conn *c,
		   enum abt_dir dir)
{
	struct abt_half *half = &c->half[dir];
	u32 claim = abt_claim(sk, c, dir);

	if (dir == ABT_SND)
		half->recheck_above = claim < half->demand ?
				      claim - (claim >> ABT_OUTGREW_SHIFT) :
				      U32_MAX;
	half->shares = abt_stake_demand(&half->stake, claim) < claim;
}
