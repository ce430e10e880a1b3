// SPDX-License-Identifier: GPL-2.0
/* Epoch -> path: a receiver's part in the path that it receives over. */
#include "conn/conn.h"
#include "conn/report.h"
#include "conn/sample.h"
#include "path/path.h"
#include "path/table.h"
#include "state/config.h"
#include "trace/abt_trace.h"

/**
 * abt_report_end() - a connection is a member of no path
 * @c: its record
 *
 * Context: the socket lock held.
 */
void abt_report_end(struct abt_conn *c)
{
	abt_path_leave(c->path);
	c->path = NULL;
}

/* Where memory is short it is the pool that shares: none of the path [Q16]. */
static u32 abt_headroom_q16(const struct abt_half *half,
			    const struct abt_config *config)
{
	if (abt_pool_contended(half->stake.pool))
		return 0;
	return abt_ratio_q16(config->path_headroom, 100);
}

/* With less than 1/4 of its window under way a connection spares it. */
#define ABT_SPARES_SHIFT	2

static bool abt_spares_window(const struct abt_rcv_sample *s)
{
	return (u64)s->copied_bytes * s->rtt_us <
	       (u64)(s->offered_bytes >> ABT_SPARES_SHIFT) * s->elapsed_us;
}

/* The bytes that came in a base round trip [payload bytes]. */
static u32 abt_carried(const struct abt_rcv_sample *s, u32 base_us)
{
	u32 elapsed_us = max(s->elapsed_us, 1U);

	return (u32)div_u64((u64)s->copied_bytes * min(base_us, elapsed_us), elapsed_us);
}

/**
 * abt_report() - tell the path of an epoch, and learn the share of it
 * @sk: socket, locked
 * @c: its record; the epoch is in its model
 * @config: knobs
 * @s: sample of the epoch
 * @held: bytes that the path held in it [payload bytes]
 */
void abt_report(struct sock *sk, struct abt_conn *c,
		const struct abt_config *config, const struct abt_rcv_sample *s,
		u32 held)
{
	const struct abt_half *half = &c->half[ABT_RCV];
	bool moved;

	if (config->mode != TCP_ABT_MODE_ON || !config->path_headroom ||
	    !abt_policy_estimates(half->policy)) {
		abt_report_end(c);
		return;
	}
	if (!c->path && !abt_path_is_local(sk, c))
		c->path = abt_path_join(sk);
	if (!c->path)
		return;
	moved = abt_path_report(c->path, &(struct abt_path_report) {
		.now_us = s->now_us,
		.rtt_us = s->rtt_us,
		.base_us = c->receiver.base.us,
		.held = held,
		.carried = abt_carried(s, c->receiver.base.us),
		.asks = abt_rcv_window(&c->receiver,
				       half->policy == TCP_ABT_POLICY_TBT_PLR),
		.bytes = s->copied_bytes,
		.headroom_q16 = abt_headroom_q16(half, config),
		.line = abt_line_take(&c->path->line),
		.paused = c->receiver.pauses > 0,
		.spares = abt_spares_window(s),
		.lossy = s->ooo_segs,
		.drains = c->receiver.base.draining,
	});
	if (moved)
		trace_tcp_abt_path(sk, READ_ONCE(c->path->path->id),
				   READ_ONCE(c->path->path->peers));
}
