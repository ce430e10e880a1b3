/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which thread takes the next piece?
 *
 *	ss	static: the next of a fixed order, in which engines take turns
 *	ml	minimum load: the engine with the least, among engines with an idle thread if there
 *		is one; of its threads the least loaded
 *	mlp	predictive: as ml, with one MOP's load on top for the engine whose thread took
 *		the last piece, so that like work does not pile up on one engine
 *
 * Two engines serve a port. A thread's state has 2 bits (enum toe_work), an engine's 4
 * threads are a byte, the first thread in its lowest bits. The answer is looked up: a table
 * of 256 x 256, one for each engine that was last for mlp. ss is a row of its own.
 *
 * Source: NP (see piece.h). Ties go to the lower engine and the lower thread.
 *
 * Pure. Compiles in user space unchanged.
 */
#ifndef TOE_SCHED_H
#define TOE_SCHED_H

#include <linux/types.h>

#include "toe/model/piece.h"

#define TOE_PORT_ENGINES	2
#define TOE_THREADS_MAX		4
#define TOE_STATE_BITS		2
#define TOE_ENGINE_STATES	256

enum toe_policy {
	TOE_SS,
	TOE_ML,
	TOE_MLP,
	TOE_POLICIES
};

/**
 * struct toe_slot - a thread of a port
 * @engine: 0 .. TOE_PORT_ENGINES - 1
 * @thread: 0 .. TOE_THREADS_MAX - 1
 */
struct toe_slot {
	u8 engine;
	u8 thread;
};

/**
 * struct toe_sched - a scheduler, ready for use
 * @policy: which
 * @threads: an engine has, 1 .. TOE_THREADS_MAX
 * @table: answers, by the engine that was last and the engines' states; ml has the same twice
 */
struct toe_sched {
	enum toe_policy policy;
	u32 threads;
	struct toe_slot table[TOE_PORT_ENGINES][TOE_ENGINE_STATES][TOE_ENGINE_STATES];
};

void toe_sched_init(struct toe_sched *s, enum toe_policy policy, u32 threads,
		    const struct toe_piece_costs *costs);

/**
 * toe_state_set() - note what a thread works at
 * @state: of its engine
 * @thread: number of the thread
 * @work: its work
 *
 * Return: the state then.
 */
static inline u8 toe_state_set(u8 state, u32 thread, enum toe_work work)
{
	u32 shift = thread * TOE_STATE_BITS;

	return (u8)((state & ~(3U << shift)) | (u32)work << shift);
}

/**
 * toe_state_get() - what does a thread work at?
 * @state: of its engine
 * @thread: which
 *
 * Return: the work.
 */
static inline enum toe_work toe_state_get(u8 state, u32 thread)
{
	return (enum toe_work)(state >> (thread * TOE_STATE_BITS) & 3);
}

/**
 * toe_sched_next() - which thread takes the next piece?
 * @s: scheduler
 * @last: thread that took the last one, and asks
 * @states: of the engines
 *
 * Return: the thread; a busy one is to be waited for.
 */
static inline struct toe_slot toe_sched_next(const struct toe_sched *s,
					     struct toe_slot last,
					     const u8 *states)
{
	if (s->policy != TOE_SS)
		return s->table[last.engine][states[0]][states[1]];
	if (++last.engine == TOE_PORT_ENGINES) {
		last.engine = 0;
		last.thread = (u8)((last.thread + 1U) % s->threads);
	}
	return last;
}

#endif /* TOE_SCHED_H */
