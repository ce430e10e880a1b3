// SPDX-License-Identifier: GPL-2.0
/* JSON, written as it comes: see json.h. */
#include <inttypes.h>
#include <stdio.h>

#include "abt.h"
#include "json.h"

#define INDENT	4

static int depth;
static bool followed;	/* something stands before us at this depth */

static void new_line(void)
{
	if (options.pretty)
		printf("\n%*s", depth * INDENT, "");
}

static void quoted(const char *text)
{
	putchar('"');
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			printf("\\%c", *text);
		else if ((unsigned char)*text < ' ')
			printf("\\u%04x", *text);
		else
			putchar(*text);
	}
	putchar('"');
}

static void begin(const char *name)
{
	if (followed)
		putchar(',');
	if (depth)
		new_line();
	if (name) {
		quoted(name);
		fputs(options.pretty ? ": " : ":", stdout);
	}
	followed = true;
}

void json_open(const char *name, char bracket)
{
	begin(name);
	putchar(bracket);
	depth++;
	followed = false;
}

void json_close(char bracket)
{
	depth--;
	if (followed)
		new_line();
	putchar(bracket);
	followed = true;
	if (!depth) {
		putchar('\n');
		followed = false;
	}
}

void json_number(const char *name, uint64_t value)
{
	begin(name);
	printf("%" PRIu64, value);
}

void json_thousandths(const char *name, uint32_t value)
{
	begin(name);
	printf("%u.%03u", value / 1000, value % 1000);
}

void json_text(const char *name, const char *value)
{
	begin(name);
	quoted(value);
}

void json_flag(const char *name, bool value)
{
	begin(name);
	fputs(value ? "true" : "false", stdout);
}
