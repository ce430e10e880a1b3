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
 *	rate N		send no more bytes a second than that (SO_MAX_PACING_RATE)
 *	read N		read no more bytes than that every 10 ms; -1: all there is
 * Settings before connections exist:
 *	conns N  bytes N  repeat N	so many connections at a time, of so many bytes
 *			each (0: without end), so many times over
 *	reverse N	1: the listening end sends
 * Lines:
 *	state		print "state sndbuf N rcvbuf N locks N clamp N", per connection
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
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#ifndef SO_BUF_LOCK
#define SO_BUF_LOCK	72
#endif

#define MAX_CONNS	256
#define TICK_MS		10
#define BLOCK		65536
#define PERIOD		65521	/* prime: no block of the network's equals the next */
#define UNSET		(-1L)

enum setting {
	SNDBUF, RCVBUF, CLAMP, RATE,	/* socket options, in the order of options[] */
	READ, CONNS, BYTES, REPEAT, REVERSE,
	SETTINGS
};

static const char *const setting_name[SETTINGS] = {
	"sndbuf", "rcvbuf", "clamp", "rate", "read", "conns", "bytes", "repeat",
	"reverse",
};

static long setting[SETTINGS] = {
	UNSET, UNSET, UNSET, UNSET, UNSET, 1, 0, 1, 0,
};

static const struct {
	int level, name;
} options[] = {
	[SNDBUF] = { SOL_SOCKET, SO_SNDBUF },
	[RCVBUF] = { SOL_SOCKET, SO_RCVBUF },
	[CLAMP] = { IPPROTO_TCP, TCP_WINDOW_CLAMP },
	[RATE] = { SOL_SOCKET, SO_MAX_PACING_RATE },
};

#define OPTIONS		(sizeof(options) / sizeof(options[0]))

struct conn {
	int fd;
	bool sends;
	const char *verdict;
	uint64_t moved;		/* bytes sent, or received */
	long budget;		/* bytes that may be read in this tick */
};

static struct conn conns[MAX_CONNS];
static unsigned int n_conns;
static bool connecting, stopped;
static unsigned char pattern[PERIOD + BLOCK];

static void die(const char *what)
{
	fprintf(stderr, "tcp_peer: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void usage(const char *what)
{
	fprintf(stderr, "tcp_peer: %s\n"
		"usage: tcp_peer listen|connect ADDRESS PORT [SETTING VALUE]...\n",
		what);
	exit(2);
}

static void make_pattern(void)
{
	uint32_t x = 1;

	for (size_t i = 0; i < PERIOD; i++) {
		x = x * 1664525 + 1013904223;	/* Knuth and Lewis */
		pattern[i] = x >> 24;
	}
	for (size_t i = PERIOD; i < sizeof(pattern); i++)
		pattern[i] = pattern[i - PERIOD];
}

static void set_option(int fd, enum setting which)
{
	int value = (int)setting[which];

	if (setting[which] != UNSET &&
	    setsockopt(fd, options[which].level, options[which].name, &value,
		       sizeof(value)))
		die(setting_name[which]);
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

static int new_socket(const char *address, const char *port)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM,
				  .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV };
	struct addrinfo *ai;
	int fd, one = 1;

	if (getaddrinfo(address, port, &hints, &ai))
		usage("ADDRESS and PORT have to be numbers");
	fd = socket(ai->ai_family, SOCK_STREAM, 0);
	if (fd < 0)
		die("socket");
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	set_options(fd);
	if (connecting ? connect(fd, ai->ai_addr, ai->ai_addrlen)
		       : bind(fd, ai->ai_addr, ai->ai_addrlen) ||
			 listen(fd, MAX_CONNS))
		die(connecting ? "connect" : "listen");
	freeaddrinfo(ai);
	return fd;
}

static void add_conn(int fd)
{
	if (n_conns == MAX_CONNS) {
		close(fd);
		return;
	}
	conns[n_conns++] = (struct conn) {
		.fd = fd,
		.sends = connecting != (setting[REVERSE] == 1),
		.verdict = "ok",
		.budget = setting[READ],
	};
}

static void end_conn(struct conn *c)
{
	if (!c->sends)
		printf("received %llu %s\n", (unsigned long long)c->moved,
		       c->verdict);
	close(c->fd);
	*c = conns[--n_conns];
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

static bool all_sent(const struct conn *c)
{
	return stopped || (setting[BYTES] &&
			   c->moved >= (uint64_t)setting[BYTES]);
}

/* Return: false when this connection is over. */
static bool transmit(struct conn *c)
{
	size_t want = BLOCK;
	ssize_t put;

	if (setting[BYTES] && (uint64_t)setting[BYTES] - c->moved < want)
		want = (uint64_t)setting[BYTES] - c->moved;
	put = send(c->fd, pattern + c->moved % PERIOD, want,
		   MSG_DONTWAIT | MSG_NOSIGNAL);
	if (put < 0)
		return errno == EAGAIN || errno == EINTR;
	c->moved += (uint64_t)put;
	if (all_sent(c))
		shutdown(c->fd, SHUT_WR);
	return true;
}

/* The other end of a sender says nothing: readable is its end, or an error. */
static bool serve(struct conn *c, short events)
{
	char byte;

	if (c->sends && events & POLLOUT && !all_sent(c))
		return transmit(c);
	if (c->sends && events & (POLLIN | POLLERR | POLLHUP))
		return recv(c->fd, &byte, 1, MSG_DONTWAIT) > 0;
	if (!c->sends && events & (POLLIN | POLLERR | POLLHUP))
		return receive(c);
	return true;
}

static short wanted_events(const struct conn *c)
{
	if (c->sends)
		return all_sent(c) ? POLLIN : POLLIN | POLLOUT;
	return setting[READ] == UNSET || c->budget > 0 ? POLLIN : 0;
}

static void change_setting(const char *name, const char *value)
{
	for (unsigned int i = 0; i < SETTINGS; i++) {
		if (strcmp(name, setting_name[i]))
			continue;
		setting[i] = strtol(value, NULL, 10);
		for (unsigned int j = 0; j < n_conns; j++) {
			if (i < OPTIONS)
				set_option(conns[j].fd, (enum setting)i);
			else if (i == READ)
				conns[j].budget = setting[READ];
		}
		return;
	}
	usage("no such setting");
}

static void stop(void)
{
	stopped = true;
	for (unsigned int i = 0; i < n_conns; i++) {
		if (conns[i].sends)
			shutdown(conns[i].fd, SHUT_WR);
	}
}

static void obey(char *line)
{
	char *name = strtok(line, " \n"), *value = strtok(NULL, " \n");

	if (!name)
		return;
	if (!strcmp(name, "stop"))
		stop();
	else if (!strcmp(name, "state"))
		for (unsigned int i = 0; i < n_conns; i++)
			print_state(&conns[i]);
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

static uint64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
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
		for (unsigned int i = 0; i < n_conns; i++)
			conns[i].budget = setting[READ];
	}
	return TICK_MS;
}

/* Until all connections are over; a listening end never is. */
static void run(int listener)
{
	struct pollfd fds[MAX_CONNS + 2];
	int input = STDIN_FILENO;

	while (listener >= 0 || n_conns) {
		int timeout = refill();
		unsigned int n = n_conns;

		fds[0] = (struct pollfd) { .fd = input, .events = POLLIN };
		fds[1] = (struct pollfd) { .fd = listener, .events = POLLIN };
		for (unsigned int i = 0; i < n; i++)
			fds[i + 2] = (struct pollfd) { .fd = conns[i].fd,
					.events = wanted_events(&conns[i]) };
		if (poll(fds, n + 2, timeout) < 0 && errno != EINTR)
			die("poll");
		for (unsigned int i = n; i-- > 0;) {
			if (fds[i + 2].revents && !serve(&conns[i], fds[i + 2].revents))
				end_conn(&conns[i]);
		}
		if (fds[1].revents)
			add_conn(accept(listener, NULL, NULL));
		if (fds[0].revents && !obey_stdin())
			input = -1;
	}
}

static void connect_all(const char *address, const char *port)
{
	for (long round = 0; round < setting[REPEAT] && !stopped; round++) {
		for (long i = 0; i < setting[CONNS]; i++)
			add_conn(new_socket(address, port));
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
	for (int i = 4; i < argc; i += 2)
		change_setting(argv[i], argv[i + 1]);
	make_pattern();
	if (connecting) {
		connect_all(argv[2], argv[3]);
	} else {
		int listener = new_socket(argv[2], argv[3]);

		puts("ready");
		run(listener);
	}
	return 0;
}
