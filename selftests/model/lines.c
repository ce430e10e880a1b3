// SPDX-License-Identifier: GPL-2.0
/*
 * lines PROCESSORS CONNECTIONS TICKS - cache lines of the pools that processors take from each other.
 * After a heading a line for each state of the pools.
 *
 * The pools' code is compiled with -fsanitize=thread, and what the compiler calls for each load and
 * store is here, in place of the sanitizer's library. So many processors, in one thread, take turns
 * step by step, with as many connections each. A cache is taken to be infinite, and coherent as in
 * MESI: a processor fetches a line that it reads if it has no copy, and takes a line that it writes if
 * another one has a copy. What nobody had before is not counted.
 *
 * A step is a demand and a charge of one connection, picked at random. Every STEPS steps of each
 * processor there is a tick, on processor 0, which is counted apart.
 */
#include <stdio.h>
#include <stdlib.h>

#include "processors.h"

#define LINE_SHIFT		6
#define PROCESSORS_MAX		256

/* Of a processor between two ticks: 10,000 a second, as of 1,000 connections with 100 ms of RTT. */
#define STEPS			100

/* Slots for lines, more than twice as many as are seen. */
#define LINES_SHIFT		20

/* What a line is of. */
enum kind {
	POOL_READ,	/* what steps look at */
	POOL_CHARGES,	/* what growth writes */
	POOL_LEVELS,	/* what the rest writes */
	PART,
	GENERATION,
	OTHER,		/* a connection's */
	KINDS
};

static const char *const kinds[KINDS] = {
	[POOL_READ] = "pool",
	[POOL_CHARGES] = "pool_charges",
	[POOL_LEVELS] = "pool_levels",
	[PART] = "part",
	[GENERATION] = "generation",
	[OTHER] = "other",
};

/* A processor that holds more locks holds those of several parts. */
#define PART_DEPTH		2

/* A cache line, and who has a copy of it. */
struct line {
	unsigned long number;	/* its address, shifted; 0: no line */
	u64 copies[PROCESSORS_MAX / 64];
};

/* Lines that came from other processors. */
struct count {
	u64 fetched[KINDS];	/* to be read */
	u64 taken[KINDS];	/* to be written */
	u64 held;		/* of both, while the locks of several parts were held */
	u64 locks;		/* times that the lock of a pool's charges was taken */
};

static struct line *lines;
static struct count *counting;
static u32 depth;	/* locks that are held */

static bool inside(unsigned long at, const void *start, const void *end)
{
	return at >= (unsigned long)start && at < (unsigned long)end;
}

static enum kind kind_of(const void *address)
{
	struct abt_pool *const pools[] = { &host, &net };
	unsigned long at = (unsigned long)address;

	for (u32 i = 0; i < ARRAY_SIZE(pools); i++) {
		struct abt_pool *pool = pools[i];

		if (inside(at, pool, &pool->lock))
			return POOL_READ;
		if (inside(at, &pool->lock, &pool->levels))
			return POOL_CHARGES;
		if (inside(at, &pool->levels, pool + 1))
			return POOL_LEVELS;
		if (inside(at, pool->parts, pool->parts + (1UL << pool->parts_shift)))
			return PART;
	}
	return inside(at, &generation, &generation + 1) ? GENERATION : OTHER;
}

static struct line *line_of(const void *address)
{
	unsigned long number = (unsigned long)address >> LINE_SHIFT;
	u32 slot = (u32)(number * 0x9e3779b97f4a7c15UL >> (64 - LINES_SHIFT));

	while (lines[slot].number && lines[slot].number != number)
		slot = (slot + 1) & ((1U << LINES_SHIFT) - 1);
	lines[slot].number = number;
	return &lines[slot];
}

static bool somebody_has(const struct line *line)
{
	u64 any = 0;

	for (u32 i = 0; i < ARRAY_SIZE(line->copies); i++)
		any |= line->copies[i];
	return any;
}

static bool others_have(const struct line *line)
{
	struct line rest = *line;

	rest.copies[shim_processor / 64] &= ~(1UL << shim_processor % 64);
	return somebody_has(&rest);
}

static void see(const void *address, bool write)
{
	struct line *line = line_of(address);
	u64 *copies = &line->copies[shim_processor / 64];
	u64 mine = 1UL << shim_processor % 64;
	bool comes = write ? others_have(line) : !(*copies & mine) && somebody_has(line);

	if (comes) {
		(write ? counting->taken : counting->fetched)[kind_of(address)]++;
		counting->held += depth > PART_DEPTH;
	}
	if (write)
		memset(line->copies, 0, sizeof(line->copies));
	*copies |= mine;
}

/* What the compiler calls. Nothing that the pools access here straddles a line. */
#define ACCESS(bytes)								\
	void __tsan_read##bytes(void *address) { see(address, false); }		\
	void __tsan_write##bytes(void *address) { see(address, true); }

ACCESS(1)
ACCESS(2)
ACCESS(4)
ACCESS(8)
ACCESS(16)

static void see_all(const char *from, unsigned long bytes, bool write)
{
	for (const char *at = from; at < from + bytes; at += 1UL << LINE_SHIFT)
		see(at, write);
	see(from + bytes - 1, write);
}

void __tsan_read_range(void *from, unsigned long bytes) { see_all(from, bytes, false); }
void __tsan_write_range(void *from, unsigned long bytes) { see_all(from, bytes, true); }
void __tsan_init(void) { }
void __tsan_func_entry(void *caller) { (void)caller; }
void __tsan_func_exit(void) { }
void __tsan_atomic_thread_fence(int order) { (void)order; }

u32 __tsan_atomic32_load(const volatile u32 *address, int order)
{
	(void)order;
	see((const void *)address, false);
	return *address;
}

/* A lock is given back. */
void __tsan_atomic32_store(volatile u32 *address, u32 value, int order)
{
	(void)order;
	see((const void *)address, true);
	*address = value;
	depth--;
}

/* A lock is asked for, or the generation goes on. */
u32 __tsan_atomic32_fetch_add(volatile u32 *address, u32 value, int order)
{
	const void *at = (const void *)address;

	(void)order;
	see(at, true);
	depth += at != &generation;
	counting->locks += at == &host.lock || at == &net.lock;
	*address += value;
	return *address - value;
}

u64 __tsan_atomic64_load(const volatile u64 *address, int order)
{
	(void)order;
	see((const void *)address, false);
	return *address;
}

/* A sum of the pools', not a lock. */
u64 __tsan_atomic64_fetch_add(volatile u64 *address, u64 value, int order)
{
	(void)order;
	see((const void *)address, true);
	*address += value;
	return *address - value;
}

static void play(struct processor *processors, u32 n, u32 state, u32 ticks,
		 struct count *steps, struct count *tick_work)
{
	for (u32 t = 0; t < ticks; t++) {
		counting = steps;
		for (u32 i = 0; i < STEPS; i++)
			for (u32 p = 0; p < n; p++) {
				shim_processor = p;
				see(&generation, false);	/* is there news? */
				see(&host.charged, false);	/* is there plenty? */
				if (states[state].nested)
					see(&net.charged, false);
				some_steers(&processors[p]);
			}
		counting = tick_work;
		shim_processor = 0;
		jiffies += ABT_POOL_TICK_MS;
		tick();
	}
}

static void print_heading(const char *of)
{
	for (u32 kind = 0; kind < KINDS; kind++)
		printf("\t%s_%s_fetched\t%s_%s_taken", of, kinds[kind], of, kinds[kind]);
	printf("\t%s_held\t%s_locks", of, of);
}

static void print(const struct count *count, double times)
{
	for (u32 kind = 0; kind < KINDS; kind++)
		printf("\t%.6f\t%.6f", (double)count->fetched[kind] / times,
		       (double)count->taken[kind] / times);
	printf("\t%.6f\t%.6f", (double)count->held / times, (double)count->locks / times);
}

static void run(struct processor *processors, u32 n, u32 state, u32 ticks)
{
	struct count rest = {}, steps = {}, tick_work = {};

	counting = &rest;
	memset(lines, 0, sizeof(*lines) << LINES_SHIFT);
	set_up(processors, n, state);
	play(processors, n, state, ticks, &rest, &rest);
	play(processors, n, state, ticks, &steps, &tick_work);
	printf("%s\t%u", states[state].name, n);
	print(&steps, (double)ticks * STEPS * n);
	print(&tick_work, ticks);
	printf("\n");
	fflush(stdout);
	counting = &rest;
	check(processors, n, state);
	tear_down(processors, n);
}

int main(int argc, char **argv)
{
	static struct processor processors[PROCESSORS_MAX];
	u32 ticks;

	if (argc != 4) {
		fprintf(stderr, "usage: lines PROCESSORS CONNECTIONS TICKS\n");
		return 2;
	}
	shim_processors = number("lines", argv[1], "PROCESSORS", 1);
	connections = number("lines", argv[2], "CONNECTIONS", 1);
	ticks = number("lines", argv[3], "TICKS", 1);
	if (shim_processors > PROCESSORS_MAX) {
		fprintf(stderr, "lines: PROCESSORS '%s': expected at most %u\n", argv[1], PROCESSORS_MAX);
		return 2;
	}
	lines = malloc(sizeof(*lines) << LINES_SHIFT);
	if (!lines) {
		perror("lines");
		return 1;
	}
	printf("pools\tprocessors");
	print_heading("step");
	print_heading("tick");
	printf("\n");
	for (u32 state = 0; state < ARRAY_SIZE(states); state++)
		run(processors, shim_processors, state, ticks);
	return 0;
}
