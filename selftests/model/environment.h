/* SPDX-License-Identifier: GPL-2.0 */
/* Numbers that the programs with random steps take from the environment. */
#ifndef MODEL_ENVIRONMENT_H
#define MODEL_ENVIRONMENT_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include <linux/types.h>

/* A number above 0 of the environment's, or @otherwise. */
static inline u64 abt_environment(const char *name, u64 otherwise)
{
	const char *text = getenv(name);
	char *end;
	u64 number;

	if (!text)
		return otherwise;
	errno = 0;
	number = strtoull(text, &end, 0);
	if (errno || !number || *end || *text == '-') {
		fprintf(stderr, "%s='%s': expected a number from 1 to 2^64 - 1\n",
			name, text);
		exit(2);
	}
	return number;
}

#endif /* MODEL_ENVIRONMENT_H */
