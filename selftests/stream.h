/* SPDX-License-Identifier: GPL-2.0 */
/* What small programs have in common: a connection over IPv4, and the stream of tcp_peer's in it. */
#ifndef SELFTESTS_STREAM_H
#define SELFTESTS_STREAM_H

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "pattern.h"

static void die(const char *what)
{
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	exit(1);
}

/* A line that is seen at once. */
static inline void say(const char *line)
{
	puts(line);
	fflush(stdout);
}

static inline void usage(const char *text)
{
	fprintf(stderr, "usage: %s\n", text);
	exit(2);
}

static inline struct sockaddr_in end_of(const char *address, const char *port)
{
	struct sockaddr_in end = {
		.sin_family = AF_INET,
		.sin_port = htons((uint16_t)atoi(port)),
	};

	if (inet_pton(AF_INET, address, &end.sin_addr) != 1)
		usage("ADDRESS and PORT have to be numbers");
	return end;
}

static inline void put_option(int fd, int level, int name, int value)
{
	if (setsockopt(fd, level, name, &value, sizeof(value)))
		die("setsockopt");
}

static inline int connected(const char *address, const char *port)
{
	struct sockaddr_in there = end_of(address, port);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (fd < 0 || connect(fd, (struct sockaddr *)&there, sizeof(there)))
		die("connect");
	return fd;
}

/* Says "ready" when it listens. */
static inline int accepted(const char *address, const char *port)
{
	struct sockaddr_in here = end_of(address, port);
	int listening = socket(AF_INET, SOCK_STREAM, 0);
	int fd;

	put_option(listening, SOL_SOCKET, SO_REUSEADDR, 1);
	if (bind(listening, (struct sockaddr *)&here, sizeof(here)) || listen(listening, 1))
		die("listen");
	say("ready");
	fd = accept(listening, NULL, NULL);
	if (fd < 0)
		die("accept");
	close(listening);
	return fd;
}

/* Is this what comes from byte AT on? */
static inline bool as_sent(uint64_t at, const void *data, size_t bytes)
{
	const unsigned char *got = data;

	for (size_t part; bytes; bytes -= part, got += part, at += part) {
		part = bytes < BLOCK ? bytes : BLOCK;
		if (memcmp(got, pattern + at % PERIOD, part))
			return false;
	}
	return true;
}

#endif /* SELFTESTS_STREAM_H */
