// SPDX-License-Identifier: GPL-2.0
/*
 * pauses - a reader that pauses, and a writer that does not
 *
 *	pauses listen  ADDRESS PORT SECONDS READ_MS PAUSE_MS [LOWAT]
 *	pauses connect ADDRESS PORT SECONDS
 *
 * The listening end takes what there is for READ_MS, and nothing for PAUSE_MS, in turn. With LOWAT it sets
 * SO_RCVLOWAT first. After SECONDS it prints "BYTES LOWAT": what it took, and what SO_RCVLOWAT is then.
 */
#include <poll.h>

#include "../clock.h"
#include "../stream.h"

#define POLL_MS		100
#define MOST		(1 << 20)	/* bytes that are read or written at a time */

static char block[MOST];

static int lowat_of(int fd)
{
	int value;
	socklen_t size = sizeof(value);

	if (getsockopt(fd, SOL_SOCKET, SO_RCVLOWAT, &value, &size))
		die("getsockopt");
	return value;
}

static void take(int fd, uint64_t until_ms, long read_ms, long pause_ms)
{
	uint64_t turn_ms = now_ms() + (uint64_t)read_ms;
	unsigned long long bytes = 0;

	while (now_ms() < until_ms) {
		struct pollfd readable = { .fd = fd, .events = POLLIN };
		ssize_t got;

		if (pause_ms && now_ms() >= turn_ms) {
			sleep_ms(pause_ms);
			turn_ms = now_ms() + (uint64_t)read_ms;
		}
		if (poll(&readable, 1, POLL_MS) != 1)
			continue;
		got = recv(fd, block, MOST, MSG_DONTWAIT);
		if (got > 0)
			bytes += (unsigned long long)got;
		else if (!got || errno != EAGAIN)
			die("recv");
	}
	printf("%llu %d\n", bytes, lowat_of(fd));
}

static void give(int fd, uint64_t until_ms)
{
	while (now_ms() < until_ms) {
		struct pollfd writable = { .fd = fd, .events = POLLOUT };

		if (poll(&writable, 1, POLL_MS) == 1 &&
		    send(fd, block, MOST, MSG_DONTWAIT | MSG_NOSIGNAL) < 0 && errno != EAGAIN)
			return;	/* the reader has gone */
	}
}

int main(int argc, char **argv)
{
	bool listens = argc > 1 && !strcmp(argv[1], "listen");
	uint64_t until_ms;
	int fd;

	if (argc < (listens ? 7 : 5))
		usage("pauses listen ADDRESS PORT SECONDS READ_MS PAUSE_MS [LOWAT] | connect ADDRESS PORT SECONDS");
	until_ms = now_ms() + 1000 * (uint64_t)atol(argv[4]);
	fd = listens ? accepted(argv[2], argv[3]) : connected(argv[2], argv[3]);
	if (!listens) {
		say("ready");
		give(fd, until_ms);
		return 0;
	}
	if (argc > 7)
		put_option(fd, SOL_SOCKET, SO_RCVLOWAT, atoi(argv[7]));
	take(fd, until_ms, atol(argv[5]), atol(argv[6]));
	return 0;
}
