/* SPDX-License-Identifier: GPL-2.0 */
/*
 * toe_hybrid: a hybrid TCP/IP offload engine as an emulated adapter, on any net_device.
 *
 *	tcp_abt's hook --states--> provider --> buffers, transfers, cores: bytes held, and time
 *	packets that come in --tap--> pieces --> ports' engines
 *	debugfs <-- show
 *
 * Nothing is held up: traffic is the kernel's own. The adapter keeps a real buffer manager and
 * charges the time that its hardware would take.
 */
#ifndef TOE_TOE_H
#define TOE_TOE_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/netdevice.h>
#include <linux/spinlock.h>

#include "offload/tcp_abt_offload.h"
#include "toe/config.h"
#include "toe/model/buffer.h"
#include "toe/model/credit.h"
#include "toe/model/port.h"
#include "toe/stat.h"

#define TOE_PORTS_MAX	8

/* Directions of a connection: as tcp_abt_offload_state.half. */
enum toe_dir {
	TOE_SEND,
	TOE_RECEIVE,
	TOE_DIRS
};

/**
 * struct toe_flow - one direction of a connection
 * @queue: its buffers
 * @credits: of its buffered copies
 * @passed: bytes that went through, as of the last state
 * @message_bytes: bytes that the application moves in a round trip, smoothed: its message
 * @mode: of transfer, last chosen
 */
struct toe_flow {
	struct toe_queue queue;
	struct toe_credits credits;
	u64 passed;
	u32 message_bytes;
	enum toe_mode mode;
};

/**
 * struct toe_conn - a connection on the adapter
 * @list: of the adapter's
 * @id: the hook's
 * @flows: its directions
 * @work: the hook's counts, as of the last state
 * @grant: memory that it may have [bytes]
 */
struct toe_conn {
	struct list_head list;
	u64 id;
	struct toe_flow flows[TOE_DIRS];
	u64 work[TCP_ABT_FNS];
	u32 grant;
};

/**
 * struct toe_wire - a port and its wire
 * @lock: protects the others; BH-safe
 * @port: engines
 * @bits: time of the wire, as bits that went over it since the adapter was attached
 * @packets: that came in
 * @missed: packets that came while the wire was still behind by too much
 */
struct toe_wire {
	spinlock_t lock;	/* all below */
	struct toe_port port;
	u64 bits;
	u64 packets;
	u64 missed;
};

/**
 * struct toe_adapter - an adapter; RTNL protects the list
 * @list: of all
 * @netdev: that it stands in for; a reference is held
 * @tracker: of it
 * @config: constant
 * @limits: of transfer modes, from @config; constant
 * @sched: of pieces; constant
 * @programs: of pieces; constant
 * @start_ns: when it was attached [ns, CLOCK_MONOTONIC]
 * @tap: where packets come from
 * @wires: ports, as many as @config says
 * @lock: protects the following
 * @links: of @buffers
 * @buffers: the memory
 * @cores: embedded
 * @conns: on it
 * @conn_count: how many
 * @stat: its work so far
 */
struct toe_adapter {
	struct list_head list;
	struct net_device *netdev;
	netdevice_tracker tracker;
	struct toe_config config;
	struct toe_dma_limits limits;
	struct toe_sched sched;
	struct toe_program programs[TOE_KINDS];
	u64 start_ns;
	struct packet_type tap;
	struct toe_wire wires[TOE_PORTS_MAX];
	struct mutex lock;	/* all below */
	u32 *links;
	struct toe_buffers buffers;
	struct toe_core cores[TOE_PROCESSES];
	struct list_head conns;
	u32 conn_count;
	struct toe_stat stat;
};

extern struct list_head toe_adapters;
extern const struct tcp_abt_offload_ops toe_provider_ops;

int toe_attach(struct net_device *netdev);
int toe_detach(struct net_device *netdev);

void toe_charge(struct toe_adapter *a, struct toe_conn *c,
		const struct tcp_abt_offload_state *s);

void toe_tap_open(struct toe_adapter *a);
void toe_tap_close(struct toe_adapter *a);

void toe_show_init(void);
void toe_show_exit(void);

#endif /* TOE_TOE_H */
