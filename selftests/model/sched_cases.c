// SPDX-License-Identifier: GPL-2.0
/* The piece scheduler's tables against brute force, and a port's engines at work. */
#include <linux/minmax.h>

#include "cases.h"
#include "toe/model/port.h"

#define STATES	TOE_ENGINE_STATES

static struct toe_sched sched;
static struct toe_program programs[TOE_KINDS];
static struct toe_port port;

/* NP's own figures, not computed: loads of an idle thread, MOP, EOP, SOP. */
static const u32 np_loads[TOE_WORKS] = { 0, 172, 322, 593 };

static void build_programs(struct abt_test *t)
{
	for (u32 k = 0; k < TOE_KINDS; k++)
		EXPECT_AT(t, k, toe_program_build(&programs[k], &toe_ixp1200,
						  (enum toe_kind)k), ==, true);
}

/* The tables of operations and latencies give the paper's loads. */
static void loads_are_the_papers(struct abt_test *t)
{
	EXPECT(t, toe_piece_load(&toe_ixp1200, TOE_KIND_MOP), ==, 172);
	EXPECT(t, toe_piece_load(&toe_ixp1200, TOE_KIND_EOP), ==, 322);
	EXPECT(t, toe_piece_load(&toe_ixp1200, TOE_KIND_SOP), ==, 593);
	EXPECT(t, toe_piece_load(&toe_ixp1200, TOE_KIND_ONLY), ==, 743);
}

static void packets_are_cut(struct abt_test *t)
{
	static const struct {
		u32 bytes, pieces;
	} rows[] = {
		{ 0, 1 }, { 1, 1 }, { 64, 1 }, { 65, 2 }, { 128, 2 }, { 129, 3 },
		{ 1500, 24 }, { 1518, 24 }, { 65535, 1024 },
	};

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		u32 n = toe_pieces(rows[i].bytes), heads = 0, ends = 0;

		EXPECT_AT(t, i, n, ==, rows[i].pieces);
		for (u32 j = 0; j < n; j++) {
			enum toe_kind kind = toe_piece_kind(j, n);

			heads += kind == TOE_KIND_SOP || kind == TOE_KIND_ONLY;
			ends += kind == TOE_KIND_EOP || kind == TOE_KIND_ONLY;
		}
		EXPECT_AT(t, i, heads, ==, 1);
		EXPECT_AT(t, i, ends, ==, 1);
	}
}

/* Work thread @thread of engine @engine has, written out anew. */
static u32 work_of(u32 a, u32 b, u32 engine, u32 thread)
{
	return (engine ? b : a) / (1U << 2 * thread) % 4;
}

/* What counts of a thread, larger is worse: its engine has none idle, loads, then order. */
static u64 cost_of(u32 a, u32 b, u32 threads, u32 engine, u32 thread, u32 raise)
{
	u64 load = raise;
	u64 busy = 1;

	for (u32 i = 0; i < threads; i++) {
		load += np_loads[work_of(a, b, engine, i)];
		busy &= work_of(a, b, engine, i) != 0;
	}
	return busy << 40 | load << 24 | (u64)engine << 16 |
	       (u64)np_loads[work_of(a, b, engine, thread)] << 4 | thread;
}

/* Of all threads in a state, the one that counts least. */
static u32 argmin(u32 a, u32 b, u32 threads, u32 raised, u32 raise)
{
	u64 least = U64_MAX;
	u32 best = 0;

	for (u32 engine = 0; engine < TOE_PORT_ENGINES; engine++) {
		for (u32 thread = 0; thread < threads; thread++) {
			u64 cost = cost_of(a, b, threads, engine, thread,
					   engine == raised ? raise : 0);

			if (cost >= least)
				continue;
			least = cost;
			best = engine * TOE_THREADS_MAX + thread;
		}
	}
	return best;
}

static void against_argmin(struct abt_test *t, enum toe_policy policy, u32 threads)
{
	u32 raise = policy == TOE_MLP ? np_loads[TOE_MOP] : 0;

	toe_sched_init(&sched, policy, threads, &toe_ixp1200);
	for (u32 last = 0; last < TOE_PORT_ENGINES; last++) {
		for (u32 state = 0; state < STATES * STATES; state++) {
			u8 states[] = { (u8)(state / STATES), (u8)(state % STATES) };
			struct toe_slot asks = { (u8)last, 0 };
			struct toe_slot next = toe_sched_next(&sched, asks, states);

			EXPECT_AT(t, last << 16 | state,
				  next.engine * TOE_THREADS_MAX + next.thread, ==,
				  argmin(states[0], states[1], threads, last, raise));
		}
	}
}

static void ml_against_argmin(struct abt_test *t)
{
	for (u32 threads = 1; threads <= TOE_THREADS_MAX; threads++)
		against_argmin(t, TOE_ML, threads);
}

static void mlp_against_argmin(struct abt_test *t)
{
	for (u32 threads = 1; threads <= TOE_THREADS_MAX; threads++)
		against_argmin(t, TOE_MLP, threads);
}

/* ss visits every thread once a round, and engines in turn, whatever they do. */
static void ss_goes_round(struct abt_test *t)
{
	for (u32 threads = 1; threads <= TOE_THREADS_MAX; threads++) {
		struct toe_slot at = { 0, 0 };
		u32 seen = 0;

		toe_sched_init(&sched, TOE_SS, threads, &toe_ixp1200);
		for (u32 i = 0; i < TOE_PORT_ENGINES * threads; i++) {
			u8 states[] = { (u8)abt_test_below(t, STATES),
					(u8)abt_test_below(t, STATES) };
			u32 engine = at.engine;

			seen |= 1U << (at.engine * TOE_THREADS_MAX + at.thread);
			at = toe_sched_next(&sched, at, states);
			EXPECT_AT(t, i, at.engine, !=, engine);
		}
		EXPECT_AT(t, threads, seen, ==, ((1U << threads) - 1) * 0x11);
		EXPECT_AT(t, threads, at.engine + at.thread, ==, 0);
	}
}

/* A program takes the paper's time: its instructions and its loads. */
static void programs_add_up(struct abt_test *t)
{
	build_programs(t);
	for (u32 k = 0; k < TOE_KINDS; k++) {
		u32 run = 0, wait = 0;

		for (u32 i = 0; i < programs[k].count; i++) {
			EXPECT_AT(t, i, programs[k].steps[i].run, >, 0);
			run += programs[k].steps[i].run;
			wait += programs[k].steps[i].latency;
		}
		EXPECT_AT(t, k, run, ==, toe_ixp1200.instructions[k]);
		EXPECT_AT(t, k, wait, ==, toe_piece_load(&toe_ixp1200, (enum toe_kind)k));
	}
}

static void programs_refuse_nonsense(struct abt_test *t)
{
	static const struct toe_piece_costs none;
	struct toe_piece_costs costs = toe_ixp1200;
	struct toe_program program;

	EXPECT(t, toe_program_build(&program, &none, TOE_KIND_MOP), ==, false);
	costs.accesses[TOE_KIND_SOP][TOE_SRAM] = 255;
	EXPECT(t, toe_program_build(&program, &costs, TOE_KIND_SOP), ==, false);
	costs.instructions[TOE_KIND_MOP] = 5;	/* six steps */
	EXPECT(t, toe_program_build(&program, &costs, TOE_KIND_MOP), ==, false);
}

/* A piece alone takes its program's time, then the port is idle again. */
static void a_piece_alone(struct abt_test *t)
{
	build_programs(t);
	toe_sched_init(&sched, TOE_ML, TOE_THREADS_MAX, &toe_ixp1200);
	for (u32 k = 0; k < TOE_KINDS; k++) {
		u64 took = toe_ixp1200.instructions[k] +
			   toe_piece_load(&toe_ixp1200, (enum toe_kind)k);
		u64 last = 0, next;

		toe_port_init(&port, &sched, programs, 1);
		EXPECT_AT(t, k, toe_port_arrive(&port, (enum toe_kind)k), ==, true);
		while ((next = toe_port_next(&port)) != TOE_NEVER) {
			last = next;
			toe_port_advance(&port, next);
		}
		EXPECT_AT(t, k, last, ==, took);
		EXPECT_AT(t, k, port.states[0] | port.states[1], ==, 0);
		EXPECT_AT(t, k, port.done[k], ==, 1);
	}
}

/* States are what the threads do; an engine runs one; nothing waits for a free taker. */
static void expect_consistent(struct abt_test *t, u64 step)
{
	for (u32 e = 0; e < TOE_PORT_ENGINES; e++) {
		const struct toe_engine *engine = &port.engines[e];
		u32 running = 0, ready = 0;

		for (u32 i = 0; i < sched.threads; i++) {
			const struct toe_thread *thread = &engine->threads[i];

			EXPECT_AT(t, step, toe_state_get(port.states[e], i) == TOE_IDLE,
				  ==, thread->phase == TOE_PHASE_IDLE);
			running += thread->phase == TOE_PHASE_RUN;
			ready += thread->phase == TOE_PHASE_READY;
		}
		EXPECT_AT(t, step, running, ==, engine->running);
		EXPECT_AT(t, step, ready && !running, ==, 0);
	}
	EXPECT_AT(t, step, port.waiting && !port.taking &&
		  port.engines[port.taker.engine].threads[port.taker.thread].phase ==
		  TOE_PHASE_IDLE, ==, 0);
}

/* Whatever comes, whenever: each piece that was let in is worked on once. */
static void random_traffic(struct abt_test *t)
{
	build_programs(t);
	for (u32 p = 0; p < TOE_POLICIES * TOE_THREADS_MAX; p++) {
		u64 came = 0, done = 0;

		toe_sched_init(&sched, (enum toe_policy)(p % TOE_POLICIES),
			       1 + p / TOE_POLICIES, &toe_ixp1200);
		toe_port_init(&port, &sched, programs, 1 + p % 2);
		for (u32 step = 0; step < 20000; step++) {
			came += toe_port_arrive(&port, (enum toe_kind)abt_test_below(t, TOE_KINDS));
			toe_port_advance(&port, port.now + abt_test_below(t, 400));
			expect_consistent(t, (u64)p << 32 | step);
		}
		EXPECT_AT(t, p, came + port.overrun, ==, 20000);
		while (toe_port_next(&port) != TOE_NEVER)
			toe_port_advance(&port, toe_port_next(&port));
		for (u32 k = 0; k < TOE_KINDS; k++)
			done += port.done[k];
		EXPECT_AT(t, p, done, ==, came);
		EXPECT_AT(t, p, port.waiting, ==, 0);
	}
}

const struct abt_case abt_sched_cases[] = {
	{ "sched: loads are the paper's", loads_are_the_papers },
	{ "sched: packets are cut into pieces", packets_are_cut },
	{ "sched: ml against argmin, all states", ml_against_argmin },
	{ "sched: mlp against argmin, all states and last engines", mlp_against_argmin },
	{ "sched: ss goes round", ss_goes_round },
	{ "port: programs add up", programs_add_up },
	{ "port: programs refuse nonsense", programs_refuse_nonsense },
	{ "port: a piece alone", a_piece_alone },
	{ "port: random traffic", random_traffic },
	{ }
};
