/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The socket buffer manager: the adapter's memory in buffers of one size.
 *
 * Functions 1 and 7 of the TOE paper, allocate and free, in hardware: each is one pop and
 * one push of an index, for any number of buffers and of connections. A connection's
 * buffers are a queue, as its stream is: first in, first out.
 *
 *	free list --alloc--> tail [connection] head --free--> free list
 *
 * Pure: the caller serialises, and brings the memory for the links.
 */
#ifndef TOE_BUFFER_H
#define TOE_BUFFER_H

#include <linux/types.h>

/* The end of a list, so most buffers there can be. */
#define TOE_BUFFER_NONE		U32_MAX

/* The result of an allocation. */
enum toe_alloc {
	TOE_ALLOC_DONE,
	TOE_ALLOC_LIMIT,	/* the connection has what it may have */
	TOE_ALLOC_EMPTY,	/* no buffer is free */
	TOE_ALLOCS
};

/**
 * struct toe_buffers - all buffers of an adapter
 * @next: links, one a buffer
 * @free: first free one
 * @count: there are
 * @used: not free
 * @peak: most that were ever not free
 * @allocs: by what became of them
 * @frees: buffers given back
 */
struct toe_buffers {
	u32 *next;
	u32 free;
	u32 count;
	u32 used;
	u32 peak;
	u64 allocs[TOE_ALLOCS];
	u64 frees;
};

/**
 * struct toe_queue - a connection's buffers
 * @head: first in, first out
 * @tail: last in
 * @held: how many
 * @limit: how many it may have; lowered, it takes effect as buffers are freed
 */
struct toe_queue {
	u32 head;
	u32 tail;
	u32 held;
	u32 limit;
};

void toe_buffers_init(struct toe_buffers *b, u32 *next, u32 count);
void toe_queue_init(struct toe_queue *q, u32 limit);
enum toe_alloc toe_buffer_alloc(struct toe_buffers *b, struct toe_queue *q);
bool toe_buffer_free(struct toe_buffers *b, struct toe_queue *q);
u32 toe_queue_pass(struct toe_buffers *b, struct toe_queue *q, u32 passed, u32 stays);

#endif /* TOE_BUFFER_H */
