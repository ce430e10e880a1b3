/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The NIC hook: a driver is told the state of each connection.
 *
 *	tcp_abt_offload_register(netdev, ops, priv)
 *	    ops->limits(priv)			what the adapter can hold
 *	    ops->conn_add(priv, conn, state)	may refuse
 *	    ops->conn_update(priv, conn, state)	at most once a round trip
 *	    ops->conn_del(priv, conn, why)	the last of a connection
 *	tcp_abt_offload_unregister(netdev)
 *
 * A connection belongs to the device that its route leaves by. It is told to the
 * driver from a workqueue, one call at a time for a device:
 *
 *	      .---------- refused: stays on the host path, may be asked again
 *	      |                              .---------------.
 *	      |    0                         v               |
 *	conn_add ------> conn_update -> conn_update -> ... --'
 *	   ^                  |
 *	   |                  v
 *	   '-- came back -- conn_del: closed, rerouted, no room, unregistered
 *
 * Context of the operations: process, may sleep, may allocate with GFP_KERNEL.
 * No lock of the kernel's or of tcp_abt's is held that a driver could wait for, except the locks
 * of the caller of tcp_abt_offload_unregister(), and, when the device goes by
 * itself, RTNL: so no operation may take RTNL, nor a lock under which the driver
 * calls tcp_abt_offload_unregister(). None may register or unregister.
 *
 * Order: of one connection, the operations come in the order of the states in them,
 * and of a device never two at a time. So a slow operation holds up the
 * updates of all connections of the device.
 *
 * Staleness: an event of a connection (a segment came in, the application took
 * data, its grant changed) is in a state that the driver is told at most a round trip,
 * an eighth of it, two ticks of the kernel and the time that the driver itself
 * takes after it happened; later only where a system call has the socket locked for
 * so long. States of a connection are at least a round trip apart.
 * A state is taken when it is told, of the locked socket: all its figures are of
 * one moment. A silent connection causes no calls.
 *
 * The driver's module uses symbols of tcp_abt.ko, so that the latter cannot be
 * removed first.
 */
#ifndef TCP_ABT_OFFLOAD_H
#define TCP_ABT_OFFLOAD_H

#include <linux/in.h>
#include <linux/in6.h>
#include <linux/socket.h>
#include <linux/types.h>

struct net_device;

/* Of struct tcp_abt_offload_state; new fields come at the end, and count it up. */
#define TCP_ABT_OFFLOAD_VERSION		1

/* A line of the cache, on any processor that we know of [bytes]. */
#define TCP_ABT_OFFLOAD_ALIGN		64

/**
 * enum tcp_abt_offload_function - the functions that a hybrid TOE can take over
 * @TCP_ABT_FN_ALLOC: 1, allocate a send buffer
 * @TCP_ABT_FN_COPY_IN: 2, copy what the application sends into it
 * @TCP_ABT_FN_WAIT: 3, wait for send memory
 * @TCP_ABT_FN_CHECK: 4, check and demultiplex a segment that came in
 * @TCP_ABT_FN_ACK: 5, generate an ACK
 * @TCP_ABT_FN_COPY_OUT: 6, copy what was received to the application
 * @TCP_ABT_FN_FREE: 7, free a buffer
 * @TCP_ABT_FNS: how many there are
 *
 * Jang, Oh, Chung, Kim: Analysis of TCP/IP Protocol for Implementing a
 * High-Performance Hybrid TCP/IP Offload Engine, 2005. In the order of the paper.
 */
enum tcp_abt_offload_function {
	TCP_ABT_FN_ALLOC,
	TCP_ABT_FN_COPY_IN,
	TCP_ABT_FN_WAIT,
	TCP_ABT_FN_CHECK,
	TCP_ABT_FN_ACK,
	TCP_ABT_FN_COPY_OUT,
	TCP_ABT_FN_FREE,
	TCP_ABT_FNS
};

/* Functions that are done in buffers of the adapter's own. */
#define TCP_ABT_FN_BUFFERS	((1U << TCP_ABT_FN_ALLOC) | (1U << TCP_ABT_FN_FREE))

/**
 * struct tcp_abt_offload_limits - what an adapter can hold
 * @bytes: memory for socket buffers, shared out max-min among its connections
 *	[bytes of truesize]
 * @conns: connections
 * @functions: the functions that it takes over, bits by enum tcp_abt_offload_function. Without any
 *	of TCP_ABT_FN_BUFFERS connections need no memory of it: @bytes and
 *	@floor_bytes are not looked at, and grants are 0.
 * @floor_bytes: the least memory that a connection needs; 0: three full segments
 *	each way, by the device's MTU. So @bytes / @floor_bytes connections can be held.
 */
struct tcp_abt_offload_limits {
	u64 bytes;
	u32 conns;
	u32 functions;
	u32 floor_bytes;
};

/**
 * struct tcp_abt_offload_conn - a connection, between conn_add and conn_del
 * @id: differs from that of any other connection that a device was ever told of; a
 *	connection that was refused, or came back, has the one it had, until its route
 *	leaves the device
 * @driver: the driver's own; NULL before the first conn_add, else left alone
 *
 * Valid from the call of conn_add until conn_del returns, or, where conn_add refuses,
 * until that returns.
 */
struct tcp_abt_offload_conn {
	u64 id;
	void *driver;
};

/**
 * struct tcp_abt_offload_half - one direction's memory, all in bytes of truesize
 * @demand: buffer that tcp_abt reckons it can use
 * @grant: part of it that it may have
 * @applied: the socket's buffer: sk_sndbuf or sk_rcvbuf
 * @used: bytes in it: sk_wmem_queued or sk_rmem_alloc
 */
struct tcp_abt_offload_half {
	u32 demand;
	u32 grant;
	u32 applied;
	u32 used;
};

/* Bits of struct tcp_abt_offload_state.direction */
#define TCP_ABT_SENDS		(1U << 0)
#define TCP_ABT_RECEIVES	(1U << 1)

/**
 * union tcp_abt_offload_address - an end of a connection
 * @sa: its family; AF_INET also where the socket is IPv6 and the address mapped
 * @in: with AF_INET
 * @in6: with AF_INET6
 */
union tcp_abt_offload_address {
	struct sockaddr sa;
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
};

/**
 * struct tcp_abt_offload_state - a connection at one moment
 * @version: TCP_ABT_OFFLOAD_VERSION
 * @size: of this struct, as tcp_abt was built with [bytes]
 * @tcp_state: as in TCP_INFO: TCP_ESTABLISHED ...
 * @ca_state: as in TCP_INFO: TCP_CA_Open ...
 * @direction: payload went that way in the last second, or waits to: TCP_ABT_SENDS,
 *	TCP_ABT_RECEIVES
 * @snd_wscale: window scale of the peer's offers
 * @rcv_wscale: window scale of our offers
 * @update: counts the states of the connection, 1 is the first that was told or refused
 * @adapter_grant: its part of the adapter's memory; all parts together never exceed
 *	limits.bytes: a connection that has to give back is told before another may take [bytes]
 * @taken_ns: when this was taken [ns, CLOCK_MONOTONIC]
 * @since_ns: when the first of what is new in it happened [ns, CLOCK_MONOTONIC]
 * @interval_us: the next state comes no sooner than that after this: srtt; where
 *	that is not known, the receiver's round trip; 0: neither is known [us]
 * @snd_una: first byte that is not acknowledged
 * @snd_nxt: next to be sent
 * @write_seq: end of what the application gave
 * @rcv_nxt: next expected
 * @copied_seq: next that the application takes
 * @rcv_wup: rcv_nxt of the last ACK that was sent
 * @snd_wnd: window that the peer offers, from @snd_una [bytes]
 * @rcv_wnd: window that was offered to the peer, from @rcv_wup [bytes]
 * @cwnd: congestion window [segments]
 * @ssthresh: [segments]
 * @mss: of what is sent [bytes]
 * @rcv_mss: of what comes in, as seen [bytes]
 * @srtt_us: smoothed round trip, 0: not known [us]
 * @min_rtt_us: least round trip, as in TCP_INFO; U32_MAX: not known [us]
 * @rcv_rtt_us: round trip that the receiver measures, 0: not known [us]
 * @alpha_q16: share of segments that arrived in order, of the last epochs [Q16]
 * @loss_q16: segments sent again / data segments sent, of all its life [Q16]
 * @delivery_rate: as in TCP_INFO [bytes/s]
 * @half: memory; [0] sending, [1] receiving
 * @unsent: write_seq - snd_nxt [bytes]
 * @in_flight: snd_nxt - snd_una [bytes]
 * @unread: rcv_nxt - copied_seq [bytes]
 * @out_of_order: from the first hole on, holes included [bytes]
 * @segs_in: as in TCP_INFO
 * @segs_out: as in TCP_INFO
 * @data_segs_in: as in TCP_INFO
 * @data_segs_out: as in TCP_INFO
 * @retrans: as total_retrans in TCP_INFO [segments]
 * @delivered: as in TCP_INFO [segments]
 * @bytes_sent: as in TCP_INFO [bytes]
 * @bytes_acked: as in TCP_INFO [bytes]
 * @bytes_received: as in TCP_INFO [bytes]
 * @work: work of each of the seven functions so far, where the kernel's
 *	counters tell:
 *	[ALLOC], [COPY_IN] bytes that the application gave: bytes_acked, and the
 *	bytes in the send queue;
 *	[WAIT] time for which the send buffer held the connection up: as
 *	sndbuf_limited in TCP_INFO [us];
 *	[CHECK] segs_in;
 *	[ACK] segs_out - data_segs_out: pure ACKs, SYN and FIN;
 *	[COPY_OUT] bytes that the application took: bytes_received less unread;
 *	[FREE] bytes whose buffers were freed: bytes_acked + [COPY_OUT]
 * @local: our end
 * @remote: the peer's
 *
 * Sequence numbers wrap. The fields that a driver needs with every update come first.
 * Valid until the operation that it is passed to returns.
 */
struct tcp_abt_offload_state {
	u16 version;
	u16 size;
	u8 tcp_state;
	u8 ca_state;
	u8 direction;
	u8 snd_wscale:4,
	   rcv_wscale:4;
	u32 update;
	u32 adapter_grant;
	u64 taken_ns;
	u64 since_ns;
	u32 interval_us;
	u32 snd_una;
	u32 snd_nxt;
	u32 write_seq;
	u32 rcv_nxt;
	u32 copied_seq;
	u32 rcv_wup;
	u32 snd_wnd;
	u32 rcv_wnd;
	u32 cwnd;
	u32 ssthresh;
	u32 mss;
	u32 rcv_mss;
	u32 srtt_us;
	u32 min_rtt_us;
	u32 rcv_rtt_us;
	u32 alpha_q16;
	u32 loss_q16;
	u64 delivery_rate;
	struct tcp_abt_offload_half half[2];
	u32 unsent;
	u32 in_flight;
	u32 unread;
	u32 out_of_order;
	u32 segs_in;
	u32 segs_out;
	u32 data_segs_in;
	u32 data_segs_out;
	u32 retrans;
	u32 delivered;
	u64 bytes_sent;
	u64 bytes_acked;
	u64 bytes_received;
	u64 work[TCP_ABT_FNS];
	union tcp_abt_offload_address local;
	union tcp_abt_offload_address remote;
} __aligned(TCP_ABT_OFFLOAD_ALIGN);

/**
 * enum tcp_abt_offload_why - why a connection is not the adapter's any more
 * @TCP_ABT_DEL_GONE: the socket closed, or tcp_abt lets go of it: its namespace
 *	ends, or was turned off
 * @TCP_ABT_DEL_ROUTE: its route leaves by another device now
 * @TCP_ABT_DEL_ROOM: limits became narrower, and it no longer fits; it stays on the
 *	host path, and may come back
 * @TCP_ABT_DEL_DEVICE: the driver unregisters, or the device goes
 * @TCP_ABT_DELS: how many there are
 */
enum tcp_abt_offload_why {
	TCP_ABT_DEL_GONE,
	TCP_ABT_DEL_ROUTE,
	TCP_ABT_DEL_ROOM,
	TCP_ABT_DEL_DEVICE,
	TCP_ABT_DELS
};

/**
 * struct tcp_abt_offload_ops - what a driver does; all four have to be there
 * @limits: say what the adapter can hold. Asked at registration and after
 *	tcp_abt_offload_changed(). More than there is memory of, or 0 connections, is
 *	the driver's to say: 0 connections turn all away.
 * @conn_add: take a connection on. The state is that of now, adapter_grant what it
 *	has to be given room for. Return 0, or a reason to refuse it: -ENOSPC, no room
 *	at present: it is asked again when one of the device's connections went, or after
 *	tcp_abt_offload_changed(). Any other error: not this one, it is asked no more as
 *	long as its route leaves by this device. Refused, it stays on the host path.
 * @conn_update: news of a connection that was taken on. A lower adapter_grant has to be
 *	honoured before this returns: others are told of what it gave up next.
 * @conn_del: forget a connection that was taken on. Its memory is given to others
 *	when this returns; nothing is said of it after.
 *
 * Context of all: see the top of this file.
 */
struct tcp_abt_offload_ops {
	void (*limits)(void *priv, struct tcp_abt_offload_limits *limits);
	int (*conn_add)(void *priv, struct tcp_abt_offload_conn *conn,
			const struct tcp_abt_offload_state *state);
	void (*conn_update)(void *priv, struct tcp_abt_offload_conn *conn,
			    const struct tcp_abt_offload_state *state);
	void (*conn_del)(void *priv, struct tcp_abt_offload_conn *conn,
			 enum tcp_abt_offload_why why);
};

/**
 * tcp_abt_offload_register() - be told of the connections that leave by a device
 * @netdev: device, registered with the kernel; a reference is held until
 *	tcp_abt_offload_unregister() or until it goes. It need not be the driver's own.
 * @ops: the driver's operations; stays until tcp_abt_offload_unregister() returned
 * @priv: passed to each of @ops
 *
 * Existing connections are told as well, and operations may be called before this
 * returns. Connections of namespaces that are off are not told.
 *
 * When @netdev is unregistered from the kernel, or moved to another network
 * namespace, while it is registered here, each of its connections gets a conn_del
 * (TCP_ABT_DEL_DEVICE), and nothing is called after. A driver of another's device has
 * to look out for NETDEV_UNREGISTER all the same, to call tcp_abt_offload_unregister()
 * and to drop its own reference. It does not matter which of the two notifiers comes first.
 *
 * Context: process, sleeps; with or without RTNL, as long as no operation takes it.
 * Return: 0; -EINVAL: an operation is missing; -EEXIST: a driver is registered for
 *	@netdev; -ENODEV: @netdev is not registered with the kernel, or about to go;
 *	-ENOMEM.
 */
int tcp_abt_offload_register(struct net_device *netdev,
			     const struct tcp_abt_offload_ops *ops, void *priv);

/**
 * tcp_abt_offload_unregister() - be told no more
 * @netdev: device
 *
 * Each connection that was taken on gets its conn_del (TCP_ABT_DEL_DEVICE) before
 * this returns, from here or from the workqueue; no operation runs on return, nor is
 * called after. If @netdev has gone meanwhile, the call only waits for operations that are
 * still under way.
 *
 * Context: process, sleeps; with or without RTNL.
 */
void tcp_abt_offload_unregister(struct net_device *netdev);

/**
 * tcp_abt_offload_changed() - the adapter can hold more, or less
 * @netdev: device
 *
 * Limits are asked for anew. Connections that no longer fit get a conn_del (TCP_ABT_DEL_ROOM),
 * and connections that were refused for want of room are asked again: soon, from the workqueue.
 *
 * Context: process, sleeps; also from an operation.
 */
void tcp_abt_offload_changed(struct net_device *netdev);

#endif /* TCP_ABT_OFFLOAD_H */
