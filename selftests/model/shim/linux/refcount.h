/* SPDX-License-Identifier: GPL-2.0 */
/* References of one thread. */
#ifndef SHIM_LINUX_REFCOUNT_H
#define SHIM_LINUX_REFCOUNT_H

#include <linux/bug.h>
#include <linux/types.h>

typedef struct {
	u32 count;
} refcount_t;

static inline void refcount_set(refcount_t *r, u32 count)
{
	r->count = count;
}

static inline void refcount_inc(refcount_t *r)
{
	WARN_ON_ONCE(!r->count++);
}

static inline bool refcount_inc_not_zero(refcount_t *r)
{
	return r->count && ++r->count;
}

static inline bool refcount_dec_and_test(refcount_t *r)
{
	WARN_ON_ONCE(!r->count);
	return !--r->count;
}

#endif /* SHIM_LINUX_REFCOUNT_H */
