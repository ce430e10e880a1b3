// SPDX-License-Identifier: GPL-2.0
/* A host's figures of TCP's memory: see host.h. */
#include <ctype.h>
#include <errno.h>
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abt.h"
#include "host.h"

#define PATH_ROOM	4096
#define LINE_ROOM	1024

/* Where sysctl --system looks, in its order. */
static const char *const setting_files[] = {
	"usr/lib/sysctl.d/*.conf", "usr/local/lib/sysctl.d/*.conf", "run/sysctl.d/*.conf",
	"etc/sysctl.d/*.conf", "etc/sysctl.conf",
};

static FILE *open_below(const char *root, const char *path)
{
	char name[PATH_ROOM];
	FILE *file;

	snprintf(name, sizeof(name), "%s/%s", root, path);
	file = fopen(name, "r");
	if (!file)
		die("%s: %s (expected what a Linux host has in /proc, or a recording of that)",
		    name, strerror(errno));
	return file;
}

static void read_numbers(const char *root, const char *path, uint64_t *to, int count)
{
	FILE *file = open_below(root, path);
	int i;

	for (i = 0; i < count; i++)
		if (fscanf(file, "%" SCNu64, &to[i]) != 1)
			die("%s/%s: expected %d numbers", root, path, count);
	fclose(file);
}

/* The number behind WORD, in the line that begins with BEGIN. */
static uint64_t number_behind(const char *root, const char *path, const char *begin, const char *word)
{
	FILE *file = open_below(root, path);
	char line[LINE_ROOM], *found = NULL;
	uint64_t value = 0;

	while (!found && fgets(line, sizeof(line), file))
		if (!strncmp(line, begin, strlen(begin)))
			found = strstr(line, word);
	if (!found || sscanf(found + strlen(word), "%" SCNu64, &value) != 1)
		die("%s/%s: expected a line \"%s\" with a number behind \"%s\"", root, path, begin, word);
	fclose(file);
	return value;
}

static char *copy(const char *text)
{
	char *copied = strdup(text);

	if (!copied)
		die("no memory");
	return copied;
}

static char *trim(char *text)
{
	char *end = text + strlen(text);

	while (end > text && isspace((unsigned char)end[-1]))
		*--end = '\0';
	while (isspace((unsigned char)*text))
		text++;
	return text;
}

/* net/ipv4/tcp_rmem, -net.ipv4.tcp_rmem: the same key. */
static char *plain_key(char *key)
{
	char *at;

	key = trim(key);
	if (*key == '-')
		key++;
	for (at = key; *at; at++)
		if (*at == '/')
			*at = '.';
	return key;
}

static void keep_setting(struct host *host, const char *file, int line, char *text)
{
	char *equals = strchr(text, '=');
	struct setting *all;

	text = trim(text);
	if (*text == '#' || *text == ';' || !equals)
		return;
	*equals = '\0';
	all = realloc(host->settings, (host->setting_count + 1) * sizeof(*all));
	if (!all)
		die("no memory");
	host->settings = all;
	all[host->setting_count++] = (struct setting) {
		.file = copy(file),
		.line = line,
		.key = copy(plain_key(text)),
		.value = copy(trim(equals + 1)),
	};
}

static void read_settings(struct host *host, const char *root, const char *pattern)
{
	char name[PATH_ROOM], line[LINE_ROOM];
	glob_t found;
	size_t i;
	int number;

	snprintf(name, sizeof(name), "%s/%s", root, pattern);
	if (glob(name, 0, NULL, &found))
		return;
	for (i = 0; i < found.gl_pathc; i++) {
		const char *shown = found.gl_pathv[i] + strlen(root);
		FILE *file = fopen(found.gl_pathv[i], "r");

		for (number = 1; file && fgets(line, sizeof(line), file); number++)
			keep_setting(host, shown[0] == '/' && shown[1] == '/' ? shown + 1 : shown,
				     number, line);
		if (file)
			fclose(file);
	}
	globfree(&found);
}

static bool is_there(const char *root, const char *path)
{
	char name[PATH_ROOM];

	snprintf(name, sizeof(name), "%s/%s", root, path);
	return !access(name, F_OK);
}

/* Does a process with this name run? */
static bool runs(const char *root, const char *name)
{
	char pattern[PATH_ROOM], comm[LINE_ROOM];
	bool found = false;
	glob_t processes;
	size_t i;

	snprintf(pattern, sizeof(pattern), "%s/proc/[0-9]*/comm", root);
	if (glob(pattern, 0, NULL, &processes))
		return false;
	for (i = 0; i < processes.gl_pathc && !found; i++) {
		FILE *file = fopen(processes.gl_pathv[i], "r");

		/* one that has ended since is none */
		found = file && fgets(comm, sizeof(comm), file) && !strcmp(trim(comm), name);
		if (file)
			fclose(file);
	}
	globfree(&processes);
	return found;
}

void host_read(struct host *host, const char *root)
{
	FILE *release;
	size_t i;

	*host = (struct host) { .page = sysconf(_SC_PAGESIZE) };
	release = open_below(root, "proc/sys/kernel/osrelease");
	if (fscanf(release, "%63s", host->release) != 1)
		die("%s/proc/sys/kernel/osrelease: expected a kernel's release", root);
	fclose(release);
	host->ram = number_behind(root, "proc/meminfo", "MemTotal:", "MemTotal:") << 10;
	if (!*root && !is_there(root, "proc/sys/net/ipv4/tcp_mem"))
		die("advise is for the whole host, and tcp_mem is not there in this network namespace: ask in the first one, without -n");
	read_numbers(root, "proc/sys/net/ipv4/tcp_mem", host->tcp_mem, 3);
	for (i = 0; i < 3; i++)
		host->tcp_mem[i] *= host->page;
	read_numbers(root, "proc/sys/net/ipv4/tcp_rmem", host->tcp_rmem, 3);
	read_numbers(root, "proc/sys/net/ipv4/tcp_wmem", host->tcp_wmem, 3);
	read_numbers(root, "proc/sys/net/ipv4/tcp_window_scaling", &host->window_scaling, 1);
	host->conns = number_behind(root, "proc/net/sockstat", "TCP:", " inuse ");
	host->in_use = number_behind(root, "proc/net/sockstat", "TCP:", " mem ") * host->page;
	host->bpftune = runs(root, "bpftune");
	host->synproxy = is_there(root, "proc/net/stat/synproxy");
	for (i = 0; i < sizeof(setting_files) / sizeof(setting_files[0]); i++)
		read_settings(host, root, setting_files[i]);
}

void host_free(struct host *host)
{
	size_t i;

	for (i = 0; i < host->setting_count; i++) {
		free(host->settings[i].file);
		free(host->settings[i].key);
		free(host->settings[i].value);
	}
	free(host->settings);
}
