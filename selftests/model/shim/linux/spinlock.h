/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A spin lock for one thread: all that can go wrong is to take it twice, to give
 * back what one has not, or to touch what it protects without it. Each is found.
 */
#ifndef SHIM_LINUX_SPINLOCK_H
#define SHIM_LINUX_SPINLOCK_H

#include <linux/bug.h>
#include <linux/types.h>

typedef struct {
	bool held;
} spinlock_t;

typedef struct {
	int counter;
} atomic_t;

#define spin_lock_init(lock)		((lock)->held = false)
#define lockdep_assert_held(lock)	WARN_ON_ONCE(!(lock)->held)

#define spin_lock(lock) ({		\
	WARN_ON_ONCE((lock)->held);	\
	(lock)->held = true; })
#define spin_unlock(lock) ({		\
	WARN_ON_ONCE(!(lock)->held);	\
	(lock)->held = false; })

#define __acquires(lock)
#define __releases(lock)
#define __acquire(lock)			((void)(lock))
#define __release(lock)			((void)(lock))
#define spin_lock_nest_lock(lock, nest)	spin_lock(lock)
#define DEFINE_SPINLOCK(name)		spinlock_t name
#define SINGLE_DEPTH_NESTING		1
#define spin_lock_nested(lock, depth)	spin_lock(lock)
#define spin_lock_bh(lock)		spin_lock(lock)
#define spin_unlock_bh(lock)		spin_unlock(lock)

#define smp_mb__before_atomic()		do { } while (0)

static inline void atomic_add(int more, atomic_t *v)
{
	v->counter = (int)((u32)v->counter + (u32)more);
}

static inline int atomic_read(const atomic_t *v)
{
	return v->counter;
}

typedef struct {
	s64 counter;
} atomic64_t;

static inline void atomic64_add(s64 more, atomic64_t *v)
{
	v->counter += more;
}

static inline s64 atomic64_read(const atomic64_t *v)
{
	return v->counter;
}

#endif
