// SPDX-License-Identifier: GPL-2.0
/* Which connections: see filter.h. */
#include <arpa/inet.h>
#include <libmnl/libmnl.h>
#include <net/if.h>
#include <stdlib.h>
#include <string.h>

#include "abt.h"
#include "filter.h"

/* A dump that the table's growth tore is asked for again so often. */
#define DUMP_TRIES	3

static void parse_port(struct end_filter *filter, const char *text)
{
	filter->end.port = number(text, "port", 1, UINT16_MAX);
	filter->has_port = true;
}

static bool parse_address(struct end_filter *filter, char *text)
{
	char *slash = strchr(text, '/');
	unsigned int most;

	if (slash)
		*slash = '\0';
	if (inet_pton(AF_INET, text, filter->end.address) == 1)
		filter->end.length = sizeof(struct in_addr);
	else if (inet_pton(AF_INET6, text, filter->end.address) == 1)
		filter->end.length = sizeof(struct in6_addr);
	else
		return false;
	most = 8 * filter->end.length;
	filter->bits = slash ? number(slash + 1, "prefix length", 0, most) : most;
	return true;
}

/* ADDRESS, ADDRESS/BITS, 10.0.0.1:80, [fd00::1]:80, :80 */
static void parse_end(struct end_filter *filter, const char *word)
{
	char text[END_TEXT + 8], *address = text, *close, *colon;

	if (strlen(word) >= sizeof(text))
		die("address \"%s\": too long", word);
	strcpy(text, word);
	close = *text == '[' ? strchr(text, ']') : NULL;
	if (close) {
		*close = '\0';
		address = text + 1;
		if (close[1] == ':')
			parse_port(filter, close + 2);
	} else {
		colon = strrchr(text, ':');
		if (colon && colon == strchr(text, ':')) {
			*colon = '\0';
			parse_port(filter, colon + 1);
		}
	}
	if (*address && !parse_address(filter, address))
		die("address \"%s\": expected IPv4 or IPv6, with a prefix length or a port where wanted: 10.0.0.0/8, 10.0.0.1:80, [fd00::1]:80, :80",
		    word);
}

void filter_parse(struct filter *filter, int argc, char **argv)
{
	*filter = (struct filter) { 0 };
	for (; argc; argc--, argv++) {
		if (word_is(*argv, "local")) {
			parse_end(&filter->local, argument(&argc, &argv, "local"));
		} else if (word_is(*argv, "remote")) {
			parse_end(&filter->remote, argument(&argc, &argv, "remote"));
		} else if (!strcmp(*argv, "dev")) {
			const char *name = argument(&argc, &argv, "dev");

			filter->ifindex = if_nametoindex(name);
			if (!filter->ifindex)
				die("dev \"%s\": no such device in this network namespace (\"ip link\" lists them)",
				    name);
		} else if (word_is(*argv, "short")) {
			filter->below_demand = true;
		} else {
			parse_end(&filter->either, *argv);
		}
	}
}

static void ask_end(const struct end_filter *filter, struct nlmsghdr *to, uint16_t addr,
		    uint16_t prefix, uint16_t port)
{
	if (filter->end.length) {
		mnl_attr_put(to, addr, filter->end.length, filter->end.address);
		mnl_attr_put_u8(to, prefix, filter->bits);
	}
	if (filter->has_port)
		mnl_attr_put_u16(to, port, filter->end.port);
}

void filter_ask(const struct filter *filter, struct request *request)
{
	struct nlmsghdr *to = request->header;

	ask_end(&filter->local, to, TCP_ABT_A_CONN_LOCAL_ADDR, TCP_ABT_A_CONN_LOCAL_PREFIX,
		TCP_ABT_A_CONN_LOCAL_PORT);
	ask_end(&filter->remote, to, TCP_ABT_A_CONN_REMOTE_ADDR, TCP_ABT_A_CONN_REMOTE_PREFIX,
		TCP_ABT_A_CONN_REMOTE_PORT);
	if (filter->ifindex)
		mnl_attr_put_u32(to, TCP_ABT_A_CONN_IFINDEX, filter->ifindex);
	if (filter->below_demand)
		mnl_attr_put(to, TCP_ABT_A_CONN_BELOW_DEMAND, 0, NULL);
}

static bool bits_equal(const uint8_t *left, const uint8_t *right, unsigned int bits)
{
	unsigned int whole = bits / 8, rest = bits % 8;

	return !memcmp(left, right, whole) &&
	       (!rest || !((left[whole] ^ right[whole]) >> (8 - rest)));
}

static bool end_matches(const struct end_filter *filter, const struct end *end)
{
	if (filter->has_port && filter->end.port != end->port)
		return false;
	return !filter->end.length ||
	       (filter->end.length == end->length &&
		bits_equal(filter->end.address, end->address, filter->bits));
}

static bool is_short(const struct buffer *buffer)
{
	return buffer->told && buffer->grant < buffer->demand;
}

bool filter_matches(const struct filter *filter, const struct conn *conn)
{
	if (filter->ifindex && filter->ifindex != conn->ifindex)
		return false;
	if (filter->below_demand && !is_short(&conn->buffer[TCP_ABT_DIRECTION_SEND]) &&
	    !is_short(&conn->buffer[TCP_ABT_DIRECTION_RECEIVE]))
		return false;
	return end_matches(&filter->local, &conn->local) &&
	       end_matches(&filter->remote, &conn->remote) &&
	       (end_matches(&filter->either, &conn->local) ||
		end_matches(&filter->either, &conn->remote));
}

static void keep_conn(const struct nlmsghdr *answer, void *to)
{
	struct conns *conns = to;

	if (conns->count == conns->room) {
		conns->room = conns->room ? 2 * conns->room : 256;
		conns->all = realloc(conns->all, conns->room * sizeof(*conns->all));
		if (!conns->all)
			die("no memory for %zu connections", conns->room);
	}
	read_conn(answer, &conns->all[conns->count]);
	if (filter_matches(conns->filter, &conns->all[conns->count]))
		conns->count++;
}

void conns_get(struct conns *conns, const struct filter *filter)
{
	struct request request;
	int tries = DUMP_TRIES;
	bool whole;

	conns->filter = filter;
	do {
		conns->count = 0;
		request_begin(&request, TCP_ABT_CMD_CONN_GET, NLM_F_DUMP);
		filter_ask(filter, &request);
		whole = request_send(&request, keep_conn, conns);
	} while (!whole && --tries);
	if (!whole)
		fputs("abt: connections came and went in numbers: some may be shown twice\n", stderr);
}
