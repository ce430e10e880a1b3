// SPDX-License-Identifier: GPL-2.0
/*
 * bad_peer - the other end of TCP connections, as bad as the protocol lets it be
 *
 *	bad_peer KIND INTERFACE CONNS MILLISECONDS
 *
 * Opens CONNS connections from HERE to THERE, port 5001, by packets of its own making
 * on INTERFACE, which has no address, so that no kernel answers in its place; goes on
 * for the time, and resets them. The link's other end has to know the hardware address
 * of HERE (ip neigh), and have the one that it is sent to: see LINK_THERE.
 *
 * To an end that sends:
 *	window	tells of a window of 1 GiB, and acknowledges
 *	shrink	takes back the window that it has just told of, again and again
 *	sack	acknowledges nothing, but random pieces of what came, selectively
 *	divide	acknowledges each segment in pieces of a few bytes
 *	early	acknowledges what was not sent yet, as well
 *	zero	acknowledges, and closes its window for good
 * To an end that receives:
 *	tiny	sends the smallest segments that still count as full ones
 *	bytes	sends single bytes, pushed, as far apart as the window allows
 *	reverse	sends what fits into the window, last segment first
 *	hole	sends what fits into the window, but for its first byte
 *	beyond	sends what is ahead of the window, behind it, and across its edges
 *	stall	sends nothing at all
 */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <netinet/ip.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../clock.h"

#define HERE		"10.0.1.66"
#define THERE		"10.0.1.1"
#define PORT_THERE	5001
#define PORT_HERE	20000	/* of the first connection */
#define MAX_CONNS	20000
#define SCALE		14	/* RFC 7323's largest */
#define TICK_MS		1
#define RESETS		5
#define RESET_MS	50	/* a delayed ACK has come by then */
#define BURST		8	/* segments a connection sends in a tick, at most */
#define FULL		1400	/* bytes of a segment, where size does not matter */
#define TINY		89	/* one more than TCP_MIN_MSS: measured as a full segment */
#define WINDOW_MAX	65535U

static const uint8_t LINK_THERE[ETH_ALEN] = { 2, 0, 0, 0, 0, 1 };

struct conn {
	uint32_t snd;		/* next sequence number of ours */
	uint32_t una;		/* first that is not acknowledged */
	uint32_t rcv;		/* next one of theirs */
	uint32_t window;	/* that they told of [bytes] */
	uint8_t scale;
	bool open;
	uint16_t port;
};

struct kind {
	const char *name;
	uint16_t mss;		/* that we tell of */
	void (*came)(struct conn *c, uint32_t seq, uint32_t len);
	void (*tick)(struct conn *c);
};

struct segment {
	struct iphdr ip;
	struct tcphdr tcp;
	uint8_t options[40];
	uint8_t data[FULL];
} __attribute__((packed));

static struct conn conns[MAX_CONNS];
static const struct kind *kind;
static unsigned long opened, resets, segments;
static struct sockaddr_ll there;
static int fd;
static bool ended;

static void die(const char *what)
{
	fprintf(stderr, "bad_peer: %s: %s\n", what, strerror(errno));
	exit(1);
}

static uint32_t sum(uint32_t so_far, const void *data, size_t len)
{
	const uint8_t *byte = data;

	for (size_t i = 0; i < len; i++)
		so_far += i % 2 ? byte[i] : byte[i] << 8;
	return so_far;
}

static uint16_t checksum(uint32_t total)
{
	while (total >> 16)
		total = (total & 0xffff) + (total >> 16);
	return htons((uint16_t)~total);
}

/* What a segment says, beside its data. */
struct what {
	uint32_t seq, ack;
	uint16_t window;	/* as it stands in the header */
	bool syn, rst, push;
	const uint8_t *options;
	uint32_t n_options;	/* bytes, a multiple of 4 */
	uint32_t len;		/* of data */
};

static void transmit(const struct conn *c, const struct what *w)
{
	struct segment s = {
		.ip = { .version = 4, .ihl = 5, .ttl = 64, .protocol = IPPROTO_TCP,
			.saddr = inet_addr(HERE), .daddr = inet_addr(THERE) },
		.tcp = { .source = htons(c->port), .dest = htons(PORT_THERE),
			 .seq = htonl(w->seq), .ack_seq = htonl(w->ack),
			 .doff = (uint16_t)((sizeof(s.tcp) + w->n_options) / 4) & 15,
			 .syn = w->syn, .rst = w->rst, .psh = w->push, .ack = !w->syn,
			 .window = htons(w->window) },
	};
	size_t tcp_len = sizeof(s.tcp) + w->n_options + w->len;
	size_t size = sizeof(s.ip) + tcp_len;

	if (w->n_options)
		memcpy(s.options, w->options, w->n_options);
	s.ip.tot_len = htons((uint16_t)size);
	s.ip.check = checksum(sum(0, &s.ip, sizeof(s.ip)));
	s.tcp.check = checksum(sum(IPPROTO_TCP + (uint32_t)tcp_len +
				   sum(0, &s.ip.saddr, 8), &s.tcp, tcp_len));
	if (sendto(fd, &s, size, 0, (struct sockaddr *)&there, sizeof(there)) < 0 &&
	    errno != ENOBUFS)
		die("sendto");
	segments++;
}

static void open_conn(struct conn *c)
{
	const uint8_t options[] = { TCPOPT_MAXSEG, TCPOLEN_MAXSEG,
				    (uint8_t)(kind->mss >> 8), (uint8_t)kind->mss,
				    TCPOPT_NOP, TCPOPT_WINDOW, TCPOLEN_WINDOW, SCALE,
				    TCPOPT_NOP, TCPOPT_NOP,
				    TCPOPT_SACK_PERMITTED, TCPOLEN_SACK_PERMITTED };

	c->port = (uint16_t)(PORT_HERE + (c - conns));
	c->snd = (uint32_t)random();
	transmit(c, &(struct what) { .seq = c->snd, .syn = true, .window = WINDOW_MAX,
				     .options = options, .n_options = sizeof(options) });
	c->una = ++c->snd;
}

static void acknowledge(const struct conn *c, uint32_t ack, uint32_t window)
{
	transmit(c, &(struct what) { .seq = c->snd, .ack = ack,
				     .window = (uint16_t)(window >> SCALE) });
}

static void send_at(const struct conn *c, uint32_t seq, uint32_t len, bool push)
{
	transmit(c, &(struct what) { .seq = seq, .ack = c->rcv, .window = WINDOW_MAX,
				     .push = push, .len = len });
}

/* In order: what came moves on. Return: is it? */
static bool in_order(struct conn *c, uint32_t seq, uint32_t len)
{
	if (seq != c->rcv)
		return false;
	c->rcv += len;
	return true;
}

static void came_window(struct conn *c, uint32_t seq, uint32_t len)
{
	in_order(c, seq, len);
	acknowledge(c, c->rcv, WINDOW_MAX << SCALE);
}

static void came_shrink(struct conn *c, uint32_t seq, uint32_t len)
{
	in_order(c, seq, len);
	acknowledge(c, c->rcv, 1U << 24);
	acknowledge(c, c->rcv, 1U << SCALE);
}

static void came_sack(struct conn *c, uint32_t seq, uint32_t len)
{
	uint8_t options[28] = { TCPOPT_NOP, TCPOPT_NOP, TCPOPT_SACK, 26 };

	for (unsigned int i = 4; i < sizeof(options); i += 8) {
		uint32_t left = htonl(seq + (uint32_t)random() % (len + 1));
		uint32_t right = htonl(seq + len + (uint32_t)random() % (4 * FULL));

		memcpy(options + i, &left, sizeof(left));
		memcpy(options + i + 4, &right, sizeof(right));
	}
	if (random() % 64 == 0)
		in_order(c, seq, len);
	transmit(c, &(struct what) { .seq = c->snd, .ack = c->rcv, .window = WINDOW_MAX,
				     .options = options, .n_options = sizeof(options) });
}

static void came_divide(struct conn *c, uint32_t seq, uint32_t len)
{
	if (!in_order(c, seq, len))
		return;
	for (uint32_t i = 1; i <= 16; i++)
		acknowledge(c, seq + (uint32_t)((uint64_t)len * i / 16), WINDOW_MAX << SCALE);
}

static void came_early(struct conn *c, uint32_t seq, uint32_t len)
{
	in_order(c, seq, len);
	for (uint32_t ahead = 0; ahead < 16; ahead++)
		acknowledge(c, c->rcv + ahead * len, WINDOW_MAX << SCALE);
}

static void came_zero(struct conn *c, uint32_t seq, uint32_t len)
{
	in_order(c, seq, len);
	acknowledge(c, c->rcv, 0);
}

static void came_quietly(struct conn *c, uint32_t seq, uint32_t len)
{
	in_order(c, seq, len);
}

static uint32_t room(const struct conn *c)
{
	uint32_t used = c->snd - c->una;

	return c->window > used ? c->window - used : 0;
}

static void tick_tiny(struct conn *c)
{
	for (int i = 0; i < BURST && room(c) >= TINY; i++, c->snd += TINY)
		send_at(c, c->snd, TINY, false);
}

static void tick_bytes(struct conn *c)
{
	uint32_t step = room(c) / BURST + 1;

	for (uint32_t i = 0; i < BURST && room(c) > i * step; i++)
		send_at(c, c->snd + i * step, 1, true);
}

static void tick_reverse(struct conn *c)
{
	uint32_t n = room(c) / FULL < BURST ? room(c) / FULL : BURST;

	for (uint32_t i = n; i-- > 0;)
		send_at(c, c->snd + i * FULL, FULL, false);
	c->snd += n * FULL;
}

static void tick_hole(struct conn *c)
{
	uint32_t from = 1 + (uint32_t)random() % (room(c) + 1);

	for (uint32_t i = 0; i < BURST && room(c) >= from + FULL; i++, from += FULL)
		send_at(c, c->snd + from, FULL, false);
}

static void tick_beyond(struct conn *c)
{
	uint32_t edge = c->una + c->window;

	for (int i = 0; i < BURST / 4; i++) {
		send_at(c, edge - (uint32_t)random() % FULL, FULL, false);
		send_at(c, edge + (uint32_t)random(), FULL, false);
		send_at(c, c->una - (uint32_t)random() % FULL, FULL, false);
		send_at(c, c->una - (uint32_t)random(), FULL, false);
	}
}

static const struct kind kinds[] = {
	{ "window", FULL, came_window, NULL },
	{ "shrink", FULL, came_shrink, NULL },
	{ "sack", FULL, came_sack, NULL },
	{ "divide", FULL, came_divide, NULL },
	{ "early", FULL, came_early, NULL },
	{ "zero", FULL, came_zero, NULL },
	{ "tiny", TINY - 1, came_quietly, tick_tiny },
	{ "bytes", FULL, came_quietly, tick_bytes },
	{ "reverse", FULL, came_quietly, tick_reverse },
	{ "hole", FULL, came_quietly, tick_hole },
	{ "beyond", FULL, came_quietly, tick_beyond },
	{ "stall", FULL, came_quietly, NULL },
};

/* The window scale that a SYN tells of. */
static uint8_t scale_of(const struct tcphdr *tcp)
{
	const uint8_t *option = (const uint8_t *)(tcp + 1);
	const uint8_t *end = (const uint8_t *)tcp + tcp->doff * 4;

	while (option < end && *option != TCPOPT_EOL) {
		if (*option == TCPOPT_WINDOW)
			return option[2];
		option += *option == TCPOPT_NOP ? 1 : option[1];
	}
	return 0;
}

static void segment_came(struct conn *c, const struct tcphdr *tcp, uint32_t len)
{
	uint32_t seq = ntohl(tcp->seq);

	if (tcp->rst) {
		c->open = false;
		resets++;
	} else if (tcp->syn) {
		c->rcv = seq + 1;
		c->scale = scale_of(tcp);
		c->window = ntohs(tcp->window);
		opened += !c->open;
		c->open = true;
		acknowledge(c, c->rcv, WINDOW_MAX << SCALE);
	} else if (c->open) {
		c->una = ntohl(tcp->ack_seq);
		c->window = (uint32_t)ntohs(tcp->window) << c->scale;
		if ((int32_t)(c->una - c->snd) > 0)
			c->snd = c->una;
		if (len && !ended)
			kind->came(c, seq, len);
	}
}

static void receive(void)
{
	static uint8_t packet[65536];
	ssize_t got;

	while ((got = recv(fd, packet, sizeof(packet), MSG_DONTWAIT)) > 0) {
		const struct iphdr *ip = (struct iphdr *)packet;
		const struct tcphdr *tcp = (struct tcphdr *)(ip + 1);
		uint32_t headers = sizeof(*ip) + tcp->doff * 4U;
		uint16_t at = (uint16_t)(ntohs(tcp->dest) - PORT_HERE);

		if ((size_t)got < sizeof(*ip) + sizeof(*tcp) || ip->protocol != IPPROTO_TCP ||
		    ntohs(ip->tot_len) < headers || at >= MAX_CONNS)
			continue;
		segment_came(&conns[at], tcp, ntohs(ip->tot_len) - headers);
	}
}

/* Connections open some at a time: a backlog has an end. */
static void run(unsigned long n, uint64_t end_ms)
{
	struct pollfd ready = { .fd = fd, .events = POLLIN };
	unsigned long begun = 0;
	uint64_t next = now_ms();

	while (now_ms() < end_ms) {
		poll(&ready, 1, TICK_MS);
		receive();
		if (now_ms() < next)
			continue;
		next = now_ms() + TICK_MS;
		for (int i = 0; i < BURST && begun < n; i++)
			open_conn(&conns[begun++]);
		for (struct conn *c = conns; kind->tick && c < conns + begun; c++)
			if (c->open)
				kind->tick(c);
	}
}

static void receive_until(uint64_t end_ms)
{
	struct pollfd ready = { .fd = fd, .events = POLLIN };

	while (now_ms() < end_ms) {
		poll(&ready, 1, TICK_MS);
		receive();
	}
}

/* A reset has to be where the other end is: its last ACK tells, which may be delayed. */
static void reset_all(unsigned long n)
{
	for (int i = 0; i < RESETS; i++) {
		receive_until(now_ms() + RESET_MS);
		for (struct conn *c = conns; c < conns + n; c++)
			if (c->open)
				transmit(c, &(struct what) { .seq = c->una, .ack = c->rcv, .rst = true });
	}
}

static void open_link(const char *name)
{
	there = (struct sockaddr_ll) {
		.sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_IP),
		.sll_ifindex = (int)if_nametoindex(name), .sll_halen = ETH_ALEN,
	};
	memcpy(there.sll_addr, LINK_THERE, ETH_ALEN);
	fd = socket(AF_PACKET, SOCK_DGRAM, htons(ETH_P_IP));
	if (!there.sll_ifindex || fd < 0 ||
	    bind(fd, (struct sockaddr *)&there, sizeof(there)))
		die(name);
}

int main(int argc, char **argv)
{
	unsigned long n = argc == 5 ? strtoul(argv[3], NULL, 10) : 0;

	for (size_t i = 0; n && i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(argv[1], kinds[i].name))
			kind = &kinds[i];
	if (!kind || n > MAX_CONNS) {
		fputs("usage: bad_peer KIND INTERFACE CONNS MILLISECONDS\n", stderr);
		return 2;
	}
	srandom(1);
	open_link(argv[2]);
	run(n, now_ms() + strtoul(argv[4], NULL, 10));
	ended = true;
	reset_all(n);
	printf("opened %lu resets %lu segments %lu\n", opened, resets, segments);
	return 0;
}
