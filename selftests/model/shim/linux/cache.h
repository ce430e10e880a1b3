/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SHIM_LINUX_CACHE_H
#define SHIM_LINUX_CACHE_H

#define SMP_CACHE_BYTES			64
#define __ro_after_init
#define ____cacheline_aligned_in_smp	__attribute__((aligned(SMP_CACHE_BYTES)))

#endif /* SHIM_LINUX_CACHE_H */
