// SPDX-License-Identifier: GPL-2.0
/*
 * Is memory of a pool ever handed out twice, if two threads draw on it at the same time? Reports in TAP.
 * ABT_SEED and ABT_STEPS in the environment: other random numbers, and so many steps.
 *
 * Each thread takes half of the random steps with members of its own in the host's pool and in a
 * namespace's under it. A step is on any processor, so both threads are on the same part at times, and
 * a member gives back to another part than it drew on. A third thread does the ticks.
 *
 * What members hold is added up beside the pools: growth once it was granted, and less before it is
 * given back. So the sum is never more than they hold, and if it exceeds a pool, that was overdrawn.
 *
 * After each PHASE steps the threads rest. Then a pool has to know exactly what its members have. After
 * that it gets another size, so it is contended in some phases and has plenty in others, and the
 * threads exchange their members.
 */
#include <linux/smp.h>
#include <time.h>

#include "environment.h"
#include "load.h"
#include "pool/pool.h"
#include "program.h"

#define STEPS		10000000	/* half a minute under ASan */
#define PHASE		16384U	/* steps of each thread */
#define THREADS		2
#define PROCESSORS	4
#define MEMBERS		256	/* of each thread */
#define TICK_NS		200000	/* between two ticks, so that a phase has some */

/* Of all demands a pool has so much [percent], from a third to more than enough. */
#define LEAST_PERCENT	30
#define MOST_PERCENT	130

enum { HOST, NET, POOLS };

struct worker {
	pthread_t thread;
	u32 number;
	struct abt_test numbers;
	u64 refused;	/* growth that was not granted in full */
	u64 most[POOLS];	/* that members held in this phase [bytes of truesize] */
	u64 overdrawn;	/* times that they held more than there is */
};

static struct abt_pool pools[POOLS];
static atomic_t generation;
static union record records[THREADS * MEMBERS];
static struct worker workers[THREADS];
static u64 held[POOLS];	/* atomic: what members hold, or less */
static u64 sizes[POOLS];
static u32 phase;
static bool stop;
static pthread_barrier_t barrier;	/* of the threads and the main one */

static bool draws_on(const union record *r, u32 p)
{
	return p == HOST || r->stake.pool == &pools[p];
}

static void hold_more(struct worker *w, const union record *r, u32 more)
{
	for (u32 p = 0; p < POOLS; p++) {
		u64 now;

		if (!draws_on(r, p))
			continue;
		now = __atomic_add_fetch(&held[p], more, __ATOMIC_SEQ_CST);
		w->most[p] = max(w->most[p], now);
		w->overdrawn += now > sizes[p];
	}
}

static void hold_less(const union record *r, u32 less)
{
	for (u32 p = 0; p < POOLS; p++)
		if (draws_on(r, p))
			__atomic_sub_fetch(&held[p], less, __ATOMIC_SEQ_CST);
}

static void charge(struct worker *w, union record *r, u32 want)
{
	u32 had = r->stake.charged, got;

	if (want < had)
		hold_less(r, had - want);
	got = abt_stake_charge(&r->stake, want, 0);
	if (got > had)
		hold_more(w, r, got - had);
	w->refused += got < want;
}

static void steer(struct worker *w, union record *r)
{
	charge(w, r, abt_stake_demand(&r->stake, r->demand));
}

static void come(struct abt_test *numbers, union record *r)
{
	abt_stake_join(&r->stake, &pools[abt_test_below(numbers, POOLS)]);
	r->demand = some_demand(numbers);
}

static void one_step(struct worker *w, union record *r)
{
	u32 what = abt_test_below(&w->numbers, 16);

	shim_processor = abt_test_below(&w->numbers, PROCESSORS);
	if (what == 0) {
		hold_less(r, r->stake.charged);
		abt_stake_leave(&r->stake);
		come(&w->numbers, r);
	} else if (what < 4) {
		charge(w, r, abt_test_below(&w->numbers, r->stake.charged + 1));
	} else {
		r->demand = some_demand(&w->numbers);
		steer(w, r);
	}
}

static void *work(void *data)
{
	struct worker *w = data;

	for (;;) {
		union record *mine;

		pthread_barrier_wait(&barrier);
		if (stop)
			return NULL;
		mine = &records[(w->number + phase) % THREADS * MEMBERS];
		for (u32 i = 0; i < PHASE; i++)
			one_step(w, &mine[abt_test_below(&w->numbers, MEMBERS)]);
		pthread_barrier_wait(&barrier);
	}
}

static void *ticks(void *data)
{
	const struct timespec pause = { .tv_nsec = TICK_NS };

	(void)data;
	while (!READ_ONCE(stop)) {
		nanosleep(&pause, NULL);
		WRITE_ONCE(jiffies, jiffies + ABT_POOL_TICK_MS);
		for (u32 p = POOLS; p-- > 0;) {
			run_timer(&pools[p].tick);
			run_timer(&pools[p].retry);
		}
	}
	return NULL;
}

/* At rest: does a pool know what its members have? */
static bool is_exact(u32 p)
{
	u64 charged = 0, demand = 0;
	struct abt_pool_stat stat;
	u32 members = 0;

	for (u32 i = 0; i < ARRAY_SIZE(records); i++) {
		const struct abt_stake *stake = &records[i].stake;

		if (!draws_on(&records[i], p))
			continue;
		charged += stake->charged;
		demand += stake->entered[stake->pool == &pools[p] ? 0 : 1];
		members++;
	}
	abt_pool_stat(&pools[p], &stat);
	if (stat.charged == charged && stat.demand == demand &&
	    stat.members == members && held[p] == charged && charged <= stat.size)
		return true;
	printf("# phase %u, pool %u of %llu: %llu charged, members have %llu; demands of %llu, members' %llu; %u members, there are %u\n",
	       phase, p, stat.size, stat.charged, charged, stat.demand, demand,
	       stat.members, members);
	return false;
}

/* The next phase's sizes. All give back what is too much then. */
static void resize(struct worker *w)
{
	u64 demand = 0;

	for (u32 i = 0; i < ARRAY_SIZE(records); i++)
		demand += records[i].demand;
	for (u32 p = 0; p < POOLS; p++) {
		u32 percent = LEAST_PERCENT + abt_test_below(&w->numbers, MOST_PERCENT - LEAST_PERCENT);

		/* about half of the members are in the namespace's */
		sizes[p] = demand * percent / 100 >> p;
		abt_pool_resize(&pools[p], sizes[p]);
		w->most[p] = 0;
	}
	for (u32 i = 0; i < ARRAY_SIZE(records); i++)
		charge(w, &records[i], min(records[i].stake.charged,
					   abt_stake_demand(&records[i].stake, records[i].demand)));
}

int main(void)
{
	u64 random = abt_environment("ABT_SEED", ABT_TEST_SEED);
	u64 wanted = abt_environment("ABT_STEPS", STEPS);
	u64 steps = 0, refused = 0, overdrawn = 0;
	struct worker all = { .numbers = { .random = random } };
	u32 inexact = 0, full = 0;
	pthread_t ticker;

	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("TAP version 13\n1..3\n# ABT_SEED=%llu ABT_STEPS=%llu\n", random, wanted);
	shim_processors = PROCESSORS;
	abt_pool_init(&pools[HOST], NULL, &generation, 0);
	abt_pool_init(&pools[NET], &pools[HOST], &generation, 0);
	for (u32 i = 0; i < ARRAY_SIZE(records); i++)
		come(&all.numbers, &records[i]);
	pthread_barrier_init(&barrier, NULL, THREADS + 1);
	start(&ticker, ticks, NULL);
	for (u32 t = 0; t < THREADS; t++) {
		workers[t] = (struct worker) { .number = t, .numbers = { .random = random + 1 + t } };
		start(&workers[t].thread, work, &workers[t]);
	}

	for (; steps < wanted && !inexact; steps += THREADS * PHASE, phase++) {
		resize(&all);
		pthread_barrier_wait(&barrier);	/* they begin */
		pthread_barrier_wait(&barrier);	/* they rest */
		for (u32 p = 0; p < POOLS; p++)
			inexact += !is_exact(p);
		for (u32 t = 0; t < THREADS; t++) {
			/* to a bucket */
			full += workers[t].most[HOST] >= sizes[HOST] - (sizes[HOST] >> ABT_HIST_SUB_SHIFT);
			memset(workers[t].most, 0, sizeof(workers[t].most));
		}
	}

	WRITE_ONCE(stop, true);
	pthread_barrier_wait(&barrier);
	for (u32 t = 0; t < THREADS; t++) {
		pthread_join(workers[t].thread, NULL);
		refused += workers[t].refused;
		overdrawn += workers[t].overdrawn;
	}
	pthread_join(ticker, NULL);
	printf("# %llu steps on %u threads, %u rests; growth was refused %llu times, the host's pool full in %u of %u phases of a thread\n",
	       steps, THREADS, phase, refused, full, THREADS * phase);
	report(1, !overdrawn, "members never hold more than a pool has");
	report(2, !inexact, "at rest a pool knows what its members have");
	report(3, refused && full, "the pools were full");
	return overdrawn || inexact || !refused || !full;
}
