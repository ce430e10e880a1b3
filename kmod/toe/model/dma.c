// SPDX-License-Identifier: GPL-2.0
/* Transfer modes and where they cross. See dma.h. */
#include <linux/math64.h>
#include <linux/minmax.h>

#include "toe/model/dma.h"

#define PS_PER_NS	1000

/*
 * Copies: skb_add_data of 1 MB on a 1.8 GHz host took 2,525,000 clocks (TOE): 1340 ps a byte.
 * 4x InfiniBand (SDP): 8 Gbit/s, 1000 ps a byte. The others are of the size that is usual
 * with such adapters, not of the papers.
 */
const struct toe_dma_costs toe_dma_default = {
	.copy_ps = 1340,
	.link_ps = 1000,
	.message_ns = 2000,
	.pin_ns = 5000,
	.pin_page_ns = 200,
	.credit_ns = 10000,
	.buffer_bytes = 8192,
	.credits = 16,
	.inline_bytes = 256,
};

static u64 toe_bytes_ns(u32 bytes, u32 ps)
{
	return div_u64((u64)bytes * ps, PS_PER_NS);
}

static u32 toe_parts(u32 bytes, u32 part)
{
	return bytes / part + (bytes % part != 0);
}

static u64 toe_pin_ns(const struct toe_dma_costs *c, u32 bytes)
{
	return c->pin_ns + (u64)toe_parts(bytes, TOE_PAGE_BYTES) * c->pin_page_ns;
}

/*
 * Buffers are copied while others are sent: the slower of the two counts, and a message for
 * each. Where that takes less than it takes for the credits to come round, they are waited for.
 */
static u64 toe_bcopy_ns(const struct toe_dma_costs *c, u32 bytes)
{
	u32 messages = max(1U, toe_parts(bytes, c->buffer_bytes));
	u64 sent = toe_bytes_ns(bytes, max(c->copy_ps, c->link_ps)) +
		   (u64)messages * c->message_ns;
	u64 rounds = (messages - 1) / c->credits;

	return max(sent, rounds * c->credit_ns);
}

/**
 * toe_dma_ns() - how long does a message take, from when it is given to when it has arrived?
 * @c: costs
 * @mode: of transfer
 * @bytes: of the message, 0 .. TOE_MESSAGE_MAX
 *
 * Return: ns.
 */
u64 toe_dma_ns(const struct toe_dma_costs *c, enum toe_mode mode, u32 bytes)
{
	switch (mode) {
	case TOE_READ_ZCOPY:	/* pinned by either end, available, read, done */
		return 2 * toe_pin_ns(c, bytes) + 3ULL * c->message_ns +
		       toe_bytes_ns(bytes, c->link_ps);
	case TOE_WRITE_ZCOPY:	/* pinned by the sender, written, done */
		return toe_pin_ns(c, bytes) + 2ULL * c->message_ns +
		       toe_bytes_ns(bytes, c->link_ps);
	case TOE_TRANSACTION:
		return toe_bytes_ns(bytes, max(c->copy_ps, c->link_ps)) + c->message_ns;
	default:
		return toe_bcopy_ns(c, bytes);
	}
}

/**
 * toe_dma_host_ns() - how much of that does the sending host's processor work?
 * @c: costs
 * @mode: of transfer
 * @bytes: of the message, 0 .. TOE_MESSAGE_MAX
 *
 * Return: ns.
 */
u64 toe_dma_host_ns(const struct toe_dma_costs *c, enum toe_mode mode, u32 bytes)
{
	if (mode == TOE_READ_ZCOPY || mode == TOE_WRITE_ZCOPY)
		return toe_pin_ns(c, bytes) + c->message_ns;
	if (mode == TOE_TRANSACTION)
		return toe_bytes_ns(bytes, c->copy_ps) + c->message_ns;
	return toe_bytes_ns(bytes, c->copy_ps) +
	       (u64)max(1U, toe_parts(bytes, c->buffer_bytes)) * c->message_ns;
}

/* From which whole number of pages on is @mode no slower, there and for all that is longer? */
static u32 toe_crossing(const struct toe_dma_costs *c, enum toe_mode mode)
{
	u32 bytes = TOE_MESSAGE_MAX;

	while (bytes > TOE_PAGE_BYTES &&
	       toe_dma_ns(c, mode, bytes - TOE_PAGE_BYTES) <=
	       toe_dma_ns(c, TOE_BCOPY, bytes - TOE_PAGE_BYTES))
		bytes -= TOE_PAGE_BYTES;
	return bytes;
}

/**
 * toe_dma_limits() - where modes cross
 * @c: costs
 *
 * Return: the sizes. Looks at TOE_MESSAGE_MAX / TOE_PAGE_BYTES sizes at most.
 */
struct toe_dma_limits toe_dma_limits(const struct toe_dma_costs *c)
{
	return (struct toe_dma_limits) {
		.read_bytes = toe_crossing(c, TOE_READ_ZCOPY),
		.write_bytes = toe_crossing(c, TOE_WRITE_ZCOPY),
	};
}

/**
 * toe_dma_choose() - the mode for a message
 * @c: costs
 * @limits: of these costs
 * @message: the message
 *
 * Return: the mode.
 */
enum toe_mode toe_dma_choose(const struct toe_dma_costs *c,
			     const struct toe_dma_limits *limits,
			     const struct toe_message *message)
{
	if (message->offered && message->bytes >= limits->write_bytes)
		return TOE_WRITE_ZCOPY;
	if (message->bytes >= limits->read_bytes)
		return TOE_READ_ZCOPY;
	if (message->bytes <= c->inline_bytes &&
	    message->answer_bytes >= limits->write_bytes)
		return TOE_TRANSACTION;
	return TOE_BCOPY;
}
