// SPDX-License-Identifier: GPL-2.0
/*
 * The hook's updates: the connections on the adapter, and the contents of their buffers.
 *
 * A connection may have what the hook grants it of the adapter's memory (max-min), or, with
 * the knob fixed, that much and no more, as in the TOE paper.
 */
#include <linux/slab.h>

#include "toe/toe.h"

static void toe_limits(void *priv, struct tcp_abt_offload_limits *limits)
{
	const struct toe_adapter *a = priv;

	*limits = (struct tcp_abt_offload_limits) {
		.bytes = (u64)a->config.memory_kb << 10,
		.conns = a->config.conns,
		.functions = (1U << TCP_ABT_FNS) - 1,
		.floor_bytes = a->config.fixed_bytes,
	};
}

/* The bytes of a direction; they are in buffers, as far as there is room. */
static u32 toe_level(const struct tcp_abt_offload_state *s, enum toe_dir d)
{
	return d == TOE_SEND ? s->unsent + s->in_flight : s->unread + s->out_of_order;
}

/* The part of them that must be there: unsent data may wait with the application. */
static u32 toe_kept(const struct tcp_abt_offload_state *s, enum toe_dir d)
{
	return d == TOE_SEND ? s->in_flight : s->unread + s->out_of_order;
}

static u64 toe_passed(const struct tcp_abt_offload_state *s, enum toe_dir d)
{
	return d == TOE_SEND ? s->work[TCP_ABT_FN_COPY_IN] :
			       s->bytes_received + s->out_of_order;
}

static u32 toe_buffers_of(const struct toe_adapter *a, u64 bytes)
{
	return (u32)div_u64(bytes + a->config.buffer_bytes - 1, a->config.buffer_bytes);
}

/* The bytes that went through since the last state. */
static u64 toe_new(const struct toe_flow *flow, const struct tcp_abt_offload_state *s,
		   enum toe_dir d)
{
	return toe_passed(s, d) - min(toe_passed(s, d), flow->passed);
}

/* A direction's buffers, of so many that it may have. */
static void toe_fill(struct toe_adapter *a, struct toe_flow *flow,
		     const struct tcp_abt_offload_state *s, enum toe_dir d, u32 limit)
{
	u32 passed = toe_buffers_of(a, toe_new(flow, s, d)), lacking;

	flow->queue.limit = limit;
	flow->passed = max(toe_passed(s, d), flow->passed);
	lacking = toe_queue_pass(&a->buffers, &flow->queue, passed,
				 toe_buffers_of(a, toe_level(s, d)));
	a->stat.waits += lacking > 0;
	a->stat.stalls += flow->queue.held < toe_buffers_of(a, toe_kept(s, d));
}

/*
 * Received data are served first, because they cannot wait elsewhere. One buffer is enough for what
 * passes through.
 */
static void toe_share(struct toe_adapter *a, struct toe_conn *c,
		      const struct tcp_abt_offload_state *s)
{
	struct toe_flow *send = &c->flows[TOE_SEND], *receive = &c->flows[TOE_RECEIVE];
	u32 most = c->grant / a->config.buffer_bytes;
	u32 coming = toe_buffers_of(a, toe_level(s, TOE_RECEIVE));

	if (!coming && toe_new(receive, s, TOE_RECEIVE))
		coming = 1;
	coming = min(coming, most);
	toe_queue_pass(&a->buffers, &send->queue, 0, min(send->queue.held, most - coming));
	toe_fill(a, receive, s, TOE_RECEIVE, coming);
	toe_fill(a, send, s, TOE_SEND, most - receive->queue.held);
}

static void toe_take_state(struct toe_adapter *a, struct toe_conn *c,
			   const struct tcp_abt_offload_state *s)
{
	c->grant = a->config.fixed_bytes ?: s->adapter_grant;
	a->stat.updates++;
	toe_share(a, c, s);
	toe_charge(a, c, s);
}

/* Bytes that went through before the connection came onto the adapter are not the adapter's. */
static void toe_conn_start(struct toe_adapter *a, struct toe_conn *c,
			   const struct tcp_abt_offload_state *s)
{
	memcpy(c->work, s->work, sizeof(c->work));
	for (int d = 0; d < TOE_DIRS; d++) {
		toe_queue_init(&c->flows[d].queue, 0);
		toe_credits_init(&c->flows[d].credits, a->config.dma.credits);
		c->flows[d].passed = toe_passed(s, d);
	}
}

static int toe_conn_add(void *priv, struct tcp_abt_offload_conn *conn,
			const struct tcp_abt_offload_state *state)
{
	struct toe_adapter *a = priv;
	struct toe_conn *c = kzalloc(sizeof(*c), GFP_KERNEL);

	mutex_lock(&a->lock);
	if (!c) {
		a->stat.refused++;
		mutex_unlock(&a->lock);
		return -ENOSPC;
	}
	c->id = conn->id;
	toe_conn_start(a, c, state);
	list_add_tail(&c->list, &a->conns);
	a->conn_count++;
	a->stat.added++;
	toe_take_state(a, c, state);
	mutex_unlock(&a->lock);
	conn->driver = c;
	return 0;
}

static void toe_conn_update(void *priv, struct tcp_abt_offload_conn *conn,
			    const struct tcp_abt_offload_state *state)
{
	struct toe_adapter *a = priv;

	mutex_lock(&a->lock);
	toe_take_state(a, conn->driver, state);
	mutex_unlock(&a->lock);
}

static void toe_conn_del(void *priv, struct tcp_abt_offload_conn *conn,
			 enum tcp_abt_offload_why why)
{
	struct toe_adapter *a = priv;
	struct toe_conn *c = conn->driver;

	mutex_lock(&a->lock);
	for (int d = 0; d < TOE_DIRS; d++)
		toe_queue_pass(&a->buffers, &c->flows[d].queue, 0, 0);
	list_del(&c->list);
	a->conn_count--;
	a->stat.gone++;
	mutex_unlock(&a->lock);
	conn->driver = NULL;
	kfree(c);
}

const struct tcp_abt_offload_ops toe_provider_ops = {
	.limits = toe_limits,
	.conn_add = toe_conn_add,
	.conn_update = toe_conn_update,
	.conn_del = toe_conn_del,
};
