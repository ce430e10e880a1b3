// SPDX-License-Identifier: GPL-2.0
/* The adapter's buffers: each is in one place, whatever connections do. */
#include "cases.h"
#include "toe/model/buffer.h"

#define BUFFERS		64
#define QUEUES		8

static struct toe_buffers buffers;
static struct toe_queue queues[QUEUES];
static u32 links[BUFFERS];

static void start(u32 count, u32 limit)
{
	toe_buffers_init(&buffers, links, count);
	for (u32 i = 0; i < QUEUES; i++)
		toe_queue_init(&queues[i], limit);
}

/* Walk a list, mark what is on it. Return: its length, or BUFFERS + 1 where it is broken. */
static u32 walk(u32 from, bool *seen)
{
	u32 length = 0;

	for (; from != TOE_BUFFER_NONE; from = links[from]) {
		if (from >= BUFFERS || seen[from])
			return BUFFERS + 1;
		seen[from] = true;
		length++;
	}
	return length;
}

/* Every buffer is on exactly one list, and lists are as long as they say. */
static void expect_whole(struct abt_test *t, u64 step)
{
	bool seen[BUFFERS] = { false };
	u32 used = 0, idle = walk(buffers.free, seen);

	for (u32 i = 0; i < QUEUES; i++) {
		u32 length = walk(queues[i].head, seen);

		EXPECT_AT(t, step, length, ==, queues[i].held);
		EXPECT_AT(t, step, queues[i].held == 0, ==,
			  queues[i].tail == TOE_BUFFER_NONE);
		used += length;
	}
	EXPECT_AT(t, step, used, ==, buffers.used);
	EXPECT_AT(t, step, used + idle, ==, buffers.count);
	EXPECT_AT(t, step, buffers.peak, >=, used);
	EXPECT_AT(t, step, buffers.allocs[TOE_ALLOC_DONE] - buffers.frees, ==, used);
}

static void first_in_first_out(struct abt_test *t)
{
	start(4, 4);
	for (u32 i = 0; i < 3; i++)
		EXPECT_AT(t, i, toe_buffer_alloc(&buffers, &queues[0]), ==, TOE_ALLOC_DONE);
	for (u32 i = 0; i < 3; i++) {
		EXPECT_AT(t, i, queues[0].head, ==, i);
		EXPECT_AT(t, i, toe_buffer_free(&buffers, &queues[0]), ==, true);
	}
	EXPECT(t, toe_buffer_free(&buffers, &queues[0]), ==, false);
	expect_whole(t, 0);
}

/* A limit is the connection's own, an empty manager everybody's; each has its count. */
static void refusals_say_why(struct abt_test *t)
{
	start(3, 2);
	toe_buffer_alloc(&buffers, &queues[0]);
	toe_buffer_alloc(&buffers, &queues[0]);
	EXPECT(t, toe_buffer_alloc(&buffers, &queues[0]), ==, TOE_ALLOC_LIMIT);
	toe_buffer_alloc(&buffers, &queues[1]);
	EXPECT(t, toe_buffer_alloc(&buffers, &queues[1]), ==, TOE_ALLOC_EMPTY);
	EXPECT(t, buffers.allocs[TOE_ALLOC_LIMIT], ==, 1);
	EXPECT(t, buffers.allocs[TOE_ALLOC_EMPTY], ==, 1);
	start(0, 2);
	EXPECT(t, toe_buffer_alloc(&buffers, &queues[0]), ==, TOE_ALLOC_EMPTY);
}

/* What passes through takes a buffer each time, and no more room than what stays. */
static void streams_pass(struct abt_test *t)
{
	start(BUFFERS, 8);
	EXPECT(t, toe_queue_pass(&buffers, &queues[0], 100, 5), ==, 0);
	EXPECT(t, queues[0].held, ==, 5);
	EXPECT(t, buffers.peak, ==, 5);
	EXPECT(t, buffers.allocs[TOE_ALLOC_DONE], ==, 100);
	EXPECT(t, toe_queue_pass(&buffers, &queues[0], 20, 0), ==, 0);
	EXPECT(t, queues[0].held, ==, 0);
	EXPECT(t, buffers.frees, ==, 120);
	EXPECT(t, toe_queue_pass(&buffers, &queues[0], 0, 11), ==, 3);
	EXPECT(t, queues[0].held, ==, 8);
	queues[0].limit = 2;
	EXPECT(t, toe_queue_pass(&buffers, &queues[0], 0, 8), ==, 6);
	EXPECT(t, queues[0].held, ==, 2);
	expect_whole(t, 0);
}

static void random_step(struct abt_test *t, struct toe_queue *q)
{
	u32 held = q->held;

	switch (abt_test_below(t, 8)) {
	case 0:
		q->limit = abt_test_below(t, BUFFERS);
		break;
	case 1:
		toe_queue_pass(&buffers, q, abt_test_below(t, 40), abt_test_below(t, 40));
		break;
	case 2:
	case 3:
	case 4:
		if (toe_buffer_alloc(&buffers, q) == TOE_ALLOC_DONE)
			EXPECT(t, q->held, <=, q->limit);
		else
			EXPECT(t, q->held, ==, held);
		break;
	default:
		EXPECT(t, toe_buffer_free(&buffers, q), ==, held > 0);
	}
}

static void random_load(struct abt_test *t)
{
	u64 steps = t->steps / 16;

	start(BUFFERS, BUFFERS / 4);
	for (u64 step = 0; step < steps; step++) {
		random_step(t, &queues[abt_test_below(t, QUEUES)]);
		expect_whole(t, step);
	}
	for (u32 i = 0; i < QUEUES; i++)
		toe_queue_pass(&buffers, &queues[i], 0, 0);
	EXPECT(t, buffers.used, ==, 0);
	expect_whole(t, steps);
}

const struct abt_case abt_buffer_cases[] = {
	{ "buffer: first in, first out", first_in_first_out },
	{ "buffer: refusals say why", refusals_say_why },
	{ "buffer: streams pass", streams_pass },
	{ "buffer: random load", random_load },
	{ }
};
