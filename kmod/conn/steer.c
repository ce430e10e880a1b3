// SPDX-License-Identifier: GPL-2.0
/*
 * A direction of a connection, steered down the line:
 * sample -> demand -> grant -> applied buffer.
 */
#include <net/tcp.h>

#include "conn/activity.h"
#include "conn/apply.h"
#include "conn/bound.h"
#include "conn/buffer.h"
#include "conn/cgroup.h"
#include "conn/charge.h"
#include "conn/claim.h"
#include "conn/conn.h"
#include "conn/demand.h"
#include "conn/drain.h"
#include "conn/hand_back.h"
#include "conn/offer.h"
#include "conn/report.h"
#include "conn/sample.h"
#include "conn/steer.h"
#include "conn/unsent.h"
#include "path/member.h"
#include "state/ceiling.h"
#include "state/host.h"
#include "state/net.h"

/* Return: does a direction ask for another buffer than before? */
static bool abt_set_demand(const struct sock *sk, struct abt_conn *c,
			   enum abt_dir dir, u32 demand)
{
	u32 cap = min(abt_ceiling_cap(c->an, dir), abt_cgroup_cap(sk, c, dir));
	/* together shares leave little of a queue, so that each of them is exact */
	bool shared = dir == ABT_RCV && abt_path_bounds(c->path);
	struct abt_half *half = &c->half[dir];
	u32 before = half->demand;

	if (half->policy == TCP_ABT_POLICY_FIXED || half->ahead || shared ||
	    abt_differs(demand, before, ABT_DEMAND_SHIFT))
		half->demand = demand;
	half->demand = min(half->demand, cap);
	return half->demand != before;
}

/* The application sizes this direction. The pool is charged for what it uses. */
static void abt_leave_to_app(struct sock *sk, struct abt_conn *c,
			     enum abt_dir dir)
{
	struct abt_half *half = &c->half[dir];

	if (half->policy != TCP_ABT_POLICY_APP) {
		abt_hand_back_within(sk, c, dir, 0);
		half->demand = ABT_BYTES_MAX;
		abt_half_keep(half, 0);
		pr_info_once("an application set a buffer of its own: left alone, charged to the pool (see policy \"app\" in /proc/net/tcp_abt)\n");
	}
	half->policy = TCP_ABT_POLICY_APP;
	half->reason = TCP_ABT_REASON_APP;
	half->local = false;
	if (dir == ABT_RCV) {
		abt_bound_app(sk, c);
		abt_keep_granule(sk, c);
	}
	half->demand = abt_demand_app(sk, c, dir);
	abt_settle_pool(sk, c, dir);
	abt_set_grant(sk, c, dir);
	abt_charge_used(sk, c, dir);
}

/* Nothing of a direction is in a pool. */
static void abt_leave_pool(struct abt_conn *c, enum abt_dir dir)
{
	struct abt_half *half = &c->half[dir];

	abt_half_leave(half);
	half->policy = TCP_ABT_POLICY_STOCK;
	half->reason = TCP_ABT_REASON_STOCK;
	half->local = false;
	half->demand = 0;
	if (dir == ABT_RCV) {
		abt_report_end(c);
		c->recharge_above = U32_MAX;
	} else {
		half->recheck_above = U32_MAX;
	}
}

/* The kernel tunes this direction. */
static void abt_leave_to_kernel(struct sock *sk, struct abt_conn *c, enum abt_dir dir)
{
	abt_hand_back(sk, c, dir);
	abt_leave_pool(c, dir);
}

/*
 * Does the application size this direction? Once it set a buffer, that is the application's
 * for good; a send buffer, until it clears the lock bit, by which it asks for a buffer that
 * is tuned.
 */
static bool abt_app_sizes(const struct sock *sk, struct abt_conn *c,
			  enum abt_dir dir)
{
	struct abt_half *half = &c->half[dir];

	if (dir == ABT_SND && !(sk->sk_userlocks & SOCK_SNDBUF_LOCK)) {
		half->held = false;
		return false;
	}
	return half->policy == TCP_ABT_POLICY_APP ||
	       abt_apply_foreign(sk, c, dir);
}

/* Find the policy in force. Return: true when the direction is ours to manage. */
static bool abt_settle_policy(struct sock *sk, struct abt_conn *c,
			      enum abt_dir dir, u32 wanted)
{
	struct abt_half *half = &c->half[dir];
	bool bounds;

	half->idle = abt_half_idle(sk, half, dir);
	if (abt_app_sizes(sk, c, dir)) {
		abt_leave_to_app(sk, c, dir);
		return false;
	}
	if (wanted == TCP_ABT_POLICY_STOCK || sk->sk_state != TCP_ESTABLISHED ||
	    (dir == ABT_RCV && abt_rcv_is_consumed(sk))) {
		bounds = dir == ABT_RCV && c->an->mode == TCP_ABT_MODE_ON &&
			 abt_is_receiving(sk) && wanted != TCP_ABT_POLICY_STOCK;
		if (!bounds || half->policy != TCP_ABT_POLICY_STOCK)
			abt_leave_to_kernel(sk, c, dir);
		if (bounds && sk->sk_state == TCP_ESTABLISHED)
			abt_bound_local(sk, c);
		else if (bounds)
			abt_bound_half_closed(sk, c);
		return false;
	}
	if (dir == ABT_SND && wanted != TCP_ABT_POLICY_ATBT)
		abt_unsent_let_go(sk, c);	/* before SABT counts losses there */
	half->policy = wanted;
	abt_settle_pool(sk, c, dir);
	return true;
}

/*
 * A receiver on a local path is left to the kernel's own tuning while memory is
 * plenty: where the round trip is no longer than the shortest epoch, an estimate tells
 * of the host's own delays, and a buffer that moves up and down by it has the kernel
 * acknowledge nearly every segment. Not while a queue takes all of the buffer, or half of it
 * beside a hole, because the kernel makes room for either without asking a pool.
 */
static bool abt_is_local(const struct sock *sk, const struct abt_conn *c)
{
	bool hole = abt_rcv_has_hole(tcp_sk(sk));
	const struct abt_half *half = &c->half[ABT_RCV];

	return abt_path_is_local(sk, c) &&
	       abt_used(sk, ABT_RCV) + c->arriving <= abt_buffer(sk, ABT_RCV) >> hole &&
	       abt_policy_estimates(half->policy) &&
	       abt_pool_at_ease(half->stake.pool);
}

/*
 * The kernel sizes it on, within the administrator's limit, so nothing is raised. The pool is
 * charged for the use that is made of it: if connections that rest kept all of it, a few of them
 * would take a pool that others on local paths need.
 */
static void abt_leave_local(struct sock *sk, struct abt_conn *c)
{
	abt_hand_back_within(sk, c, ABT_RCV, 0);
	abt_bound_local(sk, c);
	c->half[ABT_RCV].reason = TCP_ABT_REASON_STOCK;
	abt_charge_used(sk, c, ABT_RCV);
}

static void abt_finish(struct sock *sk, struct abt_conn *c, enum abt_dir dir,
		       const struct abt_config *config, u32 demand)
{
	struct abt_half *half = &c->half[dir];

	abt_host_follow();
	abt_net_follow(c->an);
	abt_set_demand(sk, c, dir, demand);
	abt_set_grant(sk, c, dir);
	half->local = dir == ABT_RCV && config->mode == TCP_ABT_MODE_ON &&
		      abt_is_local(sk, c);
	if (config->mode != TCP_ABT_MODE_ON)
		half->reason = TCP_ABT_REASON_OBSERVE;
	else if (half->local)
		abt_leave_local(sk, c);
	else
		abt_apply(sk, c, dir);
	if (abt_half_short(half))
		abt_reclaim_kick();
}

/* A buffer that is not ours. If it is the application's it is charged, so a change counts. */
static void abt_snd_watch(const struct sock *sk, struct abt_conn *c)
{
	bool app = c->half[ABT_SND].policy == TCP_ABT_POLICY_APP;

	c->snd_least = app ? abt_buffer(sk, ABT_SND) : 0;
	c->snd_span = app ? 0 : U32_MAX;
}

/**
 * abt_steer_snd() - the sender's direction
 * @sk: socket, locked
 * @c: its record
 *
 * Context: RCU read side, BH or process.
 */
void abt_steer_snd(struct sock *sk, struct abt_conn *c)
{
	const struct abt_config *config = abt_net_config(c->an);

	abt_path_note(sk, c);
	if (abt_settle_policy(sk, c, ABT_SND, config->sender))
		abt_finish(sk, c, ABT_SND, config, abt_demand_snd(sk, c, config));
	else
		abt_bounds_open(c);
	if (c->half[ABT_SND].drains)
		abt_conn_set_due(c);
	if (!c->half[ABT_SND].applied)
		abt_snd_watch(sk, c);
	c->snd_locks = sk->sk_userlocks;
	abt_unsent_settle(sk, c, config);
}

/*
 * After an epoch that changed nothing, so many more of a local path are passed over: some
 * 16 ms in all, four ticks of most kernels.
 */
#define ABT_CALM_EPOCHS	15

/*
 * An epoch more that the receive buffer is above its target; the first, if a drain has become
 * possible.
 */
static void abt_count_above(const struct sock *sk, struct abt_conn *c)
{
	bool coarse;

	if (!c->above_epochs)
		return;
	coarse = !abt_drain_possible(sk, c);
	if (c->coarse && !coarse)
		c->above_epochs = 1;
	else if (c->above_epochs < ABT_ABOVE_EPOCHS_MAX)
		c->above_epochs++;
	c->coarse = coarse;
}

/* Learn from an epoch, if one ended. */
static void abt_learn_rcv(struct sock *sk, struct abt_conn *c,
			  const struct abt_config *config)
{
	struct abt_rcv_sample s;
	u32 held;

	if (abt_sample_rcv(sk, c, config->epoch_min_us, &s)) {
		held = abt_rcv_update(&c->receiver, &s, config->alpha_signal);
		abt_count_above(sk, c);
		abt_report(sk, c, config, &s, held);
	}
}

/* From what is known to the buffer. */
static void abt_settle_rcv(struct sock *sk, struct abt_conn *c,
			   const struct abt_config *config)
{
	abt_bound_lowat(sk, c->an);
	if (abt_settle_policy(sk, c, ABT_RCV, config->receiver))
		abt_finish(sk, c, ABT_RCV, config, abt_demand_rcv(sk, c, config));
	c->calm_epochs = 0;
	c->watched = c->half[ABT_RCV].idle || c->half[ABT_RCV].held ||
		     c->half[ABT_RCV].ahead || c->stopped ||
		     (abt_rcv_drains(c) && !abt_drain_is_short(sk, c));
}

/**
 * abt_steer_rcv() - the receiver's direction
 * @sk: socket, locked
 * @c: its record
 *
 * Context: RCU read side, BH or process.
 */
void abt_steer_rcv(struct sock *sk, struct abt_conn *c)
{
	const struct abt_config *config = abt_net_config(c->an);

	abt_learn_rcv(sk, c, config);
	abt_settle_rcv(sk, c, config);
}

/**
 * abt_steer_queue() - the receiver's direction, because its queue grew beyond what it was seen at
 * @sk: socket, locked
 * @c: its record
 *
 * While a reader is away its window follows what comes. No epoch ends meanwhile, because what
 * the reader takes tells what the path holds.
 *
 * Context: RCU read side, BH or process.
 */
void abt_steer_queue(struct sock *sk, struct abt_conn *c)
{
	if (abt_came_meanwhile(sk, c) || abt_reader_waits(sk, c))
		abt_settle_rcv(sk, c, abt_net_config(c->an));
	abt_recharge_rcv(sk, c);
}

/**
 * abt_steer_epoch() - the receiver's direction, because an epoch ended
 * @sk: socket, locked
 * @c: its record, with no news
 *
 * Most epochs bring as much as the one before. If the buffer is as it was granted, and demand
 * and claim are unchanged, the grant and the buffer stay as well, so no step is needed. The next
 * ones may be passed over, see abt_sample_calm().
 *
 * Context: RCU read side, BH or process.
 */
void abt_steer_epoch(struct sock *sk, struct abt_conn *c)
{
	const struct abt_config *config = abt_net_config(c->an);

	abt_learn_rcv(sk, c, config);
	abt_look_ahead(sk, c);
	abt_host_follow();
	abt_net_follow(c->an);
	if (abt_rcv_rests(sk, c) &&
	    !abt_set_demand(sk, c, ABT_RCV, abt_demand_rcv(sk, c, config)) &&
	    abt_claim_stands(sk, c, ABT_RCV))
		c->calm_epochs = ABT_CALM_EPOCHS;
	else
		abt_settle_rcv(sk, c, config);
}

/**
 * abt_steer() - both directions, because there is news
 * @sk: socket, locked
 * @c: its record
 *
 * While a direction drains, the next segment is news again.
 *
 * Context: RCU read side, BH or process.
 */
void abt_steer(struct sock *sk, struct abt_conn *c)
{
	c->generation = abt_generation(c->an);
	smp_rmb();	/* pairs with abt_pool_news(): look at no less than that tells of */
	abt_steer_snd(sk, c);
	abt_steer_rcv(sk, c);
	if (c->half[ABT_RCV].drains)
		abt_conn_set_due(c);
}

/**
 * abt_steer_state() - a connection leaves ESTABLISHED
 * @sk: socket, locked
 * @c: its record
 * @state: the state that it goes to
 *
 * tcp_probe fires in ESTABLISHED alone, so both directions leave their pools, and the sender
 * returns to the kernel's own tuning as it is. A receiver that reads on stays within the
 * administrator's limit. The buffers of a socket that is disconnected return to within those as
 * well, because its next connection begins with them.
 *
 * Context: RCU read side, BH or process.
 */
void abt_steer_state(struct sock *sk, struct abt_conn *c, int state)
{
	enum abt_dir dir;

	abt_drain_restore(sk, c);
	for (dir = 0; dir < ABT_DIRS; dir++) {
		if (state == TCP_CLOSE)
			abt_hand_back(sk, c, dir);
		else
			abt_let_go(sk, c, dir);
		abt_leave_pool(c, dir);
	}
}
