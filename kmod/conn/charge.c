// SPDX-License-Identifier: GPL-2.0
/* Grant -> charge: the part of a buffer that its pool is charged for. */
#include <linux/if_ether.h>
#include <net/tcp.h>

#include "conn/buffer.h"
#include "conn/charge.h"
#include "conn/conn.h"
#include "conn/drain.h"

/*
 * A queue this far above its buffer counts as drained [bytes of truesize]: the
 * kernel lets a writer in while the queue is below the buffer, and one buffer of
 * segmentation offload goes beyond it.
 */
#define ABT_SND_SLACK_BYTES	(64U << 10)

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
 * A promise is room that a direction has beyond its charge: the buffer that an idle
 * direction wakes up with; the window that the kernel opened a connection with, until it is
 * used; an offer that cannot be taken back; a floor above a share; room that the connection
 * did not come near to using, see abt_entitled(). While an offer drains, its sender may
 * send as much as it did lately, so the charge is the claim.
 *
 * Return: the part of @want that is charged in any case; @want: no promise.
 */
static u32 abt_meant(const struct abt_conn *c, enum abt_dir dir, u32 want,
		     u32 target)
{
	const struct abt_half *half = &c->half[dir];
	bool drains = dir == ABT_RCV && !half->idle && want > target &&
		      c->receiver.epochs && c->above_epochs <= ABT_DRAIN_EPOCHS;

	return min(want, drains ? half->stake.entered[0] : half->stake.grant);
}

/*
 * A promise that is called in is charged in steps of an eighth, and of no less than one buffer of
 * segmentation offload [bytes of truesize].
 */
#define ABT_RECHARGE_SHIFT		3
#define ABT_RECHARGE_LEAST_BYTES	(64U << 10)

/* A reader may be away when 1/4 of the room in its buffer was used, if that is a few segments. */
#define ABT_AWAY_SHIFT		2
#define ABT_AWAY_LEAST_BYTES	(4U * SKB_TRUESIZE(ETH_DATA_LEN))

/* From where on the queue of a reader that may be away is looked at. */
static u32 abt_away_above(u32 used, u32 buffer)
{
	u32 more = (buffer - min(used, buffer)) >> ABT_AWAY_SHIFT;

	return more < ABT_AWAY_LEAST_BYTES ? U32_MAX : used + more;
}

/* From where on a queue is charged for more, with a buffer of which not all is charged. */
static u32 abt_recharge_above(u32 charged, u32 buffer)
{
	if (charged >= buffer)
		return U32_MAX;
	return abt_clamp_bytes((u64)charged + max(charged >> ABT_RECHARGE_SHIFT,
						  ABT_RECHARGE_LEAST_BYTES));
}

/* From where on a receive queue is looked at: for its charge, or because its reader may be away. */
static u32 abt_look_above(u32 charged, u32 used, u32 buffer)
{
	return min(abt_recharge_above(charged, buffer), abt_away_above(used, buffer));
}

/* A promise is charged for what was called in of it. */
static u32 abt_charge_promise(const struct sock *sk, struct abt_conn *c,
			      enum abt_dir dir, u32 want, u32 meant)
{
	struct abt_half *half = &c->half[dir];
	u32 used = abt_used(sk, dir);
	u32 charged = abt_stake_charge(&half->stake, max(meant, used), used);

	half->drains &= meant > half->stake.grant;
	if (dir == ABT_RCV)
		c->recharge_above = abt_look_above(charged, used, want);
	else
		half->recheck_above = min(half->recheck_above,
					  abt_recharge_above(charged, want));
	return want;
}

/**
 * abt_charge() - charge for a buffer, growth before it is applied
 * @sk: socket, locked
 * @c: its record
 * @dir: direction
 * @want: buffer [bytes of truesize]
 * @least: part of it that it gets however full the pools are [bytes of truesize]
 * @target: buffer that it may have in the end [bytes of truesize]
 *
 * Return: the buffer that is paid for [bytes of truesize].
 */
u32 abt_charge(const struct sock *sk, struct abt_conn *c,
	       enum abt_dir dir, u32 want, u32 least, u32 target)
{
	u32 meant = abt_meant(c, dir, want, target);
	struct abt_half *half = &c->half[dir];
	u32 got;

	if (meant < want)
		return abt_charge_promise(sk, c, dir, want, meant);
	if (dir == ABT_RCV)
		c->recharge_above = abt_away_above(abt_used(sk, dir), want);
	if (dir == ABT_SND && want < half->stake.charged)
		return abt_charge_cut(sk, half, want);
	got = abt_odd(abt_stake_charge(&half->stake, want, least));
	/* a byte of an even charge goes back, or no epoch finds it equal to the buffer */
	return abt_stake_charge(&half->stake, got, 0);
}

/**
 * abt_recharge_rcv() - charge for a receive queue that calls in a promise
 * @sk: socket, locked
 * @c: its record
 *
 * A reader that stops takes no copies, so no epoch ends and no step is due, while its peer fills
 * the window that it was offered. A connection that is only observed is charged for nothing.
 */
void abt_recharge_rcv(const struct sock *sk, struct abt_conn *c)
{
	struct abt_stake *stake = &c->half[ABT_RCV].stake;
	u32 used = abt_used(sk, ABT_RCV) + c->arriving;
	u32 charged;

	c->recharge_above = U32_MAX;
	if (!stake->pool)
		return;
	charged = abt_stake_charge(stake, max(used, stake->charged), used);
	c->recharge_above = abt_look_above(charged, used, abt_buffer(sk, ABT_RCV));
}

/**
 * abt_look_ahead() - look for a reader that is away from now on again
 * @sk: socket, locked; its reader took data
 * @c: its record
 */
void abt_look_ahead(const struct sock *sk, struct abt_conn *c)
{
	const struct abt_half *half = &c->half[ABT_RCV];

	if (half->applied)
		c->recharge_above = min(c->recharge_above,
					abt_away_above(abt_used(sk, ABT_RCV), half->applied));
}

/* A charge may be so many times what it is for, so that it does not follow each queue down. */
#define ABT_CHARGE_FITS_FACTOR	2

/**
 * abt_charge_fits() - is a buffer that the kernel sizes charged for as it is used?
 * @sk: socket, locked
 * @half: direction
 * @dir: direction
 *
 * Return: true if its charge covers its grant, and is not far above that and the bytes in the
 *	buffer.
 */
bool abt_charge_fits(const struct sock *sk, const struct abt_half *half,
		     enum abt_dir dir)
{
	u32 needed = max(half->stake.grant, abt_used(sk, dir));

	return half->stake.charged >= half->stake.grant &&
	       half->stake.charged / ABT_CHARGE_FITS_FACTOR <= needed;
}

/**
 * abt_charge_used() - charge for a buffer that the kernel or the application sizes
 * @sk: socket, locked
 * @c: its record
 * @dir: direction
 *
 * The charge is its grant, or the bytes in the buffer if these are more.
 */
void abt_charge_used(const struct sock *sk, struct abt_conn *c, enum abt_dir dir)
{
	u32 buffer = min_t(u32, abt_buffer(sk, dir), ABT_BYTES_MAX);

	abt_charge_promise(sk, c, dir, buffer,
			   min(c->half[dir].stake.grant, buffer));
}
