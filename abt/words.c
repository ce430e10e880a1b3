// SPDX-License-Identifier: GPL-2.0
/* Numbers and words for people: see words.h. */
#include <linux/tcp_abt.h>
#include <stddef.h>
#include <string.h>

#include "abt.h"
#include "control/words_gen.h"
#include "words.h"

#define LENGTH(_array)	(sizeof(_array) / sizeof((_array)[0]))

static const char *const directions[] = {
	[TCP_ABT_DIRECTION_SEND] = "send",
	[TCP_ABT_DIRECTION_RECEIVE] = "recv",
	NULL
};

static const char *const scopes[] = {
	[TCP_ABT_SCOPE_NETNS] = "net",
	[TCP_ABT_SCOPE_HOST] = "host",
	NULL
};

static const char *const functions[] = {
	"alloc", "copy_in", "wait", "check", "ack", "copy_out", "free", NULL
};

_Static_assert(1 << (LENGTH(functions) - 1) == TCP_ABT_FUNCTION_MASK + 1, "a word for each function");

/* Of words that end with NULL. A newer module may know more than we do. */
static const char *word(const char *const *words, uint32_t value)
{
	while (*words && value--)
		words++;
	return *words ? *words : "?";
}

const char *policy_word(uint32_t policy)
{
	return word(tcp_abt_policy_words, policy);
}

const char *reason_word(uint32_t reason)
{
	return word(tcp_abt_reason_words, reason);
}

const char *direction_word(uint32_t direction)
{
	return word(directions, direction);
}

const char *scope_word(uint32_t scope)
{
	return word(scopes, scope);
}

const char *path_state_word(uint32_t state)
{
	return word(tcp_abt_path_state_words, state);
}

const char *function_word(uint32_t bit)
{
	return word(functions, bit);
}

const char *size_text(uint64_t bytes, char text[TEXT])
{
	static const char units[] = "BKMGTPE";
	const char *unit = units;
	double size = bytes;

	while (size >= 1000 && unit[1]) {
		size /= 1024;
		unit++;
	}
	snprintf(text, TEXT, *unit == 'B' || size >= 99.95 ? "%.0f%c" : "%.1f%c", size, *unit);
	return text;
}

const char *time_text(uint32_t us, char text[TEXT])
{
	if (!us)
		return "-";
	if (us < 1000)
		snprintf(text, TEXT, "%uus", us);
	else if (us < 10000000)
		snprintf(text, TEXT, "%.1fms", us / 1000.0);
	else
		snprintf(text, TEXT, "%.1fs", us / 1000000.0);
	return text;
}

void colour(FILE *to, enum colour colour)
{
	static const char *const codes[] = {
		[PLAIN] = "\033[0m",
		[BOLD] = "\033[1m",
		[GOOD] = "\033[32m",
		[SHORT] = "\033[33m",
		[DIM] = "\033[2m",
	};

	if (options.colour)
		fputs(codes[colour], to);
}

enum colour reason_colour(uint32_t reason)
{
	switch (reason) {
	case TCP_ABT_REASON_SHARE:
	case TCP_ABT_REASON_POOL:
	case TCP_ABT_REASON_FLOOR:
	case TCP_ABT_REASON_ADMIN:
		return SHORT;
	case TCP_ABT_REASON_GROW:
		return GOOD;
	default:
		return DIM;
	}
}

void fill(const char *first, const char *text)
{
	const int column = strlen(first);
	int at = printf("%s", first);

	while (*text) {
		int length = strcspn(text, " ");

		if (at > column && at + 1 + length > WIDTH)
			at = printf("\n%*s", column, "") - 1;
		at += printf("%s%.*s", at > column ? " " : "", length, text);
		text += length + (text[length] == ' ');
	}
	putchar('\n');
}
