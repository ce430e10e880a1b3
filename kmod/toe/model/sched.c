// SPDX-License-Identifier: GPL-2.0
/* The tables of the piece scheduler. See sched.h. */
#include <linux/string.h>

#include "toe/model/sched.h"

/**
 * struct toe_engine_load - an engine in one of its states
 * @load: of all its threads [engine cycles]
 * @least: its least loaded thread
 * @busy: none is idle
 */
struct toe_engine_load {
	u32 load;
	u8 least;
	bool busy;
};

static struct toe_engine_load toe_weigh(const u32 *loads, u32 state, u32 threads)
{
	struct toe_engine_load e = { .busy = true };
	u32 least = U32_MAX;

	for (u32 t = 0; t < threads; t++) {
		enum toe_work work = toe_state_get((u8)state, t);

		e.load += loads[work];
		e.busy &= work != TOE_IDLE;
		if (loads[work] < least) {
			least = loads[work];
			e.least = (u8)t;
		}
	}
	return e;
}

/* The first engine, unless the second is better: an idle thread first, then the load. */
static struct toe_slot toe_pick(const struct toe_engine_load *first,
				const struct toe_engine_load *second)
{
	bool take_second = first->busy != second->busy ? first->busy :
			   second->load < first->load;

	return take_second ? (struct toe_slot) { 1, second->least } :
			     (struct toe_slot) { 0, first->least };
}

/* The answers for the case that an engine was last; its load counts @raise more. */
static void toe_fill(struct toe_sched *s, u32 last, const u32 *loads, u32 raise)
{
	for (u32 a = 0; a < TOE_ENGINE_STATES; a++) {
		struct toe_engine_load first = toe_weigh(loads, a, s->threads);

		first.load += last == 0 ? raise : 0;
		for (u32 b = 0; b < TOE_ENGINE_STATES; b++) {
			struct toe_engine_load second = toe_weigh(loads, b, s->threads);

			second.load += last == 1 ? raise : 0;
			s->table[last][a][b] = toe_pick(&first, &second);
		}
	}
}

/**
 * toe_sched_init() - compute the tables
 * @s: scheduler
 * @policy: which
 * @threads: an engine has, 1 .. TOE_THREADS_MAX
 * @costs: that loads follow from
 */
void toe_sched_init(struct toe_sched *s, enum toe_policy policy, u32 threads,
		    const struct toe_piece_costs *costs)
{
	const u32 loads[TOE_WORKS] = {
		[TOE_IDLE] = 0,
		[TOE_MOP] = toe_piece_load(costs, TOE_KIND_MOP),
		[TOE_EOP] = toe_piece_load(costs, TOE_KIND_EOP),
		[TOE_SOP] = toe_piece_load(costs, TOE_KIND_SOP),
	};

	memset(s, 0, sizeof(*s));
	s->policy = policy;
	s->threads = threads;
	for (u32 last = 0; last < TOE_PORT_ENGINES; last++)
		toe_fill(s, last, loads, policy == TOE_MLP ? loads[TOE_MOP] : 0);
}
