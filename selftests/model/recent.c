// SPDX-License-Identifier: GPL-2.0
/*
 * recent - how many events do not find their record in the slots of kmod/conn/recent.c, by number of connections and memory
 * of the host; and in the table as it was before, and without sets. After a heading a line for each number of connections,
 * order of events and table.
 *
 * A socket stands where the slab puts it: SLAB_OBJECTS in a slab, slabs anywhere in MEMORY bytes. In each visit to a connection
 * it has so many events one after the other. The visits are in turn, which is the worst order for a table that keeps the
 * latest, or to a connection at random. In the first quarter connections end and others begin in their places, so that
 * free slots are where they are after a long time. Only the second half is counted.
 */
#include <linux/types.h>
#include <stdio.h>

#include "conn/conn.h"
#include "conn/recent.h"
#include "load.h"
#include "net/net_namespace.h"

#define SOCKET_BYTES	2432	/* of x86-64, 7.3, rounded up to a line */
#define SLAB_BYTES	32768
#define SLAB_OBJECTS	(SLAB_BYTES / SOCKET_BYTES)
#define MEMORY		(16ULL << 30)
#define BUCKET_BYTES	(128 << 10)	/* of memory, for a bucket of the kernel's table of established connections */
#define VISITS		24	/* to each connection */
#define LIFE_VISITS	2	/* in the first quarter a connection lives for so many, on average */
#define CONNECTIONS_MAX	100000U

/* What became of the events that are counted. */
struct outcome {
	u64 aside;	/* found in its set, not at home */
	u64 missed;
	u64 written;	/* into a slot, missed or aside */
};

/* A slot for each hash, and each miss writes it. */
struct single {
	struct abt_conn **slots;
	u32 bits;
};

static struct abt_conn records[CONNECTIONS_MAX];
static struct sock *free_sockets[CONNECTIONS_MAX];

static struct sock *place(struct abt_test *numbers, u32 i, u64 *slab)
{
	if (i % SLAB_OBJECTS == 0)
		*slab = (1 + abt_test_below(numbers, MEMORY / SLAB_BYTES)) * (u64)SLAB_BYTES;
	return (struct sock *)(unsigned long)(*slab + i % SLAB_OBJECTS * SOCKET_BYTES);
}

static void place_sockets(u32 connections)
{
	struct abt_test numbers = { .random = ABT_TEST_SEED };
	u64 slab = 0;

	for (u32 i = 0; i < 2 * connections; i++) {
		struct sock *sk = place(&numbers, i, &slab);

		if (i < connections)
			records[i].sk = sk;
		else
			free_sockets[i - connections] = sk;
	}
}

static struct abt_conn **single_slot(const struct single *single, const struct abt_conn *record)
{
	return &single->slots[hash_32((u32)(unsigned long)record->sk, single->bits)];
}

static void look_single(const struct single *single, struct abt_conn *record, struct outcome *sum)
{
	struct abt_conn **slot = single_slot(single, record);
	bool missed = *slot != record;

	*slot = record;
	sum->missed += missed;
	sum->written += missed;
}

static bool finds(const struct abt_conn *record, bool *at_home)
{
	struct abt_conn *found;

	*at_home = abt_conn_glance(record->sk, &found);
	return *at_home || abt_conn_recent(record->sk);
}

/* As abt_conn_of() does. */
static void look(struct abt_conn *record, struct outcome *sum)
{
	struct abt_conn *found;
	bool at_home;

	if (finds(record, &at_home)) {
		sum->aside += !at_home;
		if (!at_home) {
			abt_conn_come_home(record);
			abt_conn_glance(record->sk, &found);
			sum->written += found == record;
		}
		return;
	}
	abt_conn_remember(record);
	sum->missed++;
	sum->written += finds(record, &at_home);
}

/* Another connection in the place of one that ends. */
static void replace(const struct single *single, struct abt_conn *record, struct sock **free_socket)
{
	struct sock *former = record->sk;

	if (!single)
		abt_conn_unremember(record);
	else if (*single_slot(single, record) == record)
		*single_slot(single, record) = NULL;
	record->sk = *free_socket;
	*free_socket = former;
}

/* In the slots of kmod/ where there is no @single. */
static void play(const char *name, const struct single *single, u64 bytes, u32 connections, bool in_turn, u32 events)
{
	struct abt_test numbers = { .random = ABT_TEST_SEED };
	u64 visits = (u64)VISITS * connections, counted = visits / 2;
	struct outcome sum = {};

	place_sockets(connections);
	for (u64 v = 0; v < visits; v++) {
		struct abt_conn *record = &records[in_turn ? v % connections : abt_test_below(&numbers, connections)];

		if (v == visits - counted)
			sum = (struct outcome){};
		for (u32 event = 0; event < events; event++) {
			if (single)
				look_single(single, record, &sum);
			else
				look(record, &sum);
		}
		if (v < visits / 4 && abt_test_below(&numbers, LIFE_VISITS) == 0)
			replace(single, record, &free_sockets[abt_test_below(&numbers, connections)]);
	}
	counted *= events;
	printf("%u\t%s\t%u\t%s\t%.4f\t%.4f\t%.4f\t%llu\n", connections, in_turn ? "in turn" : "random", events, name,
	       (double)sum.missed / (double)counted, (double)sum.aside / (double)counted, (double)sum.written / (double)counted,
	       bytes / 1024);
}

static void play_single(const char *name, u32 bits, u32 connections, bool in_turn, u32 events)
{
	struct single single = { calloc(BIT(bits), sizeof(struct abt_conn *)), bits };

	if (!single.slots) {
		perror("recent");
		exit(1);
	}
	play(name, &single, sizeof(struct abt_conn *) << bits, connections, in_turn, events);
	free(single.slots);
}

static void play_on_host(u32 gigabytes, u32 connections, bool in_turn, u32 events)
{
	char name[40];

	snprintf(name, sizeof(name), "sets, host of %u GB", gigabytes);
	shim_hashinfo.ehash_mask = (u32)(((u64)gigabytes << 30) / BUCKET_BYTES - 1);
	if (abt_recent_init()) {
		perror("recent");
		exit(1);
	}
	play(name, NULL, abt_recent_mask + sizeof(struct abt_conn *), connections, in_turn, events);
	for (u32 i = 0; i < connections; i++)
		abt_conn_unremember(&records[i]);
	abt_recent_exit();
}

int main(void)
{
	static const u32 connections[] = { 1000, 8000, 16000, CONNECTIONS_MAX };
	static const u32 events[] = { 1, 2, 8 };
	static const u32 gigabytes[] = { 1, 2, 4, 64 };

	printf("connections\tvisits\tevents\ttable\tmisses\taside\twritten\tkb\n");
	for (u32 c = 0; c < ARRAY_SIZE(connections); c++)
		for (u32 turn = 0; turn < 2; turn++)
			for (u32 e = 0; e < ARRAY_SIZE(events); e++) {
				play_single("before", 14, connections[c], turn, events[e]);
				play_single("single slots", ABT_RECENT_BITS_MAX, connections[c], turn, events[e]);
				for (u32 g = 0; g < ARRAY_SIZE(gigabytes); g++)
					play_on_host(gigabytes[g], connections[c], turn, events[e]);
			}
	return 0;
}
