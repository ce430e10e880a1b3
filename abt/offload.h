/* SPDX-License-Identifier: GPL-2.0 */
/* The adapters of this network namespace. */
#ifndef ABT_OFFLOAD_H
#define ABT_OFFLOAD_H

#include <stddef.h>

#include "record.h"

/* As their drivers registered them; the caller frees @all. */
struct adapters {
	struct adapter *all;
	size_t count;
};

void adapters_get(struct adapters *adapters);

#endif /* ABT_OFFLOAD_H */
