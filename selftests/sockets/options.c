// SPDX-License-Identifier: GPL-2.0
/*
 * options - what each socket option comes to, set at both ends of a connection
 *
 *	options CLIENT_NS SERVER_NS ADDRESS before|after|middle|across BYTES [OPTION]...
 *
 * For each option of the table a connection is opened; the option is set at both ends before it is
 * opened (at the listening socket), after, or in the middle of a transfer; BYTES go up and BYTES go
 * down. Then every option number of SOL_SOCKET and IPPROTO_TCP is read at both ends. A line each:
 *
 *	OPTION WHEN UP_US DOWN_US LOCK LOCK RESULTS...
 *
 * with what SO_BUF_LOCK reads at the client and at the server, for the script to judge. All of
 * RESULTS has to be the same wherever the same program runs. "across" opens all connections, moves
 * half, prints "ready", waits for a line on stdin, and moves the rest: the script removes the module
 * in between.
 */
#include "both_ends.h"

#include <net/if.h>
#include <sys/time.h>
#include <linux/net_tstamp.h>

/* Newer than some C libraries' headers. */
#define OPT_PREFER_BUSY_POLL	69
#define OPT_BUSY_POLL_BUDGET	70
#define OPT_RESERVE_MEM		73
#define OPT_TXREHASH		74
#define OPT_TCP_RTO_MAX_MS	44
#define OPT_TCP_RTO_MIN_US	45
#define OPT_TCP_DELACK_MAX_US	46

#define LAST_SOCKET_OPTION	90
#define LAST_TCP_OPTION		60

enum kind { NUMBER, TIME, LINGER, TEXT, NUMBER64, TXTIME, REPAIR, KEYS };

static const struct option {
	const char *name;
	int level, number;
	enum kind kind;
	long value;
	const char *text;
} table[] = {
	{ "nothing", -1, 0, NUMBER, 0, NULL },
#define S(name, value)	{ #name, SOL_SOCKET, name, NUMBER, value, NULL }
#define T(name, value)	{ #name, IPPROTO_TCP, name, NUMBER, value, NULL }
	S(SO_DEBUG, 1), S(SO_REUSEADDR, 1), S(SO_DONTROUTE, 1), S(SO_BROADCAST, 1),
	S(SO_KEEPALIVE, 1), S(SO_OOBINLINE, 1), S(SO_NO_CHECK, 1), S(SO_PRIORITY, 3),
	S(SO_REUSEPORT, 1), S(SO_PASSCRED, 1), S(SO_TIMESTAMP, 1), S(SO_MARK, 7),
	S(SO_RXQ_OVFL, 1), S(SO_PEEK_OFF, 0), S(SO_BUSY_POLL, 50), S(SO_INCOMING_CPU, 0),
	S(SO_ZEROCOPY, 1), S(SO_SNDLOWAT, 5000),
	S(SO_SNDBUF, 150000), S(SO_RCVBUF, 150000),
	{ "SO_SNDBUF-small", SOL_SOCKET, SO_SNDBUF, NUMBER, 20000, NULL },
	{ "SO_RCVBUF-small", SOL_SOCKET, SO_RCVBUF, NUMBER, 20000, NULL },
	{ "SO_SNDBUF-large", SOL_SOCKET, SO_SNDBUF, NUMBER, 8000000, NULL },
	{ "SO_RCVBUF-large", SOL_SOCKET, SO_RCVBUF, NUMBER, 8000000, NULL },
	S(SO_SNDBUFFORCE, 3000000), S(SO_RCVBUFFORCE, 3000000),
	S(SO_RCVLOWAT, 1000000),
	{ "SO_RCVLOWAT-small", SOL_SOCKET, SO_RCVLOWAT, NUMBER, 30000, NULL },
	{ "SO_BUF_LOCK-0", SOL_SOCKET, SO_BUF_LOCK, NUMBER, 0, NULL },
	{ "SO_BUF_LOCK-1", SOL_SOCKET, SO_BUF_LOCK, NUMBER, 1, NULL },
	{ "SO_BUF_LOCK-2", SOL_SOCKET, SO_BUF_LOCK, NUMBER, 2, NULL },
	{ "SO_BUF_LOCK-3", SOL_SOCKET, SO_BUF_LOCK, NUMBER, 3, NULL },
	{ "SO_RCVTIMEO", SOL_SOCKET, SO_RCVTIMEO, TIME, 5, NULL },
	{ "SO_SNDTIMEO", SOL_SOCKET, SO_SNDTIMEO, TIME, 5, NULL },
	{ "SO_LINGER", SOL_SOCKET, SO_LINGER, LINGER, 5, NULL },
	{ "SO_BINDTODEVICE", SOL_SOCKET, SO_BINDTODEVICE, TEXT, 0, "v1" },
	{ "SO_MAX_PACING_RATE", SOL_SOCKET, SO_MAX_PACING_RATE, NUMBER64, 6000000, NULL },
	{ "SO_TXTIME", SOL_SOCKET, SO_TXTIME, TXTIME, 0, NULL },
	{ "SO_PREFER_BUSY_POLL", SOL_SOCKET, OPT_PREFER_BUSY_POLL, NUMBER, 1, NULL },
	{ "SO_BUSY_POLL_BUDGET", SOL_SOCKET, OPT_BUSY_POLL_BUDGET, NUMBER, 16, NULL },
	{ "SO_RESERVE_MEM", SOL_SOCKET, OPT_RESERVE_MEM, NUMBER, 1 << 20, NULL },
	{ "SO_TXREHASH", SOL_SOCKET, OPT_TXREHASH, NUMBER, 0, NULL },
	T(TCP_NODELAY, 1), T(TCP_MAXSEG, 1000), T(TCP_CORK, 1), T(TCP_KEEPIDLE, 30),
	T(TCP_KEEPINTVL, 5), T(TCP_KEEPCNT, 3), T(TCP_SYNCNT, 4), T(TCP_LINGER2, 7),
	T(TCP_DEFER_ACCEPT, 3), T(TCP_WINDOW_CLAMP, 200000),
	{ "TCP_WINDOW_CLAMP-small", IPPROTO_TCP, TCP_WINDOW_CLAMP, NUMBER, 30000, NULL },
	{ "TCP_QUICKACK-0", IPPROTO_TCP, TCP_QUICKACK, NUMBER, 0, NULL },
	{ "TCP_QUICKACK-1", IPPROTO_TCP, TCP_QUICKACK, NUMBER, 1, NULL },
	{ "TCP_CONGESTION-reno", IPPROTO_TCP, TCP_CONGESTION, TEXT, 0, "reno" },
	{ "TCP_CONGESTION-bbr", IPPROTO_TCP, TCP_CONGESTION, TEXT, 0, "bbr" },
	{ "TCP_CONGESTION-none", IPPROTO_TCP, TCP_CONGESTION, TEXT, 0, "no-such" },
	T(TCP_THIN_LINEAR_TIMEOUTS, 1), T(TCP_THIN_DUPACK, 1), T(TCP_USER_TIMEOUT, 20000),
	T(TCP_FASTOPEN, 5), T(TCP_FASTOPEN_CONNECT, 1), T(TCP_FASTOPEN_NO_COOKIE, 1),
	{ "TCP_FASTOPEN_KEY", IPPROTO_TCP, TCP_FASTOPEN_KEY, KEYS, 0, "0123456789abcdef" },
	T(TCP_TIMESTAMP, 1), T(TCP_SAVE_SYN, 1), T(TCP_INQ, 1), T(TCP_TX_DELAY, 1000),
	{ "TCP_NOTSENT_LOWAT", IPPROTO_TCP, TCP_NOTSENT_LOWAT, NUMBER, 16384, NULL },
	{ "TCP_NOTSENT_LOWAT-large", IPPROTO_TCP, TCP_NOTSENT_LOWAT, NUMBER, 131072, NULL },
	{ "TCP_ULP", IPPROTO_TCP, TCP_ULP, TEXT, 0, "tls" },
	{ "TCP_REPAIR", IPPROTO_TCP, TCP_REPAIR, REPAIR, 0, NULL },
	T(TCP_REPAIR_QUEUE, 1), T(TCP_QUEUE_SEQ, 1000),
	{ "TCP_RTO_MAX_MS", IPPROTO_TCP, OPT_TCP_RTO_MAX_MS, NUMBER, 2000, NULL },
	{ "TCP_RTO_MIN_US", IPPROTO_TCP, OPT_TCP_RTO_MIN_US, NUMBER, 50000, NULL },
	{ "TCP_DELACK_MAX_US", IPPROTO_TCP, OPT_TCP_DELACK_MAX_US, NUMBER, 30000, NULL },
};

#define OPTIONS		(sizeof(table) / sizeof(table[0]))

enum when { BEFORE, AFTER, MIDDLE, ACROSS };

static const char *const when_name[] = { "before", "after", "middle", "across" };

static struct run {
	const struct option *o;
	int listener, client, server;
	int set_client, set_server;	/* 0, or errno */
	int joined;
	struct stream up, down;
	long up_us, down_us;
} runs[OPTIONS];

static uint64_t bytes;

/* Leaves repair mode with the window that it found. */
static int set_repair(int fd)
{
	struct tcp_repair_window window;
	socklen_t size = sizeof(window);
	int on = 1, off = 0;

	if (setsockopt(fd, IPPROTO_TCP, TCP_REPAIR, &on, sizeof(on)))
		return errno;
	if (!getsockopt(fd, IPPROTO_TCP, TCP_REPAIR_WINDOW, &window, &size) &&
	    setsockopt(fd, IPPROTO_TCP, TCP_REPAIR_WINDOW, &window, sizeof(window)))
		return errno;
	return setsockopt(fd, IPPROTO_TCP, TCP_REPAIR, &off, sizeof(off)) ? errno : 0;
}

static int set(int fd, const struct option *o)
{
	struct timeval time = { .tv_sec = o->value };
	struct linger linger = { .l_onoff = 1, .l_linger = (int)o->value };
	struct sock_txtime txtime = { .clockid = CLOCK_MONOTONIC };
	int number = (int)o->value;
	uint64_t number64 = (uint64_t)o->value;
	const void *value = &number;
	socklen_t size = sizeof(number);

	switch (o->kind) {
	case NUMBER:
		break;
	case TIME:
		value = &time;
		size = sizeof(time);
		break;
	case LINGER:
		value = &linger;
		size = sizeof(linger);
		break;
	case TEXT:
	case KEYS:
		value = o->text;
		size = (socklen_t)strlen(o->text);
		break;
	case NUMBER64:
		value = &number64;
		size = sizeof(number64);
		break;
	case TXTIME:
		value = &txtime;
		size = sizeof(txtime);
		break;
	case REPAIR:
		return set_repair(fd);
	}
	if (o->level < 0)
		return 0;
	return setsockopt(fd, o->level, o->number, value, size) ? errno : 0;
}

/*
 * Not compared, because the kernel itself changes the value in the course of a connection, or gives
 * each connection another one, or takes something away on reading: cookies, counters, queued
 * sequence numbers, and
 *	SO_SNDBUF, SO_RCVBUF	where the application did not set them: this is what is tuned
 *	TCP_WINDOW_CLAMP	the kernel's own tuning of the receive buffer raises it, set or not
 *	TCP_QUICKACK		the kernel's guess of the moment, set or not
 *	SO_BUF_LOCK		printed apart
 *	TCP_NOTSENT_LOWAT	where the application did not set it: the module's bound shows (kselftest unsent)
 */
static bool is_dynamic(const struct option *o, int level, int number)
{
	static const int socket_level[] = { SO_COOKIE, SO_MEMINFO, SO_INCOMING_NAPI_ID,
		SO_NETNS_COOKIE, SO_BUF_LOCK };
	static const int tcp_level[] = { TCP_INFO, TCP_CC_INFO, TCP_TIMESTAMP, TCP_SAVED_SYN,
		TCP_ZEROCOPY_RECEIVE, TCP_REPAIR_WINDOW, TCP_QUEUE_SEQ, TCP_WINDOW_CLAMP,
		TCP_QUICKACK };
	bool buffer = level == SOL_SOCKET && (number == SO_SNDBUF || number == SO_RCVBUF);
	bool force = o->number == (number == SO_SNDBUF ? SO_SNDBUFFORCE : SO_RCVBUFFORCE);

	if (level == SOL_SOCKET) {
		for (size_t i = 0; i < sizeof(socket_level) / sizeof(int); i++)
			if (number == socket_level[i])
				return true;
	} else {
		for (size_t i = 0; i < sizeof(tcp_level) / sizeof(int); i++)
			if (number == tcp_level[i])
				return true;
	}
	if (level == IPPROTO_TCP && number == TCP_NOTSENT_LOWAT)
		return o->level != IPPROTO_TCP || o->number != number;
	/* SO_RCVLOWAT raises the buffer as well, to where the kernel's tuning may be already */
	if (buffer)
		return o->level != SOL_SOCKET || (o->number != number && !force);
	return false;
}

static void print_all(const char *end, int fd, const struct option *o)
{
	static const struct {
		int level, last;
	} levels[] = { { SOL_SOCKET, LAST_SOCKET_OPTION }, { IPPROTO_TCP, LAST_TCP_OPTION } };

	for (int l = 0; l < 2; l++) {
		for (int number = 1; number <= levels[l].last; number++) {
			unsigned char value[64] = { 0 };
			socklen_t size = sizeof(value);

			if (is_dynamic(o, levels[l].level, number) ||
			    getsockopt(fd, levels[l].level, number, value, &size))
				continue;
			printf(" %s/%d/%d=", end, levels[l].level, number);
			for (socklen_t i = 0; i < size && i < sizeof(value); i++)
				printf("%02x", value[i]);
		}
	}
}

static const char *verdict(const struct stream *s, uint64_t until)
{
	if (s->corrupt)
		return "corrupt";
	if (s->got == until)
		return "whole";
	return s->send_errno || s->recv_errno ? "broken" : "short";
}

static void begin(struct run *r, enum when when)
{
	in_port_t port;

	r->listener = new_socket(ns_server);
	r->client = new_socket(ns_client);
	if (when == BEFORE || when == ACROSS) {
		r->set_server = set(r->listener, r->o);
		r->set_client = set(r->client, r->o);
	}
	port = listen_at(r->listener, &there);
	r->server = join(r->client, r->listener, port, &r->joined);
	r->up = (struct stream) { .from = r->client, .to = r->server };
	r->down = (struct stream) { .from = r->server, .to = r->client };
	if (when == AFTER) {
		r->set_server = set(r->server, r->o);
		r->set_client = set(r->client, r->o);
	}
	if (!r->joined)
		r->up_us = pump_one(&r->up, bytes / 2);
}

static void end(struct run *r, enum when when)
{
	if (when == MIDDLE) {
		r->set_server = set(r->server, r->o);
		r->set_client = set(r->client, r->o);
	}
	if (!r->joined && r->up_us >= 0) {
		r->up_us += pump_one(&r->up, bytes);
		r->down_us = pump_one(&r->down, bytes);
	}
	printf("%s %s %ld %ld %d %d set %d %d joined %d up %s down %s:", r->o->name,
	       when_name[when], r->up_us, r->down_us,
	       int_option(r->client, SOL_SOCKET, SO_BUF_LOCK),
	       int_option(r->server, SOL_SOCKET, SO_BUF_LOCK),
	       r->set_client, r->set_server, r->joined,
	       verdict(&r->up, bytes), verdict(&r->down, bytes));
	print_all("client", r->client, r->o);
	print_all("server", r->server, r->o);
	putchar('\n');
	close(r->client);
	close(r->server);
	close(r->listener);
}

static bool is_wanted(const struct option *o, int n, char **names)
{
	for (int i = 0; i < n; i++)
		if (!strcmp(o->name, names[i]))
			return true;
	return !n;
}

int main(int argc, char **argv)
{
	enum when when = BEFORE;

	if (argc < 6) {
		fputs("usage: options CLIENT_NS SERVER_NS ADDRESS WHEN BYTES [OPTION]...\n", stderr);
		return 2;
	}
	set_there(argv[1], argv[2], argv[3]);
	while (strcmp(when_name[when], argv[4]))
		if (++when > ACROSS)
			return 2;
	bytes = strtoull(argv[5], NULL, 10);
	for (size_t i = 0; i < OPTIONS; i++) {
		runs[i].o = &table[i];
		if (!is_wanted(&table[i], argc - 6, argv + 6))
			continue;
		begin(&runs[i], when);
		if (when != ACROSS)
			end(&runs[i], when);
	}
	if (when != ACROSS)
		return 0;
	hold("ready");
	for (size_t i = 0; i < OPTIONS; i++)
		if (runs[i].listener)
			end(&runs[i], when);
	return 0;
}
