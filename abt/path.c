// SPDX-License-Identifier: GPL-2.0
/* abt path: the ways from peers, each shared by its connections. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abt.h"
#include "json.h"
#include "link.h"
#include "path.h"
#include "words.h"

static void keep_path(const struct nlmsghdr *answer, void *to)
{
	struct paths *paths = to;

	paths->all = realloc(paths->all, (paths->count + 1) * sizeof(*paths->all));
	if (!paths->all)
		die("no memory for %zu paths", paths->count + 1);
	read_path(answer, &paths->all[paths->count++]);
}

/* Where the table changed its size on the way, a path may come twice. Nothing is lost by that. */
void paths_get(struct paths *paths)
{
	struct request request;

	*paths = (struct paths) { 0 };
	request_begin(&request, TCP_ABT_CMD_PATH_GET, NLM_F_DUMP);
	request_send(&request, keep_path, paths);
}

static bool same_address(const struct end *a, const struct end *b)
{
	return a->length == b->length && !memcmp(a->address, b->address, a->length);
}

const struct path *path_of(const struct paths *paths, const struct conn *conn)
{
	size_t i;

	for (i = 0; i < paths->count; i++)
		if (same_address(&paths->all[i].remote, &conn->remote) &&
		    same_address(&paths->all[i].local, &conn->local))
			return &paths->all[i];
	return NULL;
}

/* Peers whose round trips vary as those of this one do, as many as a line takes. */
static void show_others(const struct paths *paths, const struct path *path)
{
	int columns = printf("    one bottleneck with");
	uint32_t left = path->peers - 1;
	char address[END_TEXT];
	size_t i;

	for (i = 0; left && i < paths->count; i++) {
		if (&paths->all[i] == path || paths->all[i].id != path->id)
			continue;
		address_text(&paths->all[i].remote, address);
		if (columns + strlen(address) + sizeof(" and 63 more") > WIDTH)
			break;
		columns += printf(" %s", address);
		left--;
	}
	printf(left ? " and %u more\n" : "\n", left);
}

static void show_path(const struct paths *paths, const struct path *path)
{
	char address[END_TEXT], base[TEXT], rtt[TEXT], held[TEXT], level[TEXT];

	colour(stdout, BOLD);
	fputs(address_text(&path->remote, address), stdout);
	colour(stdout, PLAIN);
	printf(" local %s %s\n", address_text(&path->local, address), path_state_word(path->state));
	printf("    conns %u members %u base %s rtt %s holds %s", path->conns, path->members,
	       time_text(path->base_us, base), time_text(path->rtt_us, rtt), size_text(path->held, held));
	if (path->has_level)
		printf(" at most %s each", size_text(path->level, level));
	putchar('\n');
	if (path->id)
		show_others(paths, path);
}

static void json_path(const struct path *path)
{
	char address[END_TEXT];

	json_open(NULL, '{');
	json_text("remote", address_text(&path->remote, address));
	json_text("local", address_text(&path->local, address));
	json_text("state", path_state_word(path->state));
	json_number("base_us", path->base_us);
	json_number("rtt_us", path->rtt_us);
	json_number("held", path->held);
	if (path->has_level)
		json_number("level", path->level);
	json_number("members", path->members);
	json_number("conns", path->conns);
	if (path->id) {
		json_number("path_id", path->id);
		json_number("peers", path->peers);
	}
	json_close('}');
}

int do_path(int argc, char **argv)
{
	struct paths paths;
	size_t i;

	if (!wants_list(argc, argv, "path"))
		return !word_is(*argv, "help");
	link_open();
	paths_get(&paths);
	if (options.json)
		json_open(NULL, '[');
	else if (!paths.count)
		puts("No connection has received over a path longer than epoch_min_us in the last minutes, or path_headroom is 0.");
	for (i = 0; i < paths.count; i++) {
		if (options.json)
			json_path(&paths.all[i]);
		else
			show_path(&paths, &paths.all[i]);
	}
	if (options.json)
		json_close(']');
	free(paths.all);
	return 0;
}
