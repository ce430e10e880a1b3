// SPDX-License-Identifier: GPL-2.0
/*
 * zerocopy_receive - maps what it receives: TCP_ZEROCOPY_RECEIVE
 *
 *	zerocopy_receive ADDRESS PORT
 *
 * What cannot be mapped it reads. Prints "ready", then "received BYTES ok|corrupt" and
 * "mapped BYTES".
 */
#include <poll.h>
#include <sys/mman.h>

#include "../../stream.h"

#define WINDOW	(1 << 20)	/* bytes that can be mapped at a time */

int main(int argc, char **argv)
{
	static unsigned char block[BLOCK];
	uint64_t received = 0, mapped = 0;
	bool ok = true;
	void *window;
	int fd;

	if (argc != 3)
		usage("zerocopy_receive ADDRESS PORT");
	make_pattern();
	fd = accepted(argv[1], argv[2]);
	window = mmap(NULL, WINDOW, PROT_READ, MAP_SHARED, fd, 0);
	if (window == MAP_FAILED)
		die("mmap of a socket");
	for (;;) {
		struct tcp_zerocopy_receive zc = {
			.address = (uintptr_t)window,
			.length = WINDOW,
		};
		struct pollfd ready = { .fd = fd, .events = POLLIN };
		socklen_t size = sizeof(zc);
		ssize_t got;
		size_t want;

		poll(&ready, 1, -1);
		if (getsockopt(fd, IPPROTO_TCP, TCP_ZEROCOPY_RECEIVE, &zc, &size)) {
			if (errno == EIO)	/* the end of the stream */
				break;
			die("TCP_ZEROCOPY_RECEIVE");
		}
		ok = ok && as_sent(received, window, zc.length);
		received += zc.length;
		mapped += zc.length;
		if (zc.length && !zc.recv_skip_hint)
			continue;
		want = zc.recv_skip_hint && zc.recv_skip_hint < BLOCK ? zc.recv_skip_hint : BLOCK;
		got = recv(fd, block, want, MSG_DONTWAIT);
		if (!got)
			break;
		if (got < 0 && errno != EAGAIN)
			die("recv");
		if (got < 0)
			continue;
		ok = ok && as_sent(received, block, (size_t)got);
		received += (uint64_t)got;
	}
	printf("received %llu %s\nmapped %llu\n", (unsigned long long)received,
	       ok ? "ok" : "corrupt", (unsigned long long)mapped);
	return 0;
}
