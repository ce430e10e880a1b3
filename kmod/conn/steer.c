// SPDX-License-Identifier: GPL-2.0
/*
 * A direction of a connection, steered down the line:
 * sample -> demand -> grant -> applied buffer.
 */
#include <net/tcp.h>

#include "conn/conn.h"

/*
 * An estimate that moved by less than 1/16 is what it was: the width of a bucket of
 * the pool's histogram, so nobody could tell the difference. A fixed size is no
 * estimate.
 */
#define ABT_DEMAND_SHIFT	ABT_HIST_SUB_SHIFT

/* Return: does it ask for something else than before? */
static bool abt_set_wants(struct abt_half *half, struct abt_wants wants,
			  u32 cap)
{
	u32 demand = half->demand, useful = half->useful;

	if (half->policy == ABT_FIXED ||
	    abt_differs(wants.demand, half->demand, ABT_DEMAND_SHIFT))
		half->demand = wants.demand;
	half->demand = min(half->demand, cap);

	if (wants.useful == wants.demand)
		half->useful = half->demand;
	else if (abt_differs(wants.useful, half->useful, ABT_DEMAND_SHIFT))
		half->useful = wants.useful;
	half->useful = min(half->useful, half->demand);
	return half->demand != demand || half->useful != useful;
}

/* Into the pool that the namespace draws on: a demand depends on what there is. */
static void abt_settle_pool(struct abt_conn *c, enum abt_dir dir)
{
	struct abt_half *half = &c->half[dir];
	struct abt_pool *pool = READ_ONCE(c->an->pool[dir]);

	if (half->stake.pool != pool) {
		abt_stake_leave(&half->stake);
		abt_stake_join(&half->stake, pool);
	}
}

/* Enter the demand, learn the grant. */
static void abt_set_grant(struct abt_conn *c, enum abt_dir dir)
{
	struct abt_half *half = &c->half[dir];

	abt_stake_demand(&half->stake, (struct abt_wants) {
		.demand = half->demand,
		.useful = half->useful,
	});
}

/*
 * What a buffer of the application's own takes from the pool: all of it; while it is
 * idle, what is in it. Or anybody could keep everyone's memory by opening
 * connections with large buffers, and doing nothing with them.
 */
static u32 abt_demand_app(const struct sock *sk, const struct abt_conn *c,
			  enum abt_dir dir)
{
	u32 buffer = min_t(u32, abt_buffer(sk, dir), ABT_BYTES_MAX);
	const struct abt_half *half = &c->half[dir];

	if (!half->idle)
		return buffer;
	return min(buffer, abt_gives_way(half) ? abt_used(sk, dir) : half->demand);
}

/* Not ours to manage: hands off, but what it takes is taken from the pool. */
static void abt_leave_to_app(struct sock *sk, struct abt_conn *c,
			     enum abt_dir dir)
{
	struct abt_half *half = &c->half[dir];

	if (half->policy != ABT_APP) {
		abt_hand_back(sk, c, dir);
		half->demand = ABT_BYTES_MAX;
		pr_info_once("an application set a buffer of its own: left alone, charged to the pool (see policy \"app\" in /proc/net/tcp_abt)\n");
	}
	half->policy = ABT_APP;
	half->reason = ABT_WHY_APP;
	if (dir == ABT_RCV)
		abt_keep_granule(sk, c);
	half->drains = false;
	half->demand = abt_demand_app(sk, c, dir);
	half->useful = half->demand;
	abt_settle_pool(c, dir);
	abt_set_grant(c, dir);
	abt_stake_charge(&half->stake, half->demand, half->demand);
}

/* The kernel tunes this direction; nothing of it is in a pool. */
static void abt_leave_to_kernel(struct sock *sk, struct abt_conn *c,
				enum abt_dir dir)
{
	struct abt_half *half = &c->half[dir];

	abt_hand_back(sk, c, dir);
	abt_stake_leave(&half->stake);
	half->policy = ABT_STOCK;
	half->reason = ABT_WHY_STOCK;
	half->drains = false;
	half->demand = 0;
	half->useful = 0;
}

/*
 * Find the policy in force. Return: true when the direction is ours to manage.
 * Once an application set a buffer, it is the application's for good.
 */
static bool abt_settle_policy(struct sock *sk, struct abt_conn *c,
			      enum abt_dir dir, u32 wanted)
{
	struct abt_half *half = &c->half[dir];

	half->idle = abt_half_idle(sk, half, dir);
	if (half->policy == ABT_APP || abt_apply_foreign(sk, c, dir)) {
		abt_leave_to_app(sk, c, dir);
		return false;
	}
	if (wanted == ABT_STOCK) {
		abt_leave_to_kernel(sk, c, dir);
		return false;
	}
	half->policy = wanted;
	abt_settle_pool(c, dir);
	return true;
}

static void abt_finish(struct sock *sk, struct abt_conn *c, enum abt_dir dir,
		       const struct abt_config *config, struct abt_wants wants)
{
	struct abt_half *half = &c->half[dir];

	abt_host_follow();
	abt_net_follow(c->an);
	abt_set_wants(half, wants, abt_ceiling_cap(c->an, dir));
	abt_set_grant(c, dir);
	if (abt_half_short(half))
		abt_reclaim_kick();
	if (config->mode == ABT_MODE_ON)
		abt_apply(sk, c, dir);
	else
		half->reason = ABT_WHY_OBSERVE;
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

	if (abt_settle_policy(sk, c, ABT_SND, config->sender))
		abt_finish(sk, c, ABT_SND, config,
			   abt_wants_all(abt_demand_snd(sk, c, config)));
	else
		abt_bounds_open(c);
	c->sndbuf = READ_ONCE(sk->sk_sndbuf);
}

/*
 * After an epoch that changed nothing, so many more of a local path are passed over: some
 * 8 ms in all, two ticks of most kernels.
 */
#define ABT_CALM_EPOCHS	7

/* An epoch more that the receive buffer is above its target. */
static void abt_count_above(struct abt_conn *c)
{
	if (c->above_epochs && c->above_epochs < ABT_ABOVE_EPOCHS_MAX)
		c->above_epochs++;
}

/* What an epoch brought, if one ended. */
static void abt_learn_rcv(struct sock *sk, struct abt_conn *c,
			  const struct abt_config *config)
{
	struct abt_rcv_sample s;

	if (abt_sample_reused(sk, c))
		abt_sample_start(sk, c);
	if (abt_sample_rcv(sk, c, config->epoch_min_us, &s)) {
		abt_rcv_update(&c->receiver, &s, config->alpha_signal);
		abt_count_above(c);
	}
}

/* From what is known to the buffer. */
static void abt_settle_rcv(struct sock *sk, struct abt_conn *c,
			   const struct abt_config *config)
{
	if (abt_settle_policy(sk, c, ABT_RCV, config->receiver))
		abt_finish(sk, c, ABT_RCV, config,
			   abt_demand_rcv(sk, c, config));
	c->calm_epochs = 0;
	c->watched = c->half[ABT_RCV].idle || c->stopped || abt_rcv_drains(c);
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
 * abt_steer_epoch() - the receiver's direction, because an epoch ended
 * @sk: socket, locked
 * @c: its record, with no news
 *
 * Most epochs bring what the one before did. Whose buffer is as it was granted, and
 * whose demand is what it was, has the same grant and the same buffer. On a local
 * path, where epochs are many, the next ones are not even looked at closely.
 *
 * Context: RCU read side, BH or process.
 */
void abt_steer_epoch(struct sock *sk, struct abt_conn *c)
{
	const struct abt_config *config = abt_net_config(c->an);

	if (c->calm_epochs && abt_sample_calm(sk, c, config->epoch_min_us)) {
		c->calm_epochs--;
		return;
	}
	abt_learn_rcv(sk, c, config);
	abt_host_follow();
	abt_net_follow(c->an);
	if (abt_rcv_rests(sk, c) &&
	    !abt_set_wants(&c->half[ABT_RCV], abt_demand_rcv(sk, c, config),
			   abt_ceiling_cap(c->an, ABT_RCV)))
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
	u32 generation = abt_generation(c->an);

	abt_steer_snd(sk, c);
	abt_steer_rcv(sk, c);
	if (c->half[ABT_SND].drains || c->half[ABT_RCV].drains)
		generation--;
	c->generation = generation;
}
