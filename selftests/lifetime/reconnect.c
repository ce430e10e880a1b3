// SPDX-License-Identifier: GPL-2.0
/*
 * reconnect - one socket, one connection after another
 *
 *	reconnect ADDRESS PORT TIMES BYTES [reset]
 *
 * Reads so many bytes of each, and disconnects the socket (connect() to AF_UNSPEC). With "reset" there
 * is one connection before, which nothing is read of until its peer has reset it;
 * after that it waits for a second, for a look at the closed socket.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <time.h>

#include "../stream.h"

static void read_bytes(int fd, long bytes)
{
	static char block[65536];

	while (bytes > 0) {
		ssize_t got = recv(fd, block, sizeof(block), 0);

		if (got <= 0)
			die("recv");
		bytes -= got;
	}
}

/* Until the peer listens again. */
static void join(int fd, const struct sockaddr_in *there)
{
	const struct timespec again = { .tv_nsec = 10 * 1000000 };

	while (connect(fd, (const struct sockaddr *)there, sizeof(*there))) {
		if (errno != ECONNREFUSED)
			die("connect");
		nanosleep(&again, NULL);
	}
}

static void disconnect(int fd)
{
	const struct sockaddr nobody = { .sa_family = AF_UNSPEC };

	if (connect(fd, &nobody, sizeof(nobody)))
		die("disconnect");
}

/* A byte that comes after the peer is gone has it reset the connection. A closed socket is read. */
static void read_after_reset(int fd)
{
	const struct timespec look = { .tv_sec = 1 };
	struct pollfd p = { .fd = fd, .events = POLLRDHUP };
	static char block[65536];
	long rest = 0;
	ssize_t got;

	poll(&p, 1, -1);
	if (send(fd, "x", 1, 0) != 1)
		die("send");
	p.events = 0;
	poll(&p, 1, -1);
	while ((got = recv(fd, block, sizeof(block), 0)) > 0)
		rest += got;
	printf("after the reset %ld\n", rest);
	fflush(stdout);
	nanosleep(&look, NULL);
}

int main(int argc, char **argv)
{
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	struct sockaddr_in there;

	if (argc < 5)
		usage("reconnect ADDRESS PORT TIMES BYTES [reset]");
	there = end_of(argv[1], argv[2]);
	if (argc > 5) {
		join(fd, &there);
		read_after_reset(fd);
		disconnect(fd);
	}
	for (long i = atol(argv[3]); i > 0; i--) {
		join(fd, &there);
		read_bytes(fd, atol(argv[4]));
		disconnect(fd);
	}
	return 0;
}
