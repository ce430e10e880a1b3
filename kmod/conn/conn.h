/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The record of a connection, and the line that events take it down:
 *
 *	event  ->  sample  ->  demand  ->  claim, grant  ->  charge  ->  applied buffer
 *	events.c   sample.c    demand.c    claim.c, pool/    charge.c    apply.c
 *
 * steer.c runs a direction of a connection (half.h) down that line, if an event asks for it or if
 * there is news that concerns it (news.c); and reclaim.c does so for connections that are silent.
 * attach.c has the tracepoints, report.c tells the path. Below apply.c, buffer.c reads and writes
 * buffers, offer.c the window that is offered, drain.c and park.c what else is written.
 * hand_back.c returns a socket to the kernel's own tuning.
 */
#ifndef ABT_CONN_CONN_H
#define ABT_CONN_CONN_H

#include <linux/rcupdate.h>
#include <linux/rhashtable-types.h>
#include <linux/types.h>
#include <net/tcp.h>

#include "conn/half.h"
#include "model/receive.h"
#include "model/send.h"
#include "model/throughput.h"
#include "model/unsent.h"
#include "path/member.h"
#include "state/host.h"

struct abt_member;

/* tcp_rtt_estimator() and tcp_rcv_rtt_update() keep 8 x the round trip. */
#define ABT_RTT_SHIFT	3

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
 *	@snd_locks says, the sender needs no step because of it [bytes of truesize]
 * @snd_span: see @snd_least
 * @generation: abt_generation() at the last step, or at news since that passed it by
 * @epoch_start_us: the receiver's current epoch began [us, tcp_mstamp]
 * @epoch_copied_seq: copied_seq then
 * @copied_at: the application took data last [tcp_jiffies32]
 * @epoch_segs: data_segs_in then
 * @arriving: truesize of the segment under way, in its event [bytes]; 0 else
 * @recharge_above: with more in its queue the receiver is charged for more, or its reader may be
 *	away [bytes of truesize]
 * @above_epochs: epochs that the receive buffer has been above its target for without
 *	coming nearer, this one included; 0: it is not above
 * @stopped: the receive queue fills the whole buffer, because the application stopped reading
 * @offered_less: the peer offers less than the sender's cwnd asks for
 * @offer_lasts: and it has done so for a while
 * @minds_offer: a smaller offer counts: the send buffer is made for more than the least
 * @comes_down: from @offer_due on a send buffer is looked at anyway, because its queue may have
 *	drained, the peer may still offer less, or the administrator's limit may be another
 * @minds_writer: the writer is looked at now and then, to bound its unsent data
 * @watched: each copy is looked at: the receiver is idle, stopped or locked, or drains
 * @parks: each copy holds the kernel's own tuning still, see abt_park_drs()
 * @snd_locks: sk_userlocks after the sender's last step; SOCK_SNDBUF_LOCK, set by the module or
 *	the application, is looked at
 * @moved: rcv_wup is where abt_drain_offer() put it
 * @coarse: no drain was possible in the last epoch, see abt_drain_possible()
 * @calm_epochs: so many epochs that bring no more than those before need no step
 * @copying: the event under way is that the application takes data
 * @local: its path was seen to be a local one, see abt_path_note()
 * @dead: taken out of the table; for readers without the socket lock
 * @epoch_ooo: rcv_ooopack when the current epoch began
 * @clamp: window_clamp that we wrote, 0: none
 * @acked_seq: sequence number that the last ACK acknowledged, while a window drains; or the true
 *	edge of an offer that was rounded down
 * @moved_wup: rcv_wup as we left it, while a window drains
 * @loss: losses of the sender (SABT)
 * @unsent: state of the writer, while @minds_writer (ATBT)
 * @receiver: model of the receiver
 * @path: its part in the path that it receives over, or NULL
 * @half: both directions
 * @member: the connection as the driver of its route's device knows it, or NULL. Whichever
 *	caller takes it out by xchg() owns it, see offload/member.h
 *
 * The socket lock protects each field that is not said to be constant or RCU. The fields that
 * every segment is compared with come first, in a line that no quiet event writes.
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
	u32 recharge_above;
	u8 watched:1;
	u8 offered_less:1;
	u8 stopped:1;
	u8 parks:1;
	u8 moved:1;
	u8 coarse:1;
	u8 copying:1;
	u8 local:1;
	u8 calm_epochs:4;
	u8 above_epochs:4;
	u8 snd_locks:4;	/* where a socket has sk_userlocks: no shift to compare them */
	u8 offer_lasts:1;
	u8 minds_offer:1;
	u8 minds_writer:1;
	u8 comes_down:1;
	bool dead;
	u32 epoch_start_us;
	/* copies write the next line, and a quiet segment does not read it */
	u32 epoch_copied_seq;
	u32 copied_at;
	u32 epoch_segs;
	u32 arriving;
	u32 epoch_ooo;
	u32 clamp;
	u32 acked_seq;
	u32 moved_wup;
	union {
		struct abt_loss loss;
		struct abt_unsent unsent;
	};
	struct abt_rcv_model receiver;
	struct abt_path_member *path;
	struct abt_half half[ABT_DIRS];
	struct abt_member *member;
};

/**
 * abt_conn_has_news() - did a level, a pool or a knob change since its last step?
 * @c: record
 *
 * The hot path: each event.
 *
 * Return: true when abt_steer() is due.
 */
static inline bool abt_conn_has_news(const struct abt_conn *c)
{
	/*
	 * As abt_generation(), but a read may be folded into the sum, for an instruction less. An
	 * old value is as good: the next event sees the new one.
	 */
	return c->generation != data_race((u32)abt_host.generation.counter +
					  (u32)c->an->generation.counter);
}

/**
 * abt_conn_copied_ago_us() - for how long has the application taken nothing?
 * @c: record
 *
 * By jiffies. tcp_mstamp stands still while the window is closed, so a reader that takes a little
 * now and then would seem to be away.
 *
 * Return: us, wraps; a jiffy more or less.
 */
static inline u32 abt_conn_copied_ago_us(const struct abt_conn *c)
{
	return (tcp_jiffies32 - c->copied_at) * (u32)(USEC_PER_SEC / HZ);
}

/**
 * abt_conn_copied() - the application took data
 * @sk: socket, locked
 * @c: its record
 *
 * A reader that leaves more than a round trip brings is slow. Data that wait for it later on did
 * not come because it was away.
 */
static inline void abt_conn_copied(const struct sock *sk, struct abt_conn *c)
{
	const struct tcp_sock *tp = tcp_sk(sk);

	c->copied_at = tcp_jiffies32;
	c->receiver.took_all = tp->rcv_nxt - tp->copied_seq <= c->receiver.used_bytes;
}

/**
 * abt_conn_set_due() - have the next segment or copy of a connection steer it
 * @c: record
 */
static inline void abt_conn_set_due(struct abt_conn *c)
{
	c->generation = abt_generation(c->an) - ABT_NEWS_ALL;
}

#endif /* ABT_CONN_CONN_H */
