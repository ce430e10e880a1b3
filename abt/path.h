/* SPDX-License-Identifier: GPL-2.0 */
/* The paths of this network namespace. */
#ifndef ABT_PATH_H
#define ABT_PATH_H

#include <stddef.h>

#include "record.h"

/* As the module lists them; the caller frees @all. */
struct paths {
	struct path *all;
	size_t count;
};

void paths_get(struct paths *paths);

/* The path of a connection; NULL: it has none. */
const struct path *path_of(const struct paths *paths, const struct conn *conn);

#endif /* ABT_PATH_H */
