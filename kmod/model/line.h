/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The rate of a path's bottleneck, as a receiver sees it in a slow start.
 *
 * In slow start the sender's data come in trains, one a round trip, each twice as long as the one
 * before, with a pause between them. The bottleneck has a queue while a train passes, because a
 * sender that doubles sends twice as fast as it is acknowledged. So the data of a train come at
 * the bottleneck's rate, and that is known before the path is full: two trains in a row have the
 * same. Data of a sender that paces, or of an application that writes now and then, come faster
 * from train to train, or at no rate in particular, and tell nothing.
 *
 * The arithmetic alone. Compiles in user space.
 */
#ifndef ABT_MODEL_LINE_H
#define ABT_MODEL_LINE_H

#include <linux/types.h>

/* Unit of a rate [us, shift]. */
#define ABT_LINE_UNIT_SHIFT	10

/**
 * struct abt_line - a connection's estimate of its bottleneck; the socket lock protects it
 * @train_us: the train under way began [us, wraps]
 * @train_seq: the first byte after its first segments [sequence number]
 * @rate: rate of the last train that was long enough [bytes per 1024 us]; 0: there was none
 * @known: two in a row had that rate, and it was not taken since
 */
struct abt_line {
	u32 train_us;
	u32 train_seq;
	u32 rate;
	bool known;
};

void abt_line_train(struct abt_line *l, u32 bytes, u32 us, u32 base_us);

/**
 * abt_line_brings() - what comes at a rate
 * @rate: rate [bytes per 1024 us]
 * @us: for so long [us]
 *
 * Return: bytes.
 */
static inline u64 abt_line_brings(u32 rate, u32 us)
{
	return ((u64)rate * us) >> ABT_LINE_UNIT_SHIFT;
}

/**
 * abt_line_take() - is there anything new to tell of the bottleneck?
 * @l: the estimate
 *
 * Return: its rate [bytes per 1024 us], or 0.
 */
static inline u32 abt_line_take(struct abt_line *l)
{
	u32 rate = l->known ? l->rate : 0;

	l->known = false;
	return rate;
}

#endif /* ABT_MODEL_LINE_H */
