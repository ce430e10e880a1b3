// SPDX-License-Identifier: GPL-2.0
/*
 * netlink_fuzz - random and damaged messages to the generic netlink family tcp_abt
 *
 *	netlink_fuzz COUNT SEED
 *
 * Half of the messages begin as good ones, and are then damaged: bits turned over,
 * lengths changed, the end cut off. The others are random behind their headers. Prints
 * "sent COUNT answered N refused N". Exit status 0 when the kernel still answers
 * a good message at the end.
 */
#include <errno.h>
#include <linux/genetlink.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define FAMILY		"tcp_abt"
#define ROOM		1024	/* bytes of a message, the largest */
#define ANSWERS		65536	/* bytes read at a time */
#define LAST_COMMAND	8	/* beyond what the family has */
#define LAST_ATTRIBUTE	40	/* the same */
#define MAX_ATTRIBUTES	12

static uint64_t random_state;

/* splitmix64 */
static uint64_t random_bits(void)
{
	uint64_t z = random_state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

static uint32_t below(uint32_t limit)
{
	return random_bits() % limit;
}

static _Noreturn void die(const char *what)
{
	fprintf(stderr, "netlink_fuzz: %s: %s\n", what, strerror(errno));
	exit(1);
}

struct message {
	struct nlmsghdr nl;
	struct genlmsghdr genl;
	unsigned char room[ROOM];
};

static void begin(struct message *m, uint16_t family, uint8_t command, uint16_t flags)
{
	memset(m, 0, sizeof(m->nl) + sizeof(m->genl));
	m->nl.nlmsg_len = NLMSG_LENGTH(GENL_HDRLEN);
	m->nl.nlmsg_type = family;
	m->nl.nlmsg_flags = NLM_F_REQUEST | flags;
	m->genl.cmd = command;
	m->genl.version = 1;
}

static void add(struct message *m, uint16_t type, const void *value, uint16_t size)
{
	struct nlattr attr = { .nla_len = NLA_HDRLEN + size, .nla_type = type };
	size_t at = m->nl.nlmsg_len - NLMSG_LENGTH(GENL_HDRLEN);

	if (at + NLA_ALIGN(attr.nla_len) > ROOM)
		return;
	memcpy(m->room + at, &attr, sizeof(attr));
	memcpy(m->room + at + NLA_HDRLEN, value, size);
	m->nl.nlmsg_len += NLA_ALIGN(attr.nla_len);
}

/* Attributes of plausible sizes, with numbers that are small as often as not. */
static void plausible(struct message *m, uint16_t family)
{
	static const uint16_t sizes[] = { 0, 1, 2, 4, 4, 4, 8, 16 };
	int n = below(MAX_ATTRIBUTES);

	begin(m, family, 1 + below(LAST_COMMAND), below(2) ? NLM_F_DUMP : NLM_F_ACK);
	while (n--) {
		uint64_t value[2] = { random_bits() >> below(64), random_bits() };

		add(m, below(LAST_ATTRIBUTE), value, sizes[below(8)]);
	}
}

static void noise(struct message *m, uint16_t family)
{
	size_t size = below(ROOM), i;

	begin(m, family, random_bits(), random_bits());
	m->genl.version = random_bits();
	m->genl.reserved = random_bits();
	for (i = 0; i < size; i++)
		m->room[i] = random_bits();
	m->nl.nlmsg_len += size;
}

/* Return: bytes to send, which may be fewer than the header says. */
static size_t damage(struct message *m)
{
	unsigned char *bytes = (unsigned char *)&m->genl;
	size_t size = m->nl.nlmsg_len, body = size - NLMSG_HDRLEN;
	uint32_t bits;

	for (bits = below(4); bits; bits--)
		bytes[below(body)] ^= 1 << below(8);
	switch (below(4)) {
	case 0:
		return NLMSG_HDRLEN + below(body + 1);
	case 1:
		m->nl.nlmsg_len = below(2 * size);
		return size;
	case 2:
		return m->nl.nlmsg_len = NLMSG_HDRLEN + below(body + 1);
	default:
		return size;
	}
}

static int open_socket(void)
{
	struct timeval patience = { .tv_usec = 1000 };
	struct sockaddr_nl to = { .nl_family = AF_NETLINK };
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);

	if (fd < 0 || connect(fd, (struct sockaddr *)&to, sizeof(to)) ||
	    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)))
		die("netlink socket");
	return fd;
}

/* The family's number: what the kernel's nlctrl says of its name. */
static uint16_t find_family(int fd)
{
	static unsigned char answer[ANSWERS];
	struct message m;
	ssize_t size, at;

	begin(&m, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, 0);
	add(&m, CTRL_ATTR_FAMILY_NAME, FAMILY, sizeof(FAMILY));
	if (send(fd, &m, m.nl.nlmsg_len, 0) < 0)
		die("asking for family " FAMILY);
	size = recv(fd, answer, sizeof(answer), 0);
	for (at = NLMSG_LENGTH(GENL_HDRLEN); at + NLA_HDRLEN <= size;) {
		struct nlattr *attr = (struct nlattr *)(answer + at);

		if (attr->nla_type == CTRL_ATTR_FAMILY_ID)
			return *(uint16_t *)(attr + 1);
		at += NLA_ALIGN(attr->nla_len);
	}
	errno = ENOENT;
	die("no family " FAMILY ": load the module first");
}

/* Read what there is. Return: was there anything? Counts errors in @refused. */
static bool drain(int fd, long *refused)
{
	static unsigned char answer[ANSWERS];
	bool any = false;
	ssize_t size;

	while ((size = recv(fd, answer, sizeof(answer), MSG_DONTWAIT)) > 0 || errno == ENOBUFS) {
		struct nlmsghdr *nl = (struct nlmsghdr *)answer;

		any = true;
		if (size > 0 && nl->nlmsg_type == NLMSG_ERROR && *(int *)NLMSG_DATA(nl))
			++*refused;
	}
	return any;
}

int main(int argc, char **argv)
{
	long count, i, answered = 0, refused = 0;
	struct message m;
	uint16_t family;
	int fd;

	if (argc != 3) {
		fprintf(stderr, "usage: netlink_fuzz COUNT SEED\n");
		return 1;
	}
	count = atol(argv[1]);
	random_state = strtoull(argv[2], NULL, 0);
	fd = open_socket();
	family = find_family(fd);
	for (i = 0; i < count; i++) {
		size_t size;

		if (below(2))
			plausible(&m, family);
		else
			noise(&m, family);
		m.nl.nlmsg_type = family;
		size = below(4) ? damage(&m) : m.nl.nlmsg_len;
		if (send(fd, &m, size, 0) < 0 && errno != EINVAL && errno != ENOBUFS)
			die("send");
		answered += drain(fd, &refused);
	}
	close(fd);
	fd = open_socket();
	if (find_family(fd) != family)
		die("the family changed its number");
	printf("sent %ld answered %ld refused %ld\n", count, answered, refused);
	return 0;
}
