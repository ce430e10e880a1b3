// SPDX-License-Identifier: GPL-2.0
/*
 * load - a fixed amount of TCP work over loopback, and what it cost
 *
 *	load bulk|request|open|short COUNT CONNS OVER
 *
 *	bulk	COUNT blocks of 45 segments, sent and received
 *	request	COUNT exchanges of one byte each way
 *	open	COUNT connections opened and closed
 *	short	COUNT connections opened, one exchange, closed
 *
 * CONNS connections stand all the while, warmed up by blocks before; bulk and request
 * go over OVER of them in turn. All move a block before the count and after it, so
 * that none is idle meanwhile (200 ms). A quarter of COUNT is done before the count
 * begins, so that work put off (RCU, timers) comes in as it goes out.
 *
 * One thread is both ends: it sends, then takes what has arrived, and the processor
 * is never idle. Where the time-stamp counter counts instructions (QEMU's -icount) its
 * difference is what the whole machine did for the work. Prints
 *
 *	count	instructions	bytes	segments	packets	waits
 *
 * segments: sent, ACKs included; packets: what came up the stack, with offload many
 * segments in one; waits: times that the thread slept, or found nothing to take.
 * It then stays until its standard input ends, for whoever looks at its connections.
 */
#include "../../netem_scenarios/papers/tool.h"

#include <netinet/tcp.h>

#define MSS_BYTES	1448		/* of an MTU of 1500, with time stamps */
#define BLOCK_BYTES	(45 * MSS_BYTES)	/* the largest packet that offload makes */
#define MAX_CONNS	64
#define WARM_UP_BLOCKS	256		/* a standing connection: slow start is over */
#define LEAD_SHIFT	2		/* of COUNT, done before the count */

struct pair {
	int a, b;
};

struct figures {
	uint64_t instructions, bytes, segments, packets, waits;
};

static struct pair pairs[MAX_CONNS];
static unsigned int n_pairs, over;
static int listener;
static struct sockaddr_in address;
static char block[BLOCK_BYTES];
static uint64_t bytes, waits;

static struct pair open_pair(void)
{
	struct pair pair = { .a = tcp_socket() };
	int one = 1;

	reach(pair.a, &address);
	pair.b = take_connection(listener);
	setsockopt(pair.a, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	setsockopt(pair.b, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	return pair;
}

static void close_pair(struct pair pair)
{
	close(pair.a);
	close(pair.b);
}

static void listen_on_loopback(void)
{
	socklen_t size = sizeof(address);

	address.sin_family = AF_INET;
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	listener = listen_at(&address);
	if (getsockname(listener, (struct sockaddr *)&address, &size))
		die("getsockname");
}

/* Bytes moved, or 0 where nothing can be now. */
static size_t moved(ssize_t count, const char *what)
{
	if (count < 0 && errno != EAGAIN)
		die(what);
	return count < 0 ? 0 : (size_t)count;
}

static void transfer(int from, int to, size_t size)
{
	size_t sent = 0, got = 0;

	while (got < size) {
		size_t before = sent + got;

		if (sent < size)
			sent += moved(send(from, block, size - sent, MSG_DONTWAIT), "send");
		if (got < sent)
			got += moved(recv(to, block, sent - got, MSG_DONTWAIT), "recv");
		waits += sent + got == before;
	}
	bytes += size;
}

static void exchange(struct pair pair)
{
	transfer(pair.a, pair.b, 1);
	transfer(pair.b, pair.a, 1);
}

static void bulk(unsigned int i)
{
	struct pair *pair = &pairs[i % over];

	transfer(pair->a, pair->b, BLOCK_BYTES);
}

static void request(unsigned int i)
{
	exchange(pairs[i % over]);
}

static void open_and_close(unsigned int i)
{
	(void)i;
	close_pair(open_pair());
}

static void short_exchange(unsigned int i)
{
	struct pair pair = open_pair();

	(void)i;
	exchange(pair);
	close_pair(pair);
}

static const struct {
	const char *name;
	void (*step)(unsigned int i);
} works[] = {
	{ "bulk", bulk },
	{ "request", request },
	{ "open", open_and_close },
	{ "short", short_exchange },
};

#define WORKS	(sizeof(works) / sizeof(works[0]))

/* InSegs and OutSegs: the tenth and eleventh number of the second line "Tcp:". */
static void read_counters(struct figures *f)
{
	unsigned long long in, out;
	FILE *file = fopen("/proc/self/net/snmp", "r");
	char line[1024];
	int found = 0;

	while (file && found != 2 && fgets(line, sizeof(line), file))
		found = sscanf(line, "Tcp: %*d %*d %*d %*d %*d %*d %*d %*d %*d %llu %llu",
			       &in, &out);
	if (found != 2)
		die("/proc/self/net/snmp");
	fclose(file);
	f->packets = in;
	f->segments = out;
}

static struct figures now(void)
{
	struct figures f = { .bytes = bytes };

	f.waits = waits + sleeps();
	read_counters(&f);
	f.instructions = __rdtsc();
	return f;
}

static void (*work_named(const char *name))(unsigned int i)
{
	for (unsigned int i = 0; i < WORKS; i++)
		if (!strcmp(works[i].name, name))
			return works[i].step;
	fprintf(stderr, "load: work '%s': expected bulk, request, open or short\n", name);
	exit(2);
}

static void move_blocks(unsigned int each)
{
	for (unsigned int i = 0; i < n_pairs * each; i++)
		transfer(pairs[i % n_pairs].a, pairs[i % n_pairs].b, BLOCK_BYTES);
}

/*
 * An exchange at first, because a socket keeps the route by which segments come to it (sk_rx_dst)
 * only if one came while it was not locked, and checks it from then on. Between hosts the SYN-ACK is
 * one; here it and the ACKs come while connect() and send() have the lock. Then a single window update
 * would decide over 0.1 % of bulk.
 */
static void stand(unsigned int conns)
{
	while (n_pairs < conns) {
		pairs[n_pairs] = open_pair();
		exchange(pairs[n_pairs++]);
	}
	move_blocks(WARM_UP_BLOCKS);
}

int main(int argc, char **argv)
{
	struct figures before, after;
	void (*step)(unsigned int i);
	unsigned int count, lead;

	if (argc != 5) {
		fprintf(stderr, "usage: load bulk|request|open|short COUNT CONNS OVER\n");
		return 2;
	}
	step = work_named(argv[1]);
	count = (unsigned int)number(argv[2], 1, 1000000, "COUNT");
	lead = count >> LEAD_SHIFT;
	listen_on_loopback();
	stand((unsigned int)number(argv[3], 1, MAX_CONNS, "CONNS"));
	over = (unsigned int)number(argv[4], 1, n_pairs, "OVER");
	for (unsigned int i = 0; i < lead; i++)
		step(i);
	move_blocks(1);
	before = now();
	for (unsigned int i = 0; i < count; i++)
		step(i);
	after = now();
	move_blocks(1);
	printf("%u\t%llu\t%llu\t%llu\t%llu\t%llu\n", count,
	       (unsigned long long)(after.instructions - before.instructions),
	       (unsigned long long)(after.bytes - before.bytes),
	       (unsigned long long)(after.segments - before.segments),
	       (unsigned long long)(after.packets - before.packets),
	       (unsigned long long)(after.waits - before.waits));
	fflush(stdout);
	while (getchar() != EOF)
		;
	return 0;
}
