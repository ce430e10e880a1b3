// SPDX-License-Identifier: GPL-2.0
/*
 * abt advise: the changes that the module makes on this host, the knobs to set, and the lines of
 * /etc/sysctl.* that are not needed any more. Needs no module.
 */
#include <linux/tcp_abt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abt.h"
#include "host.h"
#include "json.h"
#include "words.h"

/* The largest window is 1 GiB (RFC 7323), and no buffer is made for more. */
#define BUFFER_MAX	(1ULL << 30)

/* The kernel takes a byte of a buffer as half a byte of window, before it knows better. */
#define BUFFER_PER_WINDOW	2

/* The kernel's own tcp_mem[1] is about a sixteenth of what memory there is. */
#define STOCK_PART	16

/* Below half of that somebody made it small; above a quarter of all memory it is a risk. */
#define SMALL_PART	(2 * STOCK_PART)
#define LARGE_PART	4

/* A ceiling from here on was set for a long fat network [bytes]; 7.3's own is 32 MiB. */
#define BULK_BUFFER	(48ULL << 20)

/* Room for so many connections of the largest buffer that was wanted. */
#define BULK_CONNS	4

/* The least that a connection keeps, both ways, with Ethernet's segments [bytes]. */
#define FLOOR_BYTES	16384

enum kind { NOW, THEN, SET, GO, STAY };

static const char *const kind_word[] = { "now", "then", "set", "remove", "keep" };

static const char *const heading[] = {
	[NOW] = "As it is",
	[THEN] = "With tcp_abt",
	[SET] = "To set",
	[GO] = "Lines that can go",
	[STAY] = "Lines that stay",
};

/* ABOUT: a name that stays, for programs; the text is for people. */
static void __attribute__((format(printf, 3, 4)))
say(enum kind kind, const char *about, const char *format, ...)
{
	static int last = -1;
	char text[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (options.json) {
		json_open(NULL, '{');
		json_text("kind", kind_word[kind]);
		json_text("about", about);
		json_text("text", text);
		json_close('}');
		return;
	}
	if (last != (int)kind) {
		colour(stdout, BOLD);
		printf("%s%s\n", last < 0 ? "" : "\n", heading[kind]);
		colour(stdout, PLAIN);
	}
	last = kind;
	fill("  - ", text);
}

/* Round trip that a buffer fills a path of 1 Gbit/s to [ms]. */
static double reach_ms(uint64_t buffer)
{
	return buffer / BUFFER_PER_WINDOW * 8 / 1e6;
}

static uint64_t least(uint64_t left, uint64_t right)
{
	return left < right ? left : right;
}

static void say_now(const struct host *host)
{
	char ram[TEXT], pressure[TEXT], most[TEXT], receive[TEXT], send[TEXT], used[TEXT];

	say(NOW, "host", "Linux %s, %s of memory; TCP may use %s before it is under pressure, %s at most, and uses %s for %llu connections.",
	    host->release, size_text(host->ram, ram), size_text(host->tcp_mem[1], pressure),
	    size_text(host->tcp_mem[2], most), size_text(host->in_use, used),
	    (unsigned long long)host->conns);
	say(NOW, "ceiling", "One connection gets %s to receive and %s to send at most: that fills 1 Gbit/s up to a round trip of about %.0f ms, and 10 Gbit/s up to %.0f ms.",
	    size_text(host->tcp_rmem[2], receive), size_text(host->tcp_wmem[2], send),
	    reach_ms(least(host->tcp_rmem[2], host->tcp_wmem[2])),
	    reach_ms(least(host->tcp_rmem[2], host->tcp_wmem[2])) / 10);
	say(NOW, "overcommit", "%llu connections that receive all that they may take all of TCP's memory: then it is \"TCP: out of memory -- consider tuning tcp_mem\".",
	    (unsigned long long)(host->tcp_mem[2] / host->tcp_rmem[2]));
}

static void say_then(const struct host *host)
{
	uint64_t receive = host->tcp_mem[1] / TCP_ABT_POOL_PARTS * TCP_ABT_RECEIVE_POOL_PARTS;
	uint64_t send = host->tcp_mem[1] / TCP_ABT_POOL_PARTS * TCP_ABT_SEND_POOL_PARTS;
	char receive_text[TEXT], send_text[TEXT], one[TEXT];

	say(THEN, "pools", "All connections together get %s to receive and %s to send (%d/%d and %d/%d of tcp_mem[1]), each what its path needs, max-min fairly when that is not enough.",
	    size_text(receive, receive_text), size_text(send, send_text), TCP_ABT_RECEIVE_POOL_PARTS, TCP_ABT_POOL_PARTS,
	    TCP_ABT_SEND_POOL_PARTS, TCP_ABT_POOL_PARTS);
	say(THEN, "ceiling", "One connection alone gets up to %s: 1 Gbit/s up to a round trip of about %.0f ms, 10 Gbit/s up to %.0f ms.",
	    size_text(least(send, BUFFER_MAX), one), reach_ms(least(send, BUFFER_MAX)),
	    reach_ms(least(send, BUFFER_MAX)) / 10);
	say(THEN, "crowd", "%llu connections at once still have three segments each way, which is the least that one keeps.",
	    (unsigned long long)((send + receive) / FLOOR_BYTES));
}

/* tcp_mem with that much before pressure, in the kernel's own proportions. */
static void say_set_tcp_mem(const struct host *host, uint64_t pressure, const char *why)
{
	unsigned long long pages = pressure / host->page;

	say(SET, "tcp_mem", "net.ipv4.tcp_mem = %llu %llu %llu (%s)", pages / 4 * 3, pages,
	    pages / 2 * 3, why);
}

static uint64_t largest_wish(const struct host *host)
{
	uint64_t receive = host->tcp_rmem[2], send = host->tcp_wmem[2];

	return least(receive > send ? receive : send, BUFFER_MAX);
}

static void say_set(const struct host *host)
{
	uint64_t stock = host->ram / STOCK_PART, wish = largest_wish(host);
	uint64_t room = BULK_CONNS * wish / TCP_ABT_SEND_POOL_PARTS * TCP_ABT_POOL_PARTS;
	char text[TEXT];

	if (host->bpftune)
		say(SET, "bpftune", "End bpftune before the module is loaded (systemctl disable --now bpftune). It raises tcp_rmem and tcp_wmem, and the module takes what is written there as the administrator's limit; it raises tcp_mem, too, which is what the pools are made of. Then give tcp_mem the value that it had.");
	if (host->synproxy)
		say(SET, "synproxy", "SYNPROXY tells clients a window scale by itself, and passes windows on as they are. The module changes the scale of this host's connections: with the module in, ss -i shows it, the second number of wscale. Give that number to the rules of SYNPROXY (--wscale, in nftables wscale). A client that was told 7 takes a window of scale 14 for 1/128 of it. A proxy before this host needs the same, and does not show here.");
	if (!host->window_scaling)
		say(SET, "tcp_window_scaling", "net.ipv4.tcp_window_scaling = 1 (without it no window is larger than 64 KB, whatever the buffer)");
	if (host->tcp_mem[1] < host->ram / SMALL_PART)
		say_set_tcp_mem(host, stock, "it is less than half of the kernel's own choice for this memory; keep the small one if other programs need the rest");
	else if (host->tcp_mem[1] > host->ram / LARGE_PART)
		say_set_tcp_mem(host, host->ram / LARGE_PART, "TCP may take more than a quarter of all memory now");
	else if (wish >= BULK_BUFFER && host->tcp_mem[1] < room && room < host->ram / LARGE_PART)
		say_set_tcp_mem(host, room, "room for four connections of the buffers that were asked for");
	else if (wish >= BULK_BUFFER && host->tcp_mem[1] < room)
		say(SET, "ram", "Buffers of %s were asked for, and four such connections need more than a quarter of the memory of this host: they will share what there is.",
		    size_text(wish, text));
	else if (!host->bpftune && !host->synproxy)
		say(SET, "nothing", "Nothing: the pools follow tcp_mem, and tcp_mem fits this host.");
	if (host->tcp_rmem[2] > BUFFER_MAX || host->tcp_wmem[2] > BUFFER_MAX)
		say(SET, "window", "A window is at most 1 GiB (RFC 7323), so larger ceilings never helped: use several connections where one of 1 GiB is not enough.");
}

struct rule {
	const char *key;
	enum kind kind;
	const char *why;
};

static const struct rule rules[] = {
	{ "net.ipv4.tcp_rmem", GO, "the module sizes receive buffers, and holds the ceiling itself" },
	{ "net.ipv4.tcp_wmem", GO, "the module sizes send buffers, and holds the ceiling itself" },
	{ "net.ipv4.tcp_moderate_rcvbuf", GO, "the module tunes receive buffers in place of the kernel" },
	{ "net.core.rmem_default", GO, "TCP does not look at it" },
	{ "net.core.wmem_default", GO, "TCP does not look at it" },
	{ "net.core.rmem_max", GO, "unless an application sets SO_RCVBUF: that is left alone, and fixed where this limits it" },
	{ "net.core.wmem_max", GO, "unless an application sets SO_SNDBUF: that is left alone, and fixed where this limits it" },
	{ "net.ipv4.tcp_window_scaling", STAY, "large windows need it to be 1" },
	{ "net.ipv4.tcp_mem", STAY, "it is the one number: what TCP may use, which the pools follow" },
	{ "net.ipv4.tcp_congestion_control", STAY, "buffers follow it" },
	{ "net.core.default_qdisc", STAY, "it has to do with sending, not with buffers" },
	{ "net.ipv4.tcp_mtu_probing", STAY, "it has to do with segments, not with buffers" },
	{ "net.ipv4.tcp_no_metrics_save", STAY, "it has to do with cwnd, not with buffers" },
	{ "net.core.netdev_max_backlog", STAY, "it is the queue before TCP" },
	{ "net.core.optmem_max", STAY, "it is of zero-copy sending" },
};

#define RULES	(sizeof(rules) / sizeof(rules[0]))

static void say_lines(const struct host *host, enum kind kind)
{
	size_t i, k;

	for (i = 0; i < host->setting_count; i++) {
		const struct setting *line = &host->settings[i];

		for (k = 0; k < RULES; k++)
			if (rules[k].kind == kind && !strcmp(line->key, rules[k].key))
				say(kind, line->key, "%s:%d: %s = %s (%s)", line->file, line->line,
				    line->key, line->value, rules[k].why);
	}
}

int do_advise(int argc, char **argv)
{
	const char *root = "";
	struct host host;

	if (argc && word_is(*argv, "help")) {
		puts("Usage: abt advise [ from DIRECTORY ]\n"
		     "DIRECTORY has the proc/ and etc/ of a host, recorded; without it: this host.");
		return 0;
	}
	if (argc && word_is(*argv, "from"))
		root = argument(&argc, &argv, "from");
	else if (argc)
		die("advise \"%s\": expected \"from DIRECTORY\" or nothing", *argv);
	host_read(&host, root);
	if (options.json)
		json_open(NULL, '[');
	say_now(&host);
	say_then(&host);
	say_set(&host);
	say_lines(&host, GO);
	say_lines(&host, STAY);
	if (options.json)
		json_close(']');
	host_free(&host);
	return 0;
}
