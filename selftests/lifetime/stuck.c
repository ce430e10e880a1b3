// SPDX-License-Identifier: GPL-2.0
/*
 * stuck - senders that sleep in send(), with their sockets owned, for as long as is wanted
 *
 *	stuck DEVICE ADDRESS PORT CONNS BYTES
 *
 * CONNS connections send BYTES of the pattern each and say "ready". DEVICE is
 * /dev/tcp_abt_stuck: send() takes the next page from its mapping, and sleeps in the fault.
 * Lines on stdin:
 *	stick	all connections send that page; says "stuck" when each is about to
 *	locks	print "locks N", the most that SO_BUF_LOCK says of a connection
 *	go	the page comes; BYTES more follow, and the end
 */
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>

#include "../stream.h"

#ifndef SO_BUF_LOCK
#define SO_BUF_LOCK	72
#endif

#define MAX_CONNS	1024

static int fds[MAX_CONNS];
static size_t bytes, page;
static const char *mapping;
static pthread_barrier_t stick;

static void send_all(int fd, const void *from, size_t size)
{
	const char *at = from;

	while (size) {
		ssize_t put = send(fd, at, size, MSG_NOSIGNAL);

		if (put < 0)
			die("send");
		at += put;
		size -= (size_t)put;
	}
}

/* SIZE bytes of the stream, from its byte AT on. */
static void send_pattern(int fd, size_t at, size_t size)
{
	while (size) {
		size_t now = size < BLOCK ? size : BLOCK;

		send_all(fd, pattern + at % PERIOD, now);
		at += now;
		size -= now;
	}
}

static void *sender(void *arg)
{
	int fd = *(int *)arg;

	pthread_barrier_wait(&stick);
	send_all(fd, mapping, page);
	send_pattern(fd, bytes + page, bytes);
	shutdown(fd, SHUT_WR);
	return NULL;
}

static void print_locks(int conns)
{
	int most = 0;

	for (int i = 0; i < conns; i++) {
		int locks = 0;
		socklen_t size = sizeof(locks);

		if (getsockopt(fds[i], SOL_SOCKET, SO_BUF_LOCK, &locks, &size))
			die("SO_BUF_LOCK");
		most = locks > most ? locks : most;
	}
	printf("locks %d\n", most);
}

int main(int argc, char **argv)
{
	static pthread_t thread[MAX_CONNS];
	char line[64];
	int dev, conns;

	if (argc != 6 || atoi(argv[4]) > MAX_CONNS)
		usage("stuck DEVICE ADDRESS PORT CONNS BYTES");
	setvbuf(stdout, NULL, _IOLBF, 0);
	make_pattern();
	page = (size_t)sysconf(_SC_PAGESIZE);
	conns = atoi(argv[4]);
	bytes = (size_t)atol(argv[5]);
	dev = open(argv[1], O_RDWR);
	if (dev < 0)
		die(argv[1]);
	mapping = mmap(NULL, page, PROT_READ, MAP_SHARED, dev, 0);
	if (mapping == MAP_FAILED)
		die("mmap");
	for (int i = 0; i < conns; i++) {
		fds[i] = connected(argv[2], argv[3]);
		send_pattern(fds[i], 0, bytes);
	}
	/* now: beside a page fault that sleeps older kernels map no stack */
	pthread_barrier_init(&stick, NULL, (unsigned int)conns + 1);
	for (int i = 0; i < conns; i++)
		if (pthread_create(&thread[i], NULL, sender, &fds[i]))
			die("pthread_create");
	puts("ready");
	while (fgets(line, sizeof(line), stdin)) {
		if (!strcmp(line, "locks\n"))
			print_locks(conns);
		if (!strcmp(line, "stick\n")) {
			pthread_barrier_wait(&stick);
			puts("stuck");
		}
		if (!strcmp(line, "go\n") &&
		    write(dev, pattern + bytes % PERIOD, page) != (ssize_t)page)
			die("write");
	}
	return 0;
}
