// SPDX-License-Identifier: GPL-2.0
/*
 * recent SLOTS_BITS - how many events do not find their record at a glance, by number of connections: as
 * kmod/conn/record.h looks, and as it could. After a heading a line for each number of connections,
 * number of processors, order of events and kind of table.
 *
 * A socket stands where the slab puts it: SLAB_OBJECTS in a slab, slabs anywhere in MEMORY bytes, and
 * its slot is the one of abt_recent_slot(). A connection has all of its events on one processor. In
 * each visit to a connection it has so many events one after the other. The visits are in turn, which
 * is the worst order for a table that keeps the latest, or to a connection at random. Each miss is
 * written into the table, as abt_conn_seek() does.
 */
#include <linux/types.h>
#include <stdio.h>

#include "load.h"

#define SOCKET_BYTES	2432	/* of x86-64, 7.3, rounded up to a line */
#define SLAB_BYTES	32768
#define SLAB_OBJECTS	(SLAB_BYTES / SOCKET_BYTES)
#define MEMORY		(16ULL << 30)
#define GOLDEN_RATIO_32	0x61C88647U
#define VISITS		24	/* to each connection; the first half is not counted */
#define WAYS_MAX	4
#define CONNECTIONS_MAX	100000U

static u32 global_bits;

/* The kernel's hash_32(). */
static u32 hash_32(u32 value, u32 bits)
{
	return value * GOLDEN_RATIO_32 >> (32 - bits);
}

/* A kind of table: of so many slots, in sets of @ways, one for all processors or one for each. */
struct kind {
	const char *name;
	u32 bits;	/* 0: as kmod/ has it */
	u32 ways;
	bool each;
};

static const struct kind kinds[] = {
	{ "today", 0, 1, false },
	{ "2^17 slots", 17, 1, false },
	{ "2^18 slots in sets of 4", 18, 4, false },
	{ "2^19 slots in sets of 4", 19, 4, false },
	{ "2^12 slots a processor in sets of 4", 12, 4, true },
	{ "2^14 slots a processor in sets of 4", 14, 4, true },
};

static u32 sockets[CONNECTIONS_MAX];	/* low half of the address */

static void place_sockets(struct abt_test *numbers, u32 connections)
{
	u32 slab = 0;

	for (u32 i = 0; i < connections; i++) {
		if (i % SLAB_OBJECTS == 0)
			slab = abt_test_below(numbers, MEMORY / SLAB_BYTES) * (u32)SLAB_BYTES;
		sockets[i] = slab + i % SLAB_OBJECTS * SOCKET_BYTES;
	}
}

/* Is it found? If not, it takes a place of its set, one after the other. */
static bool look(u32 *slots, u8 *turns, u32 connection, u32 bits, u32 ways)
{
	u32 set_bits = bits - (u32)__builtin_ctz(ways);
	u32 set = hash_32(sockets[connection], set_bits);
	u32 *slot = &slots[set * ways];

	for (u32 way = 0; way < ways; way++)
		if (slot[way] == connection + 1)
			return true;
	slot[turns[set]++ % ways] = connection + 1;
	return false;
}

static void play(const struct kind *kind, u32 connections, u32 processors, bool in_turn, u32 events)
{
	u32 bits = kind->bits ? kind->bits : global_bits, tables = kind->each ? processors : 1;
	u32 *slots = calloc((size_t)tables << bits, sizeof(*slots));
	u8 *turns = calloc((size_t)tables << bits, 1);
	struct abt_test numbers = { .random = ABT_TEST_SEED };
	u64 visits = (u64)VISITS * connections, misses = 0;

	if (!slots || !turns) {
		perror("recent");
		exit(1);
	}
	for (u64 v = 0; v < visits; v++) {
		u32 connection = in_turn ? (u32)(v % connections) : abt_test_below(&numbers, connections);
		u32 table = kind->each ? connection % processors : 0;
		bool found = look(&slots[(size_t)table << bits], &turns[(size_t)table << bits],
				  connection, bits, kind->ways);

		misses += !found && v >= visits / 2;
	}
	/* of a visit no more than the first event misses */
	printf("%u\t%u\t%s\t%u\t%s\t%.4f\t%u\n", connections, processors, in_turn ? "in turn" : "random",
	       events, kind->name, (double)misses / (double)(visits - visits / 2) / events,
	       (tables << bits) * (kind->ways > 1 ? 16 : 8) / 1024);
	free(turns);
	free(slots);
}

int main(int argc, char **argv)
{
	static const u32 connections[] = { 1000, 8000, 16000, CONNECTIONS_MAX };
	static const u32 processors[] = { 2, 64 };
	static const u32 events[] = { 1, 2, 8 };
	struct abt_test numbers = { .random = ABT_TEST_SEED };

	if (argc != 2) {
		fprintf(stderr, "usage: recent SLOTS_BITS\n");
		return 2;
	}
	global_bits = number("recent", argv[1], "SLOTS_BITS", 1);
	printf("connections\tprocessors\tvisits\tevents\ttable\tmisses\tkb\n");
	for (u32 c = 0; c < ARRAY_SIZE(connections); c++) {
		place_sockets(&numbers, connections[c]);
		for (u32 p = 0; p < ARRAY_SIZE(processors); p++)
			for (u32 turn = 0; turn < 2; turn++)
				for (u32 e = 0; e < ARRAY_SIZE(events); e++)
					for (u32 k = 0; k < ARRAY_SIZE(kinds); k++)
						play(&kinds[k], connections[c], processors[p], turn, events[e]);
	}
	return 0;
}
