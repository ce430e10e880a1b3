/* SPDX-License-Identifier: GPL-2.0 */
/* News of levels, knobs and pools: does it concern a connection? */
#ifndef ABT_CONN_NEWS_H
#define ABT_CONN_NEWS_H

#include "conn/conn.h"

bool abt_news_of_levels_concerns(const struct sock *sk, struct abt_conn *c);

/**
 * abt_news_concerns() - is there news that a connection has to be steered by?
 * @sk: socket, locked
 * @c: its record
 *
 * News that does not concern it is done with.
 *
 * Return: true when abt_steer() is due.
 */
static inline bool abt_news_concerns(const struct sock *sk, struct abt_conn *c)
{
	return abt_conn_has_news(c) && abt_news_of_levels_concerns(sk, c);
}

#endif /* ABT_CONN_NEWS_H */
