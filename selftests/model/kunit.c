// SPDX-License-Identifier: GPL-2.0
/* Runs every case under KUnit when it is inserted: a suite a list of cases. */
#include <kunit/test.h>
#include <linux/module.h>

#include "cases.h"

/* Room in a suite, the end of its list included. */
#define CASES_MAX	64

/* A random walk's; in user space ten times as many. */
#define STEPS		1000000

/* After so many, the rest of a case's failures say nothing new. */
#define SHOWN_FAILURES	5

/**
 * struct kunit_run - a case under way
 * @test: what it is given
 * @kunit: where it reports
 */
struct kunit_run {
	struct abt_test test;
	struct kunit *kunit;
};

void abt_test_fail(struct abt_test *t, const char *file, int line,
		   const char *what, u64 left, u64 right, u64 where)
{
	struct kunit_run *run = container_of(t, struct kunit_run, test);

	if (t->failures++ < SHOWN_FAILURES)
		kunit_err(run->kunit, "%s:%d: at %llu: expected %s, saw %llu and %llu\n",
			  file, line, where, what, left, right);
}

#define SUITE(topic)							\
	static struct kunit_case topic##_kunit[CASES_MAX];		\
	static struct kunit_suite topic##_suite = {			\
		.name = "abt_" #topic,					\
		.test_cases = topic##_kunit,				\
	}

SUITE(extreme);
SUITE(send);
SUITE(throughput);
SUITE(unsent);
SUITE(base);
SUITE(receive);
SUITE(line);
SUITE(hist);
SUITE(pool);
SUITE(tree);
SUITE(loan);
SUITE(path);
SUITE(merge);
SUITE(sched);
SUITE(buffer);
SUITE(dma);
SUITE(recent);

kunit_test_suites(&extreme_suite, &send_suite, &throughput_suite, &unsent_suite, &base_suite,
		  &receive_suite, &line_suite, &hist_suite, &pool_suite, &tree_suite,
		  &loan_suite, &path_suite, &merge_suite, &sched_suite, &buffer_suite,
		  &dma_suite, &recent_suite);

static const struct {
	const struct abt_case *cases;
	struct kunit_suite *suite;
} lists[] = {
	{ abt_extreme_cases, &extreme_suite },
	{ abt_send_cases, &send_suite },
	{ abt_throughput_cases, &throughput_suite },
	{ abt_unsent_cases, &unsent_suite },
	{ abt_base_cases, &base_suite },
	{ abt_receive_cases, &receive_suite },
	{ abt_line_cases, &line_suite },
	{ abt_hist_cases, &hist_suite },
	{ abt_pool_cases, &pool_suite },
	{ abt_tree_cases, &tree_suite },
	{ abt_loan_cases, &loan_suite },
	{ abt_path_cases, &path_suite },
	{ abt_merge_cases, &merge_suite },
	{ abt_sched_cases, &sched_suite },
	{ abt_buffer_cases, &buffer_suite },
	{ abt_dma_cases, &dma_suite },
	{ abt_recent_cases, &recent_suite },
};

/* KUnit hands a case nothing that is the case's own, except its name. */
static const struct abt_case *find_case(const char *name)
{
	const struct abt_case *c;

	for (size_t i = 0; i < ARRAY_SIZE(lists); i++)
		for (c = lists[i].cases; c->name; c++)
			if (!strcmp(c->name, name))
				return c;
	return NULL;
}

static void run_case(struct kunit *kunit)
{
	const struct abt_case *c = find_case(kunit->name);
	struct kunit_run run = {
		.test.random = ABT_TEST_SEED,
		.test.steps = STEPS,
		.kunit = kunit,
	};

	KUNIT_ASSERT_NOT_NULL(kunit, c);
	c->run(&run.test);
	KUNIT_EXPECT_EQ(kunit, run.test.failures, 0);
}

/* KUnit runs a module's suites after its init, which has filled them by then. */
static int __init abt_kunit_init(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		const struct abt_case *c = lists[i].cases;

		for (size_t n = 0; c->name; c++, n++) {
			if (n + 1 >= CASES_MAX)
				return -ENOSPC;
			lists[i].suite->test_cases[n] = (struct kunit_case) {
				.run_case = run_case,
				.name = c->name,
				.module_name = KBUILD_MODNAME,
			};
		}
	}
	return 0;
}

static void __exit abt_kunit_exit(void)
{
}

module_init(abt_kunit_init);
module_exit(abt_kunit_exit);
MODULE_DESCRIPTION("tcp_abt: KUnit of the model and the pools");
MODULE_LICENSE("GPL");
