// SPDX-License-Identifier: GPL-2.0
/*
 * Reclaim: connections that see no events learn of the pool's news here.
 *
 * A busy connection picks the level up at its next segment. A silent connection would keep its
 * old grant. So, while a connection gets less than it asks for, a walk over all records steers
 * the connections that have not seen the news, some at a time so that the walk delays no other
 * work. A pass that finds no connection short is the last.
 */
#include <linux/rhashtable.h>
#include <net/sock.h>

#include "conn/activity.h"
#include "conn/conn.h"
#include "conn/hooks.h"
#include "conn/news.h"
#include "conn/reclaim.h"
#include "conn/record.h"
#include "conn/steer.h"
#include "state/host.h"

/* Records looked at without a break. */
#define ABT_RECLAIM_BURST	64

/*
 * A pass begins so long after the one before, at the earliest [ms]: a receiver is idle
 * after 200 ms, and few records need not be looked at a hundred times a second.
 */
#define ABT_RECLAIM_PASS_MS	100

/* The pass under way, or the last one; only the work touches it. */
static struct {
	struct rhashtable_iter iter;
	unsigned long began;	/* [jiffies] */
	bool begun;
	bool shortage;
} abt_pass;

/* Did a direction fall silent since it was steered, or wake up with no event since? */
static bool abt_idle_changed(const struct sock *sk, const struct abt_half *half,
			     enum abt_dir dir)
{
	return half->idle != abt_half_idle(sk, half, dir);
}

/* Steer what is not as it was when it was steered last. Return: was anything? */
static bool abt_reclaim_steer(struct sock *sk, struct abt_conn *c)
{
	bool snd, rcv;

	if (abt_news_concerns(sk, c)) {
		abt_steer(sk, c);
		return true;
	}
	snd = abt_idle_changed(sk, &c->half[ABT_SND], ABT_SND);
	rcv = abt_idle_changed(sk, &c->half[ABT_RCV], ABT_RCV);
	if (snd)
		abt_steer_snd(sk, c);
	if (rcv)
		abt_steer_rcv(sk, c);
	return snd || rcv;
}

static void abt_reclaim_conn(struct sock *sk, struct abt_conn *c)
{
	if (abt_reclaim_steer(sk, c))
		abt_tell_event(sk, c);
	if (!abt_pass.shortage)
		abt_pass.shortage = abt_half_short(&c->half[ABT_SND]) ||
				    abt_half_short(&c->half[ABT_RCV]);
}

/* Steer one socket, unless somebody is at it anyway. */
static void abt_reclaim_sk(struct sock *sk)
{
	struct abt_conn *c = NULL;

	local_bh_disable();
	bh_lock_sock(sk);
	if (!sock_owned_by_user(sk))
		c = abt_conn_find(sk);
	if (c)
		abt_reclaim_conn(sk, c);
	bh_unlock_sock(sk);
	local_bh_enable();
}

static void abt_pass_begin(void)
{
	abt_records_walk_enter(&abt_pass.iter);
	abt_pass.began = jiffies;
	abt_pass.begun = true;
	abt_pass.shortage = false;
}

static void abt_pass_end(void)
{
	if (abt_pass.begun)
		rhashtable_walk_exit(&abt_pass.iter);
	abt_pass.begun = false;
}

/* Return: are there more? */
static bool abt_reclaim_burst(void)
{
	struct sock *sk = NULL;
	int n;

	rhashtable_walk_start(&abt_pass.iter);
	for (n = 0; n < ABT_RECLAIM_BURST; n++) {
		sk = abt_records_walk_next(&abt_pass.iter, NULL);
		if (!sk)
			break;
		abt_reclaim_sk(sk);
		sock_put(sk);
	}
	rhashtable_walk_stop(&abt_pass.iter);
	return sk;
}

static bool abt_reclaim_slice(void)
{
	unsigned int left = atomic_read(&abt_records_table()->nelems) / ABT_RECLAIM_PAUSES;
	bool more = abt_reclaim_burst();

	for (; more && left > ABT_RECLAIM_BURST; left -= ABT_RECLAIM_BURST) {
		cond_resched();
		more = abt_reclaim_burst();
	}
	return more;
}

/* Return: jiffies until the next pass; a pause, where the last one took its time. */
static unsigned long abt_pass_rest(void)
{
	unsigned long pause = msecs_to_jiffies(ABT_RECLAIM_PAUSE_MS);
	unsigned long due = abt_pass.began + msecs_to_jiffies(ABT_RECLAIM_PASS_MS);

	return time_after(due, jiffies + pause) ? due - jiffies : pause;
}

static void abt_reclaim(struct work_struct *work)
{
	if (!abt_pass.begun)
		abt_pass_begin();
	if (abt_reclaim_slice()) {
		abt_reclaim_kick();
		return;
	}
	abt_pass_end();
	if (!abt_pass.shortage || !READ_ONCE(abt_host.live))
		return;
	cancel_delayed_work(&abt_host.reclaim);	/* kicked by its own steps */
	schedule_delayed_work(&abt_host.reclaim, abt_pass_rest());
}

/**
 * abt_reclaim_init() - before the first kick
 *
 * Context: process.
 */
void abt_reclaim_init(void)
{
	INIT_DELAYED_WORK(&abt_host.reclaim, abt_reclaim);
}

/**
 * abt_reclaim_stop() - no pass is under way on return
 *
 * Kicks come to nothing any more.
 * Context: process, sleeps.
 */
void abt_reclaim_stop(void)
{
	cancel_delayed_work_sync(&abt_host.reclaim);
	abt_pass_end();
}
