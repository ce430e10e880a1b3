// SPDX-License-Identifier: GPL-2.0
/* abt conn: connections, by their addresses. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abt.h"
#include "filter.h"
#include "json.h"
#include "show.h"

static int compare_ends(const struct end *left, const struct end *right)
{
	int differ = memcmp(left->address, right->address, sizeof(left->address));

	return differ ? differ : (int)left->port - (int)right->port;
}

static int compare(const void *left_conn, const void *right_conn)
{
	const struct conn *left = left_conn, *right = right_conn;
	int differ = compare_ends(&left->local, &right->local);

	return differ ? differ : compare_ends(&left->remote, &right->remote);
}

static void json_conn(const struct conn *conn)
{
	json_open(NULL, '{');
	json_ends(conn);
	json_inputs(conn);
	json_buffer("send", &conn->buffer[TCP_ABT_DIRECTION_SEND]);
	json_buffer("recv", &conn->buffer[TCP_ABT_DIRECTION_RECEIVE]);
	json_close('}');
}

static int show(int argc, char **argv)
{
	struct conns conns = { 0 };
	struct filter filter;
	size_t i;

	filter_parse(&filter, argc, argv);
	link_open();
	conns_get(&conns, &filter);
	qsort(conns.all, conns.count, sizeof(*conns.all), compare);
	if (options.json)
		json_open(NULL, '[');
	for (i = 0; i < conns.count; i++) {
		if (options.json)
			json_conn(&conns.all[i]);
		else
			show_conn(&conns.all[i]);
	}
	if (options.json)
		json_close(']');
	free(conns.all);
	return 0;
}

static int help(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	puts("Usage: abt conn [ show | list ] [ ADDRESS ] [ local ADDRESS ] [ remote ADDRESS ]\n"
	     "                [ dev NAME ] [ short ]\n"
	     "ADDRESS := IP[/BITS] | IP:PORT | [IPv6]:PORT | :PORT\n"
	     "short: only connections that may have less than they want");
	return 0;
}

int do_conn(int argc, char **argv)
{
	if (argc && word_is(*argv, "help"))
		return help(argc, argv);
	/* "s" is for show, as everywhere; the filter short has to be told from it */
	if (argc && ((word_is(*argv, "show") && strcmp(*argv, "sh")) || word_is(*argv, "list")))
		return show(argc - 1, argv + 1);
	return show(argc, argv);
}
