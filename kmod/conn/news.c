// SPDX-License-Identifier: GPL-2.0
/*
 * News of levels, knobs and pools: does it concern a connection?
 *
 * Most news is of a level that moved, which changes nothing for a connection that has all of
 * what it claims before and after. It costs such a connection a look at its pools, not a step.
 */
#include "conn/claim.h"
#include "conn/news.h"
#include "pool/stake.h"

/*
 * A direction that waits for memory looks anew each time, because refused growth is told of as a
 * level is. One whose use moved claims anew, or it would keep a share that others wait for.
 */
static bool abt_level_concerns(const struct sock *sk, const struct abt_conn *c,
			       enum abt_dir dir)
{
	const struct abt_half *half = &c->half[dir];

	return half->stake.pool &&
	       (half->shares || half->drains ||
		half->reason == TCP_ABT_REASON_POOL ||
		abt_stake_regrant(&half->stake) ||
		!abt_claim_stands(sk, c, dir));
}

/**
 * abt_news_of_levels_concerns() - does the news since a connection's last step concern it?
 * @sk: socket, locked
 * @c: its record, with news
 *
 * Context: RCU read side, BH or process.
 * Return: true when it does; else the news is done with.
 */
bool abt_news_of_levels_concerns(const struct sock *sk, struct abt_conn *c)
{
	u32 generation = abt_generation(c->an);

	if (generation - c->generation >= ABT_NEWS_ALL)
		return true;
	smp_rmb();	/* pairs with abt_pool_news(): look at no less than that tells of */
	if (abt_level_concerns(sk, c, ABT_SND) ||
	    abt_level_concerns(sk, c, ABT_RCV))
		return true;
	c->generation = generation;
	return false;
}
