/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SHIM_LINUX_SLAB_H
#define SHIM_LINUX_SLAB_H

#include <stdlib.h>

#define GFP_ATOMIC	0
#define __GFP_NOWARN	0
#define kzalloc(size, flags)	((void)(flags), calloc(1, size))
#define kfree(object)	free(object)

#endif /* SHIM_LINUX_SLAB_H */
