/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Both ends of TCP connections in one process, each socket made in the network namespace of its end.
 * One thread serves both, so that a run in virtual time repeats itself exactly.
 */
#ifndef SELFTESTS_BOTH_ENDS_H
#define SELFTESTS_BOTH_ENDS_H

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>
#include <linux/tcp.h>

#include "../clock.h"
#include "../pattern.h"

#ifndef SO_BUF_LOCK
#define SO_BUF_LOCK	72
#endif

#define STALLED_MS	20000	/* nothing moved for so long: given up */
/* A reader that waits for SO_RCVLOWAT bytes looks for a shorter rest after that. */
#define TAIL_MS		50

static struct sockaddr_in there;	/* the listening end */
static const char *ns_client, *ns_server;

static void die(const char *what)
{
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	exit(1);
}

static void enter(const char *ns)
{
	char path[256];
	int fd;

	snprintf(path, sizeof(path), "/run/netns/%s", ns);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || setns(fd, CLONE_NEWNET))
		die(path);
	close(fd);
}

static int new_socket(const char *ns)
{
	int fd;

	enter(ns);
	fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
	if (fd < 0)
		die("socket");
	return fd;
}

/* Return: the events of it that are there, within so many milliseconds. */
static short wait_events(int fd, short events, int ms)
{
	struct pollfd p = { .fd = fd, .events = events };

	return poll(&p, 1, ms) > 0 ? p.revents : 0;
}

/* Return: the port that the kernel has for it, in network order. */
static inline in_port_t listen_at(int fd, const struct sockaddr_in *address)
{
	struct sockaddr_in here = *address;
	socklen_t size = sizeof(here);

	if (bind(fd, (struct sockaddr *)&here, sizeof(here)) || listen(fd, 1024) ||
	    getsockname(fd, (struct sockaddr *)&here, &size))
		die("listen");
	return here.sin_port;
}

/*
 * The client says one byte before the server accepts, for TCP_DEFER_ACCEPT and the two kinds of
 * TCP Fast Open wait for it. Return: the server's end; *@error: connect()'s or send()'s.
 */
static inline int join(int client, int listener, in_port_t port, int *error)
{
	struct sockaddr_in to = there;
	char byte = 'x';
	int fd;

	*error = 0;
	to.sin_port = port;
	if (connect(client, (struct sockaddr *)&to, sizeof(to)) && errno != EINPROGRESS)
		*error = errno;
	for (int i = 0; i < 2 && !*error; i++) {
		wait_events(client, POLLOUT, STALLED_MS);
		if (send(client, &byte, 1, MSG_NOSIGNAL) == 1)
			break;
		if (errno != EINPROGRESS && errno != EAGAIN)
			*error = errno;
	}
	wait_events(listener, POLLIN, STALLED_MS);
	fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
	if (fd < 0) {
		*error = *error ? *error : errno;
		return -1;
	}
	wait_events(fd, POLLIN, STALLED_MS);
	if (recv(fd, &byte, 1, 0) != 1)
		*error = EPIPE;
	return fd;
}

/* One direction of a connection. */
struct stream {
	int from, to;
	uint64_t sent, got;
	int send_errno, recv_errno;	/* what ended it */
	bool ended;			/* the receiver saw the end of the stream */
	bool corrupt;
};

/* A connection, with what it came from. */
struct pair {
	int listener, client, server;
	in_port_t port;
	struct stream up, down;
};

static inline void begin_streams(struct pair *p)
{
	p->up = (struct stream) { .from = p->client, .to = p->server };
	p->down = (struct stream) { .from = p->server, .to = p->client };
}

static inline void set_up(struct pair *p, const struct sockaddr_in *address)
{
	p->server = -1;
	p->listener = new_socket(ns_server);
	p->port = listen_at(p->listener, address);
	p->client = new_socket(ns_client);
}

static inline void join_pair(struct pair *p)
{
	int error;

	p->server = join(p->client, p->listener, p->port, &error);
	if (p->server < 0)
		die("accept");
	begin_streams(p);
}

/* Return: was anything moved? */
static bool send_some(struct stream *s, uint64_t until)
{
	bool moved = false;

	while (s->sent < until && !s->send_errno) {
		uint64_t left = until - s->sent;
		ssize_t put = send(s->from, pattern + s->sent % PERIOD,
				   left < BLOCK ? left : BLOCK, MSG_DONTWAIT | MSG_NOSIGNAL);

		if (put < 0) {
			if (errno != EAGAIN)
				s->send_errno = errno;
			break;
		}
		s->sent += (uint64_t)put;
		moved = true;
	}
	return moved;
}

static bool receive_some(struct stream *s, uint64_t until)
{
	static unsigned char block[BLOCK];
	bool moved = false;

	while (s->got < until && !s->recv_errno && !s->ended) {
		uint64_t left = until - s->got;
		ssize_t got = recv(s->to, block, left < BLOCK ? left : BLOCK, MSG_DONTWAIT);

		if (got < 0) {
			if (errno != EAGAIN)
				s->recv_errno = errno;
			break;
		}
		if (!got) {
			s->ended = true;
			break;
		}
		if (memcmp(block, pattern + s->got % PERIOD, (size_t)got))
			s->corrupt = true;
		s->got += (uint64_t)got;
		moved = true;
	}
	return moved;
}

/* Return: is less to come than wakes a reader, and all of it there? */
static bool rest_is_there(const struct stream *s, uint64_t until)
{
	int queued;

	return until > s->got && !ioctl(s->to, FIONREAD, &queued) &&
	       (uint64_t)queued >= until - s->got;
}

/*
 * poll() for TAIL_MS. The last bytes of a stream wake no reader if they are fewer than SO_RCVLOWAT.
 * They are looked for each millisecond, because TAIL_MS is half of what a short transfer takes.
 */
static void wait_streams(struct pollfd *p, const struct stream *s, int n, const uint64_t *until)
{
	for (int ms = 0; ms < TAIL_MS; ms++) {
		if (poll(p, 2 * (nfds_t)n, 1))
			return;
		for (int i = 0; i < n; i++)
			if (rest_is_there(&s[i], until[i]))
				return;
	}
}

/*
 * Moves each of @n streams on to @until bytes sent and received, side by side.
 * Return: microseconds that it took; -1: an end, an error, or nothing moved for STALLED_MS.
 */
static long pump(struct stream *s, int n, const uint64_t *until)
{
	uint64_t began = now_us(), last = began;
	struct pollfd p[8];

	for (;;) {
		bool done = true, over = false, moved = false;

		for (int i = 0; i < n; i++) {
			moved |= send_some(&s[i], until[i]);
			moved |= receive_some(&s[i], until[i]);
			done &= s[i].got >= until[i];
			over |= s[i].send_errno || s[i].recv_errno || s[i].ended;
		}
		if (moved)
			last = now_us();
		if (done)
			return (long)(now_us() - began);
		if (over || now_us() - last > STALLED_MS * 1000UL)
			return -1;
		for (int i = 0; i < n; i++) {
			p[2 * i] = (struct pollfd) {
				.fd = s[i].sent < until[i] ? s[i].from : -1, .events = POLLOUT };
			p[2 * i + 1] = (struct pollfd) {
				.fd = s[i].got < until[i] ? s[i].to : -1, .events = POLLIN };
		}
		wait_streams(p, s, n, until);
	}
}

static inline long pump_one(struct stream *s, uint64_t until)
{
	return pump(s, 1, &until);
}

static inline int int_option(int fd, int level, int name)
{
	socklen_t size = sizeof(int);
	int value = 0;

	return getsockopt(fd, level, name, &value, &size) ? -errno : value;
}

/* To the end of the stream, or an error, or until nothing has come for so long. */
static inline void drain(struct stream *s, uint64_t stalled_ms)
{
	uint64_t last = now_us();

	while (!s->ended && !s->recv_errno && now_us() - last < stalled_ms * 1000) {
		if (receive_some(s, UINT64_MAX))
			last = now_us();
		else
			wait_events(s->to, POLLIN, TAIL_MS);
	}
}

/* Lets the script do something: until it says a line. */
static inline void hold(const char *word)
{
	char line[64];

	puts(word);
	fflush(stdout);
	if (!fgets(line, sizeof(line), stdin))
		exit(1);
}

static void set_there(const char *client, const char *server, const char *address)
{
	ns_client = client;
	ns_server = server;
	there.sin_family = AF_INET;
	if (inet_pton(AF_INET, address, &there.sin_addr) != 1) {
		fprintf(stderr, "ADDRESS has to be a number: %s\n", address);
		exit(2);
	}
	make_pattern();
	setvbuf(stdout, NULL, _IOLBF, 0);
}

#endif /* SELFTESTS_BOTH_ENDS_H */
