// SPDX-License-Identifier: GPL-2.0
/*
 * splice_send - sends whole pages that nobody else has, so that a reader can map them
 *
 *	splice_send ADDRESS PORT PAGES
 *
 * Prints "ready" when it is connected, and ends when all is acknowledged.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/sockios.h>
#include <sys/ioctl.h>

#include "../../stream.h"

#define PAUSE_US	10000

static void send_page(int fd, const int *pipe_fds, uint64_t at, size_t page)
{
	if (write(pipe_fds[1], pattern + at % PERIOD, page) != (ssize_t)page)
		die("write");
	for (ssize_t moved; page; page -= (size_t)moved) {
		moved = splice(pipe_fds[0], NULL, fd, NULL, page, 0);
		if (moved <= 0)
			die("splice");
	}
}

int main(int argc, char **argv)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	int pipe_fds[2], fd, left;

	if (argc != 4)
		usage("splice_send ADDRESS PORT PAGES");
	make_pattern();
	if (pipe(pipe_fds))
		die("pipe");
	fd = connected(argv[1], argv[2]);
	say("ready");
	for (uint64_t i = 0; i < strtoull(argv[3], NULL, 10); i++)
		send_page(fd, pipe_fds, i * page, page);
	shutdown(fd, SHUT_WR);
	while (!ioctl(fd, SIOCOUTQ, &left) && left)
		usleep(PAUSE_US);
	return 0;
}
