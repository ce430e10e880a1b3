/* SPDX-License-Identifier: GPL-2.0 */
/* What the kernel only warns of ends a test. */
#ifndef SHIM_LINUX_BUG_H
#define SHIM_LINUX_BUG_H

#include <stdio.h>
#include <stdlib.h>

#define shim_die(what) ({						\
	printf("Bail out! %s:%d: %s\n", __FILE__, __LINE__, (what));	\
	exit(1); })

#define WARN_ON_ONCE(cond) ({						\
	if (cond)							\
		shim_die("WARN_ON_ONCE(" #cond ")");			\
	0; })

#endif
