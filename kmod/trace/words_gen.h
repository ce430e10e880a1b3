/* SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause) */
/* Do not edit directly, made by lab/spec.py --write of kmod/control/tcp_abt.yaml */
#ifndef TCP_ABT_TRACE_WORDS_GEN_H
#define TCP_ABT_TRACE_WORDS_GEN_H

#define tcp_abt_reason_symbols(value)	\
	__print_symbolic(value,	\
		{ TCP_ABT_REASON_INIT, "init" },	\
		{ TCP_ABT_REASON_GROW, "grow" },	\
		{ TCP_ABT_REASON_SHRINK, "shrink" },	\
		{ TCP_ABT_REASON_SHARE, "share" },	\
		{ TCP_ABT_REASON_POOL, "pool" },	\
		{ TCP_ABT_REASON_HOLD, "hold" },	\
		{ TCP_ABT_REASON_FLOOR, "floor" },	\
		{ TCP_ABT_REASON_ADMIN, "admin" },	\
		{ TCP_ABT_REASON_APP, "app" },	\
		{ TCP_ABT_REASON_STOCK, "stock" },	\
		{ TCP_ABT_REASON_OBSERVE, "observe" })

#endif /* TCP_ABT_TRACE_WORDS_GEN_H */
