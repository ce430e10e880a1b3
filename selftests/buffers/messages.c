// SPDX-License-Identifier: GPL-2.0
/*
 * messages - messages over one connection, each answered by a byte once all of it has come
 *
 *	messages listen  ADDRESS PORT WAITED [peek | ask [WORK_MS]]
 *	messages connect ADDRESS PORT COUNT SIZE EVERY_MS [COUNT SIZE EVERY_MS]...
 *
 * The connecting end sends COUNT messages of SIZE bytes, one every EVERY_MS without waiting for
 * answers; 0: each once the one before was answered; -1: all at once, and the next group as well.
 * The listening end takes what there is. A message of WAITED bytes or less it takes once all of it
 * is there, as programs do that ask for FIONREAD, or that look with MSG_PEEK, and works on it for
 * WORK_MS. One of more than 1 MB is never seen whole by MSG_PEEK.
 *
 * Prints "SIZE MS" for each group of one message: how long its answer took. Fails if none comes.
 */
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <sys/ioctl.h>

#include "../clock.h"
#include "../stream.h"

#define POLL_MS		1
#define PATIENCE_MS	30000
#define MOST		(1 << 20)	/* bytes that are read or written at a time */

static char block[MOST];

static void take(int fd, size_t bytes)
{
	for (ssize_t got; bytes; bytes -= (size_t)got) {
		got = recv(fd, block, bytes < MOST ? bytes : MOST, 0);
		if (got <= 0)
			die("a message ended early");
	}
}

static void put(int fd, const void *from, size_t bytes)
{
	for (ssize_t done; bytes; bytes -= (size_t)done) {
		done = send(fd, from, bytes < MOST ? bytes : MOST, MSG_NOSIGNAL);
		if (done < 0)
			die("send");
	}
}

static int bytes_there(int fd, bool peeks)
{
	int there;

	if (peeks) {
		there = (int)recv(fd, block, MOST, MSG_PEEK | MSG_DONTWAIT);
		if (there < 0 && errno != EAGAIN)
			die("MSG_PEEK");
		return there;
	}
	if (ioctl(fd, FIONREAD, &there))
		die("FIONREAD");
	return there;
}

static void wait_for_all(int fd, int bytes, bool peeks)
{
	while (bytes_there(fd, peeks) < bytes)
		sleep_ms(POLL_MS);
}

static void listen_end(const char *address, const char *port, uint32_t waited, bool peeks,
		       long work_ms)
{
	int fd = accepted(address, port);
	uint32_t bytes;

	while (recv(fd, &bytes, sizeof(bytes), MSG_WAITALL) == sizeof(bytes)) {
		if (bytes <= waited)
			wait_for_all(fd, (int)bytes, peeks);
		take(fd, bytes);
		if (bytes <= waited && work_ms)
			sleep_ms(work_ms);
		put(fd, "!", 1);
	}
}

static uint32_t unanswered;	/* messages of groups before */

static void get_answers(int fd)
{
	for (; unanswered; unanswered--) {
		struct pollfd answer = { .fd = fd, .events = POLLIN };

		if (poll(&answer, 1, PATIENCE_MS) != 1) {
			fprintf(stderr, "no answer after %d ms\n", PATIENCE_MS);
			exit(1);
		}
		if (recv(fd, block, 1, 0) != 1)
			die("the peer ended");
	}
}

static void send_group(int fd, uint32_t count, uint32_t bytes, long every_ms)
{
	uint64_t began = now_ms();

	for (uint32_t i = 0; i < count; i++) {
		put(fd, &bytes, sizeof(bytes));
		put(fd, block, bytes);
		unanswered++;
		if (every_ms > 0)
			sleep_ms(every_ms);
		if (!every_ms)
			get_answers(fd);
	}
	if (every_ms > 0)
		get_answers(fd);
	if (!every_ms && count == 1)
		printf("%u %lu\n", bytes, (unsigned long)(now_ms() - began));
}

int main(int argc, char **argv)
{
	bool peeks = argc > 5 && !strcmp(argv[5], "peek");
	int fd;

	if (argc >= 5 && argc <= 7 && !strcmp(argv[1], "listen") &&
	    (argc == 5 || peeks || !strcmp(argv[5], "ask"))) {
		listen_end(argv[2], argv[3], (uint32_t)atoi(argv[4]), peeks,
			   argc > 6 ? atol(argv[6]) : 0);
		return 0;
	}
	if (argc < 7 || argc % 3 != 1 || strcmp(argv[1], "connect"))
		usage("messages listen ADDRESS PORT WAITED [peek | ask [WORK_MS]] | connect ADDRESS PORT COUNT SIZE EVERY_MS...");
	fd = connected(argv[2], argv[3]);
	put_option(fd, IPPROTO_TCP, TCP_NODELAY, 1);
	for (int i = 4; i < argc; i += 3)
		send_group(fd, (uint32_t)atoi(argv[i]), (uint32_t)atoi(argv[i + 1]), atol(argv[i + 2]));
	return 0;
}
