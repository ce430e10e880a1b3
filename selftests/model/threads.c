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
#include <linux/smp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "load.h"
#include "pool/pool.h"
#include "pool/stake.h"

#define THREADS_MAX	2

/* Operations between two looks at the clock's flag. */
#define BATCH		256

/* Ticks that bring everyone to rest, with all connections' steps before each. */
#define ROUNDS		8

/* A thread, on a processor of its own. */
struct worker {
	pthread_t thread;
	u32 number;
	struct abt_test numbers;
	union record *records;
	u64 operations;
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

static struct abt_pool host, net;
static atomic_t generation;
static u32 connections;
static bool stop;

/* A demand, and what it is granted. */
static void steer(union record *r)
{
	u32 grant = abt_stake_demand(&r->stake, r->demand);

	abt_stake_charge(&r->stake, grant, 0);
}

static void *work(void *data)
{
	struct worker *w = data;

	shim_processor = w->number;
	while (!READ_ONCE(stop)) {
		for (u32 i = 0; i < BATCH; i++) {
			union record *r = &w->records[abt_test_below(&w->numbers, connections)];

			r->demand = some_demand(&w->numbers);
			steer(r);
		}
		w->operations += 2 * BATCH;
	}
	return NULL;
}

static void tick(void)
{
	flush_delayed_work(&net.tick);
	flush_delayed_work(&host.tick);
	flush_delayed_work(&net.retry);
	flush_delayed_work(&host.retry);
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

static void start(pthread_t *thread, void *(*run)(void *), void *data)
{
	if (pthread_create(thread, NULL, run, data)) {
		perror("threads: pthread_create");
		exit(1);
	}
}

/* All ask anew, and take what they are told. Return: what all are charged for. */
static u64 everyone_steers(struct worker *workers, u32 threads)
{
	u64 charged = 0;

	for (u32 t = 0; t < threads; t++) {
		shim_processor = t;
		for (u32 i = 0; i < connections; i++) {
			steer(&workers[t].records[i]);
			charged += workers[t].records[i].stake.charged;
		}
	}
	return charged;
}

/* At rest: nothing is lost, and no more is handed out than there is. */
static void check(struct worker *workers, u32 threads, struct abt_pool *pool)
{
	struct abt_pool_stat stat;
	u64 charged = 0;

	for (u32 round = 0; round < ROUNDS; round++) {
		charged = everyone_steers(workers, threads);
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

static void set_up(struct worker *workers, u32 threads, u32 state)
{
	struct abt_pool *pool = states[state].nested ? &net : &host;
	u64 total = 0;

	memset(&host, 0, sizeof(host));
	memset(&net, 0, sizeof(net));
	abt_pool_init(&host, NULL, &generation, 0);
	abt_pool_init(&net, &host, &generation, 0);
	for (u32 t = 0; t < threads; t++) {
		workers[t] = (struct worker) {
			.number = t,
			.numbers = { .random = ABT_TEST_SEED + t },
			.records = calloc(connections, sizeof(union record)),
		};
		for (u32 i = 0; i < connections; i++) {
			union record *r = &workers[t].records[i];

			abt_stake_join(&r->stake, pool);
			r->demand = some_demand(&workers[t].numbers);
			total += r->demand;
		}
	}
	abt_pool_resize(&host, total * states[state].percent / 100);
	abt_pool_resize(&net, total * states[state].percent / 100);
	everyone_steers(workers, threads);
	tick();
}

static void tear_down(struct worker *workers, u32 threads)
{
	for (u32 t = 0; t < threads; t++) {
		for (u32 i = 0; i < connections; i++)
			abt_stake_leave(&workers[t].records[i].stake);
		free(workers[t].records);
	}
	tick();
	abt_pool_exit(&net);
	abt_pool_exit(&host);
}

static void run(u32 state, u32 threads, u32 seconds)
{
	struct worker workers[THREADS_MAX];
	u64 operations = 0;
	pthread_t ticker;

	set_up(workers, threads, state);
	WRITE_ONCE(stop, false);
	start(&ticker, ticks, NULL);
	for (u32 t = 0; t < threads; t++)
		start(&workers[t].thread, work, &workers[t]);
	nanosleep(&(struct timespec) { .tv_sec = seconds }, NULL);
	WRITE_ONCE(stop, true);
	for (u32 t = 0; t < threads; t++) {
		pthread_join(workers[t].thread, NULL);
		operations += workers[t].operations;
	}
	pthread_join(ticker, NULL);
	check(workers, threads, states[state].nested ? &net : &host);
	tear_down(workers, threads);
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
