/* SPDX-License-Identifier: GPL-2.0 */
/* The state of the host, and the sysctls that it follows. */
#ifndef ABT_STATE_HOST_H
#define ABT_STATE_HOST_H

#include <linux/atomic.h>
#include <linux/workqueue.h>

#include "pool/loan.h"
#include "pool/pool.h"
#include "state/config.h"
#include "state/net.h"

/*
 * A pause [ms] follows one burst, or as many as end a pass in so many pauses: 6,400
 * records a second, or all in 2 s.
 */
#define ABT_RECLAIM_PAUSE_MS	10
#define ABT_RECLAIM_PAUSES	200

/**
 * struct abt_host - what there is once
 * @pool: the host's pools
 * @loan: between them
 * @generation: counts changes of the pools: their levels, sizes and ways of sharing
 * @default_mode: mode of a namespace that nobody configured
 * @tcp_mem_seen: tcp_mem[1] that the pools were last sized by [pages]
 * @live: hooks may make records; cleared first when the module goes
 * @resize: sizes the pools and ceilings anew, see control/commit.c
 * @reclaim: steers connections that are silent, see conn/reclaim.c
 */
struct abt_host {
	struct abt_pool pool[ABT_DIRS];
	struct abt_loan loan;
	atomic_t generation;
	enum tcp_abt_mode default_mode;
	long tcp_mem_seen;
	bool live;
	struct delayed_work resize;
	struct delayed_work reclaim;
};

extern struct abt_host abt_host;

/**
 * abt_generation() - how often did something change for connections of a namespace?
 * @an: namespace
 *
 * Of the host and of the namespace, added up: both only rise, so that a connection learns
 * with one compare for each segment that there is news. They wrap.
 *
 * Return: a number that differs from those before the last change.
 */
static inline u32 abt_generation(const struct abt_net *an)
{
	return (u32)atomic_read(&abt_host.generation) +
	       (u32)atomic_read(&an->generation);
}

void abt_host_follow(void);
void abt_host_settle(void);
void abt_host_resize_later(unsigned int ms);
void abt_reclaim_kick(void);

#endif /* ABT_STATE_HOST_H */
