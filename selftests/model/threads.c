// SPDX-License-Identifier: GPL-2.0
/*
 * threads CONNECTIONS SECONDS - the pools' work by number of threads, each with so many connections
 * of its own. A line for each state of the pools and number of threads: its name, the threads, and
 * the operations of all in a second.
 *
 * An operation is a demand or a charge of one connection, picked at random. Built with a spin lock of
 * the kernel's kind (shim_threads/); another thread does the ticks. At the end of each run everyone
 * rests, and the charges have to be those of the connections, and no more than there is.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "processors.h"
#include "program.h"

#define THREADS_MAX	2

/* Operations between two looks at the clock's flag. */
#define BATCH		256

/* A thread, on a processor of its own. */
struct worker {
	pthread_t thread;
	struct processor *processor;
	u64 operations;
};

static bool stop;

static void *work(void *data)
{
	struct worker *w = data;

	shim_processor = w->processor->number;
	while (!READ_ONCE(stop)) {
		for (u32 i = 0; i < BATCH; i++)
			some_steers(w->processor);
		w->operations += 2 * BATCH;
	}
	return NULL;
}

static void *ticks(void *data)
{
	const struct timespec pause = { .tv_nsec = ABT_POOL_TICK_MS * 1000000L };

	(void)data;
	while (!READ_ONCE(stop)) {
		nanosleep(&pause, NULL);
		WRITE_ONCE(jiffies, jiffies + ABT_POOL_TICK_MS);
		tick();
	}
	return NULL;
}

static void run(u32 state, u32 threads, u32 seconds)
{
	struct processor processors[THREADS_MAX];
	struct worker workers[THREADS_MAX];
	u64 operations = 0;
	pthread_t ticker;

	set_up(processors, threads, state);
	WRITE_ONCE(stop, false);
	start(&ticker, ticks, NULL);
	for (u32 t = 0; t < threads; t++) {
		workers[t] = (struct worker) { .processor = &processors[t] };
		start(&workers[t].thread, work, &workers[t]);
	}
	nanosleep(&(struct timespec) { .tv_sec = seconds }, NULL);
	WRITE_ONCE(stop, true);
	for (u32 t = 0; t < threads; t++) {
		pthread_join(workers[t].thread, NULL);
		operations += workers[t].operations;
	}
	pthread_join(ticker, NULL);
	check(processors, threads, state);
	tear_down(processors, threads);
	printf("%s\t%u\t%llu\n", states[state].name, threads, operations / seconds);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	u32 seconds;

	if (argc != 3) {
		fprintf(stderr, "usage: threads CONNECTIONS SECONDS\n");
		return 2;
	}
	connections = number("threads", argv[1], "CONNECTIONS", 1);
	seconds = number("threads", argv[2], "SECONDS", 1);
	shim_processors = THREADS_MAX;
	for (u32 state = 0; state < ARRAY_SIZE(states); state++)
		for (u32 threads = 1; threads <= THREADS_MAX; threads++)
			run(state, threads, seconds);
	return 0;
}
