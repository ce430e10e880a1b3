/* SPDX-License-Identifier: GPL-2.0 */
/*
 * RCU between threads, by liburcu. Found before shim/linux/rcupdate.h, which is for one thread. Before
 * each access of a pointer other threads may run, so that what happens once in a million times in the
 * kernel happens often here.
 */
#ifndef SHIM_LINUX_RCUPDATE_H
#define SHIM_LINUX_RCUPDATE_H

#include <urcu.h>

#include <linux/types.h>

#define __rcu
#define RCU_INITIALIZER(v)			(v)
#define RCU_INIT_POINTER(p, v)			((p) = (v))
#define rcu_access_pointer(p)			({ shim_let_others(); READ_ONCE(p); })
#define rcu_dereference_check(p, condition)	({ shim_let_others(); rcu_dereference(p); })
#define cmpxchg(p, old, new) ({							\
	shim_let_others();							\
	(void)__sync_val_compare_and_swap(p, old, new); })

#undef rcu_assign_pointer
#define rcu_assign_pointer(p, v)		({ shim_let_others(); rcu_set_pointer(&(p), v); })

/* Let other threads run, now and then. */
void shim_let_others(void);

#endif /* SHIM_LINUX_RCUPDATE_H */
