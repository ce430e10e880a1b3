// SPDX-License-Identifier: GPL-2.0
/*
 * Is a record ever found after its end, or another socket's, while threads find, make and end
 * records at the same time? Reports in TAP. ABT_SEED and ABT_HOLDS in the environment: other random
 * numbers, and a socket is held so many times.
 *
 * The slots of kmod/conn/recent.c, real threads, RCU of liburcu, and memory that is freed: the address
 * sanitizer ends the test at a use after the end. A socket has the kernel's two locks: softirqs hold the
 * spin lock, and an owner holds the socket without it. A pointer in the socket stands for the table.
 *
 * Threads take random sockets, either way, and have events there: each looks for the record as
 * kmod/conn/events.c does, makes one, or has it come home; now and then the socket ends. After each PHASE
 * holds all records are handed back, as by kmod/conn/hand_back_all.c, while the events go on. Then
 * every slot has to be free, and as many records freed as were made.
 */
#include <stdlib.h>
#include <time.h>

#include "cases.h"
#include "conn/conn.h"
#include "conn/recent.h"
#include "environment.h"
#include "program.h"

#define HOLDS		40000	/* times that a socket is held: ten seconds under ASan */
#define PHASE		100U	/* times that a thread holds a socket between two times that all records are handed back */
#define THREADS		2
#define SOCKETS		40U
#define SETS		3U	/* that all of them are in, so these are full, and homes are taken */
#define WAYS		8U	/* of a set */
#define SOCKET_BYTES	64
#define EVENTS_MOST	8U	/* while a socket is held */
#define ENDS		64U	/* an event of so many is a socket's end */
#define BURST		8U	/* sockets that share two grace periods */
#define PAUSES		16U	/* an access of a slot of so many waits before it */
#define PAUSE_SPINS	256U	/* for less than so many turns */
#define SLEEPS		2048U	/* and one of so many leaves the processor */
#define SLEEP_NS	1000

/* In user space a socket is an address alone, and this is what it would point to. */
struct socket {
	unsigned long address;
	pthread_spinlock_t slock;
	bool owned;
	struct record *in_table;	/* RCU */
};

struct record {
	struct abt_conn conn;
	struct socket *socket;
	struct rcu_head rcu;
	u32 events;
};

struct worker {
	pthread_t thread;
	struct abt_test numbers;
	u64 beside, made, strangers;
};

static struct socket sockets[SOCKETS];
static struct worker workers[THREADS];
static u64 freed, taken_from_owners;
static u32 resting;	/* threads that have done their part of a phase */
static u32 phase;
static bool live, stop;
static pthread_barrier_t barrier;

static __thread struct abt_test pauses = { .random = ABT_TEST_SEED };

void shim_let_others(void)
{
	if (!abt_test_below(&pauses, SLEEPS))
		nanosleep(&(struct timespec) { .tv_nsec = SLEEP_NS }, NULL);
	if (abt_test_below(&pauses, PAUSES))
		return;
	for (u32 spins = abt_test_below(&pauses, PAUSE_SPINS); spins > 0; spins--)
		__builtin_ia32_pause();
}

static struct record *record_of(struct abt_conn *c)
{
	return container_of(c, struct record, conn);
}

static void free_record(struct rcu_head *rcu)
{
	__atomic_add_fetch(&freed, 1, __ATOMIC_RELAXED);
	free(container_of(rcu, struct record, rcu));
}

/* abt_conn_take_out() */
static bool take_out(struct record *r)
{
	struct record *expected = r;

	WRITE_ONCE(r->conn.dead, true);
	abt_conn_unremember(&r->conn);
	return __atomic_compare_exchange_n(&r->socket->in_table, &expected, NULL, false,
					   __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

static void forget(struct record *r)
{
	if (take_out(r))
		call_rcu(&r->rcu, free_record);
}

static struct record *make(struct worker *w, struct socket *s)
{
	struct record *r = calloc(1, sizeof(*r));

	if (!r)
		abort();
	r->conn.sk = (struct sock *)s->address;
	r->socket = s;
	rcu_assign_pointer(s->in_table, r);
	abt_conn_remember(&r->conn);
	w->made++;
	return r;
}

/* abt_conn_of(): at home, beside it, in the table, or made */
static struct record *look(struct worker *w, struct socket *s)
{
	const struct sock *sk = (const struct sock *)s->address;
	struct abt_conn *c;
	struct record *r;

	if (abt_conn_glance(sk, &c))
		return record_of(c);
	c = abt_conn_recent(sk);
	if (c) {
		w->beside++;
		abt_conn_come_home(c);
		return record_of(c);
	}
	r = rcu_dereference(s->in_table);
	if (!r)
		return __atomic_load_n(&live, __ATOMIC_ACQUIRE) ? make(w, s) : NULL;
	abt_conn_remember(&r->conn);
	return r;
}

/* A hook, while @s is held. */
static void event(struct worker *w, struct socket *s)
{
	struct record *r;

	rcu_read_lock();
	r = look(w, s);
	if (r) {
		w->strangers += r->socket != s;
		r->events++;
		if (!abt_test_below(&w->numbers, ENDS))
			forget(r);
	}
	rcu_read_unlock();
}

static void events(struct worker *w, struct socket *s)
{
	for (u32 i = abt_test_below(&w->numbers, EVENTS_MOST); i > 0; i--)
		event(w, s);
}

static void one_hold(struct worker *w, struct socket *s)
{
	bool owns = abt_test_below(&w->numbers, 4);

	pthread_spin_lock(&s->slock);
	if (s->owned) {
		pthread_spin_unlock(&s->slock);
		return;
	}
	if (owns) {
		s->owned = true;
		pthread_spin_unlock(&s->slock);
		events(w, s);
		pthread_spin_lock(&s->slock);
		s->owned = false;
	} else {
		events(w, s);
	}
	pthread_spin_unlock(&s->slock);
}

static void *work(void *data)
{
	struct worker *w = data;

	pauses.random += w->numbers.random;
	rcu_register_thread();
	for (;;) {
		pthread_barrier_wait(&barrier);
		if (stop)
			break;
		for (u32 i = 0; i < PHASE; i++)
			one_hold(w, &sockets[abt_test_below(&w->numbers, SOCKETS)]);
		/* go on while all is handed back */
		__atomic_add_fetch(&resting, 1, __ATOMIC_SEQ_CST);
		while (__atomic_load_n(&resting, __ATOMIC_SEQ_CST) <= THREADS)
			one_hold(w, &sockets[abt_test_below(&w->numbers, SOCKETS)]);
		pthread_barrier_wait(&barrier);
	}
	rcu_unregister_thread();
	return NULL;
}

/* abt_hand_back_sk(), its spin lock held */
static bool hand_back(struct socket *s)
{
	struct record *r;

	if (s->owned)
		return false;
	rcu_read_lock();
	r = rcu_dereference(s->in_table);
	if (r)
		forget(r);
	rcu_read_unlock();
	return true;
}

/* abt_take_from_owner() */
static struct record *take_from_owner(struct socket *s)
{
	struct record *r = NULL;

	pthread_spin_lock(&s->slock);
	if (!hand_back(s)) {
		rcu_read_lock();
		r = rcu_dereference(s->in_table);
		if (r && !take_out(r))
			r = NULL;
		rcu_read_unlock();
	}
	pthread_spin_unlock(&s->slock);
	return r;
}

/* abt_hand_back_owned() */
static void hand_back_owned(struct socket *first)
{
	struct record *taken[BURST];
	u32 n = 0;

	for (u32 i = 0; i < BURST; i++) {
		taken[n] = take_from_owner(&first[i]);
		n += taken[n] != NULL;
	}
	if (!n)
		return;
	synchronize_rcu();
	for (u32 i = 0; i < n; i++)
		abt_conn_unremember(&taken[i]->conn);
	synchronize_rcu();
	for (u32 i = 0; i < n; i++) {
		taken_from_owners++;
		call_rcu(&taken[i]->rcu, free_record);
	}
}

static void hand_back_pass(void)
{
	for (u32 i = 0; i < SOCKETS; i++) {
		pthread_spin_lock(&sockets[i].slock);
		hand_back(&sockets[i]);
		pthread_spin_unlock(&sockets[i].slock);
	}
}

static bool records_left(void)
{
	for (u32 i = 0; i < SOCKETS; i++)
		if (__atomic_load_n(&sockets[i].in_table, __ATOMIC_SEQ_CST))
			return true;
	return false;
}

/* abt_records_hand_back(), and the end of the module: hooks run until nothing is left */
static void hand_back_all(void)
{
	__atomic_store_n(&live, false, __ATOMIC_RELEASE);
	synchronize_rcu();
	for (u32 pass = 0; records_left(); pass++) {
		if (pass % 2 != phase % 2)
			hand_back_pass();
		else
			for (u32 i = 0; i < SOCKETS; i += BURST)
				hand_back_owned(&sockets[i]);
	}
}

static unsigned long set_of(unsigned long address)
{
	return (unsigned long)abt_recent_home((struct sock *)address) / (WAYS * sizeof(void *));
}

/* Sockets of so few sets that there are more of them than slots. */
static void choose_sockets(struct abt_test *numbers)
{
	unsigned long address = SOCKET_BYTES * (1UL + abt_test_below(numbers, 1 << 20));
	unsigned long sets[SETS];
	u32 known = 0, set;

	for (u32 i = 0; i < SOCKETS; address += SOCKET_BYTES) {
		for (set = 0; set < known; set++)
			if (sets[set] == set_of(address))
				break;
		if (set == SETS)
			continue;
		if (set == known)
			sets[known++] = set_of(address);
		sockets[i++].address = address;
	}
}

int main(void)
{
	u64 random = abt_environment("ABT_SEED", ABT_TEST_SEED);
	u64 wanted = abt_environment("ABT_HOLDS", HOLDS);
	u64 made = 0, strangers = 0, beside = 0, holds = 0;
	struct abt_test numbers = { .random = random };

	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("TAP version 13\n1..4\n# ABT_SEED=%llu ABT_HOLDS=%llu\n", random, wanted);
	rcu_register_thread();
	for (u32 i = 0; i < SOCKETS; i++)
		pthread_spin_init(&sockets[i].slock, PTHREAD_PROCESS_PRIVATE);
	pthread_barrier_init(&barrier, NULL, THREADS + 1);
	for (u32 t = 0; t < THREADS; t++) {
		workers[t] = (struct worker) { .numbers.random = random + 1 + t };
		start(&workers[t].thread, work, &workers[t]);
	}

	for (; holds < wanted; holds += THREADS * PHASE, phase++) {
		if (abt_recent_init())
			abort();
		choose_sockets(&numbers);
		__atomic_store_n(&live, true, __ATOMIC_RELEASE);
		resting = 0;
		pthread_barrier_wait(&barrier);	/* they begin */
		while (__atomic_load_n(&resting, __ATOMIC_SEQ_CST) < THREADS)
			nanosleep(&(struct timespec) { .tv_nsec = 10000 }, NULL);
		hand_back_all();
		__atomic_add_fetch(&resting, 1, __ATOMIC_SEQ_CST);
		pthread_barrier_wait(&barrier);	/* they rest */
		abt_recent_exit();	/* ends the test if a slot is not free */
	}

	stop = true;
	pthread_barrier_wait(&barrier);
	for (u32 t = 0; t < THREADS; t++) {
		pthread_join(workers[t].thread, NULL);
		made += workers[t].made;
		strangers += workers[t].strangers;
		beside += workers[t].beside;
	}
	rcu_barrier();
	printf("# %llu times that a socket was held, %u hand-backs; %llu records, %llu of them taken from owners; %llu finds beside homes\n",
	       holds, phase, made, taken_from_owners, beside);
	report(1, !strangers, "no socket finds another one's record");
	report(2, made == freed, "each record is freed once");
	report(3, phase, "no slot has a record after its end");
	report(4, beside && taken_from_owners, "records were found beside homes, and taken from owners");
	rcu_unregister_thread();
	return strangers || made != freed || !beside || !taken_from_owners;
}
