/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Packet pieces, and their cost to an engine's thread.
 *
 * A packet is cut into pieces of 64 bytes: SOP is the first and has the headers, EOP the
 * last, MOP what is between; a packet of one piece is both. The work on a piece is a row of
 * instructions on the engine, broken by accesses during which the engine is free for its
 * other threads.
 *
 * Source: Yim, Park, Jung, Choi, Multi-thread Scheduling for the Network Processor, 2004
 * (NP), tables of latencies and of operations a piece.
 *
 * Pure. Compiles in user space unchanged.
 */
#ifndef TOE_PIECE_H
#define TOE_PIECE_H

#include <linux/types.h>

/* The unit that the receive FIFO hands over [bytes]. */
#define TOE_PIECE_BYTES		64

/* The work of a thread, in the two bits that the scheduler knows of it. */
enum toe_work {
	TOE_IDLE,
	TOE_MOP,
	TOE_EOP,
	TOE_SOP,
	TOE_WORKS
};

/* Pieces by what they cost: a packet of one piece costs more than any other. */
enum toe_kind {
	TOE_KIND_MOP,
	TOE_KIND_EOP,
	TOE_KIND_SOP,
	TOE_KIND_ONLY,
	TOE_KINDS
};

/* Where an access goes. */
enum toe_access {
	TOE_CSR,	/* control registers: ask for a piece, say that it is done */
	TOE_SRAM,	/* tables, queues */
	TOE_HEADER,	/* receive FIFO to the engine */
	TOE_SCRATCH,	/* on chip */
	TOE_PAYLOAD,	/* receive FIFO to SDRAM */
	TOE_SDRAM,	/* SDRAM to the engine */
	TOE_ACCESSES
};

/**
 * struct toe_piece_costs - what work on pieces consists of
 * @latency: of each access [engine cycles]
 * @accesses: of each kind of piece
 * @instructions: of each kind of piece [engine cycles]
 */
struct toe_piece_costs {
	u32 latency[TOE_ACCESSES];
	u32 accesses[TOE_KINDS][TOE_ACCESSES];
	u32 instructions[TOE_KINDS];
};

/* Most steps of a program: accesses, and the instructions behind the last. */
#define TOE_STEPS_MAX		64

/**
 * struct toe_step - instructions, then one access
 * @run: instructions, at least 1 [engine cycles]
 * @latency: of the access [engine cycles]
 */
struct toe_step {
	u32 run;
	u32 latency;
};

/**
 * struct toe_program - the work on a piece of one kind
 * @steps: first to last
 * @count: how many
 */
struct toe_program {
	struct toe_step steps[TOE_STEPS_MAX];
	u32 count;
};

extern const struct toe_piece_costs toe_ixp1200;

u32 toe_pieces(u32 bytes);
enum toe_kind toe_piece_kind(u32 index, u32 pieces);
enum toe_work toe_piece_work(enum toe_kind kind);
u32 toe_piece_load(const struct toe_piece_costs *costs, enum toe_kind kind);
bool toe_program_build(struct toe_program *program,
		       const struct toe_piece_costs *costs, enum toe_kind kind);

#endif /* TOE_PIECE_H */
