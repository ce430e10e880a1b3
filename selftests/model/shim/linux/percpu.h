/* SPDX-License-Identifier: GPL-2.0 */
/* There is one processor. */
#ifndef SHIM_LINUX_PERCPU_H
#define SHIM_LINUX_PERCPU_H

#define DEFINE_PER_CPU(type, name)	type name
#define this_cpu_inc_return(name)	(++(name))

#endif /* SHIM_LINUX_PERCPU_H */
