/* SPDX-License-Identifier: GPL-2.0 */
/* What programs that measure one kind of work have in common: complaints, numbers, sockets, waits. */
#ifndef PAPERS_TOOL_H
#define PAPERS_TOOL_H

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>
#include <x86intrin.h>

static _Noreturn void die(const char *what)
{
	fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, what, strerror(errno));
	exit(1);
}

static unsigned long number(const char *text, unsigned long least, unsigned long most, const char *what)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);

	if (end == text || *end || value < least || value > most) {
		fprintf(stderr, "%s: %s '%s': expected a number from %lu to %lu\n",
			program_invocation_short_name, what, text, least, most);
		exit(2);
	}
	return value;
}

static int tcp_socket(void)
{
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (fd < 0)
		die("socket");
	return fd;
}

/* For one connection. */
static inline int listen_at(const struct sockaddr_in *address)
{
	int fd = tcp_socket(), one = 1;

	if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)) ||
	    bind(fd, (const struct sockaddr *)address, sizeof(*address)) || listen(fd, 1))
		die("listen");
	return fd;
}

static int take_connection(int listener)
{
	int fd = accept(listener, NULL, NULL);

	if (fd < 0)
		die("accept");
	return fd;
}

static void reach(int fd, const struct sockaddr_in *address)
{
	if (connect(fd, (const struct sockaddr *)address, sizeof(*address)))
		die("connect");
}

/* How often this process has waited in a call. */
static uint64_t sleeps(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (uint64_t)usage.ru_nvcsw;
}

#endif /* PAPERS_TOOL_H */
