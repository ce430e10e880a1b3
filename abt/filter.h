/* SPDX-License-Identifier: GPL-2.0 */
/* Which connections: words of the command line, attributes of a request, a test. */
#ifndef ABT_FILTER_H
#define ABT_FILTER_H

#include "link.h"
#include "record.h"

/* An end that a connection is to have. */
struct end_filter {
	struct end end;		/* length 0: any address */
	uint8_t bits;
	bool has_port;
};

struct filter {
	struct end_filter local;
	struct end_filter remote;
	struct end_filter either;
	uint32_t ifindex;
	bool below_demand;
};

/* Words up to the end: local|remote|ADDRESS..., dev NAME, short. */
void filter_parse(struct filter *filter, int argc, char **argv);
void filter_ask(const struct filter *filter, struct request *request);
bool filter_matches(const struct filter *filter, const struct conn *conn);

/* All connections that a filter lets through; the caller frees @all. */
struct conns {
	struct conn *all;
	size_t count;
	size_t room;
	const struct filter *filter;
};

void conns_get(struct conns *conns, const struct filter *filter);

#endif /* ABT_FILTER_H */
