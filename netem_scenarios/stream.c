// SPDX-License-Identifier: GPL-2.0
/*
 * stream - a bulk flow whose reader never lags
 *
 *	stream recv PORT [SECONDS [AWAY]]	read one connection to its end; or for so long, then
 *						leave what comes where it is, until the end, or
 *						for AWAY seconds, and read on
 *	stream send ADDRESS PORT SECONDS	send for so long, then drop what is queued;
 *						exit status 3: no connection in that time
 *	stream move ADDRESS PORT BYTES		send so much, until all of it was read
 *
 * A process an end, blocking calls, nothing else to do: with a reader that also
 * reports, or waits for a thread that does, unread data says nothing about buffers.
 */
#include "program.h"

#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#define BLOCK_BYTES	(1 << 20)
#define NOT_REACHED	3

static char block[BLOCK_BYTES];
static volatile sig_atomic_t over;

static void end_of_time(int signal)
{
	(void)signal;
	over = true;
}

/* Interrupts a call that waits; set anew should it come just before one. */
static void limit_time(long seconds)
{
	struct itimerval timer = { .it_value.tv_sec = seconds, .it_interval.tv_usec = 10000 };
	struct sigaction action = { .sa_handler = end_of_time };

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
}

static void wait_for_end(int fd)
{
	struct pollfd end = { .fd = fd };	/* no event asked for: errors are told all the same */

	limit_time(0);
	while (poll(&end, 1, -1) < 0 && errno == EINTR)
		;
}

/* Return: as recv() has it, or anything once the time is over. */
static ssize_t read_all(int from)
{
	ssize_t count;

	do {
		count = recv(from, block, sizeof(block), 0);
	} while (!over && count > 0);
	return count;
}

static void stay_away(long seconds)
{
	limit_time(0);
	sleep(seconds);
	over = false;
}

/* The sender ends with a reset, so that is an end like any other. */
static int receive(const char *port, const char *seconds, const char *away)
{
	int from = take_connection(port);
	ssize_t count;

	if (seconds)
		limit_time(number(seconds, 1, SECONDS_MAX, "SECONDS"));
	count = read_all(from);
	if (over && away) {
		stay_away(number(away, 1, SECONDS_MAX, "AWAY"));
		count = read_all(from);
	}
	if (over)
		wait_for_end(from);
	else if (count < 0 && errno != ECONNRESET)
		die("recv");
	return 0;
}

static int move(const char *host, const char *port, const char *bytes)
{
	long left = number(bytes, 1, LONG_MAX, "BYTES");
	struct sockaddr_in address = endpoint(host, port);
	int fd = tcp_socket(0);
	ssize_t count;

	if (connect(fd, (struct sockaddr *)&address, sizeof(address)))
		die("connect");
	for (; left; left -= count) {
		count = send(fd, block, left < BLOCK_BYTES ? left : BLOCK_BYTES, MSG_NOSIGNAL);
		if (count < 0)
			die("send");
	}
	shutdown(fd, SHUT_WR);
	if (recv(fd, block, sizeof(block), 0) < 0)	/* the reader has seen the end */
		die("recv");
	return 0;
}

static int transmit(const char *host, const char *port, const char *seconds)
{
	const struct linger drop = { .l_onoff = 1, .l_linger = 0 };
	long time = number(seconds, 1, SECONDS_MAX, "SECONDS");
	struct sockaddr_in address = endpoint(host, port);
	int fd = tcp_socket(0);

	limit_time(time);
	if (connect(fd, (struct sockaddr *)&address, sizeof(address))) {
		if (errno != EINTR && errno != EHOSTUNREACH && errno != ETIMEDOUT)
			die("connect");
		fprintf(stderr, "stream: no connection to %s: %s\n", host, strerror(errno));
		return NOT_REACHED;
	}
	over = false;
	limit_time(time);
	while (!over)
		if (send(fd, block, sizeof(block), MSG_NOSIGNAL) < 0 && errno != EINTR)
			die("send");
	setsockopt(fd, SOL_SOCKET, SO_LINGER, &drop, sizeof(drop));
	close(fd);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc >= 3 && argc <= 5 && !strcmp(argv[1], "recv"))
		return receive(argv[2], argv[3], argc == 5 ? argv[4] : NULL);
	if (argc == 5 && !strcmp(argv[1], "send"))
		return transmit(argv[2], argv[3], argv[4]);
	if (argc == 5 && !strcmp(argv[1], "move"))
		return move(argv[2], argv[3], argv[4]);
	fprintf(stderr, "usage: stream recv PORT [SECONDS [AWAY]] | stream send ADDRESS PORT SECONDS | stream move ADDRESS PORT BYTES\n");
	return 2;
}
