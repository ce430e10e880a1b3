/* SPDX-License-Identifier: GPL-2.0 */
/* Numbers and words for people: sizes, times, names of what the module counts. */
#ifndef ABT_WORDS_H
#define ABT_WORDS_H

#include <stdint.h>
#include <stdio.h>

/* Room for any of the texts below. */
#define TEXT	32

const char *size_text(uint64_t bytes, char text[TEXT]);		/* 6.0M */
const char *time_text(uint32_t us, char text[TEXT]);		/* 184.0ms; -: unknown */

const char *policy_word(uint32_t policy);
const char *reason_word(uint32_t reason);
const char *direction_word(uint32_t direction);
const char *path_state_word(uint32_t state);
const char *scope_word(uint32_t scope);
const char *function_word(uint32_t bit);	/* of enum tcp_abt_function */

/* Columns of a screen. */
#define WIDTH	80

/* Text in lines of WIDTH, all as far in as the first, which begins with FIRST. */
void fill(const char *first, const char *text);

enum colour { PLAIN, BOLD, GOOD, SHORT, DIM };

/* Switches the terminal, where colours are wanted. */
void colour(FILE *to, enum colour colour);

/* How a reason looks: a buffer that is held back stands out. */
enum colour reason_colour(uint32_t reason);

#endif /* ABT_WORDS_H */
