/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How many bytes may a sender have written and not sent?
 *
 * A writer is stopped when so much waits, and woken when half of that is left. A prompt one is
 * back before the rest is sent. A late one has to find more. So the bound is four times the most
 * that the writer was seen late by, and at least the data of the shortest time in which a writer
 * should be woken.
 *
 *	twice what waits --- half as fast as data are sent ---> what the writer needs
 *	                      <--- at once if the wire runs out of data: four times as much
 *
 * A bound comes down slowly, because a writer has less room meanwhile, and because one that is late
 * now and then is seen to be so while there is still enough for it.
 */
#ifndef ABT_MODEL_UNSENT_H
#define ABT_MODEL_UNSENT_H

#include "model/fixed.h"

/* A bound is counted in this [bytes]. */
#define ABT_UNSENT_UNIT_SHIFT	10

/* A bounded writer is woken at half of its bound (tcp_stream_memory_free()). */
#define ABT_UNSENT_WAKE_SHIFT	1

/**
 * struct abt_unsent - a writer
 * @due: the next look is due after that [clock of the caller]
 * @bound: the bound in force [2^ABT_UNSENT_UNIT_SHIFT bytes]; 0: none
 * @late: the level that the writer needs, by how late it was of late
 * @least: the least level, because the wire ran out of data
 * @patience: that stays for 2^this times as long
 * @wait: so many calm looks until @late and @least go down by one
 */
struct abt_unsent {
	u32 due;
	u16 bound;
	u8 late:4;
	u8 least:4;
	u8 patience:2;
	u8 wait:6;
};

/**
 * struct abt_unsent_glance - what a look at a sender shows
 * @waits: written and not sent [bytes]
 * @late: the writer was woken and is not back, and so much was sent since [bytes]; 0: it is there
 * @dry: meanwhile the wire ran out of data
 * @sent: bytes sent since the last look, or less [bytes]
 * @buffer: the send buffer [bytes of truesize]
 * @grows: it is too early for less than the first bound
 * @brief: the bound by which a writer is woken no more often than it should be [bytes]
 */
struct abt_unsent_glance {
	u32 waits;
	u32 late;
	bool dry;
	bool grows;
	u32 sent;
	u32 buffer;
	u32 brief;
};

/**
 * abt_unsent_bytes() - the bound in force
 * @u: what is known of the writer
 *
 * Return: bytes; 0: none.
 */
static inline u32 abt_unsent_bytes(const struct abt_unsent *u)
{
	return (u32)u->bound << ABT_UNSENT_UNIT_SHIFT;
}

void abt_unsent_init(struct abt_unsent *u, u32 now);
void abt_unsent_update(struct abt_unsent *u, const struct abt_unsent_glance *g);

#endif /* ABT_MODEL_UNSENT_H */
