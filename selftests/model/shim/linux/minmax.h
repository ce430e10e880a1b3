/* SPDX-License-Identifier: GPL-2.0 */
/* min, max and clamp: each operand once; -Wsign-compare refuses mixed signs. */
#ifndef SHIM_LINUX_MINMAX_H
#define SHIM_LINUX_MINMAX_H

#define shim_pick(a, op, b) ({			\
	__typeof__(a) shim_a = (a);		\
	__typeof__(b) shim_b = (b);		\
	shim_a op shim_b ? shim_a : shim_b; })

#define shim_pick_t(type, a, op, b) ({		\
	type shim_at = (a);			\
	type shim_bt = (b);			\
	shim_at op shim_bt ? shim_at : shim_bt; })

#define min(a, b)		shim_pick(a, <, b)
#define max(a, b)		shim_pick(a, >, b)
#define min_t(type, a, b)	shim_pick_t(type, a, <, b)
#define max_t(type, a, b)	shim_pick_t(type, a, >, b)

#define clamp_t(type, v, lo, hi) ({		\
	type shim_v = (v);			\
	type shim_lo = (lo);			\
	type shim_hi = (hi);			\
	shim_v < shim_lo ? shim_lo : shim_v > shim_hi ? shim_hi : shim_v; })

#define clamp(v, lo, hi)	clamp_t(__typeof__(v), v, lo, hi)

#endif
