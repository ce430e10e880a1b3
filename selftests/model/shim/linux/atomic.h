/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SHIM_LINUX_ATOMIC_H
#define SHIM_LINUX_ATOMIC_H

#include <linux/spinlock.h>

#endif
