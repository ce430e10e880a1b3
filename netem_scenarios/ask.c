// SPDX-License-Identifier: GPL-2.0
/*
 * ask - many who ask and are answered, and how long each one waited
 *
 *	ask answer PORT		answer whoever comes, until stopped
 *	ask send ADDRESS PORT SECONDS RATE CONNECTIONS REQUEST ANSWER FILE
 *		RATE questions a second for so long, of REQUEST bytes, each answered with ANSWER
 *		bytes; over CONNECTIONS in turn, or with 0 over a new one each. FILE gets a line a
 *		question: when it was due [us, CLOCK_MONOTONIC], its wait [us], 1 if it was answered
 *
 * Questions fall due at random moments, the same in each run, whether the ones before are answered
 * or not. One that finds its connection busy waits, and its wait counts from when it was due: a
 * stall is seen by all whom it would have met, not by the one who happened to ask.
 */
#include "program.h"

#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <unistd.h>

#define BLOCK_BYTES	(1 << 16)
#define EVENTS		256
#define BACKLOG		4096
#define FDS		65536
#define PATIENCE_NS	(5 * NS)	/* for answers, after the last question */

/* How each question begins; its other bytes say nothing. */
struct question {
	uint32_t bytes;		/* of the question, network order */
	uint32_t answer_bytes;	/* network order */
};

static char block[BLOCK_BYTES];

static void *zeroed(size_t count, size_t size)
{
	void *memory = calloc(count, size);

	if (!memory)
		die("calloc");
	return memory;
}

/* As many descriptors as there is room for, or as may be had. */
static void allow_descriptors(void)
{
	struct rlimit limit = { FDS, FDS };

	if (!setrlimit(RLIMIT_NOFILE, &limit))
		return;
	if (getrlimit(RLIMIT_NOFILE, &limit))
		die("getrlimit");
	limit.rlim_cur = limit.rlim_max;
	if (setrlimit(RLIMIT_NOFILE, &limit))
		die("setrlimit");
}

static void watch(int epoll, int fd, uint32_t events, uint64_t tag)
{
	struct epoll_event event = { .events = events | EPOLLET, .data.u64 = tag };

	if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event))
		die("epoll_ctl");
}

static bool later(ssize_t count)
{
	return count < 0 && (errno == EAGAIN || errno == EINTR);
}

/* The side that answers: a descriptor's state stands in peers[descriptor]. */
struct peer {
	struct question question;
	size_t came;		/* of the question */
	size_t owed;		/* of the answer */
};

static struct peer peers[FDS];

/* Return: bytes read, as read() has it; the question's head is kept. */
static ssize_t read_question(int fd, struct peer *peer)
{
	size_t head = sizeof(peer->question);
	ssize_t count;

	if (peer->came < head)
		count = read(fd, (char *)&peer->question + peer->came, head - peer->came);
	else
		count = read(fd, block, sizeof(block));
	if (count > 0)
		peer->came += count;
	return count;
}

static bool asked(const struct peer *peer)
{
	return peer->came >= sizeof(peer->question) && peer->came >= ntohl(peer->question.bytes);
}

/* Write and read until neither goes on. Return: false at the connection's end. */
static bool serve(int fd, struct peer *peer)
{
	ssize_t count;

	for (;;) {
		if (peer->owed) {
			count = send(fd, block, peer->owed < sizeof(block) ? peer->owed : sizeof(block), MSG_NOSIGNAL);
			if (count > 0)
				peer->owed -= count;
		} else {
			count = read_question(fd, peer);
			if (count > 0 && asked(peer)) {
				peer->owed = ntohl(peer->question.answer_bytes);
				peer->came = 0;
			}
		}
		if (count <= 0)
			return later(count);
	}
}

static void take_all(int epoll, int listener)
{
	const int one = 1;
	int fd;

	while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
		peers[fd] = (struct peer) { 0 };
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
		watch(epoll, fd, EPOLLIN | EPOLLOUT, fd);
	}
	if (errno != EAGAIN && errno != ECONNABORTED)
		die("accept");
}

_Noreturn static void answer(const char *port)
{
	int listener = listen_at(port, SOCK_NONBLOCK, BACKLOG), epoll = epoll_create1(0);
	struct epoll_event events[EVENTS];

	allow_descriptors();
	watch(epoll, listener, EPOLLIN, listener);
	for (;;) {
		int count = epoll_wait(epoll, events, EVENTS, -1);

		for (int i = 0; i < count; i++) {
			int fd = events[i].data.u64;

			if (fd == listener)
				take_all(epoll, listener);
			else if (!serve(fd, &peers[fd]))
				close(fd);
		}
	}
}

/* The side that asks: question i goes over line i % lines, after question i - lines. */
struct wait {
	int64_t due_ns;
	int64_t answered_ns;	/* 0: not yet */
};

struct line {
	int fd;			/* -1: not open */
	long asking;		/* its question under way; -1: none */
	size_t sent;
	size_t got;
};

struct asker {
	struct sockaddr_in address;
	struct question question;
	int epoll;
	long questions;
	long lines;
	long answered;
	struct wait *waits;
	struct line *line;
};

static void hang_up(struct line *line)
{
	close(line->fd);
	line->fd = -1;
	line->asking = -1;
}

static void call(struct asker *a, struct line *line)
{
	const int one = 1;

	line->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
	if (line->fd < 0)
		die("socket");
	setsockopt(line->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	if (connect(line->fd, (struct sockaddr *)&a->address, sizeof(a->address)) && errno != EINPROGRESS)
		die("connect");
	watch(a->epoll, line->fd, EPOLLIN | EPOLLOUT, line - a->line);
}

static void begin(struct asker *a, long question)
{
	struct line *line = &a->line[question % a->lines];

	line->asking = question;
	line->sent = line->got = 0;
	if (line->fd < 0)
		call(a, line);
}

/* Answered: on to the line's next question, if that is due; after its last, hang up. */
static void finish(struct asker *a, struct line *line)
{
	long next = line->asking + a->lines;

	a->waits[line->asking].answered_ns = now_ns();
	a->answered++;
	line->asking = -1;
	if (next >= a->questions)
		hang_up(line);
	else if (a->waits[next].due_ns <= now_ns())
		begin(a, next);
}

static ssize_t send_question(const struct asker *a, struct line *line, size_t bytes)
{
	size_t head = sizeof(a->question);

	if (line->sent < head)
		return send(line->fd, (const char *)&a->question + line->sent, head - line->sent, MSG_NOSIGNAL | MSG_MORE);
	return send(line->fd, block, bytes - line->sent, MSG_NOSIGNAL);
}

/* Send and receive until neither goes on. A line that breaks leaves its question unanswered. */
static void talk(struct asker *a, struct line *line)
{
	size_t bytes = ntohl(a->question.bytes), answer_bytes = ntohl(a->question.answer_bytes);
	ssize_t count;

	while (line->asking >= 0) {
		if (line->sent < bytes) {
			count = send_question(a, line, bytes);
			line->sent += count > 0 ? count : 0;
		} else {
			count = read(line->fd, block, sizeof(block));
			line->got += count > 0 ? count : 0;
			if (line->got == answer_bytes)
				finish(a, line);
		}
		if (later(count))
			return;
		if (count <= 0)
			hang_up(line);
	}
}

/* Gaps between 0 and twice the mean, from a seed of the port's: each run has the same. */
static void plan(struct asker *a, long rate)
{
	int64_t due_ns = now_ns();

	srand48(ntohs(a->address.sin_port));
	for (long i = 0; i < a->questions; i++) {
		due_ns += (int64_t)(2 * drand48() * (double)NS / (double)rate);
		a->waits[i].due_ns = due_ns;
	}
	for (long i = 0; i < a->lines; i++)
		a->line[i] = (struct line) { .fd = -1, .asking = -1 };
}

/* Wait for events, at most until then. */
static void listen_until(struct asker *a, int64_t until_ns)
{
	int64_t left_ns = until_ns - now_ns();
	struct epoll_event events[EVENTS];
	struct timespec left;
	int count;

	left_ns = left_ns > 0 ? left_ns : 0;
	left = (struct timespec) { left_ns / NS, left_ns % NS };
	count = epoll_pwait2(a->epoll, events, EVENTS, &left, NULL);
	for (int i = 0; i < count; i++)
		talk(a, &a->line[events[i].data.u64]);
}

static void ask_all(struct asker *a)
{
	int64_t end_ns = a->waits[a->questions - 1].due_ns + PATIENCE_NS;
	long next = 0;

	while (a->answered < a->questions && now_ns() < end_ns) {
		for (; next < a->questions && a->waits[next].due_ns <= now_ns(); next++) {
			struct line *line = &a->line[next % a->lines];

			if (line->asking >= 0)
				continue;
			begin(a, next);
			talk(a, line);
		}
		listen_until(a, next < a->questions ? a->waits[next].due_ns : end_ns);
	}
}

static void write_waits(const struct asker *a, const char *path)
{
	int64_t end_ns = now_ns();
	FILE *file = fopen(path, "w");

	if (!file)
		die(path);
	for (long i = 0; i < a->questions; i++) {
		const struct wait *wait = &a->waits[i];
		int64_t until_ns = wait->answered_ns ? wait->answered_ns : end_ns;

		fprintf(file, "%lld %lld %d\n", (long long)wait->due_ns / 1000,
			(long long)(until_ns - wait->due_ns) / 1000, wait->answered_ns != 0);
	}
	if (fclose(file))
		die(path);
}

static int ask(char **words)
{
	long seconds = number(words[2], 1, SECONDS_MAX, "SECONDS"), rate = number(words[3], 1, 100000, "RATE");
	long lines = number(words[4], 0, FDS / 2, "CONNECTIONS");
	struct asker a = {
		.address = endpoint(words[0], words[1]),
		.question = { htonl(number(words[5], sizeof(struct question), 1 << 30, "REQUEST")),
			      htonl(number(words[6], 1, 1 << 30, "ANSWER")) },
		.epoll = epoll_create1(0),
		.questions = seconds * rate,
	};

	allow_descriptors();
	a.lines = lines ? lines : a.questions;
	a.waits = zeroed(a.questions, sizeof(*a.waits));
	a.line = zeroed(a.lines, sizeof(*a.line));
	plan(&a, rate);
	ask_all(&a);
	write_waits(&a, words[7]);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "answer"))
		answer(argv[2]);
	if (argc == 10 && !strcmp(argv[1], "send"))
		return ask(argv + 2);
	fprintf(stderr, "usage: ask answer PORT | ask send ADDRESS PORT SECONDS RATE CONNECTIONS REQUEST ANSWER FILE\n");
	return 2;
}
