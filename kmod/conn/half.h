/* SPDX-License-Identifier: GPL-2.0 */
/* A direction of a connection: its demand, its grant, its buffer, and the reason for it. */
#ifndef ABT_CONN_HALF_H
#define ABT_CONN_HALF_H

#include <linux/types.h>

#include "pool/room.h"
#include "pool/stake.h"

/* Why a buffer is what it is; shown in /proc and in tracepoints. */
enum abt_reason {
	ABT_WHY_INIT,		/* no event yet */
	ABT_WHY_GROW,		/* demand rose, and was granted */
	ABT_WHY_SHRINK,		/* demand fell */
	ABT_WHY_SHARE,		/* the pool's level is below the demand */
	ABT_WHY_POOL,		/* the pool had less left than was granted */
	ABT_WHY_HOLD,		/* a window already offered forbids to go lower yet */
	ABT_WHY_FLOOR,		/* the least that a connection gets */
	ABT_WHY_ADMIN,		/* tcp_rmem/tcp_wmem of the administrator */
	ABT_WHY_APP,		/* the application set the buffer */
	ABT_WHY_STOCK,		/* the kernel's own tuning */
	ABT_WHY_OBSERVE,	/* nothing is applied */
	ABT_WHYS
};

/**
 * struct abt_half - one direction of a connection
 * @stake: its part in the pool
 * @demand: buffer that it wants [bytes of truesize]
 * @applied: size that the module wrote to sk_sndbuf or sk_rcvbuf; 0: none. Always odd,
 *	because setsockopt() always leaves an even number: the module sees it.
 * @recheck_above: with more in its buffer, a direction is looked at again: a sender that
 *	claimed by its use, a receiver with a hole [bytes of truesize]
 * @policy: enum abt_policy in force
 * @reason: enum abt_reason of the last decision
 * @drains: @applied is above the grant until what is promised has drained
 * @idle: no data went this way for a while, see abt_half_idle()
 * @held: the lock bit of this direction is ours
 * @local: the kernel's own tuning sizes it, because the path is a local one, see
 *	abt_is_local()
 * @shares: it was granted less than it can claim, see abt_entitled()
 */
struct abt_half {
	struct abt_stake stake;
	u32 demand;
	u32 applied;
	u32 recheck_above;
	u8 policy;
	u8 reason;
	u8 drains:1;
	u8 idle:1;
	u8 held:1;
	u8 local:1;
	u8 shares:1;
};

/**
 * abt_half_short() - does a direction get less than it asks for, for want of memory?
 * @half: direction
 *
 * Return: true when its pool is what keeps it short.
 */
static inline bool abt_half_short(const struct abt_half *half)
{
	return (half->shares || half->reason == ABT_WHY_POOL) &&
	       abt_pool_contended(half->stake.pool);
}

/**
 * abt_half_target() - what a direction may have
 * @half: direction
 *
 * Beyond its claim a direction has its demand as a promise, but only while no more than half
 * of its pool is handed out. With promises up to the whole pool, claims that fall a little
 * below it would let all connections grow at once.
 *
 * Return: all that it asks for while memory is plenty, else its grant [bytes of
 *	truesize].
 */
static inline u32 abt_half_target(const struct abt_half *half)
{
	if (half->shares || !abt_pool_at_ease(half->stake.pool))
		return half->stake.grant;
	return max(half->stake.grant, half->demand);
}

#endif /* ABT_CONN_HALF_H */
