/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How many bytes may a sender have written and not sent?
 *
 * A writer is stopped when so much waits, and woken when half of that is left. A prompt one is
 * back before the rest is sent. A late one has to find more. So the bound is four times the most
 * that the writer was seen late by, and at least the data of the shortest time in which a writer
 * should be woken.
 *
 *	4/3 of the send buffer --- half as fast as data are sent ---> what the writer needs
 *	                        <--- some of it at once if the wire runs out of data
 *	                        <--- all of it once all data have arrived
 *
 * A bound comes down slowly, because a writer has less room meanwhile, and because one that is late
 * now and then is seen to be so while there is still enough for it. If the wire runs out of data,
 * the bound becomes at least four times as large. A writer that fills its socket now and then is
 * taken to have been late by all of the time in which nothing was sent; otherwise it had nothing
 * to write.
 */
#ifndef ABT_MODEL_UNSENT_H
#define ABT_MODEL_UNSENT_H

#include "model/fixed.h"

/* A bound is counted in this [bytes]. */
#define ABT_UNSENT_UNIT_SHIFT	10

/* A bounded writer is woken at half of its bound (tcp_stream_memory_free()). */
#define ABT_UNSENT_WAKE_SHIFT	1

/* A bound comes down by half of what is sent, so that is counted in two of these. */
#define ABT_UNSENT_SENT_SHIFT	(ABT_UNSENT_UNIT_SHIFT + 1)

/**
 * struct abt_unsent - a writer
 * @due: the next look is due after that [clock of the caller, the low bits]
 * @nxt: the next byte to be sent at the last look [2^ABT_UNSENT_SENT_SHIFT bytes, the low bits].
 *	If 128 MiB or more were sent since, a bound comes down by less
 * @bound: the bound in force [2^ABT_UNSENT_UNIT_SHIFT bytes]; 0: none
 * @level: the level that the writer needs, by how late it was
 * @full: it was seen to fill its socket, since @level came down last
 * @dry: the last look saw that the wire ran out of data
 * @patience: how long @level stays, by how often the wire ran out of data though @full
 * @wait: so many calm looks until @level goes down by one
 */
struct abt_unsent {
	u16 due;
	u16 nxt;
	u16 bound;
	u16 level:4;
	u16 full:1;
	u16 dry:1;
	u16 patience:2;
	u16 wait:8;
};

/**
 * struct abt_unsent_glance - what a look at a sender shows
 * @waits: written and not sent [bytes]
 * @late: the writer was woken and is not back, and so much was sent since [bytes]; 0: it is there
 * @full: the writer has no room
 * @dry: the wire ran out of data
 * @missed: so much would have been sent since this look was due [bytes]
 * @nxt: the next byte to be sent [sequence number]
 * @buffer: the send buffer [bytes of truesize]
 * @grows: it is too early for less than the first bound
 * @brief: the bound by which a writer is woken no more often than it should be [bytes]
 */
struct abt_unsent_glance {
	u32 waits;
	u32 late;
	bool full;
	bool dry;
	u32 missed;
	bool grows;
	u32 nxt;
	u32 buffer;
	u32 brief;
};

/**
 * abt_unsent_bytes() - the bound in force
 * @u: state of the writer
 *
 * Return: bytes; 0: none.
 */
static inline u32 abt_unsent_bytes(const struct abt_unsent *u)
{
	return (u32)u->bound << ABT_UNSENT_UNIT_SHIFT;
}

/**
 * abt_unsent_is_due() - is it time for a look?
 * @u: state of the writer
 * @now: time [clock of the caller]
 *
 * Return: true if so; @due is at most half of the clock's range away.
 */
static inline bool abt_unsent_is_due(const struct abt_unsent *u, u32 now)
{
	return (s16)((u16)now - u->due) > 0;
}

void abt_unsent_init(struct abt_unsent *u, u32 now, u32 nxt);
void abt_unsent_update(struct abt_unsent *u, const struct abt_unsent_glance *g);
void abt_unsent_rest(struct abt_unsent *u, u32 buffer);

#endif /* ABT_MODEL_UNSENT_H */
