/* SPDX-License-Identifier: GPL-2.0 */
/* There are as many processors as a test says, and it is on the one that it says. */
#ifndef SHIM_LINUX_SMP_H
#define SHIM_LINUX_SMP_H

#include <linux/types.h>

__attribute__((weak)) u32 shim_processors = 1;
__attribute__((weak)) __thread u32 shim_processor;	/* below shim_processors */

#define nr_cpu_ids		shim_processors
#define raw_smp_processor_id()	shim_processor

#endif /* SHIM_LINUX_SMP_H */
