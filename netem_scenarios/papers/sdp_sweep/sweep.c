// SPDX-License-Identifier: GPL-2.0
/*
 * sweep - a stream of messages of one size, and what it took
 *
 *	sweep serve ADDRESS					take one stream, at ADDRESS
 *	sweep send ADDRESS SIZE COUNT COPY FIRST OPENING	send COUNT messages of SIZE bytes there
 *
 * COPY: copy, or zerocopy for MSG_ZEROCOPY. Plain sockets, so that a library put before libc
 * (rsockets) serves as well. FIRST bytes go before all else: where they differ, messages fall on
 * segments and on ACKs in another way. OPENING messages of 64 KiB follow, so that cwnd allows more
 * than buffers hold. While it allows less, messages that wait are merged into large segments, and
 * who has more ACKs has a larger cwnd, so smaller segments. After a quarter of COUNT the count
 * begins. The server answers when it has read all, with the processor time that it took. The sender
 * prints
 *
 *	messages	bytes	elapsed	sender	receiver	acks	sleeps	completions	copied
 *
 * elapsed: ticks of the time-stamp counter from the first send call to the answer; sender and
 * receiver: processor time of the processes [ns]; acks: segments without data that the sender got
 * (0 with a library that has no TCP_INFO); sleeps: how often the sender waited in a call;
 * completions: messages sent with MSG_ZEROCOPY whose end the kernel reported; copied: those of
 * them that it had to copy after all.
 */
#include "../tool.h"

#include <linux/errqueue.h>
#include <linux/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <time.h>

#define PORT		7002
#define MAX_BYTES	(1 << 20)
#define LEAD_SHIFT	2		/* this part of COUNT before the count */
#define OPENING_SIZE	(64 << 10)
#define OPENING_MOST	100000

/* How much is to come, from the sender; also what it took, from the receiver. */
struct stage {
	uint64_t bytes;
	uint64_t cpu_ns;
};

struct figures {
	uint64_t elapsed, sender_ns, receiver_ns, acks, sleeps;
};

static char block[MAX_BYTES];
static uint64_t completions, copied;

static uint64_t cpu_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static uint64_t acks(int fd)
{
	struct tcp_info info = { 0 };
	socklen_t size = sizeof(info);

	if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size))
		return 0;
	return info.tcpi_segs_in - info.tcpi_data_segs_in;
}

static struct sockaddr_in address_of(const char *host)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(PORT) };

	if (!inet_aton(host, &address.sin_addr)) {
		fprintf(stderr, "sweep: ADDRESS '%s': expected an IPv4 address\n", host);
		exit(2);
	}
	return address;
}

/* Return whether SIZE bytes came, and not the end. */
static bool take(int fd, void *to, size_t size)
{
	for (size_t got = 0; got < size;) {
		ssize_t count = recv(fd, (char *)to + got, size - got, 0);

		if (count < 0)
			die("recv");
		if (!count)
			return false;
		got += (size_t)count;
	}
	return true;
}

static void give(int fd, const void *from, size_t size)
{
	for (size_t sent = 0; sent < size;) {
		ssize_t count = send(fd, (const char *)from + sent, size - sent, MSG_NOSIGNAL);

		if (count < 0)
			die("send");
		sent += (size_t)count;
	}
}

static int serve(const char *host)
{
	struct sockaddr_in address = address_of(host);
	int listener = listen_at(&address), fd;
	struct stage stage;

	puts("ready");
	fflush(stdout);
	fd = take_connection(listener);
	while (take(fd, &stage, sizeof(stage))) {
		uint64_t began = cpu_ns();

		for (uint64_t left = stage.bytes; left;) {
			ssize_t got = recv(fd, block, left < MAX_BYTES ? left : MAX_BYTES, 0);

			if (got <= 0)
				die("recv");
			left -= (uint64_t)got;
		}
		stage.cpu_ns = cpu_ns() - began;
		give(fd, &stage, sizeof(stage));
	}
	return 0;
}

/* Take what the kernel reports of messages whose memory it no longer needs. */
static bool take_completions(int fd)
{
	char control[CMSG_SPACE(sizeof(struct sock_extended_err) + sizeof(struct sockaddr_in))];
	struct msghdr message = { .msg_control = control, .msg_controllen = sizeof(control) };
	struct sock_extended_err error;
	uint32_t count;

	if (recvmsg(fd, &message, MSG_ERRQUEUE) < 0) {
		if (errno != EAGAIN)
			die("recvmsg");
		return false;
	}
	memcpy(&error, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof(error));
	count = error.ee_data - error.ee_info + 1;
	completions += count;
	if (error.ee_code & SO_EE_CODE_ZEROCOPY_COPIED)
		copied += count;
	return true;
}

static void wait_for_completions(int fd)
{
	struct pollfd end = { .fd = fd };	/* errors are told unasked */

	while (!take_completions(fd))
		if (poll(&end, 1, -1) < 0)
			die("poll");
}

/* TCP_NODELAY sends what waits for an ACK. */
static void push(int fd)
{
	for (int on = 1; on >= 0; on--)
		if (setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)))
			die("TCP_NODELAY");
}

/* Each call that sends something is a message to the kernel: return how many it took. */
static unsigned int give_uncopied(int fd, size_t size)
{
	unsigned int calls = 0;

	for (size_t sent = 0; sent < size;) {
		ssize_t count = send(fd, block + sent, size - sent, MSG_ZEROCOPY);

		if (count >= 0) {
			sent += (size_t)count;
			calls++;
		} else if (errno == ENOBUFS) {
			push(fd);
			wait_for_completions(fd);
		} else {
			die("send");
		}
	}
	return calls;
}

static struct figures stream(int fd, size_t size, unsigned int count, bool zerocopy)
{
	struct figures figures = { .acks = acks(fd), .sleeps = sleeps() };
	uint64_t calls = 0, cpu = cpu_ns(), began = __rdtsc(), before = completions;
	struct stage stage = { .bytes = (uint64_t)size * count };

	give(fd, &stage, sizeof(stage));
	for (unsigned int i = 0; i < count; i++) {
		if (zerocopy)
			calls += give_uncopied(fd, size);
		else
			give(fd, block, size);
	}
	push(fd);
	while (completions - before < calls)
		wait_for_completions(fd);
	if (!take(fd, &stage, sizeof(stage)))
		die("answer");
	figures.elapsed = __rdtsc() - began;
	figures.sender_ns = cpu_ns() - cpu;
	figures.receiver_ns = stage.cpu_ns;
	figures.acks = acks(fd) - figures.acks;
	figures.sleeps = sleeps() - figures.sleeps;
	return figures;
}

static int transmit(char **argv)
{
	size_t size = number(argv[3], 1, MAX_BYTES, "SIZE");
	unsigned int count = (unsigned int)number(argv[4], 1, 10000000, "COUNT");
	unsigned int opening = (unsigned int)number(argv[7], 0, OPENING_MOST, "OPENING");
	bool zerocopy = !strcmp(argv[5], "zerocopy");
	struct sockaddr_in address = address_of(argv[2]);
	int fd = tcp_socket(), one = 1;
	struct figures figures;

	if (!zerocopy && strcmp(argv[5], "copy")) {
		fprintf(stderr, "sweep: COPY '%s': expected copy or zerocopy\n", argv[5]);
		return 2;
	}
	if (zerocopy && setsockopt(fd, SOL_SOCKET, SO_ZEROCOPY, &one, sizeof(one)))
		die("SO_ZEROCOPY");
	reach(fd, &address);
	stream(fd, number(argv[6], 1, MAX_BYTES, "FIRST"), 1, false);
	stream(fd, OPENING_SIZE, opening, false);
	stream(fd, size, (count >> LEAD_SHIFT) + 1, zerocopy);
	completions = 0;
	copied = 0;
	figures = stream(fd, size, count, zerocopy);
	printf("%u\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\n", count,
	       (unsigned long long)size * count, (unsigned long long)figures.elapsed,
	       (unsigned long long)figures.sender_ns, (unsigned long long)figures.receiver_ns,
	       (unsigned long long)figures.acks, (unsigned long long)figures.sleeps,
	       (unsigned long long)completions, (unsigned long long)copied);
	shutdown(fd, SHUT_RDWR);
	close(fd);
	return 0;
}

int main(int argc, char **argv)
{
	memset(block, 1, sizeof(block));
	if (argc == 3 && !strcmp(argv[1], "serve"))
		return serve(argv[2]);
	if (argc == 8 && !strcmp(argv[1], "send"))
		return transmit(argv);
	fprintf(stderr, "usage: sweep serve ADDRESS | sweep send ADDRESS SIZE COUNT copy|zerocopy FIRST OPENING\n");
	return 2;
}
