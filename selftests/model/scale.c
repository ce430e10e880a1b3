// SPDX-License-Identifier: GPL-2.0
/*
 * scale CONNECTIONS STEPS - the pools' work with so many connections, an operation a
 * line: its name, how often it was done, and how long that took [ns].
 *
 * The connections draw on a namespace's pool under a host's, as deep as pools go.
 * Built without sanitizers. Instructions are counted from outside, in the functions
 * named op_*: they do one operation each, and nothing else.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "load.h"
#include "pool/pool.h"
#include "pool/stake.h"

/* Records that reclaim looks at in one go (kmod/conn/reclaim.c). */
#define SLICE		64

/* Steps between two ticks, which are not counted. */
#define BATCH		32

/* Operations that cost more than a demand change are done once in so many steps. */
#define COSTLY		32

/* Between ticks a contended pool's size moves by up to 1/16, in so many steps. */
#define MOVED_PARTS	64
#define MOVED_OF	1024

/* Demands take a quarter of the pools, twice as much as there is, or exactly all. */
enum state { PLENTY, CONTENDED, EDGE };

static struct abt_pool host, net;
static atomic_t generation;
static union record *records;
static u32 connections;
static struct abt_test numbers = { .random = ABT_TEST_SEED };

static union record *some_record(void)
{
	return &records[abt_test_below(&numbers, connections)];
}

/*
 * What a connection does when it is steered. It takes less than it may, by more than
 * sizes move: how many find the pool full would depend on how many moved before.
 */
static void steer(union record *r)
{
	u32 grant = abt_stake_demand(&r->stake, r->demand);

	abt_stake_charge(&r->stake, grant - grant / 8, 0);
}

static __attribute__((noinline)) void op_demand(union record *r)
{
	steer(r);
}

static __attribute__((noinline)) void op_demand_contended(union record *r)
{
	steer(r);
}

/* One byte more than there is, and back: the level is looked for at once. */
static __attribute__((noinline)) void op_contention(union record *r)
{
	abt_stake_demand(&r->stake, r->demand + 1);
	abt_stake_demand(&r->stake, r->demand);
}

static __attribute__((noinline)) void op_tick(union record *r)
{
	(void)r;
	run_timer(&net.tick);
	run_timer(&host.tick);
}

static __attribute__((noinline)) void op_slice(union record *r)
{
	union record *end = records + connections;

	for (u32 i = 0; i < SLICE; i++)
		steer(r + i < end ? r + i : r + i - connections);
}

static __attribute__((noinline)) void op_come_and_go(union record *r)
{
	abt_stake_leave(&r->stake);
	abt_stake_join(&r->stake, &net);
	steer(r);
}

static const struct {
	const char *name;
	void (*before)(union record *r);	/* timed, not counted */
	void (*step)(union record *r);
	enum state state;	/* of the pools */
	bool moves;		/* the demand of the connection at hand changes first */
	u32 share;		/* of the steps asked for, one in so many */
} operations[] = {
	{ "demand", NULL, op_demand, PLENTY, true, 1 },
	{ "demand_contended", NULL, op_demand_contended, CONTENDED, true, 1 },
	{ "come_and_go", NULL, op_come_and_go, CONTENDED, true, 1 },
	{ "tick", steer, op_tick, CONTENDED, true, COSTLY },
	{ "slice", NULL, op_slice, CONTENDED, true, COSTLY },
	{ "contention", NULL, op_contention, EDGE, false, COSTLY },
};

/*
 * Other sizes, and the levels that they and the demands as they are give. In contention
 * the host has half of what the namespace has, so that both are short.
 */
static void resize(u64 size, enum state state)
{
	abt_pool_resize(&host, state == CONTENDED ? size / 2 : size);
	abt_pool_resize(&net, size);
	run_timer(&net.tick);
	run_timer(&host.tick);
}

static void everyone_steers(void)
{
	for (u32 i = 0; i < connections; i++)
		steer(&records[i]);
}

/* All at rest in that state. Return: the size that it takes. */
static u64 bring_about(enum state state)
{
	u64 total = 0, size;

	for (u32 i = 0; i < connections; i++)
		total += records[i].demand;
	size = state == PLENTY ? 4 * total : state == EDGE ? total : total / 2;
	resize(size, state);
	everyone_steers();
	resize(size, state);
	everyone_steers();
	return size;
}

/*
 * A level moves between two events of a connection, more so the more connections there
 * are, each with events of its own. Here few of a million have one: sizes move instead.
 */
static u64 moved(u64 size, enum state state)
{
	u32 part = abt_test_below(&numbers, MOVED_PARTS);

	return state == CONTENDED ? size + size / MOVED_OF * part : size;
}

static u64 now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (u64)ts.tv_sec * 1000000000 + (u64)ts.tv_nsec;
}

/* Return: how long the operations took [ns]. */
static u64 run_batch(u32 which, u32 steps)
{
	u64 began = now_ns();

	while (steps--) {
		union record *r = some_record();

		if (operations[which].moves)
			r->demand = some_demand(&numbers);
		if (operations[which].before)
			operations[which].before(r);
		operations[which].step(r);
	}
	return now_ns() - began;
}

static void run(u32 which, u32 steps)
{
	enum state state = operations[which].state;
	u64 took = 0, size = bring_about(state);

	steps = (steps + operations[which].share - 1) / operations[which].share;
	for (u32 left = steps; left; left -= min(left, (u32)BATCH)) {
		took += run_batch(which, min(left, (u32)BATCH));
		resize(moved(size, state), state);
	}
	printf("%s\t%u\t%llu\n", operations[which].name, steps, took);
}

int main(int argc, char **argv)
{
	u32 steps;

	if (argc != 3) {
		fprintf(stderr, "usage: scale CONNECTIONS STEPS\n");
		return 2;
	}
	connections = number("scale", argv[1], "CONNECTIONS", SLICE);
	steps = number("scale", argv[2], "STEPS", 1);
	records = calloc(connections, sizeof(*records));
	if (!records) {
		perror("scale");
		return 1;
	}
	abt_pool_init(&host, NULL, &generation, 0);
	abt_pool_init(&net, &host, &generation, 0);
	for (u32 i = 0; i < connections; i++) {
		abt_stake_join(&records[i].stake, &net);
		records[i].demand = some_demand(&numbers);
	}
	for (u32 i = 0; i < ARRAY_SIZE(operations); i++)
		run(i, steps);
	free(records);
	return 0;
}
