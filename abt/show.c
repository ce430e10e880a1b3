// SPDX-License-Identifier: GPL-2.0
/* A connection, on a screen or as JSON: see show.h. */
#include <string.h>

#include "abt.h"
#include "json.h"
#include "show.h"
#include "words.h"

const char *device_text(uint32_t ifindex, char text[IF_NAMESIZE])
{
	/* The last one's: asking takes three system calls, and most connections have the same */
	static char name[IF_NAMESIZE];
	static uint32_t named;

	if (!name[0] || ifindex != named) {
		if (!if_indextoname(ifindex, name))
			snprintf(name, IF_NAMESIZE, "if%u", ifindex);
		named = ifindex;
	}
	return strcpy(text, name);
}

void show_ends(const struct conn *conn)
{
	char local[END_TEXT], remote[END_TEXT], device[IF_NAMESIZE];

	colour(stdout, BOLD);
	printf("%s > %s", end_text(&conn->local, local), end_text(&conn->remote, remote));
	colour(stdout, PLAIN);
	if (conn->ifindex)
		printf(" dev %s", device_text(conn->ifindex, device));
	putchar('\n');
}

static void show_buffer(uint32_t direction, const struct buffer *b)
{
	char applied[TEXT], demand[TEXT], grant[TEXT], used[TEXT], charged[TEXT];

	printf("    %s %-7s has %6s used %6s wants %6s may %6s ", direction_word(direction),
	       policy_word(b->policy), size_text(b->applied, applied), size_text(b->used, used),
	       size_text(b->demand, demand), size_text(b->grant, grant));
	colour(stdout, reason_colour(b->reason));
	fputs(reason_word(b->reason), stdout);
	colour(stdout, PLAIN);
	if (options.stats)
		printf("\n         charged %s%s%s", size_text(b->charged, charged),
		       b->idle ? " idle" : "", b->drains ? " drains" : "");
	putchar('\n');
}

void show_conn(const struct conn *conn)
{
	char srtt[TEXT], base[TEXT], receiver[TEXT];
	uint32_t direction;

	show_ends(conn);
	if (options.stats)
		printf("    cwnd %u mss %u rtt %s minrtt %s rcvrtt %s alpha %u.%03u\n", conn->cwnd,
		       conn->mss, time_text(conn->srtt_us, srtt), time_text(conn->min_rtt_us, base),
		       time_text(conn->rcv_rtt_us, receiver), conn->alpha / 1000,
		       conn->alpha % 1000);
	for (direction = 0; direction < DIRECTIONS; direction++)
		if (conn->buffer[direction].told)
			show_buffer(direction, &conn->buffer[direction]);
}

static void json_end(const char *name, const struct end *end)
{
	char text[END_TEXT];

	json_open(name, '{');
	json_text("addr", address_text(end, text));
	json_number("port", end->port);
	json_close('}');
}

void json_ends(const struct conn *conn)
{
	char device[IF_NAMESIZE];

	json_end("local", &conn->local);
	json_end("remote", &conn->remote);
	if (conn->ifindex)
		json_text("dev", device_text(conn->ifindex, device));
}

void json_inputs(const struct conn *conn)
{
	json_number("cwnd", conn->cwnd);
	json_number("mss", conn->mss);
	json_number("srtt_us", conn->srtt_us);
	json_number("min_rtt_us", conn->min_rtt_us);
	json_number("rcv_rtt_us", conn->rcv_rtt_us);
	json_thousandths("alpha", conn->alpha);
}

void json_buffer(const char *name, const struct buffer *buffer)
{
	json_open(name, '{');
	json_text("policy", policy_word(buffer->policy));
	json_text("reason", reason_word(buffer->reason));
	json_number("demand", buffer->demand);
	json_number("grant", buffer->grant);
	json_number("charged", buffer->charged);
	json_number("applied", buffer->applied);
	json_number("used", buffer->used);
	json_flag("idle", buffer->idle);
	json_flag("drains", buffer->drains);
	json_close('}');
}
