/* SPDX-License-Identifier: GPL-2.0 */
/* Pools that connections of several processors draw on, for the programs that measure how these meet. */
#ifndef MODEL_PROCESSORS_H
#define MODEL_PROCESSORS_H

#include <linux/slab.h>
#include <linux/smp.h>

#include "load.h"
#include "pool/pool.h"
#include "pool/stake.h"

/* A processor, with connections of its own. */
struct processor {
	u32 number;
	struct abt_test numbers;
	union record *records;
};

/* How much memory there is for the demands, and which pool the connections draw on. */
static const struct {
	const char *name;
	u32 percent;
	bool nested;	/* a namespace's pool, under the host's */
} states[] = {
	{ "plenty", 400, false },
	{ "contended", 50, false },
	{ "namespace_plenty", 400, true },
	{ "namespace_contended", 50, true },
};

/* Ticks that bring everyone to rest, with all connections' steps before each. */
#define ROUNDS		8

static struct abt_pool host, net;
static atomic_t generation;
static u32 connections;	/* of each processor */

/* A demand, and what it is granted. */
static inline void steer(union record *r)
{
	u32 grant = abt_stake_demand(&r->stake, r->demand);

	abt_stake_charge(&r->stake, grant, 0);
}

/* One of its connections asks for something else. */
static inline void some_steers(struct processor *p)
{
	union record *r = &p->records[abt_test_below(&p->numbers, connections)];

	r->demand = some_demand(&p->numbers);
	steer(r);
}

static inline void tick(void)
{
	run_timer(&net.tick);
	run_timer(&host.tick);
	run_timer(&net.retry);
	run_timer(&host.retry);
}

/* All ask anew, and take what they are told. Return: what all are charged for. */
static inline u64 everyone_steers(const struct processor *processors, u32 n)
{
	u64 charged = 0;

	for (u32 p = 0; p < n; p++) {
		shim_processor = p;
		for (u32 i = 0; i < connections; i++) {
			steer(&processors[p].records[i]);
			charged += processors[p].records[i].stake.charged;
		}
	}
	return charged;
}

/* At rest: nothing is lost, and no more is handed out than there is. */
static inline void check(const struct processor *processors, u32 n, u32 state)
{
	struct abt_pool *pool = states[state].nested ? &net : &host;
	struct abt_pool_stat stat;
	u64 charged = 0;

	for (u32 round = 0; round < ROUNDS; round++) {
		charged = everyone_steers(processors, n);
		tick();
	}
	for (; pool; pool = pool->parent) {
		abt_pool_stat(pool, &stat);
		if (stat.charged == charged && stat.charged <= stat.size)
			continue;
		printf("Bail out! %llu charged of %llu, connections have %llu\n",
		       stat.charged, stat.size, charged);
		exit(1);
	}
}

static inline void set_up(struct processor *processors, u32 n, u32 state)
{
	struct abt_pool *pool = states[state].nested ? &net : &host;
	u64 total = 0;

	memset(&host, 0, sizeof(host));
	memset(&net, 0, sizeof(net));
	abt_pool_init(&host, NULL, &generation, 0);
	abt_pool_init(&net, &host, &generation, 0);
	for (u32 p = 0; p < n; p++) {
		processors[p] = (struct processor) {
			.number = p,
			.numbers = { .random = ABT_TEST_SEED + p },
			.records = kvcalloc(connections, sizeof(union record), GFP_KERNEL_ACCOUNT),
		};
		for (u32 i = 0; i < connections; i++) {
			union record *r = &processors[p].records[i];

			abt_stake_join(&r->stake, pool);
			r->demand = some_demand(&processors[p].numbers);
			total += r->demand;
		}
	}
	abt_pool_resize(&host, total * states[state].percent / 100);
	abt_pool_resize(&net, total * states[state].percent / 100);
	everyone_steers(processors, n);
	tick();
}

static inline void tear_down(struct processor *processors, u32 n)
{
	for (u32 p = 0; p < n; p++) {
		for (u32 i = 0; i < connections; i++)
			abt_stake_leave(&processors[p].records[i].stake);
		kvfree(processors[p].records);
	}
	tick();
	abt_pool_exit(&net);
	abt_pool_exit(&host);
}

#endif /* MODEL_PROCESSORS_H */
