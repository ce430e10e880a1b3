// SPDX-License-Identifier: GPL-2.0
/*
 * absences - a writer that is away now and then
 *
 *	absences listen  ADDRESS PORT [SECONDS BYTES]
 *	absences connect ADDRESS PORT SECONDS FILL_MS AWAY_MS
 *	absences connect ADDRESS PORT SMALL BYTES
 *
 * The first writer fills the socket for FILL_MS, at least once, and is away for AWAY_MS, in turn. After
 * SECONDS it prints "BYTES MOST MEAN": what its peer acknowledged, and the most and the mean of what was
 * queued as it went away. The second one moves BYTES, rests, moves SMALL, rests again, and prints how much of BYTES a
 * single send() takes then. The listening end reads all of it, and has an SO_RCVBUF of BYTES after SECONDS.
 */
#include <linux/sockios.h>
#include <poll.h>
#include <sys/ioctl.h>

#include "../clock.h"
#include "../stream.h"

#define PIECE	65536		/* bytes of a send() */
#define MOST	(8 << 20)	/* bytes at a time */
#define REST_MS	3000		/* several retransmission timeouts */
#define LOOK_MS	1

static char block[MOST];

static int queued(int fd)
{
	int bytes;

	if (ioctl(fd, SIOCOUTQ, &bytes))
		die("SIOCOUTQ");
	return bytes;
}

/* Return: bytes that the socket took. */
static size_t put(int fd, size_t most)
{
	ssize_t sent = send(fd, block, most, MSG_DONTWAIT | MSG_NOSIGNAL);

	if (sent < 0 && errno != EAGAIN)
		die("send");
	return sent < 0 ? 0 : (size_t)sent;
}

/* Fill the socket until then, and at least once. Return: bytes that it took. */
static uint64_t fill(int fd, uint64_t until_ms)
{
	struct pollfd writable = { .fd = fd, .events = POLLOUT };
	uint64_t bytes = 0;

	for (;;) {
		size_t sent = put(fd, PIECE);
		uint64_t now = now_ms();

		bytes += sent;
		if (sent)
			continue;
		if (now >= until_ms)
			return bytes;
		poll(&writable, 1, (int)(until_ms - now));
	}
}

static void come_and_go(int fd, long seconds, long fill_ms, long away_ms)
{
	uint64_t until_ms = now_ms() + 1000 * (uint64_t)seconds;
	uint64_t bytes = 0, sum = 0;
	int most = 0, times = 0;

	while (now_ms() < until_ms) {
		int left;

		bytes += fill(fd, now_ms() + (uint64_t)fill_ms);
		left = queued(fd);
		most = left > most ? left : most;
		sum += (uint64_t)left;
		times++;
		sleep_ms(away_ms);
	}
	printf("%llu %d %llu\n", (unsigned long long)bytes - (unsigned long long)queued(fd),
	       most, (unsigned long long)sum / (unsigned long long)(times ? times : 1));
}

static void move(int fd, size_t bytes)
{
	while (bytes) {
		ssize_t sent = send(fd, block, bytes, MSG_NOSIGNAL);

		if (sent < 0)
			die("send");
		bytes -= (size_t)sent;
	}
	while (queued(fd))
		sleep_ms(LOOK_MS);
	sleep_ms(REST_MS);
}

static void take(int fd, uint64_t small_ms, int bytes)
{
	while (recv(fd, block, MOST, 0) > 0) {
		if (now_ms() < small_ms)
			continue;
		put_option(fd, SOL_SOCKET, SO_RCVBUF, bytes);
		small_ms = UINT64_MAX;
	}
}

int main(int argc, char **argv)
{
	int fd;

	if ((argc == 4 || argc == 6) && !strcmp(argv[1], "listen")) {
		fd = accepted(argv[2], argv[3]);
		take(fd, argc == 6 ? now_ms() + 1000 * (uint64_t)atol(argv[4]) : UINT64_MAX,
		     argc == 6 ? atoi(argv[5]) : 0);
		return 0;
	}
	if ((argc != 6 && argc != 7) || strcmp(argv[1], "connect"))
		usage("absences listen ADDRESS PORT [SECONDS BYTES] | connect ADDRESS PORT SECONDS FILL_MS AWAY_MS | connect ADDRESS PORT SMALL BYTES");
	fd = connected(argv[2], argv[3]);
	if (argc == 7) {
		come_and_go(fd, atol(argv[4]), atol(argv[5]), atol(argv[6]));
		return 0;
	}
	move(fd, (size_t)atol(argv[5]));
	move(fd, (size_t)atol(argv[4]));
	printf("%zu\n", put(fd, (size_t)atol(argv[5])));
	return 0;
}
