/* SPDX-License-Identifier: GPL-2.0 */
/* The end of a timer: by another name before 6.2, which late releases of 6.1 know as well. */
#ifndef ABT_COMPAT_TIMER_H
#define ABT_COMPAT_TIMER_H

#include <linux/timer.h>
#include <linux/version.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)
#define timer_delete_sync	del_timer_sync
#endif

#endif /* ABT_COMPAT_TIMER_H */
