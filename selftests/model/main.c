// SPDX-License-Identifier: GPL-2.0
/*
 * Runs every case and reports in TAP. Exit status 1 when one failed. With any
 * argument: only their names, a line each. ABT_SEED and ABT_STEPS in the environment:
 * other random numbers, and so many steps of a random walk.
 */
#include <stdio.h>
#include <stdlib.h>

#include "cases.h"
#include "environment.h"

/* A random walk's: some 10 s under ASan. */
#define STEPS		10000000

/* After so many, the rest of a case's failures say nothing new. */
#define SHOWN_FAILURES	5

static const struct abt_case *const lists[] = {
	abt_extreme_cases, abt_send_cases, abt_throughput_cases, abt_unsent_cases, abt_base_cases, abt_receive_cases,
	abt_line_cases,
	abt_hist_cases, abt_pool_cases, abt_tree_cases, abt_loan_cases, abt_path_cases, abt_merge_cases, abt_sched_cases,
	abt_buffer_cases, abt_dma_cases, abt_recent_cases,
};

void abt_test_fail(struct abt_test *t, const char *file, int line,
		   const char *what, u64 left, u64 right, u64 where)
{
	if (t->failures++ < SHOWN_FAILURES)
		printf("# %s:%d: at %llu: expected %s, saw %llu and %llu\n",
		       file, line, where, what, left, right);
}

static unsigned int count_cases(void)
{
	const struct abt_case *c;
	unsigned int n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(lists); i++)
		for (c = lists[i]; c->name; c++)
			n++;
	return n;
}

static void list_cases(void)
{
	const struct abt_case *c;

	for (size_t i = 0; i < ARRAY_SIZE(lists); i++)
		for (c = lists[i]; c->name; c++)
			puts(c->name);
}

static int run_cases(void)
{
	u64 seed = abt_environment("ABT_SEED", ABT_TEST_SEED);
	u64 steps = abt_environment("ABT_STEPS", STEPS);
	const struct abt_case *c;
	unsigned int n = 0;
	bool failed = false;

	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("TAP version 13\n1..%u\n# ABT_SEED=%llu ABT_STEPS=%llu\n",
	       count_cases(), seed, steps);
	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		for (c = lists[i]; c->name; c++) {
			struct abt_test t = { .random = seed, .steps = steps };

			c->run(&t);
			failed |= t.failures;
			printf("%sok %u %s\n", t.failures ? "not " : "", ++n,
			       c->name);
		}
	}
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	(void)argv;
	if (argc == 1)
		return run_cases();
	list_cases();
	return EXIT_SUCCESS;
}
