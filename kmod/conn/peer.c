// SPDX-License-Identifier: GPL-2.0
/* Does a sender's peer offer less than cwnd asks for, and for how long has it? */
#include <net/tcp.h>

#include "conn/activity.h"
#include "conn/conn.h"
#include "conn/peer.h"

/*
 * For so long a peer has to offer less, beside a few round trips: a reader that pauses goes on,
 * and many connections end sooner [ms].
 */
#define ABT_PEER_LASTS_MS	1000

/* At most so long in all: the clock below wraps after twice of that [ms]. */
#define ABT_PEER_LASTS_MOST_MS	4000U

/* Unit of that clock: 32 ms, which fit into eight bits for 8 s. */
#define ABT_PEER_CLOCK_SHIFT	5

static u8 abt_peer_clock(void)
{
	return jiffies_to_msecs(tcp_jiffies32) >> ABT_PEER_CLOCK_SHIFT;
}

/* Has a peer offered less for long enough, beside @after [jiffies]? */
static bool abt_peer_lasts(const struct abt_conn *c, u32 after)
{
	u32 least_ms = min(jiffies_to_msecs(after) + ABT_PEER_LASTS_MS,
			   ABT_PEER_LASTS_MOST_MS);
	u8 for_long = abt_peer_clock() - c->half[ABT_SND].less_since;

	return c->offered_less &&
	       for_long > least_ms >> ABT_PEER_CLOCK_SHIFT;
}

/* Is more than half of the window under way? Small segments fill a cwnd long before a window. */
static bool abt_peer_limits(const struct tcp_sock *tp)
{
	return tp->snd_nxt - tp->snd_una > tp->snd_wnd / 2;
}

/**
 * abt_peer_note() - a step of the sender has looked at its peer's window
 * @sk: socket, locked
 * @c: its record
 * @less: the window is less than cwnd asks for
 *
 * While the sender waits for a window, nothing changes: a reader that pauses says nothing new.
 */
void abt_peer_note(const struct sock *sk, struct abt_conn *c, bool less)
{
	bool due = time_after32(tcp_jiffies32, c->offer_due);
	u32 after = abt_idle_after_in_need(sk);

	less &= abt_peer_limits(tcp_sk(sk));
	if (abt_stalls(sk))
		less = c->offered_less;
	if (less && !c->offered_less)
		c->half[ABT_SND].less_since = abt_peer_clock();
	if (due || (less && !c->offered_less))
		c->offer_due = tcp_jiffies32 + after;
	c->offer_lasts = less && (c->offer_lasts || abt_peer_lasts(c, after));
	c->offered_less = less;
	c->comes_down = less && !c->offer_lasts;
}

/**
 * abt_peer_forget() - the sender's buffer does not follow from the peer's window
 * @c: its record
 *
 * Context: the socket lock held.
 */
void abt_peer_forget(struct abt_conn *c)
{
	c->offered_less = false;
	c->offer_lasts = false;
	c->minds_offer = false;
	c->comes_down = false;
}
