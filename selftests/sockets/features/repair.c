// SPDX-License-Identifier: GPL-2.0
/*
 * repair - moves a connection from one socket to another, as checkpoints do: TCP_REPAIR
 *
 *	repair ADDRESS PORT BURST TIMES
 *
 * Accepts a connection. TIMES over, it waits until BURST bytes wait unread, moves the
 * connection to a new socket, unread bytes included, and reads them there; then it reads
 * until the end. The sender is to be silent meanwhile: nobody answers it. Prints "ready",
 * "moved" each time, then "received BYTES ok|corrupt".
 */
#include <linux/sockios.h>
#include <sys/ioctl.h>

#include "../../stream.h"

#define PAUSE_US	10000
#define SETTLED_US	100000	/* after that no ACK is under way */

static unsigned char block[BLOCK];
static uint64_t received;
static bool ok = true;

struct connection {
	struct sockaddr_in here, there;
	struct tcp_info info;
	struct tcp_repair_window window;
	uint32_t send_seq, recv_seq;
	int mss, timestamp;
	size_t unread;
};

static void take_option(int fd, int name, void *value, size_t size)
{
	socklen_t length = (socklen_t)size;

	if (getsockopt(fd, IPPROTO_TCP, name, value, &length))
		die("getsockopt");
}

static void take_queue(int fd, int queue, uint32_t *seq)
{
	put_option(fd, IPPROTO_TCP, TCP_REPAIR_QUEUE, queue);
	take_option(fd, TCP_QUEUE_SEQ, seq, sizeof(*seq));
}

static void put_queue(int fd, int queue, uint32_t seq)
{
	put_option(fd, IPPROTO_TCP, TCP_REPAIR_QUEUE, queue);
	put_option(fd, IPPROTO_TCP, TCP_QUEUE_SEQ, (int)seq);
}

/* All that there is of a connection; its socket is gone then, without a word to the peer. */
static void dump(int fd, struct connection *c)
{
	socklen_t size = sizeof(c->here);
	ssize_t unread;

	if (getsockname(fd, (struct sockaddr *)&c->here, &size) ||
	    getpeername(fd, (struct sockaddr *)&c->there, &size))
		die("ends");
	put_option(fd, IPPROTO_TCP, TCP_REPAIR, TCP_REPAIR_ON);
	take_option(fd, TCP_INFO, &c->info, sizeof(c->info));
	take_option(fd, TCP_MAXSEG, &c->mss, sizeof(c->mss));
	take_option(fd, TCP_TIMESTAMP, &c->timestamp, sizeof(c->timestamp));
	take_option(fd, TCP_REPAIR_WINDOW, &c->window, sizeof(c->window));
	take_queue(fd, TCP_SEND_QUEUE, &c->send_seq);
	take_queue(fd, TCP_RECV_QUEUE, &c->recv_seq);
	unread = recv(fd, block, sizeof(block), MSG_PEEK | MSG_DONTWAIT);
	if (unread < 0)
		die("unread bytes");
	c->unread = (size_t)unread;
	close(fd);
}

static int restore(const struct connection *c)
{
	struct tcp_repair_opt options[] = {
		{ TCPOPT_MAXSEG, (uint32_t)c->mss },
		{ TCPOPT_WINDOW, c->info.tcpi_snd_wscale | (uint32_t)c->info.tcpi_rcv_wscale << 16 },
		{ TCPOPT_SACK_PERMITTED, 0 },
		{ TCPOPT_TIMESTAMP, 0 },
	};
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	put_option(fd, IPPROTO_TCP, TCP_REPAIR, TCP_REPAIR_ON);
	put_option(fd, SOL_SOCKET, SO_REUSEADDR, 1);
	put_queue(fd, TCP_SEND_QUEUE, c->send_seq);
	put_queue(fd, TCP_RECV_QUEUE, c->recv_seq - (uint32_t)c->unread);
	if (bind(fd, (const struct sockaddr *)&c->here, sizeof(c->here)) ||
	    connect(fd, (const struct sockaddr *)&c->there, sizeof(c->there)))
		die("the same ends");
	if (setsockopt(fd, IPPROTO_TCP, TCP_REPAIR_OPTIONS, options, sizeof(options)))
		die("TCP_REPAIR_OPTIONS");
	put_option(fd, IPPROTO_TCP, TCP_TIMESTAMP, c->timestamp);
	put_option(fd, IPPROTO_TCP, TCP_REPAIR_QUEUE, TCP_RECV_QUEUE);
	if (send(fd, block, c->unread, 0) != (ssize_t)c->unread)
		die("unread bytes come back");
	put_option(fd, IPPROTO_TCP, TCP_REPAIR_QUEUE, TCP_NO_QUEUE);
	if (setsockopt(fd, IPPROTO_TCP, TCP_REPAIR_WINDOW, &c->window, sizeof(c->window)))
		die("TCP_REPAIR_WINDOW");
	put_option(fd, IPPROTO_TCP, TCP_REPAIR, TCP_REPAIR_OFF);
	return fd;
}

static int moved(int fd)
{
	struct connection c;

	dump(fd, &c);
	fd = restore(&c);
	say("moved");
	return fd;
}

static void wait_for(int fd, int bytes)
{
	int unread;

	while (!ioctl(fd, SIOCINQ, &unread) && unread < bytes)
		usleep(PAUSE_US);
	usleep(SETTLED_US);
}

/* Return: false at the end of the stream. */
static bool read_some(int fd, size_t most)
{
	ssize_t got = recv(fd, block, most < BLOCK ? most : BLOCK, 0);

	if (got < 0)
		die("recv");
	ok = ok && as_sent(received, block, (size_t)got);
	received += (uint64_t)got;
	return got > 0;
}

int main(int argc, char **argv)
{
	size_t burst;
	int fd;

	if (argc != 5 || (burst = strtoul(argv[3], NULL, 10)) > BLOCK)
		usage("repair ADDRESS PORT BURST TIMES, BURST at most 65536");
	make_pattern();
	fd = accepted(argv[1], argv[2]);
	for (int i = 1; i <= atoi(argv[4]); i++) {
		wait_for(fd, (int)burst);
		fd = moved(fd);
		while (received < i * burst)
			read_some(fd, i * burst - received);
	}
	while (read_some(fd, BLOCK))
		;
	printf("received %llu %s\n", (unsigned long long)received, ok ? "ok" : "corrupt");
	return 0;
}
