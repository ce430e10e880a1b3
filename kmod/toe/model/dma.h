/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How data moves between user memory and the adapter's buffers: functions 2 and 6 of the TOE
 * paper, by the transfer modes of the sockets direct protocol (SDP).
 *
 *	bcopy		copied through private buffers, a message each, against credits
 *	read zcopy	source available -> RDMA read -> done; both ends pin memory in turn
 *	write zcopy	RDMA write -> done: the receiver has pinned and offered its buffer in time
 *	transaction	a short command rides inside the offer of the buffer for its answer
 *
 * Copies cost by the byte, zero copies by the message and the page. Where they cross follows
 * from the costs and is computed from them (toe_dma_limits()).
 *
 * Pure. Compiles in user space unchanged.
 */
#ifndef TOE_DMA_H
#define TOE_DMA_H

#include <linux/types.h>

/* The unit of pinning [bytes]. */
#define TOE_PAGE_BYTES		4096

/* A message that no threshold lies above [bytes]. */
#define TOE_MESSAGE_MAX		(1U << 24)

enum toe_mode {
	TOE_BCOPY,
	TOE_READ_ZCOPY,
	TOE_WRITE_ZCOPY,
	TOE_TRANSACTION,
	TOE_MODES
};

/**
 * struct toe_dma_costs - what transfers consist of
 * @copy_ps: by the host's processor [ps a byte]
 * @link_ps: by DMA [ps a byte]
 * @message_ns: post and complete a message [ns]
 * @pin_ns: register a buffer, however long [ns]
 * @pin_page_ns: and for each page of it [ns]
 * @credit_ns: until a credit that was used is back [ns]
 * @buffer_bytes: a private buffer
 * @credits: private buffers of a connection each way, at least 1
 * @inline_bytes: longest command of a transaction
 */
struct toe_dma_costs {
	u32 copy_ps;
	u32 link_ps;
	u32 message_ns;
	u32 pin_ns;
	u32 pin_page_ns;
	u32 credit_ns;
	u32 buffer_bytes;
	u32 credits;
	u32 inline_bytes;
};

/**
 * struct toe_dma_limits - from which size on another mode than bcopy is no slower
 * @read_bytes: read zcopy; TOE_MESSAGE_MAX: never
 * @write_bytes: write zcopy; the same
 */
struct toe_dma_limits {
	u32 read_bytes;
	u32 write_bytes;
};

/**
 * struct toe_message - what a mode is chosen by
 * @bytes: of the message
 * @answer_bytes: of the message that it asks for; 0: none
 * @offered: the receiver waits with a buffer that is large enough
 */
struct toe_message {
	u32 bytes;
	u32 answer_bytes;
	bool offered;
};

extern const struct toe_dma_costs toe_dma_default;

u64 toe_dma_ns(const struct toe_dma_costs *c, enum toe_mode mode, u32 bytes);
u64 toe_dma_host_ns(const struct toe_dma_costs *c, enum toe_mode mode, u32 bytes);
struct toe_dma_limits toe_dma_limits(const struct toe_dma_costs *c);
enum toe_mode toe_dma_choose(const struct toe_dma_costs *c,
			     const struct toe_dma_limits *limits,
			     const struct toe_message *message);

#endif /* TOE_DMA_H */
