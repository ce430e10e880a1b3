// SPDX-License-Identifier: GPL-2.0
/*
 * states - a connection in each state of TCP, held there, and then to its end
 *
 *	states CLIENT_NS SERVER_NS ADDRESS DEAF_ADDRESS
 *
 * Prints "ready" three times, and waits for a line on stdin each time:
 *	1. connections are open: nothing that the client sends may arrive from now on at ADDRESS
 *	2. each is in its state ("held NAME STATE STATE"): the script does what it will
 *	3. the script lets everything through again, also at DEAF_ADDRESS, where nothing of the server's
 *	   arrived so far
 * Then each goes on to its end. Prints "locks NAME LOCKS LOCKS", what SO_BUF_LOCK reads, and "ended
 * NAME WORDS...".
 */
#include "both_ends.h"

#define WARM	300000UL	/* bytes each way before: more than what the module looks at */
#define MORE	1000000UL	/* bytes that follow */
#define QUEUED	50000UL		/* bytes that wait for a reader, or for the network */
#define HELD_MS	500		/* by then each is in its state: some round trips */
#define LOST_MS	(6 * STALLED_MS)	/* several retransmissions */

enum {
	ESTABLISHED, FIN_WAIT1, HALF_CLOSED, LAST_ACK, CLOSING, TIME_WAIT, UNACCEPTED, SYN_SENT,
	SYN_RECV, PAIRS
};

static const char *const name[] = {
	"established", "fin-wait-1", "half-closed", "last-ack", "closing", "time-wait", "unaccepted",
	"syn-sent", "syn-recv",
};

static struct pair pairs[PAIRS];

static const char *state_of(int fd)
{
	static const char *const states[] = {
		"?", "ESTABLISHED", "SYN_SENT", "SYN_RECV", "FIN_WAIT1", "FIN_WAIT2", "TIME_WAIT",
		"CLOSE", "CLOSE_WAIT", "LAST_ACK", "LISTEN", "CLOSING",
	};
	unsigned char info[256];
	socklen_t size = sizeof(info);

	if (fd < 0 || getsockopt(fd, IPPROTO_TCP, TCP_INFO, info, &size))
		return "none";
	return info[0] < sizeof(states) / sizeof(states[0]) ? states[info[0]] : "?";
}

static void start(struct pair *p, const struct sockaddr_in *address)
{
	struct sockaddr_in to = *address;

	to.sin_port = p->port;
	if (connect(p->client, (struct sockaddr *)&to, sizeof(to)) && errno != EINPROGRESS)
		die("connect");
}

static void warm(struct pair *p)
{
	join_pair(p);
	pump_one(&p->up, WARM);
	pump_one(&p->down, WARM);
}

static void said(const char *who, const char *way, const struct stream *s)
{
	printf("ended %s %s %llu %s %s\n", who, way, (unsigned long long)s->got,
	       s->corrupt ? "corrupt" : "intact",
	       s->recv_errno ? strerrorname_np(s->recv_errno) : s->ended ? "end" : "open");
}

static void locks(const struct pair *p, const char *who)
{
	printf("locks %s %d %d\n", who, int_option(p->client, SOL_SOCKET, SO_BUF_LOCK),
	       int_option(p->server, SOL_SOCKET, SO_BUF_LOCK));
}

/* More both ways, then the end both ways. */
static void finish(struct pair *p, const char *who)
{
	pump_one(&p->up, p->up.sent + MORE);
	pump_one(&p->down, p->down.sent + MORE);
	locks(p, who);
	shutdown(p->client, SHUT_WR);
	drain(&p->up, LOST_MS);
	shutdown(p->server, SHUT_WR);
	drain(&p->down, LOST_MS);
	said(who, "up", &p->up);
	said(who, "down", &p->down);
}

/* What was not accepted, or not connected, until now. */
static void finish_new(struct pair *p, const char *who)
{
	wait_events(p->client, POLLOUT, STALLED_MS);
	wait_events(p->listener, POLLIN, STALLED_MS);
	p->server = accept4(p->listener, NULL, NULL, SOCK_NONBLOCK);
	if (p->server < 0) {
		printf("ended %s never\n", who);
		return;
	}
	p->up.from = p->client;
	p->up.to = p->server;
	p->down.from = p->server;
	p->down.to = p->client;
	finish(p, who);
}

/* The end was said; it has to get through, and the socket to be over. */
static void finish_closed(int fd, const char *who)
{
	for (int i = 0; i < 100 && strcmp(state_of(fd), "CLOSE"); i++)
		sleep_ms(100);
	printf("ended %s %s\n", who, state_of(fd));
}

int main(int argc, char **argv)
{
	struct sockaddr_in deaf;

	if (argc != 5) {
		fputs("usage: states CLIENT_NS SERVER_NS ADDRESS DEAF_ADDRESS\n", stderr);
		return 2;
	}
	set_there(argv[1], argv[2], argv[3]);
	deaf = there;
	inet_pton(AF_INET, argv[4], &deaf.sin_addr);

	for (int i = 0; i < PAIRS; i++) {
		set_up(&pairs[i], i == SYN_RECV ? &deaf : &there);
		if (i < UNACCEPTED)
			warm(&pairs[i]);
	}
	shutdown(pairs[HALF_CLOSED].client, SHUT_WR);
	shutdown(pairs[LAST_ACK].client, SHUT_WR);
	shutdown(pairs[TIME_WAIT].client, SHUT_WR);
	drain(&pairs[TIME_WAIT].up, LOST_MS);
	close(pairs[TIME_WAIT].server);
	drain(&pairs[TIME_WAIT].down, LOST_MS);
	close(pairs[TIME_WAIT].client);
	pairs[TIME_WAIT].client = -1;
	pairs[TIME_WAIT].server = -1;
	start(&pairs[UNACCEPTED], &there);
	wait_events(pairs[UNACCEPTED].client, POLLOUT, STALLED_MS);
	begin_streams(&pairs[UNACCEPTED]);
	send_some(&pairs[UNACCEPTED].up, QUEUED);
	sleep_ms(HELD_MS);
	hold("ready");

	send_some(&pairs[FIN_WAIT1].up, WARM + QUEUED);
	shutdown(pairs[FIN_WAIT1].client, SHUT_WR);
	shutdown(pairs[LAST_ACK].server, SHUT_WR);
	shutdown(pairs[CLOSING].client, SHUT_WR);
	shutdown(pairs[CLOSING].server, SHUT_WR);
	start(&pairs[SYN_SENT], &there);
	start(&pairs[SYN_RECV], &deaf);
	sleep_ms(HELD_MS);
	for (int i = 0; i < PAIRS; i++)
		printf("held %s %s %s\n", name[i], state_of(pairs[i].client),
		       state_of(pairs[i].server));
	hold("ready");

	/* the script let everything through */
	hold("ready");
	for (int i = FIN_WAIT1; i < UNACCEPTED; i++)
		if (i != TIME_WAIT)
			locks(&pairs[i], name[i]);
	finish(&pairs[ESTABLISHED], name[ESTABLISHED]);
	drain(&pairs[FIN_WAIT1].up, LOST_MS);
	pump_one(&pairs[FIN_WAIT1].down, WARM + MORE);
	shutdown(pairs[FIN_WAIT1].server, SHUT_WR);
	drain(&pairs[FIN_WAIT1].down, LOST_MS);
	said(name[FIN_WAIT1], "up", &pairs[FIN_WAIT1].up);
	said(name[FIN_WAIT1], "down", &pairs[FIN_WAIT1].down);
	drain(&pairs[HALF_CLOSED].up, LOST_MS);
	pump_one(&pairs[HALF_CLOSED].down, WARM + MORE);
	shutdown(pairs[HALF_CLOSED].server, SHUT_WR);
	drain(&pairs[HALF_CLOSED].down, LOST_MS);
	said(name[HALF_CLOSED], "down", &pairs[HALF_CLOSED].down);
	finish_closed(pairs[LAST_ACK].server, name[LAST_ACK]);
	drain(&pairs[CLOSING].up, LOST_MS);
	drain(&pairs[CLOSING].down, LOST_MS);
	said(name[CLOSING], "up", &pairs[CLOSING].up);
	finish_closed(pairs[CLOSING].client, name[CLOSING]);
	finish_new(&pairs[UNACCEPTED], name[UNACCEPTED]);
	finish_new(&pairs[SYN_SENT], name[SYN_SENT]);
	finish_new(&pairs[SYN_RECV], name[SYN_RECV]);
	return 0;
}
