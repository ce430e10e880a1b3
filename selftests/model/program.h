/* SPDX-License-Identifier: GPL-2.0 */
/* What the programs with threads have in common: a thread's start, and a result in TAP. */
#ifndef MODEL_PROGRAM_H
#define MODEL_PROGRAM_H

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include <linux/types.h>

/* The program ends if there is no thread. */
static inline void start(pthread_t *thread, void *(*run)(void *), void *data)
{
	if (pthread_create(thread, NULL, run, data)) {
		perror("pthread_create");
		exit(1);
	}
}

static inline void report(u32 number, bool good, const char *what)
{
	printf("%sok %u %s\n", good ? "" : "not ", number, what);
}

#endif /* MODEL_PROGRAM_H */
