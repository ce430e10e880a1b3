// SPDX-License-Identifier: GPL-2.0
/*
 * pauses - a reader that pauses, and a writer that does not
 *
 *	pauses listen  ADDRESS PORT PROTOCOL SECONDS READ_MS PAUSE_MS [LOWAT]
 *	pauses connect ADDRESS PORT PROTOCOL SECONDS
 *
 * PROTOCOL: tcp or mptcp. The listening end takes what there is for READ_MS, and nothing for PAUSE_MS, in turn;
 * a READ_MS of 0: it takes nothing at all. With LOWAT it sets SO_RCVLOWAT first. After SECONDS it prints "BYTES LOWAT": what it
 * took, and what SO_RCVLOWAT is then.
 */
#include <poll.h>
#include <time.h>

#include "../stream.h"

#ifndef IPPROTO_MPTCP
#define IPPROTO_MPTCP	262
#endif

#define POLL_MS		100
#define MOST		(1 << 20)	/* bytes that are read or written at a time */

static char block[MOST];

static long now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void sleep_ms(long ms)
{
	struct timespec time = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 };

	nanosleep(&time, NULL);
}

static int of_protocol(const char *name)
{
	bool mptcp = !strcmp(name, "mptcp");
	int fd;

	if (!mptcp && strcmp(name, "tcp"))
		usage("PROTOCOL: expected tcp or mptcp");
	fd = socket(AF_INET, SOCK_STREAM, mptcp ? IPPROTO_MPTCP : IPPROTO_TCP);
	if (fd < 0)
		die("socket");
	return fd;
}

static int lowat_of(int fd)
{
	int value;
	socklen_t size = sizeof(value);

	if (getsockopt(fd, SOL_SOCKET, SO_RCVLOWAT, &value, &size))
		die("getsockopt");
	return value;
}

static void take(int fd, long until_ms, long read_ms, long pause_ms)
{
	long turn_ms = now_ms() + read_ms;
	unsigned long long bytes = 0;

	while (now_ms() < until_ms) {
		struct pollfd readable = { .fd = fd, .events = POLLIN };
		ssize_t got;

		if (pause_ms && now_ms() >= turn_ms) {
			sleep_ms(pause_ms);
			turn_ms = now_ms() + read_ms;
		}
		if (!read_ms || poll(&readable, 1, POLL_MS) != 1)
			continue;
		got = recv(fd, block, MOST, MSG_DONTWAIT);
		if (got > 0)
			bytes += (unsigned long long)got;
		else if (!got || errno != EAGAIN)
			die("recv");
	}
	printf("%llu %d\n", bytes, lowat_of(fd));
}

static void give(int fd, long until_ms)
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
	struct sockaddr_in end;
	long until_ms;
	int fd, from;

	if (argc < 6 || (!strcmp(argv[1], "listen") && argc < 8))
		usage("pauses listen ADDRESS PORT PROTOCOL SECONDS READ_MS PAUSE_MS [LOWAT] | connect ADDRESS PORT PROTOCOL SECONDS");
	end = end_of(argv[2], argv[3]);
	fd = of_protocol(argv[4]);
	until_ms = now_ms() + 1000 * atol(argv[5]);
	if (!strcmp(argv[1], "connect")) {
		if (connect(fd, (struct sockaddr *)&end, sizeof(end)))
			die("connect");
		say("ready");
		give(fd, until_ms);
		return 0;
	}
	put_option(fd, SOL_SOCKET, SO_REUSEADDR, 1);
	if (bind(fd, (struct sockaddr *)&end, sizeof(end)) || listen(fd, 1))
		die("listen");
	say("ready");
	from = accept(fd, NULL, NULL);
	if (from < 0)
		die("accept");
	if (argc > 8)
		put_option(from, SOL_SOCKET, SO_RCVLOWAT, atoi(argv[8]));
	take(from, until_ms, atol(argv[6]), atol(argv[7]));
	return 0;
}
