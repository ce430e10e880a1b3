/* SPDX-License-Identifier: GPL-2.0 */
/* What the slots of recent records know of a record. */
#ifndef SHIM_CONN_CONN_H
#define SHIM_CONN_CONN_H

#include <linux/types.h>

struct sock;

struct abt_conn {
	struct sock *sk;
	bool dead;
};

#endif /* SHIM_CONN_CONN_H */
