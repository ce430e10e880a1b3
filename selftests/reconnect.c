// SPDX-License-Identifier: GPL-2.0
/*
 * reconnect - one socket, one connection after another
 *
 *	reconnect ADDRESS PORT TIMES BYTES
 *
 * Reads so many bytes of each, and disconnects the socket (connect() to AF_UNSPEC).
 */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

static void die(const char *what)
{
	fprintf(stderr, "reconnect: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void read_bytes(int fd, long bytes)
{
	static char block[65536];

	while (bytes > 0) {
		ssize_t got = recv(fd, block, sizeof(block), 0);

		if (got <= 0)
			die("recv");
		bytes -= got;
	}
}

int main(int argc, char **argv)
{
	const struct sockaddr nobody = { .sa_family = AF_UNSPEC };
	struct sockaddr_in there = { .sin_family = AF_INET };
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (argc != 5 || inet_pton(AF_INET, argv[1], &there.sin_addr) != 1) {
		fputs("usage: reconnect ADDRESS PORT TIMES BYTES\n", stderr);
		return 2;
	}
	there.sin_port = htons((uint16_t)atoi(argv[2]));
	for (long i = atol(argv[3]); i > 0; i--) {
		if (connect(fd, (struct sockaddr *)&there, sizeof(there)))
			die("connect");
		read_bytes(fd, atol(argv[4]));
		if (connect(fd, &nobody, sizeof(nobody)))
			die("disconnect");
	}
	return 0;
}
