// SPDX-License-Identifier: GPL-2.0
/* abt pool: the memory that connections share. */
#include <inttypes.h>
#include <stdio.h>

#include "abt.h"
#include "json.h"
#include "link.h"
#include "pool.h"
#include "words.h"

static void keep_pool(const struct nlmsghdr *answer, void *to)
{
	struct pools *pools = to;

	if (pools->count < POOLS)
		read_pool(answer, &pools->all[pools->count++]);
}

void pools_get(struct pools *pools)
{
	struct request request;

	pools->count = 0;
	request_begin(&request, TCP_ABT_CMD_POOL_GET, NLM_F_DUMP);
	request_send(&request, keep_pool, pools);
}

const struct pool *pools_tightest(const struct pools *pools, uint32_t direction)
{
	const struct pool *found = NULL;
	int i;

	for (i = 0; i < pools->count; i++) {
		const struct pool *pool = &pools->all[i];

		if (pool->direction != direction)
			continue;
		if (!found || (pool->has_level && (!found->has_level || pool->level < found->level)))
			found = pool;
	}
	return found;
}

void show_pool_memory(const struct pool *pool)
{
	char size[TEXT], charged[TEXT], demand[TEXT], level[TEXT];
	double full = pool->size ? 100.0 * pool->charged / pool->size : 0;

	printf("size %6s charged %6s %3.0f%% demand %6s level %6s", size_text(pool->size, size),
	       size_text(pool->charged, charged), full, size_text(pool->demand, demand),
	       pool->has_level ? size_text(pool->level, level) : "none");
}

void show_pool_counters(const struct pool *pool)
{
	printf("slope %u.%03u grants %" PRIu64 " shrinks %" PRIu64 " refused %" PRIu64 "\n",
	       pool->slope / 1000, pool->slope % 1000,
	       pool->grants, pool->shrinks, pool->refused);
}

static void show_pool(const struct pool *pool)
{
	printf("%s %-4s ", direction_word(pool->direction), scope_word(pool->scope));
	show_pool_memory(pool);
	printf(" conns %u\n", pool->conns);
	if (options.stats) {
		printf("%10s", "");
		show_pool_counters(pool);
	}
}

void json_pool_figures(const struct pool *pool)
{
	json_number("size", pool->size);
	json_number("charged", pool->charged);
	json_number("demand", pool->demand);
	if (pool->has_level)
		json_number("level", pool->level);
	json_thousandths("slope", pool->slope);
	json_number("conns", pool->conns);
	json_number("grants", pool->grants);
	json_number("shrinks", pool->shrinks);
	json_number("refused", pool->refused);
}

static void json_pool(const struct pool *pool)
{
	json_open(NULL, '{');
	json_text("pool", direction_word(pool->direction));
	json_text("scope", scope_word(pool->scope));
	json_pool_figures(pool);
	json_close('}');
}

int do_pool(int argc, char **argv)
{
	struct pools pools;
	int i;

	if (!wants_list(argc, argv, "pool"))
		return !word_is(*argv, "help");
	link_open();
	pools_get(&pools);
	if (options.json)
		json_open(NULL, '[');
	for (i = 0; i < pools.count; i++) {
		if (options.json)
			json_pool(&pools.all[i]);
		else
			show_pool(&pools.all[i]);
	}
	if (options.json)
		json_close(']');
	return 0;
}
