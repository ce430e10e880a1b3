/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Credits: flow control of buffered copies (SDP).
 *
 * Each end has a private pool of buffers for a connection. A data message takes a credit; the
 * receiver, when it has emptied the buffer, gives it back with the next message that goes the
 * other way, or on an empty one when half of the pool waits to be given back.
 *
 *	ready --take--> in flight --consume--> owed --update--> ready
 *
 * Pure. Compiles in user space unchanged.
 */
#ifndef TOE_CREDIT_H
#define TOE_CREDIT_H

#include <linux/types.h>

/**
 * struct toe_credits - one direction of a connection
 * @pool: all credits; the other three add up to it
 * @ready: the sender has
 * @in_flight: messages that the receiver has not emptied
 * @owed: emptied, and not given back yet
 */
struct toe_credits {
	u32 pool;
	u32 ready;
	u32 in_flight;
	u32 owed;
};

/**
 * toe_credits_init() - all credits are the sender's
 * @c: credits
 * @pool: how many, at least 1
 */
static inline void toe_credits_init(struct toe_credits *c, u32 pool)
{
	*c = (struct toe_credits) { .pool = pool, .ready = pool };
}

/**
 * toe_credits_take() - a data message is sent
 * @c: credits
 *
 * Return: false where it has to wait.
 */
static inline bool toe_credits_take(struct toe_credits *c)
{
	if (!c->ready)
		return false;
	c->ready--;
	c->in_flight++;
	return true;
}

/**
 * toe_credits_consume() - the receiver emptied a buffer
 * @c: credits
 *
 * Return: whether it has to give credits back now, on an empty message.
 */
static inline bool toe_credits_consume(struct toe_credits *c)
{
	if (!c->in_flight)
		return false;
	c->in_flight--;
	c->owed++;
	return 2 * c->owed >= c->pool;
}

/**
 * toe_credits_update() - what is owed is given back
 * @c: credits
 */
static inline void toe_credits_update(struct toe_credits *c)
{
	c->ready += c->owed;
	c->owed = 0;
}

#endif /* TOE_CREDIT_H */
