/* SPDX-License-Identifier: GPL-2.0 */
/* Connections of the programs that measure the pools, and the numbers of their command lines. */
#ifndef MODEL_LOAD_H
#define MODEL_LOAD_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "cases.h"
#include "pool/stake.h"

/* What a stake is a part of in the kernel: so far apart they lie [bytes]. */
#define RECORD_BYTES	256

/* Demands: each octave from 4 KB to 16 MB as often [bytes, octaves]. */
#define LEAST_DEMAND	4096
#define OCTAVES		12

union record {
	struct {
		struct abt_stake stake;
		u32 demand;
	};
	char bytes[RECORD_BYTES];
};

static inline u32 some_demand(struct abt_test *numbers)
{
	u32 octave = LEAST_DEMAND << abt_test_below(numbers, OCTAVES);

	return octave + abt_test_below(numbers, octave);
}

/* The number that an argument of @program is; the program ends where it is none. */
static inline u32 number(const char *program, const char *text, const char *what,
			 u32 least)
{
	char *end;
	unsigned long value;

	errno = 0;
	value = strtoul(text, &end, 10);
	if (errno || *end || *text == '-' || value < least || value > S32_MAX) {
		fprintf(stderr, "%s: %s '%s': expected a number from %u on\n",
			program, what, text, least);
		exit(2);
	}
	return (u32)value;
}

#endif /* MODEL_LOAD_H */
