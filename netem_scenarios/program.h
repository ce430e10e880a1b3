/* SPDX-License-Identifier: GPL-2.0 */
/* What the programs of traffic have in common: complaints, numbers, ends of a connection, clocks. */
#ifndef NETEM_PROGRAM_H
#define NETEM_PROGRAM_H

#define _GNU_SOURCE	/* program_invocation_short_name, accept4(), epoll_pwait2() */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>

#define NS		1000000000LL
#define SECONDS_MAX	86400
#define PORT_MAX	65535

static _Noreturn void die(const char *what)
{
	perror(what);
	exit(1);
}

static long number(const char *text, long least, long most, const char *what)
{
	char *end;
	long value;

	errno = 0;
	value = strtol(text, &end, 10);
	if (errno || end == text || *end || value < least || value > most) {
		fprintf(stderr, "%s: %s '%s': expected a number from %ld to %ld\n",
			program_invocation_short_name, what, text, least, most);
		exit(2);
	}
	return value;
}

/* @host: an address, or NULL for any of this host's */
static struct sockaddr_in endpoint(const char *host, const char *port)
{
	struct sockaddr_in address = { .sin_family = AF_INET };

	if (host && !inet_aton(host, &address.sin_addr)) {
		fprintf(stderr, "%s: ADDRESS '%s': expected an IPv4 address\n",
			program_invocation_short_name, host);
		exit(2);
	}
	address.sin_port = htons(number(port, 1, PORT_MAX, "PORT"));
	return address;
}

/* @flags: SOCK_NONBLOCK or 0 */
static int tcp_socket(int flags)
{
	int fd = socket(AF_INET, SOCK_STREAM | flags, 0);

	if (fd < 0)
		die("socket");
	return fd;
}

static inline int listen_at(const char *port, int flags, int backlog)
{
	struct sockaddr_in address = endpoint(NULL, port);
	int fd = tcp_socket(flags), one = 1;

	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (bind(fd, (struct sockaddr *)&address, sizeof(address)) || listen(fd, backlog))
		die("listen");
	return fd;
}

/* The first connection that comes. */
static inline int take_connection(const char *port)
{
	int fd = accept(listen_at(port, 0, 1), NULL, NULL);

	if (fd < 0)
		die("accept");
	return fd;
}

static inline int64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * NS + now.tv_nsec;
}

static inline int64_t now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

#endif /* NETEM_PROGRAM_H */
