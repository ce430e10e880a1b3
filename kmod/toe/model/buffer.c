// SPDX-License-Identifier: GPL-2.0
/* The socket buffer manager. See buffer.h. */
#include <linux/minmax.h>
#include <linux/string.h>

#include "toe/model/buffer.h"

/**
 * toe_buffers_init() - all buffers free
 * @b: manager
 * @next: room for @count links
 * @count: buffers, below TOE_BUFFER_NONE
 */
void toe_buffers_init(struct toe_buffers *b, u32 *next, u32 count)
{
	memset(b, 0, sizeof(*b));
	b->next = next;
	b->count = count;
	b->free = count ? 0 : TOE_BUFFER_NONE;
	for (u32 i = 0; i < count; i++)
		next[i] = i + 1 < count ? i + 1 : TOE_BUFFER_NONE;
}

/**
 * toe_queue_init() - a connection without buffers
 * @q: its queue
 * @limit: buffers that it may have
 */
void toe_queue_init(struct toe_queue *q, u32 limit)
{
	*q = (struct toe_queue) {
		.head = TOE_BUFFER_NONE,
		.tail = TOE_BUFFER_NONE,
		.limit = limit,
	};
}

static enum toe_alloc toe_allowed(const struct toe_buffers *b,
				  const struct toe_queue *q)
{
	if (q->held >= q->limit)
		return TOE_ALLOC_LIMIT;
	return b->free == TOE_BUFFER_NONE ? TOE_ALLOC_EMPTY : TOE_ALLOC_DONE;
}

/**
 * toe_buffer_alloc() - one more buffer at the tail
 * @b: manager
 * @q: connection's queue
 *
 * Return: the result of the allocation.
 */
enum toe_alloc toe_buffer_alloc(struct toe_buffers *b, struct toe_queue *q)
{
	enum toe_alloc result = toe_allowed(b, q);
	u32 buffer = b->free;

	b->allocs[result]++;
	if (result != TOE_ALLOC_DONE)
		return result;
	b->free = b->next[buffer];
	b->next[buffer] = TOE_BUFFER_NONE;
	if (q->held++)
		b->next[q->tail] = buffer;
	else
		q->head = buffer;
	q->tail = buffer;
	b->used++;
	b->peak = max(b->peak, b->used);
	return result;
}

/**
 * toe_buffer_free() - the buffer at the head is done with
 * @b: manager
 * @q: connection's queue
 *
 * Return: false where there was none.
 */
bool toe_buffer_free(struct toe_buffers *b, struct toe_queue *q)
{
	u32 buffer = q->head;

	if (!q->held)
		return false;
	q->head = b->next[buffer];
	if (!--q->held)
		q->tail = TOE_BUFFER_NONE;
	b->next[buffer] = b->free;
	b->free = buffer;
	b->used--;
	b->frees++;
	return true;
}

/**
 * toe_queue_pass() - so much of a stream went through
 * @b: manager
 * @q: connection's queue
 * @passed: buffers that were filled meanwhile
 * @stays: buffers that are full in the end
 *
 * A buffer is freed for the next as soon as what stays is there.
 *
 * Return: buffers of what stays that there was no room for: 0, or the stream had waited.
 */
u32 toe_queue_pass(struct toe_buffers *b, struct toe_queue *q, u32 passed, u32 stays)
{
	u32 most = max(1U, min(stays, q->limit));

	while (passed--) {
		while (q->held >= most)
			toe_buffer_free(b, q);
		if (toe_buffer_alloc(b, q) != TOE_ALLOC_DONE)
			break;
	}
	while (q->held > min(stays, q->limit))
		toe_buffer_free(b, q);
	while (q->held < stays)
		if (toe_buffer_alloc(b, q) != TOE_ALLOC_DONE)
			break;
	return stays - q->held;
}
