// SPDX-License-Identifier: GPL-2.0
/* Packet pieces and the programs that work on them. See piece.h. */
#include <linux/minmax.h>

#include "toe/model/piece.h"

/* NP, measured on an IXP1200: accesses CSR, SRAM, HEADER, SCRATCH, PAYLOAD, SDRAM. */
const struct toe_piece_costs toe_ixp1200 = {
	.latency = { 20, 36, 22, 22, 60, 21 },
	.accesses = {
		[TOE_KIND_MOP] = { 2, 2, 0, 0, 1, 0 },
		[TOE_KIND_EOP] = { 3, 5, 0, 1, 1, 0 },
		[TOE_KIND_SOP] = { 2, 7, 6, 4, 1, 1 },
		[TOE_KIND_ONLY] = { 3, 10, 6, 5, 1, 1 },
	},
	.instructions = {
		[TOE_KIND_MOP] = 90,
		[TOE_KIND_EOP] = 92,
		[TOE_KIND_SOP] = 254,
		[TOE_KIND_ONLY] = 283,
	},
};

/**
 * toe_pieces() - how many pieces is a packet cut into?
 * @bytes: its length; 0 is a packet all the same
 *
 * Return: at least 1.
 */
u32 toe_pieces(u32 bytes)
{
	return max(1U, (bytes + TOE_PIECE_BYTES - 1) / TOE_PIECE_BYTES);
}

/**
 * toe_piece_kind() - of which kind is a piece?
 * @index: which of its packet, from 0
 * @pieces: of the packet
 *
 * Return: the kind.
 */
enum toe_kind toe_piece_kind(u32 index, u32 pieces)
{
	if (pieces == 1)
		return TOE_KIND_ONLY;
	if (!index)
		return TOE_KIND_SOP;
	return index + 1 == pieces ? TOE_KIND_EOP : TOE_KIND_MOP;
}

/**
 * toe_piece_work() - what the scheduler knows of a thread with that piece
 * @kind: of the piece
 *
 * Return: its two bits.
 */
enum toe_work toe_piece_work(enum toe_kind kind)
{
	static const u8 work[TOE_KINDS] = { TOE_MOP, TOE_EOP, TOE_SOP, TOE_SOP };

	return work[kind];
}

/**
 * toe_piece_load() - the load of a piece, as NP has it
 * @costs: of the accesses
 * @kind: of the piece
 *
 * The time of its accesses; instructions do not count. On an IXP1200: 172, 322, 593, 743.
 *
 * Return: engine cycles.
 */
u32 toe_piece_load(const struct toe_piece_costs *costs, enum toe_kind kind)
{
	u32 load = 0;

	for (u32 a = 0; a < TOE_ACCESSES; a++)
		load += costs->accesses[kind][a] * costs->latency[a];
	return load;
}

/* Accesses in turn, each kind once a round: CSR, which takes the piece, is first. */
static u32 toe_order_accesses(u8 *order, const u32 *accesses)
{
	u32 count = 0, all = 0;

	for (u32 a = 0; a < TOE_ACCESSES; a++)
		all += accesses[a];
	if (all >= TOE_STEPS_MAX)
		return 0;
	for (u32 round = 0; count < all; round++)
		for (u32 a = 0; a < TOE_ACCESSES; a++)
			if (round < accesses[a])
				order[count++] = (u8)a;
	return count;
}

/**
 * toe_program_build() - the program for a kind of piece
 * @program: where it goes
 * @costs: its steps and accesses
 * @kind: of piece
 *
 * Instructions are spread evenly before, between and behind the accesses.
 *
 * Return: false where accesses are none or too many, or instructions fewer than steps.
 */
bool toe_program_build(struct toe_program *program,
		       const struct toe_piece_costs *costs, enum toe_kind kind)
{
	u8 order[TOE_STEPS_MAX];
	u32 accesses = toe_order_accesses(order, costs->accesses[kind]);
	u32 steps = accesses + 1;
	u32 instructions = costs->instructions[kind];

	if (!accesses || instructions < steps)
		return false;
	for (u32 i = 0; i < steps; i++)
		program->steps[i] = (struct toe_step) {
			.run = instructions * (i + 1) / steps - instructions * i / steps,
			.latency = i < accesses ? costs->latency[order[i]] : 0,
		};
	program->count = steps;
	return true;
}
