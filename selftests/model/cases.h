/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Test cases of the models and the pools: plain functions over plain structs, with
 * no more around them than this header, so that they run wherever the code itself
 * does: in user space under ASan and UBSan (main.c), and in a kernel (kunit.c).
 */
#ifndef MODEL_CASES_H
#define MODEL_CASES_H

#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/timer.h>
#include <linux/types.h>

/* Random numbers are the same ones in every run, unless told otherwise. */
#define ABT_TEST_SEED	0x9e3779b97f4a7c15ULL

/**
 * struct abt_test - what a case is given
 * @failures: expectations that did not hold
 * @random: state of its random numbers; not 0
 * @steps: how many steps a random walk takes
 */
struct abt_test {
	u32 failures;
	u64 random;
	u64 steps;
};

struct abt_case {
	const char *name;
	void (*run)(struct abt_test *t);
};

/* Each list ends with a case without a name. */
extern const struct abt_case abt_extreme_cases[];
extern const struct abt_case abt_send_cases[];
extern const struct abt_case abt_throughput_cases[];
extern const struct abt_case abt_unsent_cases[];
extern const struct abt_case abt_base_cases[];
extern const struct abt_case abt_receive_cases[];
extern const struct abt_case abt_line_cases[];
extern const struct abt_case abt_hist_cases[];
extern const struct abt_case abt_pool_cases[];
extern const struct abt_case abt_tree_cases[];
extern const struct abt_case abt_loan_cases[];
extern const struct abt_case abt_path_cases[];
extern const struct abt_case abt_merge_cases[];
extern const struct abt_case abt_sched_cases[];
extern const struct abt_case abt_buffer_cases[];
extern const struct abt_case abt_dma_cases[];
extern const struct abt_case abt_recent_cases[];

/* Note a failure, with the row of the table or the step that it happened at. */
void abt_test_fail(struct abt_test *t, const char *file, int line,
		   const char *what, u64 left, u64 right, u64 where);

#define EXPECT_AT(t, where, left, op, right) ({				\
	u64 expect_left = (u64)(left), expect_right = (u64)(right);	\
	bool expect_ok = expect_left op expect_right;			\
	if (!expect_ok)							\
		abt_test_fail(t, __FILE__, __LINE__,			\
			      #left " " #op " " #right,			\
			      expect_left, expect_right, (u64)(where));	\
	expect_ok; })

#define EXPECT(t, left, op, right)	EXPECT_AT(t, 0, left, op, right)

#ifdef __KERNEL__
/* Let a timer run now, if it is pending. Return: did it? */
static inline bool run_timer(struct timer_list *timer)
{
	bool pending = timer_delete_sync(timer);

	if (pending)
		timer->function(timer);
	return pending;
}
#endif

/* Marsaglia's xorshift, 64 bits, 13/7/17. */
static inline u32 abt_test_random(struct abt_test *t)
{
	u64 x = t->random;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	t->random = x;
	return (u32)(x >> 32);
}

/* A random number below @bound, which is above 0. */
static inline u32 abt_test_below(struct abt_test *t, u32 bound)
{
	return (u32)(((u64)abt_test_random(t) * bound) >> 32);
}

#endif
