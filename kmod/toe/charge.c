// SPDX-License-Identifier: GPL-2.0
/*
 * The cost of the seven functions' work since a connection's last state, in the adapter and as
 * the host would have paid it.
 */
#include <linux/math64.h>

#include "toe/toe.h"

/* A message's size is smoothed by 1/4. */
#define TOE_MESSAGE_SHIFT	2

static void toe_count(struct toe_adapter *a, enum tcp_abt_offload_function f,
		      u64 count, u64 ns, u64 host_cycles)
{
	struct toe_function_stat *stat = &a->stat.functions[f];

	stat->count += count;
	stat->ns += ns;
	stat->host_cycles += host_cycles;
}

static u64 toe_kb(u64 bytes, u32 cycles_kb)
{
	return bytes * cycles_kb >> 10;
}

/* 1 and 7: a buffer each. */
static void toe_charge_buffers(struct toe_adapter *a, enum tcp_abt_offload_function f,
			       u64 bytes, u32 ns, u32 cycles_kb)
{
	u64 count = div_u64(bytes + a->config.buffer_bytes - 1, a->config.buffer_bytes);

	toe_count(a, f, count, count * ns, toe_kb(bytes, cycles_kb));
}

/* Copies take credits, and leave as many in use as what stays behind needs. */
static void toe_charge_credits(struct toe_adapter *a, struct toe_credits *c,
			       u64 messages, u32 stays)
{
	while (messages--) {
		while (c->in_flight && c->in_flight >= stays) {
			if (!toe_credits_consume(c))
				continue;
			toe_credits_update(c);
			a->stat.credit_updates++;
		}
		if (toe_credits_take(c))
			continue;
		a->stat.credit_waits++;
		toe_credits_update(c);
		if (!toe_credits_take(c))
			break;
	}
}

static void toe_flow_mode(struct toe_adapter *a, struct toe_conn *c, enum toe_dir d,
			  u64 bytes, bool offered)
{
	struct toe_flow *flow = &c->flows[d];
	u32 sample = (u32)min_t(u64, bytes, TOE_MESSAGE_MAX);
	struct toe_message message;

	if (!flow->message_bytes)
		flow->message_bytes = sample;
	flow->message_bytes = flow->message_bytes -
			      (flow->message_bytes >> TOE_MESSAGE_SHIFT) +
			      (sample >> TOE_MESSAGE_SHIFT);
	message = (struct toe_message) {
		.bytes = flow->message_bytes,
		.answer_bytes = c->flows[!d].message_bytes,
		.offered = offered,
	};
	flow->mode = toe_dma_choose(&a->config.dma, &a->limits, &message);
}

/* 2 and 6: the bytes that the application moved in a round trip are a message. */
static void toe_charge_transfer(struct toe_adapter *a, struct toe_conn *c, enum toe_dir d,
				u64 bytes, u32 stays, bool offered)
{
	const struct toe_dma_costs *costs = &a->config.dma;
	struct toe_flow *flow = &c->flows[d];
	u64 messages = div_u64(bytes + TOE_MESSAGE_MAX - 1, TOE_MESSAGE_MAX), ns;

	if (!bytes)
		return;
	toe_flow_mode(a, c, d, bytes, offered);
	ns = messages * toe_dma_ns(costs, flow->mode, (u32)div64_u64(bytes, messages));
	if (flow->mode == TOE_BCOPY)
		toe_charge_credits(a, &flow->credits,
				   div_u64(bytes + costs->buffer_bytes - 1, costs->buffer_bytes),
				   min(costs->credits, stays / costs->buffer_bytes + 1));
	a->stat.messages[flow->mode] += messages;
	a->stat.bytes[flow->mode] += bytes;
	a->stat.mode_ns[flow->mode] += ns;
	toe_count(a, d == TOE_SEND ? TCP_ABT_FN_COPY_IN : TCP_ABT_FN_COPY_OUT, messages, ns,
		  toe_kb(bytes, d == TOE_SEND ? a->config.host.copy_in_kb :
						a->config.host.copy_out_kb));
}

/* 3: a core ends the wait. @us: for which the host would have slept. */
static void toe_charge_wait(struct toe_adapter *a, enum toe_process process, u64 us)
{
	u64 work = div_u64((u64)a->config.functions.wait_cycles * 1000,
			   a->config.functions.core_mhz);
	u64 now = ktime_get_ns() - a->start_ns;
	u64 done = toe_core_job(&a->cores[process], now, work);

	toe_count(a, TCP_ABT_FN_WAIT, 1, done - now, us * a->config.host.wait_us);
}

/**
 * toe_charge() - charge what was done since the last state
 * @a: adapter
 * @c: connection
 * @s: its state
 *
 * Context: process; @a->lock held.
 */
void toe_charge(struct toe_adapter *a, struct toe_conn *c,
		const struct tcp_abt_offload_state *s)
{
	const struct toe_function_costs *costs = &a->config.functions;
	const struct toe_host_costs *host = &a->config.host;
	u64 new[TCP_ABT_FNS];

	lockdep_assert_held(&a->lock);
	for (int f = 0; f < TCP_ABT_FNS; f++) {
		new[f] = s->work[f] - min(s->work[f], c->work[f]);
		c->work[f] = max(s->work[f], c->work[f]);
	}
	toe_charge_buffers(a, TCP_ABT_FN_ALLOC, new[TCP_ABT_FN_ALLOC], costs->alloc_ns,
			   host->alloc_kb);
	toe_charge_buffers(a, TCP_ABT_FN_FREE, new[TCP_ABT_FN_FREE], costs->free_ns,
			   host->free_kb);
	toe_charge_transfer(a, c, TOE_SEND, new[TCP_ABT_FN_COPY_IN],
			    s->unsent + s->in_flight, s->snd_wnd > s->in_flight);
	toe_charge_transfer(a, c, TOE_RECEIVE, new[TCP_ABT_FN_COPY_OUT], s->unread,
			    !s->unread);
	toe_count(a, TCP_ABT_FN_CHECK, new[TCP_ABT_FN_CHECK],
		  new[TCP_ABT_FN_CHECK] * costs->check_ns, new[TCP_ABT_FN_CHECK] * host->check);
	toe_count(a, TCP_ABT_FN_ACK, new[TCP_ABT_FN_ACK],
		  new[TCP_ABT_FN_ACK] * costs->ack_ns, new[TCP_ABT_FN_ACK] * host->ack);
	if (new[TCP_ABT_FN_WAIT])
		toe_charge_wait(a, TOE_SENDER, new[TCP_ABT_FN_WAIT]);
	if (new[TCP_ABT_FN_COPY_OUT] && !s->unread)
		toe_charge_wait(a, TOE_RECEIVER, 0);
}
