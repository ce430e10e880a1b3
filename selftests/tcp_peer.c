// SPDX-License-Identifier: GPL-2.0
/*
 * tcp_peer - one end of TCP connections, told what to do by lines on its stdin
 *
 *	tcp_peer listen  ADDRESS PORT [SETTING VALUE]...
 *	tcp_peer connect ADDRESS PORT [SETTING VALUE]...
 *
 * The connecting end sends a pattern, the listening end reads it and compares each
 * byte; "reverse 1" on both ends turns that round.
 *
 * Settings, before connections exist and, as lines, while they do:
 *	sndbuf N  rcvbuf N  clamp N	SO_SNDBUF, SO_RCVBUF, TCP_WINDOW_CLAMP
 *	locks N		SO_BUF_LOCK
 *	rate N		send no more bytes a second than that (SO_MAX_PACING_RATE)
 *	read N		read no more bytes than that every 10 ms; -1: all there is
 *	send N		send so many bytes more on each connection, then be silent; -1: go on
 * Settings before connections exist:
 *	conns N  bytes N  repeat N	so many connections at a time, of so many bytes
 *			each (0: without end), so many times over
 *	reverse N	1: the listening end sends
 *	isn N		the connecting end's first sequence number (TCP_REPAIR)
 * Lines:
 *	state		print "state sndbuf N rcvbuf N locks N clamp N", per connection
 *	moved		print "moved LEAST MOST COUNT": bytes sent or received, of COUNT connections
 *	stop		the sending end is done: it sends no more, and ends
 *
 * Prints "ready" when it listens or is connected, and for each stream that ended
 * "received N ok", "received N corrupt" or "received N broken". Connecting ends exit when all is done,
 * listening ends when they are killed.
 */
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clock.h"
#include "pattern.h"

#ifndef SO_BUF_LOCK
#define SO_BUF_LOCK	72
#endif

#define MAX_CONNS	16384	/* file descriptors, the few others included */
#define BACKLOG		1024
#define READY		256	/* events taken at a time */
#define TICK_MS		10
#define UNSET		(-1L)

enum setting {
	SNDBUF, RCVBUF, CLAMP, RATE, LOCKS,	/* socket options, in the order of options[] */
	READ, SEND, CONNS, BYTES, REPEAT, REVERSE, ISN,
	SETTINGS
};

static const char *const setting_name[SETTINGS] = {
	"sndbuf", "rcvbuf", "clamp", "rate", "locks", "read", "send", "conns", "bytes",
	"repeat", "reverse", "isn",
};

static long setting[SETTINGS] = {
	UNSET, UNSET, UNSET, UNSET, UNSET, UNSET, UNSET, 1, 0, 1, 0, UNSET,
};

static const struct {
	int level, name;
} options[] = {
	[SNDBUF] = { SOL_SOCKET, SO_SNDBUF },
	[RCVBUF] = { SOL_SOCKET, SO_RCVBUF },
	[CLAMP] = { IPPROTO_TCP, TCP_WINDOW_CLAMP },
	[RATE] = { SOL_SOCKET, SO_MAX_PACING_RATE },
	[LOCKS] = { SOL_SOCKET, SO_BUF_LOCK },
};

#define OPTIONS		(sizeof(options) / sizeof(options[0]))

struct conn {
	int fd;			/* 0: no connection */
	bool sends;
	uint32_t events;	/* that are waited for */
	const char *verdict;
	uint64_t moved;		/* bytes sent, or received */
	long budget;		/* bytes that may be read in this tick, or sent */
};

/* At the place of its file descriptor each, so that the kernel's events find it. */
static struct conn conns[MAX_CONNS];
static unsigned int n_conns;
static int end_fd;		/* behind the last that was in use */
static int ready_fd;		/* epoll's */
static bool connecting, stopped;

#define for_each_conn(c) \
	for (struct conn *c = conns; c < conns + end_fd; c++) if (c->fd)

static void die(const char *what)
{
	fprintf(stderr, "tcp_peer: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void usage(const char *what)
{
	fprintf(stderr, "tcp_peer: %s\n"
		"usage: tcp_peer listen|connect ADDRESS PORT [SETTING VALUE]...\n", what);
	exit(2);
}

static void put_option(int fd, int level, int name, long number, const char *what)
{
	int value = (int)number;

	if (number != UNSET && setsockopt(fd, level, name, &value, sizeof(value)))
		die(what);
}

static void set_option(int fd, enum setting which)
{
	put_option(fd, options[which].level, options[which].name, setting[which],
		   setting_name[which]);
}

/* connect() goes on from where a repaired socket is said to be. */
static void set_isn(int fd)
{
	if (setting[ISN] == UNSET)
		return;
	put_option(fd, IPPROTO_TCP, TCP_REPAIR, 1, "TCP_REPAIR");
	put_option(fd, IPPROTO_TCP, TCP_REPAIR_QUEUE, TCP_SEND_QUEUE, "TCP_REPAIR_QUEUE");
	put_option(fd, IPPROTO_TCP, TCP_QUEUE_SEQ, setting[ISN], setting_name[ISN]);
	put_option(fd, IPPROTO_TCP, TCP_REPAIR, 0, "TCP_REPAIR");
}

static void set_options(int fd)
{
	for (unsigned int i = 0; i < OPTIONS; i++)
		set_option(fd, (enum setting)i);
}

static long option(int fd, int level, int name)
{
	int value;
	socklen_t size = sizeof(value);

	return getsockopt(fd, level, name, &value, &size) ? UNSET : value;
}

static void print_state(const struct conn *c)
{
	printf("state sndbuf %ld rcvbuf %ld locks %ld clamp %ld\n",
	       option(c->fd, SOL_SOCKET, SO_SNDBUF),
	       option(c->fd, SOL_SOCKET, SO_RCVBUF),
	       option(c->fd, SOL_SOCKET, SO_BUF_LOCK),
	       option(c->fd, IPPROTO_TCP, TCP_WINDOW_CLAMP));
}

static void print_states(void)
{
	for_each_conn(c)
		print_state(c);
}

static int new_socket(const char *address, const char *port)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM,
				  .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV };
	struct addrinfo *ai;
	int fd, one = 1;

	if (getaddrinfo(address, port, &hints, &ai))
		usage("ADDRESS and PORT have to be numbers");
	fd = socket(ai->ai_family, SOCK_STREAM | SOCK_NONBLOCK, 0);
	if (fd < 0)
		die("socket");
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	set_options(fd);
	set_isn(fd);
	if (connecting ? connect(fd, ai->ai_addr, ai->ai_addrlen) &&
			 errno != EINPROGRESS
		       : bind(fd, ai->ai_addr, ai->ai_addrlen) ||
			 listen(fd, BACKLOG))
		die(connecting ? "connect" : "listen");
	freeaddrinfo(ai);
	return fd;
}

static bool all_sent(const struct conn *c)
{
	return stopped || (setting[BYTES] &&
			   c->moved >= (uint64_t)setting[BYTES]);
}

static uint32_t wanted_events(const struct conn *c)
{
	if (c->sends && (all_sent(c) || (setting[SEND] != UNSET && c->budget <= 0)))
		return EPOLLIN;
	if (c->sends)
		return EPOLLIN | EPOLLOUT;
	return setting[READ] == UNSET || c->budget > 0 ? EPOLLIN : 0;
}

static void watch(int fd, int how, uint32_t events)
{
	struct epoll_event event = { .events = events, .data.fd = fd };

	if (epoll_ctl(ready_fd, how, fd, &event))
		die("epoll_ctl");
}

/* What is waited for changes with budgets, settings, and what has moved. */
static void watch_conn(struct conn *c)
{
	uint32_t events = wanted_events(c);

	if (events != c->events)
		watch(c->fd, EPOLL_CTL_MOD, events);
	c->events = events;
}

static void add_conn(int fd)
{
	bool sends = connecting != (setting[REVERSE] == 1);

	if (fd >= MAX_CONNS) {
		close(fd);
		return;
	}
	n_conns++;
	if (fd >= end_fd)
		end_fd = fd + 1;
	conns[fd] = (struct conn) {
		.fd = fd,
		.sends = sends,
		.verdict = "ok",
		.budget = setting[sends ? SEND : READ],
	};
	watch(fd, EPOLL_CTL_ADD, 0);
	watch_conn(&conns[fd]);
}

static void end_conn(struct conn *c)
{
	if (!c->sends)
		printf("received %llu %s\n", (unsigned long long)c->moved,
		       c->verdict);
	close(c->fd);
	c->fd = 0;
	n_conns--;
}

/* Return: false when this connection is over. */
static bool receive(struct conn *c)
{
	static unsigned char block[BLOCK];
	size_t want = sizeof(block);
	ssize_t got;

	if (setting[READ] != UNSET && (size_t)c->budget < want)
		want = (size_t)c->budget;
	got = recv(c->fd, block, want, MSG_DONTWAIT);
	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return true;
	if (got < 0) {
		c->verdict = "broken";
		return false;
	}
	if (memcmp(block, pattern + c->moved % PERIOD, (size_t)got))
		c->verdict = "corrupt";
	c->moved += (uint64_t)got;
	c->budget -= got;
	return got > 0;
}

/* Return: false when this connection is over. */
static bool transmit(struct conn *c)
{
	size_t want = BLOCK;
	ssize_t put;

	if (setting[BYTES] && (uint64_t)setting[BYTES] - c->moved < want)
		want = (uint64_t)setting[BYTES] - c->moved;
	if (setting[SEND] != UNSET && (size_t)c->budget < want)
		want = (size_t)c->budget;
	put = send(c->fd, pattern + c->moved % PERIOD, want,
		   MSG_DONTWAIT | MSG_NOSIGNAL);
	if (put < 0)
		return errno == EAGAIN || errno == EINTR;
	c->moved += (uint64_t)put;
	c->budget -= put;
	if (all_sent(c))
		shutdown(c->fd, SHUT_WR);
	return true;
}

/* The other end of a sender says nothing: readable is its end, or an error. */
static bool still_heard(const struct conn *c)
{
	char byte;
	ssize_t got = recv(c->fd, &byte, 1, MSG_DONTWAIT);

	return got > 0 || (got < 0 && errno == EAGAIN);
}

/*
 * Of what was ready, only what is still waited for: a line that came with it may have
 * taken the ration away. Errors are never asked for and always told.
 */
static bool serve(struct conn *c, uint32_t ready)
{
	uint32_t wanted = ready & c->events;
	bool broken = ready & (EPOLLERR | EPOLLHUP);

	if (wanted & EPOLLOUT)
		return transmit(c);
	if (c->sends)
		return !(wanted & EPOLLIN || broken) || still_heard(c);
	if (wanted & EPOLLIN)
		return receive(c);
	if (broken)
		c->verdict = "broken";
	return !broken;
}

static void change_setting(const char *name, const char *value)
{
	for (unsigned int i = 0; i < SETTINGS; i++) {
		if (strcmp(name, setting_name[i]))
			continue;
		setting[i] = strtol(value, NULL, 10);
		for_each_conn(c) {
			if (i < OPTIONS)
				set_option(c->fd, (enum setting)i);
			else if (i == (c->sends ? SEND : READ))
				c->budget = setting[i];
			watch_conn(c);
		}
		return;
	}
	usage("no such setting");
}

static void stop(void)
{
	stopped = true;
	for_each_conn(c) {
		if (c->sends)
			shutdown(c->fd, SHUT_WR);
		watch_conn(c);
	}
}

static void print_moved(void)
{
	uint64_t least = n_conns ? UINT64_MAX : 0, most = 0;

	for_each_conn(c) {
		least = c->moved < least ? c->moved : least;
		most = c->moved > most ? c->moved : most;
	}
	printf("moved %llu %llu %u\n", (unsigned long long)least,
	       (unsigned long long)most, n_conns);
}

static void obey(char *line)
{
	char *name = strtok(line, " \n"), *value = strtok(NULL, " \n");

	if (!name)
		return;
	if (!strcmp(name, "stop"))
		stop();
	else if (!strcmp(name, "moved"))
		print_moved();
	else if (!strcmp(name, "state"))
		print_states();
	else if (value)
		change_setting(name, value);
	else
		usage("a setting needs a value");
}

/* Lines arrive whole: each is one write to a pipe. Return: false at the end. */
static bool obey_stdin(void)
{
	char text[512], *line, *rest;
	ssize_t got = read(STDIN_FILENO, text, sizeof(text) - 1);

	if (got <= 0)
		return false;
	text[got] = 0;
	for (line = text; *line; line = rest) {
		rest = line + strcspn(line, "\n");
		if (*rest)
			*rest++ = 0;
		obey(line);
	}
	return true;
}

/* A slow reader gets its ration anew each tick. */
static int refill(void)
{
	static uint64_t last;
	uint64_t now = now_ms();

	if (setting[READ] == UNSET)
		return -1;
	if (now - last >= TICK_MS) {
		last = now;
		for_each_conn(c) {
			if (!c->sends)
				c->budget = setting[READ];
			watch_conn(c);
		}
	}
	return TICK_MS;
}

static void serve_fd(int fd, int listener, uint32_t events)
{
	struct conn *c = &conns[fd];

	if (fd == listener) {
		while ((fd = accept(listener, NULL, NULL)) >= 0)
			add_conn(fd);
	} else if (fd == STDIN_FILENO) {
		if (!obey_stdin())
			watch(fd, EPOLL_CTL_DEL, 0);
	} else if (c->fd) {	/* it may have ended since */
		if (serve(c, events))
			watch_conn(c);
		else
			end_conn(c);
	}
}

/* Until all connections are over; a listening end never is. */
static void run(int listener)
{
	struct epoll_event ready[READY];

	while (listener >= 0 || n_conns) {
		int n = epoll_wait(ready_fd, ready, READY, refill());

		if (n < 0 && errno != EINTR)
			die("epoll_wait");
		for (int i = 0; i < n; i++)
			serve_fd(ready[i].data.fd, listener, ready[i].events);
	}
}

/* All handshakes at once: one after the other would take a round trip each. */
static void wait_connected(const struct conn *c)
{
	struct pollfd fd = { .fd = c->fd, .events = POLLOUT };
	socklen_t size = sizeof(errno);

	if (poll(&fd, 1, -1) < 0)
		die("poll");
	getsockopt(c->fd, SOL_SOCKET, SO_ERROR, &errno, &size);
	if (errno)
		die("connect");
}

static void connect_all(const char *address, const char *port)
{
	for (long round = 0; round < setting[REPEAT] && !stopped; round++) {
		for (long i = 0; i < setting[CONNS]; i++)
			add_conn(new_socket(address, port));
		for_each_conn(c)
			wait_connected(c);
		if (!round)
			puts("ready");
		run(-1);
	}
}

int main(int argc, char **argv)
{
	if (argc < 4 || argc % 2)
		usage("which end, of which address and port, with which settings?");
	connecting = !strcmp(argv[1], "connect");
	if (!connecting && strcmp(argv[1], "listen"))
		usage("the first word has to be listen or connect");
	setvbuf(stdout, NULL, _IOLBF, 0);
	ready_fd = epoll_create1(0);
	if (ready_fd < 0)
		die("epoll_create1");
	watch(STDIN_FILENO, EPOLL_CTL_ADD, EPOLLIN);
	for (int i = 4; i < argc; i += 2)
		change_setting(argv[i], argv[i + 1]);
	make_pattern();
	if (connecting) {
		connect_all(argv[2], argv[3]);
	} else {
		int listener = new_socket(argv[2], argv[3]);

		watch(listener, EPOLL_CTL_ADD, EPOLLIN);
		puts("ready");
		run(listener);
	}
	return 0;
}
