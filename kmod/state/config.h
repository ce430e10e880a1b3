/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The knobs of a namespace, as one consistent set. A set is never changed: a
 * write stages a copy, checks it as a whole, and commits it under RCU.
 */
#ifndef ABT_STATE_CONFIG_H
#define ABT_STATE_CONFIG_H

#include <linux/bits.h>
#include <linux/types.h>
#include <uapi/linux/tcp_abt.h>

#include "model/receive.h"
#include "model/send.h"

/* Largest pool [bytes]: 1 TiB, beyond any host's tcp_mem. */
#define ABT_POOL_MAX	BIT_ULL(40)

/**
 * abt_policy_estimates() - is a receiver sized by an estimate of its path?
 * @policy: enum tcp_abt_policy
 *
 * Return: true for DRS and TBT-PLR.
 */
static inline bool abt_policy_estimates(u32 policy)
{
	return policy == TCP_ABT_POLICY_DRS || policy == TCP_ABT_POLICY_TBT_PLR;
}

/**
 * abt_policy_has_size() - does a direction ask for a size that its path does not tell?
 * @policy: enum tcp_abt_policy
 *
 * Return: true for fixed and max.
 */
static inline bool abt_policy_has_size(u32 policy)
{
	return policy == TCP_ABT_POLICY_FIXED || policy == TCP_ABT_POLICY_MAX;
}

/**
 * struct abt_config - all knobs of a namespace
 * @mode: enum tcp_abt_mode
 * @sender: enum tcp_abt_policy
 * @receiver: enum tcp_abt_policy
 * @share: enum abt_share
 * @alpha_signal: enum abt_alpha_signal
 * @path_headroom: the connections of a path share so much more than it holds [percent];
 *	0: they share nothing, each has what DRS gives it
 * @send_pool: bytes of truesize, 0: draw on the host's
 * @recv_pool: bytes of truesize, 0: draw on the host's
 * @fixed_send: send buffer of the fixed policy [bytes of truesize]
 * @fixed_recv: receive buffer of the fixed policy [bytes of truesize]
 * @send_band_low: ATBT's band [cwnd]
 * @send_target: ATBT's band [cwnd]
 * @send_band_high: ATBT's band [cwnd]
 * @epoch_min_us: shortest epoch of a receiver, and the shortest round trip that
 *	it believes in [us]
 * @wake_min_us: all writers together are woken no more often than each so many us, by bounds on
 *	unsent data; 0: the module bounds none
 * @rcu: frees a set that was replaced
 */
struct abt_config {
	u32 mode;
	u32 sender;
	u32 receiver;
	u32 share;
	u32 alpha_signal;
	u32 path_headroom;
	u64 send_pool;
	u64 recv_pool;
	u32 fixed_send;
	u32 fixed_recv;
	u32 send_band_low;
	u32 send_target;
	u32 send_band_high;
	u32 epoch_min_us;
	u32 wake_min_us;
	struct rcu_head rcu;
};

#endif /* ABT_STATE_CONFIG_H */
