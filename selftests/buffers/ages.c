// SPDX-License-Identifier: GPL-2.0
/*
 * ages - how old data are when a slow reader takes them
 *
 *	ages listen  ADDRESS PORT SECONDS BYTES EVERY_MS [FAST_MS]
 *	ages connect ADDRESS PORT SECONDS [TIMEOUT_MS]
 *
 * The connecting end writes as much as its socket takes, all of it the time when it does, with a TCP_USER_TIMEOUT of
 * TIMEOUT_MS. After SECONDS, or with the connection, it prints "waited WAIT ERROR": the longest that it waited for room
 * [ms], and the errno that ended the connection, or 0. The listening end takes BYTES, a multiple of eight, each EVERY_MS,
 * and all that there is in its first FAST_MS. After SECONDS it prints "TAKEN MEDIAN MOST": what it took [bytes], and the
 * ages in the second half of that time [ms].
 */
#include <poll.h>

#include "../clock.h"
#include "../stream.h"

#define POLL_MS		100
#define STAMPS		125	/* written at a time: a thousand bytes */
#define AGES		10000	/* reads, at most */
#define MOST		(1 << 20)	/* bytes of a read, at most */

static uint64_t block[MOST / sizeof(uint64_t)];
static uint64_t ages[AGES];

static int by_age(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Return: bytes, fewer than @size only at the end. */
static size_t take_all(int fd, size_t size)
{
	size_t got = 0;

	while (got < size) {
		ssize_t more = recv(fd, (char *)block + got, size - got, 0);

		if (more < 0)
			die("recv");
		if (!more)
			break;
		got += (size_t)more;
	}
	return got;
}

static void take(int fd, uint64_t until_ms, size_t size, long every_ms, long fast_ms)
{
	uint64_t half_ms = (now_ms() + until_ms) / 2, next_ms = now_ms() + (uint64_t)fast_ms;
	unsigned long long bytes = 0;
	size_t n = 0;

	while (now_ms() < next_ms)
		bytes += take_all(fd, size);
	while (now_ms() < until_ms) {
		size_t got = take_all(fd, size);

		bytes += got;
		if (got < size)
			break;
		if (now_ms() > half_ms && n < AGES)
			ages[n++] = now_ms() - block[size / sizeof(*block) - 1];
		next_ms += (uint64_t)every_ms;
		if (next_ms > now_ms())
			sleep_ms((long)(next_ms - now_ms()));
	}
	if (!n)
		die("nothing was taken");
	qsort(ages, n, sizeof(*ages), by_age);
	printf("%llu %llu %llu\n", bytes, (unsigned long long)ages[n / 2],
	       (unsigned long long)ages[n - 1]);
}

/* Return: @longest_ms, or the time since @from_ms if that is longer. */
static uint64_t longer(uint64_t longest_ms, uint64_t from_ms)
{
	uint64_t ms = now_ms() - from_ms;

	return ms > longest_ms ? ms : longest_ms;
}

static void give(int fd, uint64_t until_ms)
{
	uint64_t put_ms = now_ms(), longest_ms = 0;
	const char *rest = NULL;
	size_t left = 0;
	int error = 0;

	while (now_ms() < until_ms && !error) {
		struct pollfd writable = { .fd = fd, .events = POLLOUT };
		ssize_t put;

		if (poll(&writable, 1, POLL_MS) != 1)
			continue;
		if (!left) {
			uint64_t now = now_ms();

			for (size_t i = 0; i < STAMPS; i++)
				block[i] = now;
			rest = (const char *)block;
			left = STAMPS * sizeof(*block);
		}
		put = send(fd, rest, left, MSG_DONTWAIT | MSG_NOSIGNAL);
		if (put < 0 && errno != EAGAIN)
			error = errno;
		if (put > 0) {
			rest += put;
			left -= (size_t)put;
			longest_ms = longer(longest_ms, put_ms);
			put_ms = now_ms();
		}
	}
	longest_ms = longer(longest_ms, put_ms);
	printf("waited %llu %d\n", (unsigned long long)longest_ms, error);
}

int main(int argc, char **argv)
{
	bool listens = argc > 1 && !strcmp(argv[1], "listen");
	uint64_t until_ms;
	int fd;

	if (argc < (listens ? 7 : 5))
		usage("ages listen ADDRESS PORT SECONDS BYTES EVERY_MS [FAST_MS] | connect ADDRESS PORT SECONDS [TIMEOUT_MS]");
	until_ms = now_ms() + 1000 * (uint64_t)atol(argv[4]);
	fd = listens ? accepted(argv[2], argv[3]) : connected(argv[2], argv[3]);
	if (listens) {
		take(fd, until_ms, (size_t)atol(argv[5]), atol(argv[6]), argc > 7 ? atol(argv[7]) : 0);
	} else {
		if (argc > 5)
			put_option(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, atoi(argv[5]));
		say("ready");
		give(fd, until_ms);
	}
	return 0;
}
