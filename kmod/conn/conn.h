/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A connection: its record, the events that feed it, the applying of a grant.
 *
 *	event  ->  sample  ->  demand  ->  grant  ->  applied buffer  ->  exported
 *	events.c   sample.c    demand.c    pool/      apply.c, drain.c    control/
 *
 * steer.c runs a direction of a connection down that line, and reclaim.c does so
 * for connections that are silent. record.c keeps the records and hands sockets
 * back.
 */
#ifndef ABT_CONN_CONN_H
#define ABT_CONN_CONN_H

#include <linux/rhashtable-types.h>
#include <linux/types.h>

#include "control/netns.h"
#include "model/receive.h"
#include "model/send.h"
#include "model/throughput.h"
#include "pool/pool.h"

/* tcp_rtt_estimator() and tcp_rcv_rtt_update() keep 8 x the round trip. */
#define ABT_RTT_SHIFT	3

struct sock;

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
 * @useful: what of that the network can use [bytes of truesize]
 * @grant: what it may have of that [bytes of truesize]
 * @applied: what we wrote to sk_sndbuf or sk_rcvbuf; 0: nothing. Always odd: a
 *	setsockopt() always leaves an even number, so that we see it.
 * @policy: enum abt_policy in force
 * @reason: enum abt_reason of the last decision
 * @drains: @applied is above the grant until what is promised has drained
 * @idle: no data went this way for a while, see abt_idle()
 */
struct abt_half {
	struct abt_stake stake;
	u32 demand;
	u32 useful;
	u32 grant;
	u32 applied;
	u8 policy;
	u8 reason;
	bool drains;
	bool idle;
};

/**
 * struct abt_conn - the record of a socket
 * @node: in the table of records, by @sk; RCU
 * @sk: the socket; constant. No reference is held: tcp_destroy_sock takes the
 *	record away before the socket goes.
 * @bounds: cwnd bounds of the sender's target
 * @loss: losses of the sender (SABT)
 * @sndbuf: sk_sndbuf after the sender's last step
 * @generation: of the host, at the last step
 * @epoch_start_us: the receiver's current epoch began [us, tcp_mstamp]
 * @epoch_copied_seq: copied_seq then
 * @copied_us: the application took data last [us, tcp_mstamp]
 * @epoch_segs: data_segs_in then
 * @epoch_ooo: rcv_ooopack then
 * @arriving: truesize of the segment under way, in its event [bytes]; 0 else
 * @hole_limit: what waits behind a hole may take before its room is looked at
 *	again [bytes of truesize]
 * @clamp: window_clamp that we wrote, 0: none
 * @acked_seq: what the last ACK told, while a window drains
 * @moved_wup: rcv_wup as we left it, while a window drains
 * @drain_epochs: epochs that the receive buffer has been draining for
 * @stopped: what waits for the reader takes all that it may have
 * @dead: taken out of the table; for readers without the socket lock
 * @receiver: model of the receiver
 * @half: both directions
 * @an: the namespace; constant
 * @rcu: frees it
 *
 * The socket lock protects all that is not said to be constant or RCU. What a
 * segment looks at comes first, in one cache line.
 */
struct abt_conn {
	struct rhash_head node;
	struct sock *sk;
	struct abt_snd_bounds bounds;
	struct abt_loss loss;
	int sndbuf;
	u32 generation;
	u32 epoch_start_us;
	u32 epoch_copied_seq;
	u32 copied_us;
	u32 epoch_segs;
	u32 epoch_ooo;
	u32 arriving;
	u32 hole_limit;
	u32 clamp;
	u32 acked_seq;
	u32 moved_wup;
	u8 drain_epochs;
	bool stopped;
	bool dead;
	struct abt_rcv_model receiver;
	struct abt_half half[ABT_DIRS];
	struct abt_net *an;
	struct rcu_head rcu;
};

/**
 * abt_conn_has_news() - did a level, a pool or a knob change since its last step?
 * @c: record
 *
 * Return: true when abt_steer() is due.
 */
static inline bool abt_conn_has_news(const struct abt_conn *c)
{
	return c->generation != (u32)atomic_read(&abt_host.generation);
}

/**
 * abt_half_above() - is more applied than granted?
 * @half: direction
 *
 * Return: true while what was promised has not drained.
 */
static inline bool abt_half_above(const struct abt_half *half)
{
	return half->applied > half->grant + 1;		/* applied is odd */
}

/**
 * abt_half_short() - does a direction get less than it asks for, for want of memory?
 * @half: direction
 *
 * Return: true when its pool is what keeps it short.
 */
static inline bool abt_half_short(const struct abt_half *half)
{
	return half->grant < half->demand &&
	       abt_pool_contended(half->stake.pool);
}

/* record.c */
struct rhashtable_iter;

int abt_records_init(void);
void abt_records_exit(void);
struct abt_conn *abt_conn_find(const struct sock *sk);
struct abt_conn *abt_conn_make(struct sock *sk, struct abt_net *an);
void abt_conn_forget(struct abt_conn *c);
void abt_records_hand_back(struct abt_net *an);
void abt_records_walk_enter(struct rhashtable_iter *iter);
struct sock *abt_records_walk_next(struct rhashtable_iter *iter,
				   const struct abt_net *an);

/* sample.c */
void abt_sample_snd(const struct sock *sk, struct abt_snd_sample *s);
bool abt_sample_throughput(const struct sock *sk, struct abt_conn *c,
			   struct abt_throughput_sample *s);
bool abt_sample_rcv(struct sock *sk, struct abt_conn *c, u32 epoch_min_us,
		    struct abt_rcv_sample *s);
bool abt_idle(const struct sock *sk, enum abt_dir dir);
bool abt_recovers(const struct sock *sk);
bool abt_starves(const struct sock *sk);
bool abt_stalls(const struct sock *sk);
u32 abt_ooo_span(const struct sock *sk);
void abt_sample_rcv_start(const struct sock *sk, struct abt_conn *c);

/* demand.c */
u32 abt_demand_snd(const struct sock *sk, struct abt_conn *c,
		   const struct abt_config *config);
struct abt_wants abt_demand_rcv(const struct sock *sk, struct abt_conn *c,
				const struct abt_config *config);
u32 abt_floor_snd(const struct sock *sk, const struct abt_conn *c);
u32 abt_floor_rcv(const struct sock *sk);

/* apply.c */
bool abt_apply_foreign(const struct sock *sk, const struct abt_conn *c,
		       enum abt_dir dir);
void abt_apply(struct sock *sk, struct abt_conn *c, enum abt_dir dir);
void abt_hand_back(struct sock *sk, struct abt_conn *c, enum abt_dir dir);
u32 abt_buffer(const struct sock *sk, enum abt_dir dir);
u32 abt_used(const struct sock *sk, enum abt_dir dir);

/* drain.c */
void abt_drain_offer(struct sock *sk, struct abt_conn *c);

/* steer.c */
void abt_steer(struct sock *sk, struct abt_conn *c);
void abt_steer_snd(struct sock *sk, struct abt_conn *c);
void abt_steer_rcv(struct sock *sk, struct abt_conn *c);

/* reclaim.c */
void abt_reclaim_kick(void);
void abt_reclaim_stop(void);

/* events.c */
int abt_events_register(void);
void abt_events_unregister(void);

#endif /* ABT_CONN_CONN_H */
