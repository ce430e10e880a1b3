/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a stream of tcp_peer's is made of: byte N is pattern[N % PERIOD], and BLOCK bytes
 * from any such place on are there in one piece.
 */
#ifndef SELFTESTS_PATTERN_H
#define SELFTESTS_PATTERN_H

#include <stddef.h>
#include <stdint.h>

#define BLOCK		65536
#define PERIOD		65521	/* prime: no block of the network's equals the next */

static unsigned char pattern[PERIOD + BLOCK];

static inline void make_pattern(void)
{
	uint32_t x = 1;

	for (size_t i = 0; i < PERIOD; i++) {
		x = x * 1664525 + 1013904223;	/* Knuth and Lewis */
		pattern[i] = x >> 24;
	}
	for (size_t i = PERIOD; i < sizeof(pattern); i++)
		pattern[i] = pattern[i - PERIOD];
}

#endif /* SELFTESTS_PATTERN_H */
