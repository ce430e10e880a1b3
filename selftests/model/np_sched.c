// SPDX-License-Identifier: GPL-2.0
/*
 * np_sched POLICY MHZ TAKE BYTES:WEIGHT... - the throughput of a network processor's ports
 * (NP, figures 6-8) with packets of these sizes, drawn by weight: each port has its own
 * engines and a gigabit wire that never rests. Where the FIFO is full the wire waits. TAKE:
 * steps in which a thread takes a piece (toe/model/port.h). Prints the throughput of a port
 * [Mbit/s of frames], then what part of the time each engine ran.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "cases.h"
#include "toe/model/port.h"

#define PORTS		3	/* six engines, two a port */
#define WIRE_MBIT	1000
#define GAP_BYTES	20	/* preamble and gap between frames on the wire */
#define SIZES_MAX	16
#define WARM_PIECES	2000
#define PIECES		60000	/* a port, that are measured */
#define MHZ_MAX		2000

struct size {
	u32 bytes;
	u32 weight;
};

/* Cycles are kept in parts, so that the wire's time is exact. */
struct wire {
	u32 mhz;
	u64 bits;	/* that went over it, idle time as well */
};

static struct size sizes[SIZES_MAX];
static u32 size_count, weight_all;
static struct toe_sched sched;
static struct toe_program programs[TOE_KINDS];

static u32 draw(struct abt_test *numbers)
{
	u32 at = abt_test_below(numbers, weight_all), i = 0;

	for (; at >= sizes[i].weight; i++)
		at -= sizes[i].weight;
	return sizes[i].bytes;
}

static u64 wire_cycles(const struct wire *wire)
{
	return wire->bits * wire->mhz / WIRE_MBIT;
}

/* A piece is there when its last bit is; the next one waits for room. */
static void send_piece(struct toe_port *port, struct wire *wire, u32 bytes,
		       enum toe_kind kind)
{
	wire->bits += (u64)bytes * 8;
	toe_port_advance(port, wire_cycles(wire));
	while (toe_port_full(port))
		toe_port_advance(port, toe_port_next(port));
	if (port->now > wire_cycles(wire))
		wire->bits = port->now * WIRE_MBIT / wire->mhz;
	toe_port_arrive(port, kind);
}

/* Return: its pieces. */
static u32 send_packet(struct toe_port *port, struct wire *wire, u32 bytes)
{
	u32 pieces = toe_pieces(bytes);

	wire->bits += GAP_BYTES * 8;
	for (u32 i = 0; i < pieces; i++) {
		u32 part = i + 1 < pieces ? TOE_PIECE_BYTES :
					    bytes - i * TOE_PIECE_BYTES;

		send_piece(port, wire, part, toe_piece_kind(i, pieces));
	}
	return pieces;
}

/* Packets of so many pieces, at least. Return: their bits. */
static u64 send_packets(struct toe_port *port, struct wire *wire,
			struct abt_test *numbers, u32 pieces)
{
	u64 bits = 0;

	for (u32 sent = 0; sent < pieces;) {
		u32 bytes = draw(numbers);

		sent += send_packet(port, wire, bytes);
		bits += (u64)bytes * 8;
	}
	return bits;
}

/* Return: throughput of frames [Mbit/s]; of @busy, what part of the time the engines ran. */
static double run_port(struct abt_test *numbers, u32 mhz, u32 take, double *busy)
{
	static struct toe_port port;
	struct wire wire = { .mhz = mhz };
	u64 bits, from, before[TOE_PORT_ENGINES];

	toe_port_init(&port, &sched, programs, take);
	send_packets(&port, &wire, numbers, WARM_PIECES);
	from = port.now;
	for (u32 e = 0; e < TOE_PORT_ENGINES; e++)
		before[e] = port.engines[e].busy;
	bits = send_packets(&port, &wire, numbers, PIECES);
	for (u32 e = 0; e < TOE_PORT_ENGINES; e++)
		busy[e] = (double)(port.engines[e].busy - before[e]) /
			  (double)(port.now - from);
	return (double)bits * mhz / (double)(port.now - from);
}

static u32 number(const char *text, const char *what, u32 most, char **end, char stop)
{
	unsigned long value;

	errno = 0;
	value = strtoul(text, end, 10);
	if (errno || *end == text || **end != stop || *text == '-' || !value || value > most) {
		fprintf(stderr, "np_sched: %s '%s': expected a number from 1 to %u\n",
			what, text, most);
		exit(2);
	}
	return (u32)value;
}

static enum toe_policy policy(const char *text)
{
	static const char *const names[TOE_POLICIES] = { "ss", "ml", "mlp" };

	for (u32 p = 0; p < TOE_POLICIES; p++)
		if (!strcmp(text, names[p]))
			return (enum toe_policy)p;
	fprintf(stderr, "np_sched: POLICY '%s': expected ss, ml or mlp\n", text);
	exit(2);
}

static void add_size(const char *word)
{
	struct size *size = &sizes[size_count++];
	char *end;

	size->bytes = number(word, "BYTES", 65535, &end, ':');
	size->weight = number(end + 1, "WEIGHT", 1000, &end, '\0');
	weight_all += size->weight;
}

int main(int argc, char **argv)
{
	struct abt_test numbers = { .random = ABT_TEST_SEED };
	double busy[PORTS][TOE_PORT_ENGINES], mbit = 0;
	char *end;
	u32 mhz, take;

	if (argc < 5 || argc > 4 + SIZES_MAX) {
		fprintf(stderr, "usage: np_sched POLICY MHZ TAKE BYTES:WEIGHT...\n");
		return 2;
	}
	toe_sched_init(&sched, policy(argv[1]), TOE_THREADS_MAX, &toe_ixp1200);
	mhz = number(argv[2], "MHZ", MHZ_MAX, &end, '\0');
	take = number(argv[3], "TAKE", 2, &end, '\0');
	for (char **word = argv + 4; *word; word++)
		add_size(*word);
	for (u32 k = 0; k < TOE_KINDS; k++)
		toe_program_build(&programs[k], &toe_ixp1200, (enum toe_kind)k);
	for (u32 p = 0; p < PORTS; p++)
		mbit += run_port(&numbers, mhz, take, busy[p]);
	printf("%.1f", mbit / PORTS);
	for (u32 p = 0; p < PORTS; p++)
		for (u32 e = 0; e < TOE_PORT_ENGINES; e++)
			printf("\t%.4f", busy[p][e]);
	putchar('\n');
	return 0;
}
