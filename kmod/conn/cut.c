// SPDX-License-Identifier: GPL-2.0
/* How far a send buffer is cut where memory does not ask for it. */
#include <net/tcp.h>

#include "conn/buffer.h"
#include "conn/conn.h"
#include "conn/cut.h"
#include "conn/sample.h"
#include "state/ceiling.h"

/* Such a cut has a writer wait for at most so many round trips. */
#define ABT_SND_PAUSE_TRIPS	16

/* The time for which the connection had data to send, whether it could or not. */
static u32 abt_busy_ms(const struct tcp_sock *tp)
{
	u32 busy = tp->chrono_stat[TCP_CHRONO_BUSY - 1] +
		   tp->chrono_stat[TCP_CHRONO_RWND_LIMITED - 1] +
		   tp->chrono_stat[TCP_CHRONO_SNDBUF_LIMITED - 1];

	if (tp->chrono_type > TCP_CHRONO_UNSPEC)
		busy += tcp_jiffies32 - tp->chrono_start;
	return jiffies_to_msecs(busy);
}

/* Bytes that the peer acknowledged in a round trip, in the mean of all of that time. */
static u64 abt_delivered_mean(const struct tcp_sock *tp)
{
	u32 busy_ms = abt_busy_ms(tp);

	if (!busy_ms)
		return U32_MAX;
	return div_u64(mul_u64_u32_div(tp->bytes_acked, tp->srtt_us >> ABT_RTT_SHIFT, busy_ms),
		       USEC_PER_MSEC);
}

/*
 * The kernel's estimate of the rate leaves out the time for which the peer's window is closed. A
 * reader that takes a little now and then opens it for a moment, in which data go fast.
 */
static bool abt_snd_waits_in_the_mean(const struct sock *sk)
{
	return abt_used(sk, ABT_SND) >
	       ABT_SND_PAUSE_TRIPS * abt_delivered_mean(tcp_sk(sk));
}

/**
 * abt_snd_waits() - would a writer wait too long if its buffer were cut?
 * @sk: socket, locked
 *
 * The kernel wakes it when two thirds of the buffer are queued. With a reader that has become
 * slow, more is queued than goes in a minute, and the stock kernel, which never cuts a buffer,
 * lets the writer go on.
 *
 * Return: true when more is queued than goes in ABT_SND_PAUSE_TRIPS round trips.
 */
bool abt_snd_waits(const struct sock *sk)
{
	return abt_used(sk, ABT_SND) >
	       ABT_SND_PAUSE_TRIPS * abt_delivered(tcp_sk(sk));
}

/* By an eighth, because the rate of a reader that has just become slow is not known yet. */
#define ABT_SND_CUT_SHIFT	3

/* A writer is about to be woken while no more than 3/4 of its buffer are queued. */
#define ABT_SND_WAKES_SHIFT	2

/*
 * A cut for a writer that would wait too long. The kernel's own tuning stops at the administrator's
 * limit, so the rest goes: as much as leaves in ABT_SND_PAUSE_TRIPS round trips, once each time
 * that the writer filled its buffer, and when it is about to be woken.
 */
static u32 abt_snd_cut_late(const struct sock *sk, struct abt_conn *c, u32 buffer)
{
	bool full = abt_used(sk, ABT_SND) > buffer - (buffer >> ABT_SND_WAKES_SHIFT);
	u32 limit = abt_ceiling_limit(c->an, ABT_SND);

	if (full || !c->half[ABT_SND].refilled || buffer <= limit) {
		c->half[ABT_SND].refilled |= full;
		return 0;
	}
	c->half[ABT_SND].refilled = false;
	return min_t(u64, ABT_SND_PAUSE_TRIPS * abt_delivered(tcp_sk(sk)),
		     min(buffer - limit, buffer >> ABT_SND_CUT_SHIFT));
}

/**
 * abt_snd_keep() - what a cut leaves of a send buffer at least
 * @sk: socket, locked
 * @c: its record
 * @buffer: the buffer now [bytes of truesize]
 * @target: what it is to be [bytes of truesize]
 * @held: it is held below what the kernel would give
 *
 * Nothing is kept for a writer that has room at @target, or from a kernel that runs out of memory.
 *
 * Return: bytes of truesize; 0: all may be cut.
 */
u32 abt_snd_keep(const struct sock *sk, struct abt_conn *c, u32 buffer, u32 target, bool held)
{
	bool waits;

	if (abt_used(sk, ABT_SND) <= target - target / 3 ||
	    tcp_under_memory_pressure(sk))
		return 0;
	waits = abt_snd_waits(sk) || (!held && abt_snd_waits_in_the_mean(sk));
	if (!held && !waits)
		return 0;
	return buffer - (waits ? abt_snd_cut_late(sk, c, buffer) : buffer >> ABT_SND_CUT_SHIFT);
}
