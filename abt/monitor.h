/* SPDX-License-Identifier: GPL-2.0 */
/* Decisions, until the user has seen enough. */
#ifndef ABT_MONITOR_H
#define ABT_MONITOR_H

#include "filter.h"

void monitor_run(const struct filter *filter);

#endif /* ABT_MONITOR_H */
