/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The parameters of an adapter: every parameter of the models is a knob, with a unit and a
 * range, and the papers' value as default. An adapter takes them as they are when it is attached.
 */
#ifndef TOE_CONFIG_H
#define TOE_CONFIG_H

#include <linux/types.h>

#include "toe/model/core.h"
#include "toe/model/dma.h"
#include "toe/model/piece.h"

struct seq_file;

/**
 * struct toe_function_costs - functions that are steps of a known length
 * @alloc_ns: 1, take a buffer [ns]
 * @check_ns: 4, check a segment's header [ns]
 * @ack_ns: 5, make an ACK [ns]
 * @free_ns: 7, give a buffer back [ns]
 * @wait_cycles: 3, end a wait [cycles of an embedded core]
 * @core_mhz: an embedded core's clock [MHz]
 */
struct toe_function_costs {
	u32 alloc_ns;
	u32 check_ns;
	u32 ack_ns;
	u32 free_ns;
	u32 wait_cycles;
	u32 core_mhz;
};

/**
 * struct toe_host_costs - what the functions cost the host that does them itself
 * @alloc_kb: 1 [cycles a KB]
 * @copy_in_kb: 2 [cycles a KB]
 * @check: 4 [cycles a segment]
 * @ack: 5 [cycles an ACK]
 * @copy_out_kb: 6 [cycles a KB]
 * @free_kb: 7 [cycles a KB]
 * @wait_us: 3 [cycles a microsecond]
 */
struct toe_host_costs {
	u32 alloc_kb;
	u32 copy_in_kb;
	u32 check;
	u32 ack;
	u32 copy_out_kb;
	u32 free_kb;
	u32 wait_us;
};

/**
 * struct toe_config - an adapter's parameters
 * @memory_kb: for socket buffers [KB]
 * @buffer_bytes: a buffer of it
 * @conns: most connections
 * @fixed_bytes: each connection's part; 0: they are granted theirs by the hook
 * @ports: two engines each
 * @threads: of an engine
 * @policy: enum toe_policy
 * @take: steps in which a piece is taken
 * @engine_mhz: engines' clock [MHz]
 * @wire_mbit: of a port [Mbit/s]
 * @pieces: costs of
 * @dma: costs of
 * @functions: costs of, in the adapter
 * @host: costs of, in the host
 */
struct toe_config {
	u32 memory_kb;
	u32 buffer_bytes;
	u32 conns;
	u32 fixed_bytes;
	u32 ports;
	u32 threads;
	u32 policy;
	u32 take;
	u32 engine_mhz;
	u32 wire_mbit;
	struct toe_piece_costs pieces;
	struct toe_dma_costs dma;
	struct toe_function_costs functions;
	struct toe_host_costs host;
};

void toe_config_init(void);
void toe_config_get(struct toe_config *config);
int toe_config_set(const char *name, const char *text);
void toe_config_show(struct seq_file *m);

#endif /* TOE_CONFIG_H */
