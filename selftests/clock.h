/* SPDX-License-Identifier: GPL-2.0 */
/* The time, and waiting for it to pass. */
#ifndef SELFTESTS_CLOCK_H
#define SELFTESTS_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Since some moment in the past. */
static inline uint64_t now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

static inline uint64_t now_ms(void)
{
	return now_us() / 1000;
}

static inline void sleep_ms(long ms)
{
	struct timespec time = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 };

	nanosleep(&time, NULL);
}

#endif /* SELFTESTS_CLOCK_H */
