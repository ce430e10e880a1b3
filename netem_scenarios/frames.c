// SPDX-License-Identifier: GPL-2.0
/*
 * frames - urgent messages among bulk data on one connection, and when the device got each
 *
 *	frames recv PORT	read one connection to its end
 *	frames send ADDRESS PORT SECONDS RATE BYTES PAUSE FILE
 *		Keep the socket full for so long with frames of 16 KiB. Between two of them goes an
 *		urgent message of BYTES, whenever one is due: RATE a second, at random moments that
 *		are the same in each run. After epoll has said that the socket is writable, PAUSE
 *		microseconds pass before the next write. FILE gets a line a message: when it was due
 *		[us, CLOCK_MONOTONIC], the time from then until it was written [us] and until the
 *		device had its last byte [us], 1 if both happened
 *
 * The writer is that of an HTTP/2 server: it writes until the kernel takes no more, and then waits
 * for epoll. A frame that the kernel has taken a part of has to be completed first. The kernel says
 * when it handed a message's last byte to the device (SO_TIMESTAMPING): TCP_INFO would have to be
 * read again and again, and its count of unsent bytes cannot tell when one certain byte went.
 */
#include "program.h"

#include <linux/errqueue.h>
#include <linux/net_tstamp.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define FRAME_BYTES	16384		/* HTTP/2's, where the ends agree on no other size */
#define READ_BYTES	(1 << 20)
#define CONTROL_BYTES	512
#define PATIENCE_NS	(5 * NS)	/* for messages that were due, after the last bulk frame */

struct message {
	int64_t due_ns;
	int64_t written_ns;	/* 0: not yet */
	int64_t wire_ns;	/* 0: not yet */
	uint32_t last;		/* its last byte's place in the stream, modulo 2^32 */
};

struct writer {
	int fd;
	int epoll;
	int64_t end_ns;		/* of the bulk frames */
	int64_t wall_ns;	/* CLOCK_REALTIME, which stamps have, less CLOCK_MONOTONIC */
	struct timespec pause;
	size_t message_bytes;
	struct message *messages;
	long count;
	long written;		/* messages before this one are */
	long on_wire;		/* messages before this one were handed to the device */
	uint32_t bytes;		/* that the kernel has taken, modulo 2^32 */
	size_t left;		/* of the frame or message that is being written */
	bool urgent;		/* that is a message */
};

static char block[READ_BYTES];

/* The sender ends with a reset, so that is an end like any other. */
static int receive(const char *port)
{
	int from = take_connection(port);
	ssize_t count;

	do {
		count = recv(from, block, sizeof(block), 0);
	} while (count > 0);
	if (count < 0 && errno != ECONNRESET)
		die("recv");
	return 0;
}

/* Gaps between 0 and twice the mean, from a seed of the port's: out of step with the round trip. */
static void plan(struct writer *w, long seconds, long rate, long port)
{
	int64_t due_ns = now_ns();

	w->end_ns = due_ns + seconds * NS;
	w->messages = calloc(2 * seconds * rate, sizeof(*w->messages));
	if (!w->messages)
		die("calloc");
	srand48(port);
	for (long i = 0; i < 2 * seconds * rate; i++) {
		due_ns += (int64_t)(2 * drand48() * (double)NS / (double)rate);
		if (due_ns >= w->end_ns)
			break;
		w->messages[i].due_ns = due_ns;
		w->count++;
	}
}

static void call(struct writer *w, struct sockaddr_in address)
{
	const int one = 1, stamps = SOF_TIMESTAMPING_SOFTWARE | SOF_TIMESTAMPING_OPT_ID |
				    SOF_TIMESTAMPING_OPT_TSONLY;
	struct epoll_event event = { .events = EPOLLOUT | EPOLLET };

	w->fd = tcp_socket(0);
	w->epoll = epoll_create1(0);
	if (w->epoll < 0)
		die("epoll_create1");
	setsockopt(w->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	if (connect(w->fd, (struct sockaddr *)&address, sizeof(address)))
		die("connect");
	/* From here on the kernel counts bytes, so nothing may have been written. */
	if (setsockopt(w->fd, SOL_SOCKET, SO_TIMESTAMPING, &stamps, sizeof(stamps)))
		die("SO_TIMESTAMPING");
	if (ioctl(w->fd, FIONBIO, &one) || epoll_ctl(w->epoll, EPOLL_CTL_ADD, w->fd, &event))
		die("epoll_ctl");
}

/* A message ends a segment: its stamp would else be taken over by the next one's. */
static ssize_t send_urgent(const struct writer *w)
{
	union {
		char bytes[CMSG_SPACE(sizeof(uint32_t))];
		struct cmsghdr align;
	} control = { 0 };
	struct iovec data = { block, w->left };
	struct msghdr message = {
		.msg_iov = &data,
		.msg_iovlen = 1,
		.msg_control = control.bytes,
		.msg_controllen = sizeof(control.bytes),
	};
	struct cmsghdr *asked = CMSG_FIRSTHDR(&message);

	asked->cmsg_level = SOL_SOCKET;
	asked->cmsg_type = SO_TIMESTAMPING;
	asked->cmsg_len = CMSG_LEN(sizeof(uint32_t));
	*(uint32_t *)CMSG_DATA(asked) = SOF_TIMESTAMPING_TX_SOFTWARE;
	return sendmsg(w->fd, &message, MSG_NOSIGNAL | MSG_EOR);
}

/* Return: false if there is nothing to write. */
static bool choose(struct writer *w)
{
	int64_t now = now_ns();

	w->urgent = w->written < w->count && w->messages[w->written].due_ns <= now;
	if (!w->urgent && now >= w->end_ns)
		return false;
	w->left = w->urgent ? w->message_bytes : FRAME_BYTES;
	return true;
}

static void note_written(struct writer *w)
{
	struct message *message = &w->messages[w->written++];

	message->written_ns = now_ns();
	message->last = w->bytes - 1;
}

/* Write until the kernel takes no more. */
static void fill(struct writer *w)
{
	ssize_t count;

	while (w->left || choose(w)) {
		count = w->urgent ? send_urgent(w) : send(w->fd, block, w->left, MSG_NOSIGNAL);
		if (count < 0 && errno == EAGAIN)
			return;
		if (count < 0)
			die("send");
		w->bytes += count;
		w->left -= count;
		if (w->urgent && !w->left)
			note_written(w);
	}
}

/* A byte that is sent again is stamped again, and then nothing waits for it. */
static void note_stamp(struct writer *w, uint32_t last, const struct timespec *at)
{
	for (long i = w->on_wire; i < w->written; i++) {
		if (w->messages[i].last == last && !w->messages[i].wire_ns)
			w->messages[i].wire_ns = at->tv_sec * NS + at->tv_nsec - w->wall_ns;
	}
	while (w->on_wire < w->written && w->messages[w->on_wire].wire_ns)
		w->on_wire++;
}

static void read_stamps(struct writer *w)
{
	char control[CONTROL_BYTES];
	struct msghdr message = { .msg_control = control, .msg_controllen = sizeof(control) };

	while (recvmsg(w->fd, &message, MSG_ERRQUEUE) >= 0) {
		const struct scm_timestamping *stamp = NULL;
		const struct sock_extended_err *about = NULL;
		struct cmsghdr *part = CMSG_FIRSTHDR(&message);

		for (; part; part = CMSG_NXTHDR(&message, part)) {
			if (part->cmsg_level == SOL_SOCKET && part->cmsg_type == SCM_TIMESTAMPING)
				stamp = (const void *)CMSG_DATA(part);
			else if (part->cmsg_level == SOL_IP && part->cmsg_type == IP_RECVERR)
				about = (const void *)CMSG_DATA(part);
		}
		if (stamp && about && about->ee_origin == SO_EE_ORIGIN_TIMESTAMPING)
			note_stamp(w, about->ee_data, &stamp->ts[0]);
		message.msg_controllen = sizeof(control);
	}
	if (errno != EAGAIN)
		die("recvmsg");
}

/* Wait for an event, and do what it says. */
static void listen_until(struct writer *w, int64_t until_ns)
{
	int64_t left_ns = until_ns - now_ns();
	struct epoll_event event;
	struct timespec left;
	int count;

	left_ns = left_ns > 0 ? left_ns : 0;
	left = (struct timespec) { left_ns / NS, left_ns % NS };
	count = epoll_pwait2(w->epoll, &event, 1, &left, NULL);
	if (count < 0)
		die("epoll_pwait2");
	if (count && event.events & EPOLLERR)
		read_stamps(w);
	if (count && event.events & EPOLLOUT) {
		if (w->pause.tv_nsec)	/* even a sleep of nothing takes the timer's slack */
			nanosleep(&w->pause, NULL);
		fill(w);
	}
}

static void write_all(struct writer *w)
{
	int64_t until_ns = w->end_ns + PATIENCE_NS;

	while (now_ns() < until_ns && (now_ns() < w->end_ns || w->on_wire < w->count))
		listen_until(w, until_ns);
}

static void report(const struct writer *w, const char *path)
{
	int64_t end_ns = now_ns();
	FILE *file = fopen(path, "w");

	if (!file)
		die(path);
	for (long i = 0; i < w->count; i++) {
		const struct message *message = &w->messages[i];
		int64_t written_ns = message->written_ns ? message->written_ns : end_ns;
		int64_t wire_ns = message->wire_ns ? message->wire_ns : end_ns;

		fprintf(file, "%lld %lld %lld %d\n", (long long)message->due_ns / 1000,
			(long long)(written_ns - message->due_ns) / 1000,
			(long long)(wire_ns - message->due_ns) / 1000, message->wire_ns != 0);
	}
	if (fclose(file))
		die(path);
}

static int transmit(char **words)
{
	const struct linger drop = { .l_onoff = 1, .l_linger = 0 };
	struct sockaddr_in address = endpoint(words[0], words[1]);
	long seconds = number(words[2], 1, SECONDS_MAX, "SECONDS");
	long rate = number(words[3], 1, 1000, "RATE"), pause_us;
	struct writer w = { .message_bytes = number(words[4], 1, FRAME_BYTES, "BYTES") };

	pause_us = number(words[5], 0, 999999, "PAUSE");
	w.pause.tv_nsec = pause_us * 1000;
	call(&w, address);
	w.wall_ns = clock_ns(CLOCK_REALTIME) - now_ns();
	plan(&w, seconds, rate, ntohs(address.sin_port));
	write_all(&w);
	report(&w, words[6]);
	setsockopt(w.fd, SOL_SOCKET, SO_LINGER, &drop, sizeof(drop));
	close(w.fd);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "recv"))
		return receive(argv[2]);
	if (argc == 9 && !strcmp(argv[1], "send"))
		return transmit(argv + 2);
	fprintf(stderr, "usage: frames recv PORT | frames send ADDRESS PORT SECONDS RATE BYTES PAUSE FILE\n");
	return 2;
}
