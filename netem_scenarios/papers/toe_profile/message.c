// SPDX-License-Identifier: GPL-2.0
/*
 * message - messages of one size over TCP, each by one send call
 *
 *	message FROM TO ADDRESS SIZE COUNT SNDBUF spaced|back-to-back WARM_UP
 *
 * FROM and TO are files of network namespaces. Sends COUNT messages of SIZE bytes to ADDRESS,
 * after WARM_UP blocks of 1 MiB and some messages that warm the connection up; WARM_UP 0: neither.
 * spaced: the next message follows when the last was read; the reader says so outside the
 * network. SNDBUF 0 leaves the send buffer to the kernel. Around the messages that count it reports on standard output, and
 * waits for a line on standard input before and after, for whoever reads other counters. Prints
 *
 *	messages	bytes	elapsed	sending	slept	sndbuf	acks
 *
 * elapsed and sending (of that, in send calls): in ticks of the time-stamp counter; slept: voluntary
 * context switches in send calls; sndbuf: of the socket in the end, in truesize; acks: segments
 * that the sender got. Two processes with one real-time priority: neither preempts the other, as if
 * each had a host of its own.
 */
#include "../tool.h"

#include <fcntl.h>
#include <linux/tcp.h>
#include <sched.h>
#include <stdbool.h>
#include <sys/mman.h>

#define PORT		7001
#define MAX_BYTES	(1 << 20)
#define MAX_BLOCKS	1024		/* of WARM_UP */

struct plan {
	const char *from, *to;
	struct sockaddr_in address;
	size_t size;
	unsigned int count, warm_up;
	int sndbuf;
	bool spaced;
};

struct figures {
	uint64_t elapsed, sending, slept;
};

static char block[MAX_BYTES];

static void enter(const char *namespace)
{
	int fd = open(namespace, O_RDONLY);

	if (fd < 0 || setns(fd, CLONE_NEWNET))
		die(namespace);
	close(fd);
}

static void tell(int fd)
{
	if (write(fd, "", 1) != 1)
		die("tell");
}

static void hear(int fd)
{
	char byte;

	if (read(fd, &byte, 1) != 1)
		die("hear");
}

static void read_message(int fd, size_t size)
{
	for (ssize_t got; size; size -= (size_t)got) {
		got = recv(fd, block, size, 0);
		if (got <= 0)
			die("recv");
	}
}

/*
 * Messages before those that count, so that work put off comes in as it goes out. Without a
 * warm-up all that the connection sends counts.
 */
static unsigned int lead(const struct plan *plan)
{
	return plan->warm_up ? plan->count / 4 + 1 : 0;
}

static void serve(const struct plan *plan, int peer)
{
	int listener, fd;

	enter(plan->to);
	listener = listen_at(&plan->address);
	tell(peer);
	fd = take_connection(listener);
	for (unsigned int i = plan->warm_up; i; i--) {
		read_message(fd, MAX_BYTES);
		tell(peer);
	}
	for (unsigned int i = lead(plan) + plan->count; i; i--) {
		read_message(fd, plan->size);
		tell(peer);
	}
}

static uint32_t acks(int fd)
{
	struct tcp_info info = { 0 };
	socklen_t size = sizeof(info);

	if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size))
		die("TCP_INFO");
	return info.tcpi_segs_in;
}

static void send_message(int fd, size_t size, struct figures *figures)
{
	uint64_t slept = sleeps(), began = __rdtsc();

	if (send(fd, block, size, 0) != (ssize_t)size)
		die("send");
	figures->sending += __rdtsc() - began;
	figures->slept += sleeps() - slept;
}

static struct figures send_messages(const struct plan *plan, unsigned int count, size_t size, int fd, int peer)
{
	struct figures figures = { 0 };
	uint64_t began = __rdtsc();

	for (unsigned int i = 0; i < count; i++) {
		send_message(fd, size, &figures);
		if (plan->spaced)
			hear(peer);
	}
	for (unsigned int i = plan->spaced ? 0 : count; i; i--)
		hear(peer);
	figures.elapsed = __rdtsc() - began;
	return figures;
}

/* Says WORD to whoever watches, and waits for the answer. */
static void report(const char *word)
{
	char line[16];

	puts(word);
	fflush(stdout);
	if (!fgets(line, sizeof(line), stdin))
		die("standard input");
}

static void converse(const struct plan *plan, int peer)
{
	struct figures figures;
	int fd, one = 1, sndbuf;
	socklen_t length = sizeof(sndbuf);
	uint32_t before;

	enter(plan->from);
	hear(peer);
	fd = tcp_socket();
	if (plan->sndbuf && setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &plan->sndbuf, sizeof(plan->sndbuf)))
		die("SO_SNDBUF");
	if (setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one)))
		die("TCP_NODELAY");
	reach(fd, &plan->address);
	send_messages(plan, plan->warm_up, MAX_BYTES, fd, peer);
	send_messages(plan, lead(plan), plan->size, fd, peer);
	report("begin");
	before = acks(fd);
	figures = send_messages(plan, plan->count, plan->size, fd, peer);
	if (getsockopt(fd, SOL_SOCKET, SO_SNDBUF, &sndbuf, &length))
		die("SO_SNDBUF");
	report("end");
	printf("%u\t%zu\t%llu\t%llu\t%llu\t%d\t%u\n", plan->count, plan->count * plan->size,
	       (unsigned long long)figures.elapsed, (unsigned long long)figures.sending,
	       (unsigned long long)figures.slept, sndbuf, acks(fd) - before);
}

static struct plan parse(char **argv)
{
	struct plan plan = { .from = argv[1], .to = argv[2], .spaced = !strcmp(argv[7], "spaced") };

	plan.address.sin_family = AF_INET;
	plan.address.sin_port = htons(PORT);
	plan.size = number(argv[4], 1, MAX_BYTES, "SIZE");
	plan.count = (unsigned int)number(argv[5], 1, 1000000, "COUNT");
	plan.sndbuf = (int)number(argv[6], 0, 1 << 30, "SNDBUF");
	plan.warm_up = (unsigned int)number(argv[8], 0, MAX_BLOCKS, "WARM_UP");
	if (!inet_aton(argv[3], &plan.address.sin_addr) || (!plan.spaced && strcmp(argv[7], "back-to-back"))) {
		fprintf(stderr, "message: expected an IPv4 address, and spaced or back-to-back\n");
		exit(2);
	}
	return plan;
}

int main(int argc, char **argv)
{
	const struct sched_param priority = { .sched_priority = 1 };
	struct plan plan;
	int ends[2];

	if (argc != 9) {
		fprintf(stderr, "usage: message FROM TO ADDRESS SIZE COUNT SNDBUF spaced|back-to-back WARM_UP\n");
		return 2;
	}
	plan = parse(argv);
	memset(block, 1, sizeof(block));
	if (sched_setscheduler(0, SCHED_FIFO, &priority) || mlockall(MCL_CURRENT))
		die("priority and memory");
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
		die("socketpair");
	switch (fork()) {
	case -1:
		die("fork");
	case 0:
		close(ends[0]);
		serve(&plan, ends[1]);
		return 0;
	default:
		close(ends[1]);
		converse(&plan, ends[0]);
		return 0;
	}
}
