/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A port's engines at work on pieces, to the cycle.
 *
 * Pieces wait in the receive FIFO in the order in which they came (FCFS). The thread that the
 * scheduler named takes the first of them as soon as both are there. In the first steps of its
 * program it takes the piece and chooses the thread for the next one; no thread takes another
 * meanwhile.
 * An engine runs one thread at a time and turns to the next ready one, in turn, when that
 * waits for an access.
 *
 * Choosing is part of the operations that NP counts. Taking is the first access (CSR), while
 * which the table is looked up; with two steps it is the second (SRAM) as well, for a table
 * that lies there.
 *
 * Pure: the caller serialises. Compiles in user space unchanged.
 */
#ifndef TOE_PORT_H
#define TOE_PORT_H

#include <linux/types.h>

#include "toe/model/sched.h"

/* Room in the receive FIFO [pieces]: an IXP1200's. */
#define TOE_FIFO_PIECES		16

/* No event to come. */
#define TOE_NEVER		U64_MAX

enum toe_phase {
	TOE_PHASE_IDLE,		/* no piece */
	TOE_PHASE_READY,	/* wants its engine */
	TOE_PHASE_RUN,		/* has its engine, until ... */
	TOE_PHASE_WAIT,		/* for an access, until ... */
};

/**
 * struct toe_thread - a hardware thread
 * @program: it works on, NULL while it is idle
 * @step: of the program
 * @phase: its present action
 * @until: end of the phase, where it has one [engine cycles]
 */
struct toe_thread {
	const struct toe_program *program;
	u32 step;
	enum toe_phase phase;
	u64 until;
};

/**
 * struct toe_engine - an engine and its threads
 * @threads: as many as the scheduler's
 * @running: a thread runs
 * @turn: thread that is looked at first for the engine
 * @busy: cycles that it ran
 */
struct toe_engine {
	struct toe_thread threads[TOE_THREADS_MAX];
	bool running;
	u32 turn;
	u64 busy;
};

/**
 * struct toe_port - a port, its FIFO and its engines
 * @sched: chooses the next thread; constant
 * @programs: by kind of piece; constant, the owner's
 * @take_steps: of a program, in which its piece is taken; constant
 * @engines: that serve it
 * @states: of the engines, as the scheduler sees them
 * @fifo: kinds of the pieces that wait, a ring
 * @head: of the ring
 * @waiting: pieces in the ring
 * @taker: thread that takes the next piece, or has just taken the last
 * @taking: it has not chosen the next one yet
 * @now: time [engine cycles]
 * @done: pieces, by kind
 * @overrun: pieces that found no room
 */
struct toe_port {
	const struct toe_sched *sched;
	const struct toe_program *programs;
	u32 take_steps;
	struct toe_engine engines[TOE_PORT_ENGINES];
	u8 states[TOE_PORT_ENGINES];
	u8 fifo[TOE_FIFO_PIECES];
	u32 head;
	u32 waiting;
	struct toe_slot taker;
	bool taking;
	u64 now;
	u64 done[TOE_KINDS];
	u64 overrun;
};

void toe_port_init(struct toe_port *port, const struct toe_sched *sched,
		   const struct toe_program *programs, u32 take_steps);
bool toe_port_arrive(struct toe_port *port, enum toe_kind kind);
u64 toe_port_next(const struct toe_port *port);
void toe_port_advance(struct toe_port *port, u64 to);

/**
 * toe_port_full() - is there no room for another piece?
 * @port: port
 *
 * Return: whether.
 */
static inline bool toe_port_full(const struct toe_port *port)
{
	return port->waiting == TOE_FIFO_PIECES;
}

#endif /* TOE_PORT_H */
