/* SPDX-License-Identifier: GPL-2.0 */
/* A direction of a connection: its demand, its grant, its buffer, and the reason for it. */
#ifndef ABT_CONN_HALF_H
#define ABT_CONN_HALF_H

#include <linux/bits.h>
#include <linux/limits.h>
#include <linux/log2.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/types.h>
#include <uapi/linux/tcp_abt.h>

#include "pool/room.h"
#include "pool/stake.h"
#include "state/config.h"

/**
 * struct abt_half - one direction of a connection
 * @stake: its part in the pool
 * @demand: buffer that it wants [bytes of truesize]
 * @applied: size that the module wrote to sk_sndbuf or sk_rcvbuf; 0: none. Always odd,
 *	because setsockopt() always leaves an even number: the module sees it.
 * @recheck_above: with more in its buffer, a direction is looked at again: a sender that
 *	claimed by its use, or is charged for a part of its buffer; a receiver with a hole
 *	[bytes of truesize]
 * @policy: enum tcp_abt_policy in force
 * @reason: enum tcp_abt_reason of the last decision
 * @kept: empty room of a send buffer that it keeps beyond its charge, see
 *	abt_half_keep() [ABT_KEPT_BYTES]
 * @drains: @applied is above the grant until what is promised has drained
 * @idle: no data went this way for a while, see abt_half_idle()
 * @held: the lock bit of this direction is ours
 * @local: the kernel's own tuning sizes it, because the path is a local one, see
 *	abt_is_local()
 * @shares: it was granted less than it can claim, see abt_entitled()
 * @bounded: a sender asks for a buffer that keeps its path busy, which is less than cwnd would have
 *	it ask for, see abt_demand_cwnd(). The offer of a reader that stopped was rounded down, see
 *	abt_drain_stopped()
 * @ahead: a reader is away, and the demand goes on from what waits for it
 * @refilled: a writer has filled its buffer since that was cut late, see abt_snd_keep()
 * @less_since: the peer of a sender has offered less than its cwnd asks for since then
 *	[abt_peer_clock()]
 * @most: the largest buffer that a receiver asked for, see abt_half_most() [1/8 octaves]
 */
struct abt_half {
	struct abt_stake stake;
	u32 demand;
	u32 applied;
	u32 recheck_above;
	u8 policy:4;
	u8 reason:4;
	u8 kept;
	u8 drains:1;
	u8 idle:1;
	u8 held:1;
	u8 local:1;
	u8 shares:1;
	u8 bounded:1;
	u8 ahead:1;
	u8 refilled:1;
	union {
		u8 less_since;
		u8 most;
	};
};

/* The largest demand of a receiver is known to 1/8 of an octave. */
#define ABT_MOST_SHIFT	3

/**
 * abt_half_most() - the largest buffer that a receiver asked for
 * @half: the receiver's direction
 *
 * Return: bytes of truesize, or up to 1/9 less; 1: none is known.
 */
static inline u32 abt_half_most(const struct abt_half *half)
{
	u32 octave = half->most >> ABT_MOST_SHIFT;
	u32 eighths = BIT(ABT_MOST_SHIFT) + (half->most & (BIT(ABT_MOST_SHIFT) - 1));

	return (u32)(((u64)eighths << octave) >> ABT_MOST_SHIFT);
}

/**
 * abt_half_asks() - a receiver asks for a buffer
 * @half: the receiver's direction
 * @bytes: the buffer [bytes of truesize]; less than 2^ABT_MOST_SHIFT counts as that
 */
static inline void abt_half_asks(struct abt_half *half, u32 bytes)
{
	u32 octave, most;

	bytes = max_t(u32, bytes, BIT(ABT_MOST_SHIFT));
	octave = ilog2(bytes);
	most = (octave << ABT_MOST_SHIFT) +
	       ((bytes >> (octave - ABT_MOST_SHIFT)) & (BIT(ABT_MOST_SHIFT) - 1));
	half->most = max_t(u32, half->most, most);
}

/**
 * abt_half_short() - does a direction get less than it asks for, for want of memory?
 * @half: direction
 *
 * Return: true when its pool is what keeps it short.
 */
static inline bool abt_half_short(const struct abt_half *half)
{
	return (half->shares || half->reason == TCP_ABT_REASON_POOL) &&
	       abt_pool_contended(half->stake.pool);
}

/*
 * Memory beyond its grant that a direction may have. A size that the administrator wrote is
 * given whole while memory is plenty [bytes of truesize].
 */
static inline u32 abt_half_promise(const struct abt_half *half)
{
	if (half->shares)
		return 0;
	if (abt_policy_has_size(half->policy))
		return abt_pool_at_ease(half->stake.pool) ? ABT_BYTES_MAX : 0;
	return abt_pool_promise(half->stake.pool);
}

/**
 * abt_half_target() - what a direction may have
 * @half: direction
 *
 * Return: its grant; or its demand, as far as the pool can promise it [bytes of truesize].
 */
static inline u32 abt_half_target(const struct abt_half *half)
{
	return max(half->stake.grant, min(half->demand, abt_half_promise(half)));
}

/**
 * abt_half_keep() - keep empty room of a send buffer, beyond the charge
 * @half: direction
 * @want: room [bytes of truesize]; it is counted in ABT_KEPT_BYTES, rounded up, and in U8_MAX of
 *	them at most
 *
 * Return: the room that it may keep, maybe a little more than @want.
 */
static inline u32 abt_half_keep(struct abt_half *half, u32 want)
{
	want = min_t(u32, DIV_ROUND_UP(want, ABT_KEPT_BYTES), U8_MAX);
	half->kept = abt_stake_keep(&half->stake, half->kept, want);
	return half->kept * ABT_KEPT_BYTES;
}

/**
 * abt_half_leave() - leave the pools, and give all back
 * @half: direction
 */
static inline void abt_half_leave(struct abt_half *half)
{
	abt_half_keep(half, 0);
	abt_stake_leave(&half->stake);
}

#endif /* ABT_CONN_HALF_H */
