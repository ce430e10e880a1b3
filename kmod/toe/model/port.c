// SPDX-License-Identifier: GPL-2.0
/* A port's engines at work. See port.h. */
#include <linux/minmax.h>
#include <linux/string.h>

#include "toe/model/port.h"

/**
 * toe_port_init() - a port at rest, at time 0
 * @port: port
 * @sched: its scheduler
 * @programs: TOE_KINDS of them
 * @take_steps: of a program, in which its piece is taken; at least 1
 */
void toe_port_init(struct toe_port *port, const struct toe_sched *sched,
		   const struct toe_program *programs, u32 take_steps)
{
	memset(port, 0, sizeof(*port));
	port->sched = sched;
	port->take_steps = take_steps;
	port->programs = programs;
}

/* The first piece goes to its taker, if both are there. */
static void toe_port_dispatch(struct toe_port *port)
{
	struct toe_slot to = port->taker;
	struct toe_thread *thread = &port->engines[to.engine].threads[to.thread];
	enum toe_kind kind = (enum toe_kind)port->fifo[port->head];

	if (!port->waiting || port->taking || thread->phase != TOE_PHASE_IDLE)
		return;
	port->head = (port->head + 1) % TOE_FIFO_PIECES;
	port->waiting--;
	port->taking = true;
	port->done[kind]++;
	port->states[to.engine] = toe_state_set(port->states[to.engine], to.thread,
						toe_piece_work(kind));
	*thread = (struct toe_thread) {
		.program = &port->programs[kind],
		.phase = TOE_PHASE_READY,
	};
}

/* The next ready thread has the engine, if that is free. */
static void toe_engine_turn(struct toe_engine *engine, u32 threads, u64 now)
{
	for (u32 i = 0; i < threads && !engine->running; i++) {
		u32 at = (engine->turn + i) % threads;
		struct toe_thread *thread = &engine->threads[at];
		u32 run;

		if (thread->phase != TOE_PHASE_READY)
			continue;
		run = thread->program->steps[thread->step].run;
		thread->phase = TOE_PHASE_RUN;
		thread->until = now + run;
		engine->running = true;
		engine->busy += run;
		engine->turn = (at + 1) % threads;
	}
}

/* A step is over: another, or the piece is done. It may have been the last of taking. */
static void toe_thread_step(struct toe_port *port, struct toe_slot at)
{
	struct toe_thread *thread = &port->engines[at.engine].threads[at.thread];

	thread->step++;
	if (thread->step == port->take_steps) {
		port->taker = toe_sched_next(port->sched, at, port->states);
		port->taking = false;
	}
	if (thread->step < thread->program->count) {
		thread->phase = TOE_PHASE_READY;
		return;
	}
	thread->phase = TOE_PHASE_IDLE;
	port->states[at.engine] = toe_state_set(port->states[at.engine], at.thread,
						TOE_IDLE);
}

/* The next action of a thread at this moment. */
static void toe_thread_event(struct toe_port *port, struct toe_slot at)
{
	struct toe_engine *engine = &port->engines[at.engine];
	struct toe_thread *thread = &engine->threads[at.thread];

	if (thread->phase == TOE_PHASE_RUN && thread->until <= port->now) {
		engine->running = false;
		thread->phase = TOE_PHASE_WAIT;
		thread->until += thread->program->steps[thread->step].latency;
	}
	if (thread->phase == TOE_PHASE_WAIT && thread->until <= port->now)
		toe_thread_step(port, at);
}

/* All that happens at this moment. */
static void toe_port_events(struct toe_port *port)
{
	u32 threads = port->sched->threads;

	for (u8 e = 0; e < TOE_PORT_ENGINES; e++)
		for (u8 t = 0; t < threads; t++)
			toe_thread_event(port, (struct toe_slot) { e, t });
	toe_port_dispatch(port);
	for (u32 e = 0; e < TOE_PORT_ENGINES; e++)
		toe_engine_turn(&port->engines[e], threads, port->now);
}

/**
 * toe_port_arrive() - a piece comes in, now
 * @port: port
 * @kind: of the piece
 *
 * Return: false where the FIFO had no room for it.
 */
bool toe_port_arrive(struct toe_port *port, enum toe_kind kind)
{
	if (toe_port_full(port)) {
		port->overrun++;
		return false;
	}
	port->fifo[(port->head + port->waiting++) % TOE_FIFO_PIECES] = (u8)kind;
	toe_port_events(port);
	return true;
}

/**
 * toe_port_next() - when does something happen next, if nothing comes in?
 * @port: port
 *
 * Return: engine cycles, or TOE_NEVER.
 */
u64 toe_port_next(const struct toe_port *port)
{
	u64 next = TOE_NEVER;

	for (u32 e = 0; e < TOE_PORT_ENGINES; e++) {
		for (u32 t = 0; t < port->sched->threads; t++) {
			const struct toe_thread *thread = &port->engines[e].threads[t];

			if (thread->phase == TOE_PHASE_RUN ||
			    thread->phase == TOE_PHASE_WAIT)
				next = min(next, thread->until);
		}
	}
	return next;
}

/**
 * toe_port_advance() - let time pass
 * @port: port
 * @to: until when [engine cycles]; the past is fine
 */
void toe_port_advance(struct toe_port *port, u64 to)
{
	u64 next;

	while ((next = toe_port_next(port)) <= to) {
		port->now = next;
		toe_port_events(port);
	}
	port->now = max(port->now, to);
}
