/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SHIM_LINUX_SLAB_H
#define SHIM_LINUX_SLAB_H

#include <stdlib.h>
#include <string.h>

#define ENOMEM		12
#define GFP_ATOMIC	0
#define GFP_KERNEL	0
#define GFP_KERNEL_ACCOUNT	0
#define __GFP_NOWARN	0
#define kzalloc(size, flags)	((void)(flags), calloc(1, size))
#define kmalloc(size, flags)	((void)(flags), malloc(size))
#define kfree(object)	free(object)

/* As the kernel does, at the start of a cache line. */
static inline void *shim_kvcalloc(size_t n, size_t size)
{
	void *object = aligned_alloc(64, (n * size + 63) / 64 * 64);

	return object ? memset(object, 0, n * size) : NULL;
}

#define kvcalloc(n, size, flags)	((void)(flags), shim_kvcalloc(n, size))
#define kvmalloc_array(n, size, flags)	kvcalloc(n, size, flags)
#define kvfree(object)			free(object)

#endif /* SHIM_LINUX_SLAB_H */
