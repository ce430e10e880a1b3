/* SPDX-License-Identifier: GPL-2.0 */
/* JSON, written as it comes: braces and commas take care of themselves. */
#ifndef ABT_JSON_H
#define ABT_JSON_H

#include <stdbool.h>
#include <stdint.h>

/* NAME: of a member of an object; NULL: an element of an array. */
void json_open(const char *name, char bracket);		/* { or [ */
void json_close(char bracket);				/* } or ] */
void json_number(const char *name, uint64_t value);
void json_thousandths(const char *name, uint32_t value);
void json_text(const char *name, const char *value);
void json_flag(const char *name, bool value);

#endif /* ABT_JSON_H */
