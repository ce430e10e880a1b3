// SPDX-License-Identifier: GPL-2.0
/*
 * zerocopy_send - sends without copying: MSG_ZEROCOPY
 *
 *	zerocopy_send ADDRESS PORT BYTES
 *
 * Every send is told to be over once, in order, or the program fails. Prints "ready",
 * then "sent SENDS": how many there were.
 */
#include <time.h>
/* that first */
#include <linux/errqueue.h>
#include <poll.h>

#include "../../stream.h"

#define LIMIT_MS	20000	/* for a completion that does not come */

/* Takes what the kernel tells of sends that are over. Return: how many are since. */
static uint32_t take_completions(int fd, uint32_t over)
{
	union {
		char room[CMSG_SPACE(sizeof(struct sock_extended_err) + sizeof(struct sockaddr_in))];
		struct cmsghdr aligned;
	} control;
	struct msghdr msg = { .msg_control = &control, .msg_controllen = sizeof(control) };
	const struct sock_extended_err *said;

	if (recvmsg(fd, &msg, MSG_ERRQUEUE | MSG_DONTWAIT) < 0) {
		if (errno == EAGAIN)
			return over;
		die("recvmsg");
	}
	said = (void *)CMSG_DATA(CMSG_FIRSTHDR(&msg));
	if (said->ee_origin != SO_EE_ORIGIN_ZEROCOPY || said->ee_info != over) {
		fprintf(stderr, "completion of send %u: expected %u\n", said->ee_info, over);
		exit(1);
	}
	return said->ee_data + 1;
}

int main(int argc, char **argv)
{
	uint32_t sends = 0, over = 0;
	uint64_t bytes, sent = 0;
	int fd;

	if (argc != 4)
		usage("zerocopy_send ADDRESS PORT BYTES");
	make_pattern();
	bytes = strtoull(argv[3], NULL, 10);
	fd = connected(argv[1], argv[2]);
	put_option(fd, SOL_SOCKET, SO_ZEROCOPY, 1);
	say("ready");
	while (sent < bytes || over < sends) {
		struct pollfd ready = { .fd = fd, .events = sent < bytes ? POLLOUT : 0 };
		size_t want = bytes - sent < BLOCK ? bytes - sent : BLOCK;
		ssize_t put;

		if (poll(&ready, 1, LIMIT_MS) < 1)
			die("neither room nor a completion");
		if (ready.revents & POLLERR)
			over = take_completions(fd, over);
		if (!(ready.revents & POLLOUT))
			continue;
		put = send(fd, pattern + sent % PERIOD, want, MSG_ZEROCOPY | MSG_DONTWAIT);
		/* ENOBUFS: too many sends that are not over yet */
		if (put < 0 && errno != EAGAIN && errno != ENOBUFS)
			die("send");
		if (put > 0) {
			sent += (uint64_t)put;
			sends++;
		}
	}
	printf("sent %u\n", sends);
	return 0;
}
