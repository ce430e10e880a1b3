/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SHIM_NET_INET_HASHTABLES_H
#define SHIM_NET_INET_HASHTABLES_H

#include <net/net_namespace.h>

#endif /* SHIM_NET_INET_HASHTABLES_H */
