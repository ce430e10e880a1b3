/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The end of a timer has another name since 6.2, and in late releases of older series. Kbuild looks
 * whether the kernel's header has it.
 */
#ifndef ABT_COMPAT_TIMER_H
#define ABT_COMPAT_TIMER_H

#include <linux/timer.h>

#ifndef ABT_HAS_TIMER_DELETE_SYNC
#define timer_delete_sync	del_timer_sync
#endif

#endif /* ABT_COMPAT_TIMER_H */
