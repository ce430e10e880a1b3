/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A spin lock between threads, of the kernel's kind: who takes a ticket first has the lock first.
 * Found before shim/linux/spinlock.h, which is for one thread.
 */
#ifndef SHIM_LINUX_SPINLOCK_H
#define SHIM_LINUX_SPINLOCK_H

#include <linux/bug.h>
#include <linux/types.h>

typedef struct {
	u32 next;	/* ticket of who comes next */
	u32 now;	/* whose turn it is */
} spinlock_t;

typedef struct {
	int counter;
} atomic_t;

/* Spins after which a thread lets others run: who is before it may not have a processor. */
#define SHIM_SPINS	4096

int sched_yield(void);

static inline void spin_lock(spinlock_t *lock)
{
	u32 ticket = __atomic_fetch_add(&lock->next, 1, __ATOMIC_RELAXED);
	u32 spins = 0;

	while (__atomic_load_n(&lock->now, __ATOMIC_ACQUIRE) != ticket) {
		if (++spins % SHIM_SPINS == 0)
			sched_yield();
		else
			__builtin_ia32_pause();
	}
}

static inline void spin_unlock(spinlock_t *lock)
{
	__atomic_store_n(&lock->now, lock->now + 1, __ATOMIC_RELEASE);
}

#define spin_lock_init(lock)		(*(lock) = (spinlock_t) {})
#define __releases(lock)
#define __acquire(lock)			((void)(lock))
#define __release(lock)			((void)(lock))
#define spin_lock_nest_lock(lock, nest)	spin_lock(lock)
#define spin_lock_bh(lock)		spin_lock(lock)
#define spin_unlock_bh(lock)		spin_unlock(lock)
#define lockdep_assert_held(lock)	((void)(lock))

#define smp_mb__before_atomic()		__atomic_thread_fence(__ATOMIC_SEQ_CST)

static inline void atomic_add(int more, atomic_t *v)
{
	__atomic_fetch_add(&v->counter, more, __ATOMIC_RELAXED);
}

static inline int atomic_read(const atomic_t *v)
{
	return __atomic_load_n(&v->counter, __ATOMIC_RELAXED);
}

typedef struct {
	s64 counter;
} atomic64_t;

static inline void atomic64_add(s64 more, atomic64_t *v)
{
	__atomic_fetch_add(&v->counter, more, __ATOMIC_RELAXED);
}

static inline s64 atomic64_read(const atomic64_t *v)
{
	return __atomic_load_n(&v->counter, __ATOMIC_RELAXED);
}

#endif
