// SPDX-License-Identifier: GPL-2.0
/* abt - ask and set adaptive TCP buffer tuning: options, and the objects by name. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abt.h"
#include "version.h"

struct options options;

static const char usage[] =
	"Usage: abt [ OPTIONS ] OBJECT { COMMAND | help }\n"
	"where  OBJECT := { conn | pool | path | top | why | monitor | set |\n"
	"                   offload | advise | metrics }\n"
	"       OPTIONS := { -j[son] | -p[retty] | -s[tatistics] | -n[etns] NETNS |\n"
	"                    -c[olor][={always|auto|never}] | -V[ersion] }\n"
	"\n"
	"  abt conn [FILTER]...     connections: what each has, asks for and may have\n"
	"  abt pool                 the memory that they share\n"
	"  abt path                 the ways from peers, which connections share\n"
	"  abt top                  who holds most of it, as it changes\n"
	"  abt why ADDRESS          one connection's last decisions, and their inputs\n"
	"  abt monitor [FILTER]...  every decision as it is made\n"
	"  abt set [KNOB VALUE]...  show or change what net.ipv4.tcp_abt.* holds\n"
	"  abt offload              network adapters that take connections on\n"
	"  abt advise               what this host would gain, and what to set\n"
	"  abt metrics              the figures for a monitoring system\n"
	"\n"
	"Names may be shortened. abt(8) has the rest.\n";

static const struct verb objects[] = {
	{ "conn", do_conn },
	{ "connections", do_conn },
	{ "pool", do_pool },
	{ "path", do_path },
	{ "top", do_top },
	{ "why", do_why },
	{ "monitor", do_monitor },
	{ "set", do_set },
	{ "offload", do_offload },
	{ "advise", do_advise },
	{ "metrics", do_metrics },
	{ NULL, NULL },
};

void die(const char *format, ...)
{
	va_list args;

	fflush(stdout);
	fputs("abt: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	exit(1);
}

bool word_is(const char *word, const char *name)
{
	return *word && !strncmp(word, name, strlen(word));
}

bool wants_list(int argc, char **argv, const char *object)
{
	if (!argc || word_is(*argv, "show") || word_is(*argv, "list"))
		return true;
	fprintf(stderr, "Usage: abt %s [ show | list ]\n", object);
	return false;
}

const struct verb *find_verb(const struct verb *verbs, const char *word, const char *object)
{
	const struct verb *verb;

	for (verb = verbs; verb->name; verb++)
		if (word_is(word, verb->name))
			return verb;
	fprintf(stderr, "abt: %s \"%s\" is unknown, expected one of:", object, word);
	for (verb = verbs; verb->name; verb++)
		fprintf(stderr, " %s", verb->name);
	fputs(" (try \"abt help\")\n", stderr);
	exit(1);
}

char *argument(int *argc, char ***argv, const char *keyword)
{
	if (*argc < 2)
		die("%s: expected a value after it", keyword);
	--*argc;
	return *++*argv;
}

uint64_t number(const char *text, const char *what, uint64_t least, uint64_t most)
{
	unsigned long long value;
	char *end;

	errno = 0;
	value = strtoull(text, &end, 10);
	if (errno || end == text || *end || *text == '-' || value < least || value > most)
		die("%s \"%s\": expected a whole number from %llu to %llu", what, text,
		    (unsigned long long)least, (unsigned long long)most);
	return value;
}

static void enter_netns(const char *name)
{
	char path[4096];
	int fd;

	if (strchr(name, '/'))
		snprintf(path, sizeof(path), "%s", name);
	else
		snprintf(path, sizeof(path), "/run/netns/%s", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		die("network namespace \"%s\": %s: %s (\"ip netns\" lists those there are)", name, path,
		    strerror(errno));
	if (setns(fd, CLONE_NEWNET))
		die("network namespace \"%s\": %s%s", name, strerror(errno),
		    errno == EPERM ? " (needs root, or CAP_SYS_ADMIN)" : "");
	close(fd);
}

static void choose_colour(const char *when)
{
	if (!*when || !strcmp(when, "=always"))
		options.colour = true;
	else if (!strcmp(when, "=auto"))
		options.colour = isatty(STDOUT_FILENO);
	else if (!strcmp(when, "=never"))
		options.colour = false;
	else
		die("-color%s: expected -color, -color=always, -color=auto or -color=never", when);
}

/* One option. Return: how many words it took. */
static int take_option(int argc, char **argv)
{
	const char *word = argv[0] + 1;

	if (*word == '-')
		word++;
	if (word_is(word, "json")) {
		options.json = true;
	} else if (word_is(word, "pretty")) {
		options.pretty = true;
	} else if (word_is(word, "statistics") || word_is(word, "stats")) {
		options.stats = true;
	} else if (word_is(word, "netns")) {
		enter_netns(argument(&argc, &argv, "-netns"));
		return 2;
	} else if (word_is(word, "Version")) {
		printf("abt %s\n", ABT_VERSION);
		exit(0);
	} else if (word_is(word, "help")) {
		fputs(usage, stdout);
		exit(0);
	} else {
		size_t name = strcspn(word, "=");
		char *plain = strndup(word, name);

		if (!plain || (!word_is(plain, "color") && !word_is(plain, "colour")))
			die("option \"%s\" is unknown (try \"abt help\")", argv[0]);
		choose_colour(word + name);
		free(plain);
	}
	return 1;
}

int main(int argc, char **argv)
{
	int status;

	options.colour = isatty(STDOUT_FILENO) && !getenv("NO_COLOR");
	argc--;
	argv++;
	while (argc && argv[0][0] == '-') {
		int taken = take_option(argc, argv);

		argc -= taken;
		argv += taken;
	}
	if (!argc || word_is(argv[0], "help")) {
		fputs(usage, argc ? stdout : stderr);
		return argc ? 0 : 1;
	}
	status = find_verb(objects, argv[0], "object")->run(argc - 1, argv + 1);
	if (fflush(stdout) || ferror(stdout))
		die("writing: %s", strerror(errno));
	return status;
}
