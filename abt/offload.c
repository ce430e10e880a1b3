// SPDX-License-Identifier: GPL-2.0
/* abt offload: network adapters that take connections on. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "abt.h"
#include "json.h"
#include "link.h"
#include "offload.h"
#include "pool.h"
#include "show.h"
#include "words.h"

static void keep_adapter(const struct nlmsghdr *answer, void *to)
{
	struct adapters *adapters = to;

	adapters->all = realloc(adapters->all, (adapters->count + 1) * sizeof(*adapters->all));
	if (!adapters->all)
		die("no memory for %zu adapters", adapters->count + 1);
	read_adapter(answer, &adapters->all[adapters->count++]);
}

void adapters_get(struct adapters *adapters)
{
	struct request request;

	*adapters = (struct adapters) { 0 };
	request_begin(&request, TCP_ABT_CMD_OFFLOAD_GET, NLM_F_DUMP);
	request_send(&request, keep_adapter, adapters);
}

/* Connections that fit: as many as the driver says, and as there are floors in the memory. */
static uint64_t capacity(const struct adapter *adapter)
{
	uint64_t floors = adapter->floor ? adapter->memory.size / adapter->floor : UINT64_MAX;

	return floors < adapter->max_conns ? floors : adapter->max_conns;
}

static void show_memory(const struct adapter *adapter)
{
	char least[TEXT];

	fputs("    ", stdout);
	show_pool_memory(&adapter->memory);
	printf(" floor %6s\n", size_text(adapter->floor, least));
	if (options.stats) {
		fputs("    ", stdout);
		show_pool_counters(&adapter->memory);
	}
}

static void show_adapter(const struct adapter *adapter)
{
	char device[IF_NAMESIZE];
	uint32_t bit;

	colour(stdout, BOLD);
	fputs(device_text(adapter->ifindex, device), stdout);
	colour(stdout, PLAIN);
	printf(" conns %" PRIu64 " of %" PRIu64 " waiting %" PRIu64 " refused %" PRIu64 "\n",
	       adapter->conns, capacity(adapter), adapter->waiting, adapter->refused);
	if (options.stats)
		printf("    adds %" PRIu64 " updates %" PRIu64 " gone %" PRIu64 " rerouted %" PRIu64
		       " evicted %" PRIu64 "\n", adapter->adds, adapter->updates, adapter->gone,
		       adapter->rerouted, adapter->evicted);
	if (adapter->floor)
		show_memory(adapter);
	fputs("    functions", stdout);
	for (bit = 0; adapter->functions >> bit; bit++)
		if (adapter->functions >> bit & 1)
			printf(" %s", function_word(bit));
	puts(adapter->functions ? "" : " none");
}

static void json_adapter(const struct adapter *adapter)
{
	char device[IF_NAMESIZE];
	uint32_t bit;

	json_open(NULL, '{');
	json_text("dev", device_text(adapter->ifindex, device));
	json_number("conns", adapter->conns);
	json_number("max_conns", adapter->max_conns);
	json_number("waiting", adapter->waiting);
	json_number("adds", adapter->adds);
	json_number("updates", adapter->updates);
	json_number("refused", adapter->refused);
	json_number("gone", adapter->gone);
	json_number("rerouted", adapter->rerouted);
	json_number("evicted", adapter->evicted);
	json_open("functions", '[');
	for (bit = 0; adapter->functions >> bit; bit++)
		if (adapter->functions >> bit & 1)
			json_text(NULL, function_word(bit));
	json_close(']');
	if (adapter->floor) {
		json_number("floor", adapter->floor);
		json_open("memory", '{');
		json_pool_figures(&adapter->memory);
		json_close('}');
	}
	json_close('}');
}

int do_offload(int argc, char **argv)
{
	struct adapters adapters;
	size_t i;

	if (!wants_list(argc, argv, "offload"))
		return !word_is(*argv, "help");
	link_open();
	adapters_get(&adapters);
	if (options.json)
		json_open(NULL, '[');
	else if (!adapters.count)
		puts("No driver has registered an adapter in this network namespace.");
	for (i = 0; i < adapters.count; i++) {
		if (options.json)
			json_adapter(&adapters.all[i]);
		else
			show_adapter(&adapters.all[i]);
	}
	if (options.json)
		json_close(']');
	free(adapters.all);
	return 0;
}
