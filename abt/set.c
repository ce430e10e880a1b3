// SPDX-License-Identifier: GPL-2.0
/* abt set: the knobs of this network namespace, net.ipv4.tcp_abt.*. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <linux/tcp_abt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abt.h"
#include "json.h"
#include "link.h"
#include "control/words_gen.h"
#include "uapi/policies.h"
#include "words.h"

struct knob {
	const char *name;
	uint16_t attr;
	bool wide;			/* 64 bits, else 32 */
	const char *const *words;	/* NULL: a number */
	uint32_t takes;			/* the values of these words that it takes, a bit each */
};

#define ALL	UINT32_MAX

static const struct knob knobs[] = {
	{ "mode", TCP_ABT_A_CONFIG_MODE, false, tcp_abt_mode_words, ALL },
	{ "sender", TCP_ABT_A_CONFIG_SENDER, false, tcp_abt_policy_words, TCP_ABT_SENDER_POLICIES },
	{ "receiver", TCP_ABT_A_CONFIG_RECEIVER, false, tcp_abt_policy_words, TCP_ABT_RECEIVER_POLICIES },
	{ "share", TCP_ABT_A_CONFIG_SHARE, false, tcp_abt_share_words, ALL },
	{ "alpha_signal", TCP_ABT_A_CONFIG_ALPHA_SIGNAL, false, tcp_abt_alpha_signal_words, ALL },
	{ "path_headroom", TCP_ABT_A_CONFIG_PATH_HEADROOM, false, NULL, 0 },
	{ "send_pool", TCP_ABT_A_CONFIG_SEND_POOL, true, NULL, 0 },
	{ "recv_pool", TCP_ABT_A_CONFIG_RECV_POOL, true, NULL, 0 },
	{ "fixed_send", TCP_ABT_A_CONFIG_FIXED_SEND, false, NULL, 0 },
	{ "fixed_recv", TCP_ABT_A_CONFIG_FIXED_RECV, false, NULL, 0 },
	{ "send_band_low", TCP_ABT_A_CONFIG_SEND_BAND_LOW, false, NULL, 0 },
	{ "send_target", TCP_ABT_A_CONFIG_SEND_TARGET, false, NULL, 0 },
	{ "send_band_high", TCP_ABT_A_CONFIG_SEND_BAND_HIGH, false, NULL, 0 },
	{ "epoch_min_us", TCP_ABT_A_CONFIG_EPOCH_MIN_US, false, NULL, 0 },
	{ "wake_min_us", TCP_ABT_A_CONFIG_WAKE_MIN_US, false, NULL, 0 },
};

#define KNOBS	(sizeof(knobs) / sizeof(knobs[0]))

/* A name, or a beginning that only one name has. */
static const struct knob *find_knob(const char *name)
{
	const struct knob *found = NULL;
	size_t i;

	for (i = 0; i < KNOBS; i++) {
		if (!strcmp(name, knobs[i].name))
			return &knobs[i];
		if (!word_is(name, knobs[i].name))
			continue;
		if (found)
			die("knob \"%s\": %s or %s?", name, found->name, knobs[i].name);
		found = &knobs[i];
	}
	if (!found)
		die("knob \"%s\" is unknown (\"abt set\" lists them)", name);
	return found;
}

static uint64_t parse_word(const struct knob *knob, const char *text)
{
	uint64_t i;

	for (i = 0; knob->words[i]; i++)
		if (knob->takes >> i & 1 && !strcmp(text, knob->words[i]))
			return i;
	fprintf(stderr, "abt: %s \"%s\": expected one of:", knob->name, text);
	for (i = 0; knob->words[i]; i++)
		if (knob->takes >> i & 1)
			fprintf(stderr, " %s", knob->words[i]);
	fputc('\n', stderr);
	exit(1);
}

/* 268435456, 256M: bytes, by K, M, G or T of 1024. */
static uint64_t parse_number(const struct knob *knob, const char *text)
{
	static const char units[] = "KMGT";
	const char *unit;
	unsigned long long value;
	unsigned int shift = 0;
	char *end;

	errno = 0;
	value = strtoull(text, &end, 10);
	unit = *end ? strchr(units, toupper((unsigned char)*end)) : NULL;
	if (unit) {
		shift = 10 * (unit - units + 1);
		end++;
	}
	if (errno || !isdigit((unsigned char)*text) || *end || value > UINT64_MAX >> shift ||
	    (!knob->wide && value << shift > UINT32_MAX))
		die("%s \"%s\": expected a whole number, with K, M, G or T behind it where wanted",
		    knob->name, text);
	return value << shift;
}

static void put_knob(struct nlmsghdr *to, const struct knob *knob, const char *text)
{
	uint64_t value = knob->words ? parse_word(knob, text) : parse_number(knob, text);

	if (knob->wide)
		mnl_attr_put_u64(to, knob->attr, value);
	else
		mnl_attr_put_u32(to, knob->attr, value);
}

static int change(int argc, char **argv)
{
	struct request request;

	link_open();
	request_begin(&request, TCP_ABT_CMD_CONFIG_SET, NLM_F_ACK);
	for (; argc; argc--, argv++) {
		const struct knob *knob = find_knob(*argv);

		put_knob(request.header, knob, argument(&argc, &argv, knob->name));
	}
	request_send(&request, NULL, NULL);
	return 0;
}

static void show_knob(const struct knob *knob, uint64_t value)
{
	uint64_t known = 0;

	while (knob->words && knob->words[known] && known < value)
		known++;
	if (knob->words && options.json)
		json_text(knob->name, knob->words[known] ? knob->words[known] : "?");
	else if (knob->words)
		printf("%-15s %s\n", knob->name, knob->words[known] ? knob->words[known] : "?");
	else if (options.json)
		json_number(knob->name, value);
	else
		printf("%-15s %" PRIu64 "\n", knob->name, value);
}

static void on_config(const struct nlmsghdr *answer, void *to)
{
	const struct nlattr *attr;
	size_t i;

	(void)to;
	mnl_attr_for_each(attr, answer, sizeof(struct genlmsghdr))
		for (i = 0; i < KNOBS; i++)
			if (knobs[i].attr == mnl_attr_get_type(attr))
				show_knob(&knobs[i], knobs[i].wide ? mnl_attr_get_u64(attr) :
								     mnl_attr_get_u32(attr));
}

static int show(void)
{
	struct request request;

	link_open();
	request_begin(&request, TCP_ABT_CMD_CONFIG_GET, NLM_F_ACK);
	if (options.json)
		json_open(NULL, '{');
	request_send(&request, on_config, NULL);
	if (options.json)
		json_close('}');
	return 0;
}

int do_set(int argc, char **argv)
{
	if (!argc)
		return show();
	if (word_is(*argv, "help")) {
		puts("Usage: abt set [ KNOB VALUE ]...\n"
		     "Without a knob: what is set. All that are given take effect together, or none.");
		return 0;
	}
	return change(argc, argv);
}
