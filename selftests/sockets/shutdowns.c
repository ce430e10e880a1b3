// SPDX-License-Identifier: GPL-2.0
/*
 * shutdowns - the orders in which a connection can be ended, and what it does meanwhile
 *
 *	shutdowns CLIENT_NS SERVER_NS ADDRESS [ORDER]...
 *
 * A line for each order that is named, or for all:
 *
 *	ORDER US WORDS...	microseconds, and what has to be the same wherever this program runs
 *
 * "children" prints "ready" and waits for a line on stdin while its connections are open.
 */
#include "both_ends.h"

#define MEGABYTE	1000000UL
#define HEAD		100000UL	/* bytes of the request in "half-close" */
#define BULK		(50 * MEGABYTE)
#define LESS		(20 * MEGABYTE)	/* ten BDP */
#define IDLE_MS		70000		/* longer than what an orphan in FIN_WAIT2 has */
#define MESSAGE		(2 * MEGABYTE)
#define CHILDREN	4

/*
 * Without Nagle's wait: the last bytes are less than a segment, and would leave a round trip later if
 * another such segment is on its way just then.
 */
static void send_at_once(int fd)
{
	int on = 1;

	if (setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)))
		die("TCP_NODELAY");
}

static void open_pair(struct pair *p)
{
	set_up(p, &there);
	join_pair(p);
	send_at_once(p->client);
	send_at_once(p->server);
}

static void close_pair(struct pair *p)
{
	close(p->client);
	close(p->server);
	close(p->listener);
}

/* Reads on to the end of the stream. Return: what it came to. */
static const char *rest(struct stream *s)
{
	drain(s, STALLED_MS);
	if (s->corrupt)
		return "corrupt";
	return s->ended ? "end" : s->recv_errno ? strerrorname_np(s->recv_errno) : "stalled";
}

/* A sender that goes on until the kernel tells it not to. */
static const char *refusal(struct stream *s)
{
	uint64_t last = now_us();

	while (!s->send_errno && now_us() - last < STALLED_MS * 1000UL) {
		send_some(s, s->sent + BLOCK);
		wait_events(s->from, POLLOUT, TAIL_MS);
	}
	return s->send_errno ? strerrorname_np(s->send_errno) : "none";
}

static void said(const char *order, long us, const struct stream *s, const char *word)
{
	printf("%s %ld %s %llu bytes, %s\n", order, us, s->corrupt ? "corrupt" : "intact",
	       (unsigned long long)s->got, word);
}

/* Until so many bytes are in the socket's hands: its end may be told with the last of them. */
static void push(struct stream *s, uint64_t until)
{
	while (s->sent < until && !s->send_errno) {
		send_some(s, until);
		receive_some(s, until);
		wait_events(s->from, POLLOUT, TAIL_MS);
	}
}

/* A request, the end of it, @bulk bytes of answer after the first @before. */
static void download(const char *order, uint64_t before, uint64_t bulk, long idle_ms)
{
	struct pair p;
	long us = 0;

	open_pair(&p);
	if (before && !idle_ms)
		pump_one(&p.down, before);
	push(&p.up, HEAD);
	shutdown(p.client, SHUT_WR);
	pump_one(&p.up, HEAD);
	if (idle_ms) {
		us = pump_one(&p.down, before);
		sleep_ms(idle_ms);
	}
	us += pump_one(&p.down, before + bulk);
	shutdown(p.server, SHUT_WR);
	said(order, us, &p.down, rest(&p.down));
	close_pair(&p);
}

static void half_close(const char *order) { download(order, 0, BULK, 0); }

static void half_close_in_mid_download(const char *order) { download(order, LESS, LESS, 0); }

static void half_close_and_long_idle(const char *order) { download(order, LESS, LESS, IDLE_MS); }

/* The reader waits until all of a message is there, as one does that asks for FIONREAD. */
static void half_close_and_wait_for_a_message(const char *order)
{
	uint64_t began, until = LESS + MESSAGE;
	struct pair p;
	bool whole;
	long us;

	open_pair(&p);
	pump_one(&p.down, LESS);
	shutdown(p.client, SHUT_WR);
	began = now_us();
	do {
		send_some(&p.down, until);
		sleep_ms(1);
		whole = rest_is_there(&p.down, until);
		us = (long)(now_us() - began);
	} while (!whole && us < STALLED_MS * 1000L);
	pump_one(&p.down, until);
	shutdown(p.server, SHUT_WR);
	said(order, us, &p.down, whole ? rest(&p.down) : "not whole");
	close_pair(&p);
}

/*
 * @before bytes of each of the first @streams; then @how of one end is shut down, and @bulk bytes
 * more go up.
 */
static void upload(const char *order, int streams, uint64_t before, uint64_t bulk,
		   bool at_server, int how)
{
	uint64_t until[2] = { before, before };
	struct stream s[2];
	struct pair p;
	long us;

	open_pair(&p);
	s[0] = p.up;
	s[1] = p.down;
	pump(s, streams, until);
	shutdown(at_server ? p.server : p.client, how);
	us = pump_one(&s[0], before + bulk);
	shutdown(p.client, SHUT_WR);
	said(order, us, &s[0], rest(&s[0]));
	close_pair(&p);
}

/* The client goes on in CLOSE_WAIT. */
static void half_close_of_the_reader(const char *order)
{
	upload(order, 1, 0, BULK, true, SHUT_WR);
}

static void half_close_of_the_reader_in_mid_upload(const char *order)
{
	upload(order, 1, LESS, LESS, true, SHUT_WR);
}

/* Both send; the server is done long before. */
static void half_close_in_both_directions(const char *order)
{
	upload(order, 2, 10 * MEGABYTE, LESS, true, SHUT_WR);
}

/* An end that does not read sends on. */
static void shut_rd_of_the_uploader(const char *order)
{
	upload(order, 1, LESS, LESS, false, SHUT_RD);
}

/* SHUT_RD tells the peer nothing: what comes can still be read. */
static void shut_rd_of_the_reader(const char *order)
{
	struct pair p;
	uint64_t began;

	open_pair(&p);
	pump_one(&p.up, LESS);
	shutdown(p.server, SHUT_RD);
	began = now_us();
	while (p.up.got < LESS + LESS && now_us() - began < 60 * STALLED_MS * 1000UL) {
		send_some(&p.up, LESS + LESS);
		receive_some(&p.up, LESS + LESS);
		p.up.ended = false;	/* no more for now */
		sleep_ms(1);
	}
	said(order, (long)(now_us() - began), &p.up, "read on");
	close_pair(&p);
}

static void shut_rdwr_of_the_sender(const char *order)
{
	struct pair p;
	uint64_t began;
	const char *word;

	open_pair(&p);
	pump_one(&p.up, LESS);
	began = now_us();
	while (p.up.sent < LESS + MEGABYTE) {
		send_some(&p.up, LESS + MEGABYTE);
		receive_some(&p.up, LESS + MEGABYTE);
		wait_events(p.client, POLLOUT, TAIL_MS);
	}
	shutdown(p.client, SHUT_RDWR);
	word = rest(&p.up);
	said(order, (long)(now_us() - began), &p.up, word);
	close_pair(&p);
}

static void shut_rdwr_of_the_reader(const char *order)
{
	struct pair p;

	open_pair(&p);
	pump_one(&p.up, LESS);
	shutdown(p.server, SHUT_RDWR);
	said(order, 0, &p.up, refusal(&p.up));
	close_pair(&p);
}

static void close_with_unread_data(const char *order)
{
	struct pair p;

	open_pair(&p);
	pump_one(&p.up, LESS);
	send_some(&p.up, LESS + LESS);
	sleep_ms(1000);
	close(p.server);
	p.server = -1;
	said(order, 0, &p.up, refusal(&p.up));
	close_pair(&p);
}

static void linger(int fd, int seconds)
{
	struct linger value = { .l_onoff = 1, .l_linger = seconds };

	if (setsockopt(fd, SOL_SOCKET, SO_LINGER, &value, sizeof(value)))
		die("SO_LINGER");
}

static void close_with_linger_of_0(const char *order)
{
	struct pair p;
	const char *word;

	open_pair(&p);
	pump_one(&p.up, LESS);
	linger(p.client, 0);
	close(p.client);
	p.client = -1;
	word = rest(&p.up);
	said(order, 0, &p.up, word);
	close_pair(&p);
}

/* close() waits for what is queued to be acknowledged. */
static void close_with_linger_of_10(const char *order)
{
	struct pair p;
	uint64_t began;

	open_pair(&p);
	pump_one(&p.up, LESS);
	linger(p.client, 10);
	send_some(&p.up, LESS + HEAD);
	fcntl(p.client, F_SETFL, 0);
	began = now_us();
	close(p.client);
	p.client = -1;
	began = now_us() - began;
	said(order, (long)began, &p.up, rest(&p.up));
	close_pair(&p);
}

static void disconnect(int fd)
{
	const struct sockaddr none = { .sa_family = AF_UNSPEC };

	if (connect(fd, &none, sizeof(none)))
		die("disconnect");
}

/* One socket, three connections. */
static void reconnect(const char *order)
{
	struct pair p;
	long us = 0;

	set_up(&p, &there);
	for (int i = 0; i < 3; i++) {
		join_pair(&p);
		us += pump_one(&p.up, LESS);
		us += pump_one(&p.down, LESS);
		disconnect(p.client);
		close(p.server);
	}
	p.server = -1;
	printf("%s %ld locks %d, %s\n", order, us, int_option(p.client, SOL_SOCKET, SO_BUF_LOCK),
	       p.up.corrupt || p.down.corrupt ? "corrupt" : "intact");
	close_pair(&p);
}

/* A socket that was connected listens; what it hands down its children have. */
static void children(const char *order)
{
	struct sockaddr_in here = { .sin_family = AF_INET };
	struct pair p, child[CHILDREN];
	struct stream s[CHILDREN];
	uint64_t until[CHILDREN];
	in_port_t port;
	int error, locks = 0;
	long us;

	open_pair(&p);
	pump_one(&p.up, LESS);
	pump_one(&p.down, LESS);
	disconnect(p.server);
	close(p.client);
	here.sin_addr = there.sin_addr;
	port = listen_at(p.server, &here);
	for (int i = 0; i < CHILDREN; i++) {
		child[i].client = new_socket(ns_client);
		child[i].server = join(child[i].client, p.server, port, &error);
		if (child[i].server < 0)
			die("accept of a child");
		locks |= int_option(child[i].server, SOL_SOCKET, SO_BUF_LOCK);
		s[i] = (struct stream) { .from = child[i].server, .to = child[i].client };
		until[i] = LESS / CHILDREN;
	}
	us = pump(s, CHILDREN, until);
	printf("%s %ld locks of the one that listens %d, of its children %d, %s\n", order, us,
	       int_option(p.server, SOL_SOCKET, SO_BUF_LOCK), locks,
	       s[0].corrupt ? "corrupt" : "intact");
	hold("ready");
	for (int i = 0; i < CHILDREN; i++) {
		close(child[i].client);
		close(child[i].server);
	}
	close(p.server);
	close(p.listener);
}

static const struct {
	const char *name;
	void (*run)(const char *order);
} orders[] = {
	{ "half-close", half_close },
	{ "half-close-in-mid-download", half_close_in_mid_download },
	{ "half-close-and-wait-for-a-message", half_close_and_wait_for_a_message },
	{ "half-close-of-the-reader", half_close_of_the_reader },
	{ "half-close-of-the-reader-in-mid-upload", half_close_of_the_reader_in_mid_upload },
	{ "half-close-in-both-directions", half_close_in_both_directions },
	{ "half-close-and-long-idle", half_close_and_long_idle },
	{ "shut-rd-of-the-uploader", shut_rd_of_the_uploader },
	{ "shut-rd-of-the-reader", shut_rd_of_the_reader },
	{ "shut-rdwr-of-the-sender", shut_rdwr_of_the_sender },
	{ "shut-rdwr-of-the-reader", shut_rdwr_of_the_reader },
	{ "close-with-unread-data", close_with_unread_data },
	{ "close-with-linger-of-0", close_with_linger_of_0 },
	{ "close-with-linger-of-10", close_with_linger_of_10 },
	{ "reconnect", reconnect },
	{ "children", children },
};

int main(int argc, char **argv)
{
	if (argc < 4) {
		fputs("usage: shutdowns CLIENT_NS SERVER_NS ADDRESS [ORDER]...\n", stderr);
		return 2;
	}
	set_there(argv[1], argv[2], argv[3]);
	for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
		bool wanted = argc == 4;

		for (int j = 4; j < argc; j++)
			wanted |= !strcmp(argv[j], orders[i].name);
		if (wanted)
			orders[i].run(orders[i].name);
	}
	return 0;
}
