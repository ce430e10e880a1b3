/* SPDX-License-Identifier: GPL-2.0 */
/* abt: the options of the command line, and the objects. */
#ifndef ABT_H
#define ABT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Options before the object. */
struct options {
	bool json;
	bool pretty;
	bool stats;
	bool colour;
};

extern struct options options;

/* A verb of an object: abt OBJECT [VERB] [ARGUMENT]... */
struct verb {
	const char *name;
	int (*run)(int argc, char **argv);	/* Return: exit status */
};

/* A name that begins so; the first one of a NULL-ended table wins, as in ip. */
const struct verb *find_verb(const struct verb *verbs, const char *word, const char *object);

/* Does WORD stand for NAME, being a beginning of it? */
bool word_is(const char *word, const char *name);

/* Is a list asked for, which is all that @object does? Else says how it is used. */
bool wants_list(int argc, char **argv, const char *object);

/* The argument of KEYWORD, the word after it. */
char *argument(int *argc, char ***argv, const char *keyword);

/* Prints to stderr, after "abt: ", and exits with status 1. */
_Noreturn void die(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A whole number in a range; dies with what was expected. */
uint64_t number(const char *text, const char *what, uint64_t least, uint64_t most);

int do_conn(int argc, char **argv);
int do_pool(int argc, char **argv);
int do_top(int argc, char **argv);
int do_why(int argc, char **argv);
int do_monitor(int argc, char **argv);
int do_set(int argc, char **argv);
int do_path(int argc, char **argv);
int do_offload(int argc, char **argv);
int do_advise(int argc, char **argv);
int do_metrics(int argc, char **argv);

#endif /* ABT_H */
