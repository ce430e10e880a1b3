/* SPDX-License-Identifier: GPL-2.0 */
/* Nothing is freed while another thread reads: there is one. */
#ifndef SHIM_LINUX_RCUPDATE_H
#define SHIM_LINUX_RCUPDATE_H

#include <linux/types.h>

#define __rcu
struct rcu_head {};
#define kfree_rcu(object, member)		free(object)
#define RCU_INITIALIZER(v)			(v)
#define RCU_INIT_POINTER(p, v)			((p) = (v))
#define rcu_assign_pointer(p, v)		WRITE_ONCE(p, v)
#define rcu_access_pointer(p)			READ_ONCE(p)
#define rcu_read_lock()				do { } while (0)
#define rcu_read_unlock()			do { } while (0)
#define rcu_dereference_check(p, condition)	READ_ONCE(p)
#define cmpxchg(p, old, new) ({ (void)__sync_val_compare_and_swap(p, old, new); })

#endif /* SHIM_LINUX_RCUPDATE_H */
