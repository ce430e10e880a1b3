// SPDX-License-Identifier: GPL-2.0
/*
 * unsent - what a writer that fills its socket has waiting there
 *
 *	unsent ADDRESS PORT SECONDS [LOWAT [LATE_MS]]
 *	unsent push BYTES TIMES PORT ADDRESS...
 *	unsent threads ADDRESS PORT SECONDS THREADS
 *	unsent rest ADDRESS PORT SECONDS BYTES
 *
 * Writes to a reader for SECONDS, with a TCP_NOTSENT_LOWAT of LOWAT bytes (0: not set), and LATE_MS after
 * poll() says that there is room. Once a second it prints "BYTES UNSENT LOWAT": what the peer has acknowledged in that
 * second, the median of what was written and not sent, and what TCP_NOTSENT_LOWAT reads. Then it shuts down its end,
 * and prints a last line of that kind. Or one connection after another sends BYTES in turn to each ADDRESS, so many TIMES, and
 * is closed; printed is how long that took [ms]. Or so many threads write to one connection for SECONDS, and how often they
 * slept is printed. Or it fills its socket for SECONDS, waits until all has arrived and two seconds more, and prints how
 * much of BYTES its socket takes then, without a wait.
 */
#include <linux/sockios.h>
#include <poll.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/resource.h>

#include "../clock.h"
#include "../stream.h"

#define PIECE		16384	/* bytes of a send() */
#define LOOK_MS		10
#define LOOKS		100	/* in a second */

static char block[PIECE];
static uint64_t written;

static int asked(int fd, unsigned long what)
{
	int bytes;

	if (ioctl(fd, what, &bytes))
		die("ioctl");
	return bytes;
}

static int lowat(int fd)
{
	socklen_t size = sizeof(int);
	int bytes;

	if (getsockopt(fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &bytes, &size))
		die("getsockopt");
	return bytes;
}

static int by_size(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static void fill(int fd)
{
	for (;;) {
		ssize_t sent = send(fd, block, PIECE, MSG_DONTWAIT | MSG_NOSIGNAL);

		if (sent < 0 && errno == EAGAIN)
			return;
		if (sent < 0)
			die("send");
		written += (uint64_t)sent;
	}
}

static void tell(int fd, int *unsent, int looks)
{
	static uint64_t before;
	uint64_t acked = written - (uint64_t)asked(fd, SIOCOUTQ);

	qsort(unsent, (size_t)looks, sizeof(*unsent), by_size);
	printf("%llu %d %d\n", (unsigned long long)(acked - before), unsent[looks / 2], lowat(fd));
	fflush(stdout);
	before = acked;
}

static void second(int fd, long late_ms)
{
	struct pollfd writable = { .fd = fd, .events = POLLOUT };
	uint64_t now = now_ms(), end = now + LOOKS * LOOK_MS, look = now;
	int unsent[LOOKS + 1], looks = 0;

	while ((now = now_ms()) < end) {
		if (now >= look && looks < LOOKS) {
			unsent[looks++] = asked(fd, SIOCOUTQNSD);
			look += LOOK_MS;
		}
		if (poll(&writable, 1, look > now ? (int)(look - now) : 0) == 1) {
			sleep_ms(late_ms);
			fill(fd);
		}
	}
	tell(fd, unsent, looks);
}

static void push(size_t bytes, const char *port, const char *address)
{
	int fd = connected(address, port);

	while (bytes) {
		ssize_t sent = send(fd, block, bytes < PIECE ? bytes : PIECE, MSG_NOSIGNAL);

		if (sent < 0)
			die("send");
		bytes -= (size_t)sent;
	}
	close(fd);
}

static void push_all(char **argv)
{
	uint64_t began = now_ms();

	for (long times = atol(argv[1]); times; times--)
		for (char **address = argv + 3; *address; address++)
			push((size_t)atol(argv[0]), argv[2], *address);
	printf("%llu\n", (unsigned long long)(now_ms() - began));
}

/* What a thread writes at once: little, so that all of them wait most of the time */
#define THREAD_PIECE	4000

static uint64_t ends;

static void *thread(void *arg)
{
	int fd = *(int *)arg;

	while (now_ms() < ends)
		if (send(fd, block, THREAD_PIECE, MSG_NOSIGNAL) < 0)
			die("send");
	return NULL;
}

static void threads(char **argv)
{
	int fd = connected(argv[0], argv[1]), n = atoi(argv[3]);
	pthread_t *all = calloc((size_t)n, sizeof(*all));
	struct rusage used;

	if (!all)
		die("calloc");
	ends = now_ms() + (uint64_t)atol(argv[2]) * 1000;
	for (int i = 0; i < n; i++)
		if ((errno = pthread_create(all + i, NULL, thread, &fd)))
			die("pthread_create");
	for (int i = 0; i < n; i++)
		pthread_join(all[i], NULL);
	if (getrusage(RUSAGE_SELF, &used))
		die("getrusage");
	printf("%ld\n", used.ru_nvcsw);
	free(all);
}

/* After a rest so long */
#define REST_MS	2000

static void rest(char **argv)
{
	int fd = connected(argv[0], argv[1]);
	size_t bytes = (size_t)atol(argv[3]);
	char *message = calloc(1, bytes);
	ssize_t took;

	if (!message)
		die("calloc");
	for (ends = now_ms() + (uint64_t)atol(argv[2]) * 1000; now_ms() < ends; sleep_ms(1))
		fill(fd);
	while (asked(fd, SIOCOUTQ))
		sleep_ms(LOOK_MS);
	sleep_ms(REST_MS);
	took = send(fd, message, bytes, MSG_DONTWAIT | MSG_NOSIGNAL);
	if (took < 0)
		die("send");
	printf("%zd\n", took);
	free(message);
}

int main(int argc, char **argv)
{
	int unsent, fd;

	if (argc > 5 && !strcmp(argv[1], "push")) {
		push_all(argv + 2);
		return 0;
	}
	if (argc == 6 && !strcmp(argv[1], "threads")) {
		threads(argv + 2);
		return 0;
	}
	if (argc == 6 && !strcmp(argv[1], "rest")) {
		rest(argv + 2);
		return 0;
	}
	if (argc < 4 || argc > 6)
		usage("unsent ADDRESS PORT SECONDS [LOWAT [LATE_MS]] | unsent push BYTES TIMES PORT ADDRESS... | "
		      "unsent threads ADDRESS PORT SECONDS THREADS | unsent rest ADDRESS PORT SECONDS BYTES");
	fd = connected(argv[1], argv[2]);
	if (argc > 4 && atoi(argv[4]))
		put_option(fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, atoi(argv[4]));
	say("ready");
	for (long left = atol(argv[3]); left; left--)
		second(fd, argc > 5 ? atol(argv[5]) : 0);
	if (shutdown(fd, SHUT_WR))
		die("shutdown");
	unsent = asked(fd, SIOCOUTQNSD);
	tell(fd, &unsent, 1);
	return 0;
}
