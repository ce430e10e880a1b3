/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A connection: its record, the events that feed it, the applying of a grant.
 *
 *	event  ->  sample  ->  demand  ->  claim, grant  ->  charge  ->  applied buffer
 *	events.c   sample.c    demand.c    claim.c, pool/    charge.c    apply.c
 *
 * steer.c runs a direction of a connection down that line, and reclaim.c does so for
 * connections that are silent. record.c keeps the records. Below apply.c, buffer.c reads and
 * writes a socket's buffers, offer.c the window that is offered, drain.c and park.c what else
 * of a socket is written; hand_back.c returns a socket to the kernel's own tuning, and
 * hand_back_all.c all sockets of a namespace.
 */
#ifndef ABT_CONN_CONN_H
#define ABT_CONN_CONN_H

#include <linux/hash.h>
#include <linux/rcupdate.h>
#include <linux/rhashtable-types.h>
#include <linux/types.h>
#include <net/tcp.h>

#include "state/host.h"
#include "model/receive.h"
#include "model/send.h"
#include "model/throughput.h"
#include "path/path.h"
#include "pool/pool.h"

struct abt_member;

/* tcp_rtt_estimator() and tcp_rcv_rtt_update() keep 8 x the round trip. */
#define ABT_RTT_SHIFT	3

/*
 * Every connection keeps three segments' worth each way, because it needs as much to restart
 * after a timeout (TBT-PLR, section on the floor).
 */
#define ABT_FLOOR_SEGS	3

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
 * struct abt_conn - the record of a socket
 * @node: in the table of records, by @sk; RCU
 * @sk: the socket; constant. No reference is held: the state TCP_CLOSE, and at the
 *	latest tcp_destroy_sock, takes the record away before the socket goes.
 * @an: the namespace; constant. It outlives the record, which it counts.
 * @bounds: bounds of the sender's target
 * @rcu: frees the record after a grace period, when no hook steps its sender any more
 * @offer_due: a smaller offer of the peer counts from here on [tcp_jiffies32]
 * @snd_least: while sk_sndbuf is between this and @snd_span more, and its lock bit is as
 *	@snd_locked says, the sender needs no step because of it [bytes of truesize]
 * @snd_span: see @snd_least
 * @generation: abt_generation() at the last step
 * @epoch_start_us: the receiver's current epoch began [us, tcp_mstamp]
 * @epoch_copied_seq: copied_seq then
 * @copied_us: the application took data last [us, tcp_mstamp]
 * @epoch_segs: data_segs_in then
 * @arriving: truesize of the segment under way, in its event [bytes]; 0 else
 * @above_epochs: epochs that the receive buffer has been above its target for without
 *	coming nearer, this one included; 0: it is not above
 * @stopped: the receive queue fills the whole buffer, because the application stopped reading
 * @offered_less: the peer offers less than the sender's cwnd asks for
 * @offer_lasts: and it has done so for a while
 * @offer_least: the send buffer is made for the least that counts, so a smaller offer does not
 * @comes_down: from @offer_due on a send buffer is looked at anyway, because its queue may have
 *	drained, or the peer may still offer less
 * @watched: each copy is looked at: the receiver is idle, stopped or locked, or drains
 * @parks: each copy holds the kernel's own tuning still, see abt_park_drs()
 * @snd_locked: SOCK_SNDBUF_LOCK was set, by the module or the application, after the
 *	sender's last step
 * @moved: rcv_wup is where abt_drain_offer() put it
 * @coarse: no drain was possible in the last epoch, see abt_drain_possible()
 * @calm_epochs: so many epochs that bring no more than those before need no step
 * @dead: taken out of the table; for readers without the socket lock
 * @epoch_ooo: rcv_ooopack when the current epoch began
 * @clamp: window_clamp that we wrote, 0: none
 * @acked_seq: sequence number that the last ACK acknowledged, while a window drains
 * @moved_wup: rcv_wup as we left it, while a window drains
 * @loss: losses of the sender (SABT)
 * @receiver: model of the receiver
 * @path: its part in the path that it receives over, or NULL
 * @half: both directions
 * @member: the connection as the driver of its route's device knows it, or NULL. Whichever
 *	caller takes it out by xchg() owns it, see offload/port.h
 *
 * The socket lock protects each field that is not said to be constant or RCU. The fields that
 * every segment is compared with come first.
 */
struct abt_conn {
	struct rhash_head node;
	struct sock *sk;
	struct abt_net *an;
	union {
		struct {
			struct abt_snd_bounds bounds;
			u32 offer_due;
		};
		struct rcu_head rcu;
	};
	u32 snd_least;
	u32 snd_span;
	u32 generation;
	u32 epoch_start_us;
	u32 epoch_copied_seq;
	u32 copied_us;
	u32 epoch_segs;
	u32 arriving;
	u8 calm_epochs:3;
	u8 parks:1;
	u8 snd_locked:1;
	u8 moved:1;
	u8 coarse:1;
	u8 above_epochs:6;
	u8 stopped:1;
	u8 watched:1;
	u8 offered_less:1;
	u8 offer_lasts:1;
	u8 offer_least:1;
	u8 comes_down:1;
	bool dead;
	u32 epoch_ooo;
	u32 clamp;
	u32 acked_seq;
	u32 moved_wup;
	struct abt_loss loss;
	struct abt_rcv_model receiver;
	struct abt_path_member *path;
	struct abt_half half[ABT_DIRS];
	struct abt_member *member;
};

/**
 * abt_conn_has_news() - did a level, a pool or a knob change since its last step?
 * @c: record
 *
 * Return: true when abt_steer() is due.
 */
static inline bool abt_conn_has_news(const struct abt_conn *c)
{
	return c->generation != abt_generation(c->an);
}

/**
 * abt_conn_set_due() - have the next segment or copy of a connection steer it
 * @c: record
 */
static inline void abt_conn_set_due(struct abt_conn *c)
{
	c->generation = abt_generation(c->an) - 1;
}

/*
 * An offer drains in one round trip, if it drains: a peer may be silent, and
 * with a window scale whose granule is larger than what a single ACK covers, the
 * kernel rounds each offer up to where it was. After so many epochs in which the
 * buffer came no nearer to its target, we stop waiting, until the queue is long enough
 * for an ACK to cover a granule.
 */
#define ABT_DRAIN_EPOCHS	5

/* So far @above_epochs counts. */
#define ABT_ABOVE_EPOCHS_MAX	63

/**
 * abt_rcv_drains() - is a receive buffer on its way down to its target?
 * @c: record
 *
 * Return: true while what was promised drains.
 */
static inline bool abt_rcv_drains(const struct abt_conn *c)
{
	return (u8)(c->above_epochs - 1) < ABT_DRAIN_EPOCHS;
}

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

/**
 * abt_used() - what is in a socket's buffer
 * @sk: socket
 * @dir: direction
 *
 * Return: bytes of truesize.
 */
static inline u32 abt_used(const struct sock *sk, enum abt_dir dir)
{
	int used = dir == ABT_SND ? READ_ONCE(sk->sk_wmem_queued) :
				    atomic_read(&sk->sk_rmem_alloc);

	return max(used, 0);
}

/**
 * abt_outgrew() - has a sender queued more than its claim was made for?
 * @sk: socket, locked
 * @c: its record
 *
 * Return: true when its claim is to be looked at again.
 */
static inline bool abt_outgrew(const struct sock *sk, const struct abt_conn *c)
{
	return abt_used(sk, ABT_SND) > c->half[ABT_SND].recheck_above;
}

/**
 * abt_recovers() - is a sender in loss recovery?
 * @sk: socket, locked
 *
 * Return: true until all that was sent when the loss was noticed is acknowledged.
 */
static inline bool abt_recovers(const struct sock *sk)
{
	return inet_csk(sk)->icsk_ca_state >= TCP_CA_Recovery;
}

#endif /* ABT_CONN_CONN_H */
