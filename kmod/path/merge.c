// SPDX-License-Identifier: GPL-2.0
/* Peers whose round trips vary together are on one path. See merge.h. */
#include <linux/minmax.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

#include "path/delays.h"
#include "path/merge.h"
#include "path/path.h"
#include "path/remote.h"

/*
 * A peer is compared with so many others at a time, and with the next ones later. One peer of the
 * host's is compared in so many us: a hundred thousand are no more work than two.
 */
#define ABT_MERGE_COMPARED	16
#define ABT_MERGE_EVERY_SHIFT	12

/* A wrong share of one of them is one of all [peers]. */
#define ABT_MERGE_PEERS_MAX	64

/*
 * A peer that was merged in error is kept apart for 67 s, and for twice as long each time, up to
 * 18 minutes [us].
 */
#define ABT_MERGE_APART_US	(1U << 26)
#define ABT_MERGE_APART_MAX_US	(1U << 30)

/* The largest base of those that are merged, in parts of the least. */
#define ABT_MERGE_BASES_MOST	16

/*
 * If a peer agreed with no other on its path for so long, nothing tells that it belongs there. If
 * it does, the queue is calm, and its share alone is as large [us].
 */
#define ABT_MERGE_LAPSES_US	(1U << 27)

/* If less of a queue is missing, it is jitter. */
#define ABT_MERGE_ALIGN_SHIFT	2

/* Protects which path each peer is on, and the candidates. Taken before a path's lock. */
static DEFINE_SPINLOCK(abt_merge_lock);
static LIST_HEAD(abt_candidates);
static u32 abt_merge_last_id;

/* When a peer was compared last, in units of ABT_MERGE_EVERY_SHIFT. Read without a lock. */
static u64 abt_merge_compared;

/**
 * abt_merge_path_of() - the path that a peer is on
 * @remote: peer
 *
 * Context: any; no path's lock held.
 * Return: the path, to be put.
 */
struct abt_path *abt_merge_path_of(const struct abt_remote *remote)
{
	struct abt_path *path;

	rcu_read_lock();
	do {
		path = READ_ONCE(remote->path);
	} while (!refcount_inc_not_zero(&path->users));
	rcu_read_unlock();
	return path;
}

/* Two paths, or one twice. Context: abt_merge_lock held, so that no others are taken together. */
static void abt_merge_lock_both(struct abt_path *a, struct abt_path *b)
	__acquires(&a->lock)
	__acquires(&b->lock)
{
	spin_lock(&a->lock);
	if (b != a)
		spin_lock_nested(&b->lock, SINGLE_DEPTH_NESTING);
	else
		__acquire(&b->lock);
}

static void abt_merge_unlock_both(struct abt_path *a, struct abt_path *b)
	__releases(&a->lock)
	__releases(&b->lock)
{
	if (b != a)
		spin_unlock(&b->lock);
	else
		__release(&b->lock);
	spin_unlock(&a->lock);
}

/* Its connections follow when they report. Context: all locks held. */
static void abt_merge_move(struct abt_remote *remote, struct abt_path *to)
{
	abt_remote_uncount(remote, remote->path);
	abt_remote_count(remote, to);
	refcount_inc(&to->users);
	WRITE_ONCE(remote->path, to);
	remote->leaves = false;
	remote->agree = 0;
	remote->differ = 0;
	remote->agreed_us = to->time_us;
}

/* A path of its own again. Context: abt_merge_lock held. */
static void abt_merge_part(struct abt_remote *remote, bool erred)
{
	struct abt_path *from = remote->path;
	struct abt_path *to = abt_path_make();

	if (!to)
		return;
	abt_merge_lock_both(from, to);
	abt_path_tell_time(to, from->time_us);
	to->heard_us = from->heard_us;
	abt_merge_move(remote, to);
	if (erred) {
		remote->apart_us = clamp(2 * remote->apart_us, ABT_MERGE_APART_US,
					 ABT_MERGE_APART_MAX_US);
		remote->apart_until_us = from->time_us + remote->apart_us;
		abt_remote_forget_floor(remote);
		from->misled = from->peers == 1;
		abt_watch_clear(&from->watch, from->now_us);
	}
	abt_merge_unlock_both(from, to);
	abt_path_put(to);	/* the peer has it */
	abt_path_put(from);
}

/* Context: abt_merge_lock held. */
static void abt_merge_become_candidate(struct abt_remote *remote)
{
	struct abt_delays *delays = kmalloc(sizeof(*delays), GFP_ATOMIC | __GFP_NOWARN);

	if (!delays)
		return;
	spin_lock(&remote->path->lock);
	abt_delays_begin(delays, remote->path->time_us);
	remote->delays = delays;
	spin_unlock(&remote->path->lock);
	list_add_tail(&remote->candidate, &abt_candidates);
}

/* Context: the lock of its path held. */
static bool abt_merge_may_come(const struct abt_remote *remote)
{
	return remote->path->time_us >= remote->apart_until_us &&
	       remote->path->peers < ABT_MERGE_PEERS_MAX;
}

/*
 * A near connection at the least buffer that it may have fills a queue that is long for its base,
 * and shares of a short one hold the far ones back. Context: the locks of their paths held.
 */
static bool abt_merge_are_alike(const struct abt_remote *a, const struct abt_remote *b)
{
	u32 a_us = abt_remote_floor(a), b_us = abt_remote_floor(b);

	return max(a_us, b_us) / ABT_MERGE_BASES_MOST <= min(a_us, b_us);
}

/*
 * Two peers see one queue, so the round trips at the least tell the one or the other falsely. A
 * peer that comes to several takes their word. Of two alone, the one that has seen more of the
 * queue go is right. Context: all locks held.
 */
static void abt_merge_align(struct abt_remote *comes, struct abt_remote *stays, s64 longer_us,
			    u32 most_us)
{
	u32 apart_us = (u32)(longer_us < 0 ? -longer_us : longer_us);

	if (apart_us < ABT_DELAYS_SHORT_US || apart_us < most_us >> ABT_MERGE_ALIGN_SHIFT)
		return;
	if (longer_us < 0)
		abt_remote_lower_floor(comes, apart_us);
	else if (stays->path->peers > 1)
		abt_remote_raise_floor(comes, apart_us);
	else
		abt_remote_lower_floor(stays, apart_us);
}

/*
 * A peer comes to the path of another. Context: all locks held. Return: the path that it leaves, to
 * be put.
 */
static struct abt_path *abt_merge_join(struct abt_remote *comes, struct abt_path *to)
{
	struct abt_path *from = comes->path;

	if (!to->id)
		to->id = ++abt_merge_last_id;
	abt_path_tell_time(to, from->time_us);
	abt_watch_join(&to->watch, to->now_us, from->watch.last_rate / from->peers);
	abt_merge_move(comes, to);
	return from;
}

/* So many verdicts of others on its path are remembered, older ones for less. */
#define ABT_MERGE_VOTES	16

/* Context: abt_merge_lock held. */
static void abt_merge_vote(struct abt_remote *remote, enum abt_delays_verdict verdict)
{
	remote->agree += verdict == ABT_DELAYS_AGREE;
	remote->differ += verdict == ABT_DELAYS_DIFFER;
	if (remote->agree + remote->differ < ABT_MERGE_VOTES)
		return;
	remote->agree /= 2;
	remote->differ /= 2;
}

/* Context: abt_merge_lock held. Return: true if one came to the other. */
static bool abt_merge_compare(struct abt_remote *remote, struct abt_remote *other)
{
	struct abt_path *a = remote->path, *b = other->path, *left = NULL;
	enum abt_delays_verdict verdict;
	s64 longer_us;
	u32 most_us;

	abt_merge_lock_both(a, b);
	verdict = abt_delays_compare(remote->delays, abt_remote_floor(remote), other->delays,
				     abt_remote_floor(other), &longer_us, &most_us);
	if (a == b) {
		abt_merge_vote(remote, verdict);
		if (verdict == ABT_DELAYS_AGREE) {
			remote->agreed_us = a->time_us;
			other->agreed_us = a->time_us;
		}
	} else if (verdict == ABT_DELAYS_AGREE && abt_merge_may_come(remote) &&
		   abt_merge_may_come(other) && abt_merge_are_alike(remote, other)) {
		/* to the path with more peers */
		if (a->peers <= b->peers) {
			abt_merge_align(remote, other, longer_us, most_us);
			left = abt_merge_join(remote, b);
		} else {
			abt_merge_align(other, remote, -longer_us, most_us);
			left = abt_merge_join(other, a);
		}
	}
	abt_merge_unlock_both(a, b);
	if (left)
		abt_path_put(left);
	return left;
}

/*
 * Does a peer not belong to those that it is with? Two part if they differ; one of more leaves if
 * most differ from it. Context: abt_merge_lock held.
 */
static bool abt_merge_is_outvoted(const struct abt_remote *remote)
{
	u32 peers = remote->path->peers;

	return peers > 1 && remote->differ >= (peers > 2 ? 2 : 1) &&
	       remote->differ > remote->agree;
}

/* Context: abt_merge_lock held. */
static void abt_merge_compare_some(struct abt_remote *remote)
{
	struct abt_remote *first = NULL;

	for (u32 i = 0; i < ABT_MERGE_COMPARED; i++) {
		struct abt_remote *other = list_first_entry(&abt_candidates, struct abt_remote,
							    candidate);

		if (other == first)
			break;	/* all of them were compared */
		if (!first)
			first = other;
		list_move_tail(&other->candidate, &abt_candidates);
		if (other != remote && other->net == remote->net &&
		    abt_merge_compare(remote, other))
			return;
	}
	if (abt_merge_is_outvoted(remote))
		abt_merge_part(remote, true);
}

/**
 * abt_merge_is_due() - is it time to compare a peer of the host's?
 * @time_us: time [us]
 *
 * Context: any.
 * Return: true if it is.
 */
bool abt_merge_is_due(u64 time_us)
{
	return READ_ONCE(abt_merge_compared) < time_us >> ABT_MERGE_EVERY_SHIFT;
}

/**
 * abt_merge_lapses() - has a peer agreed with no other on its path for long?
 * @remote: peer
 *
 * Context: the lock of its path held.
 * Return: true if it is on one with others, and has not.
 */
bool abt_merge_lapses(const struct abt_remote *remote)
{
	const struct abt_path *path = remote->path;

	return path->peers > 1 && path->time_us > remote->agreed_us + ABT_MERGE_LAPSES_US;
}

/*
 * Is a peer to be taken from those that it is merged with, and was it an error? Context:
 * abt_merge_lock held.
 */
static bool abt_merge_ends(struct abt_remote *remote, bool *erred)
{
	struct abt_path *path = remote->path;
	bool lapses;

	spin_lock(&path->lock);
	remote->leaves &= path->peers > 1;
	*erred = remote->leaves;
	lapses = abt_merge_lapses(remote);
	spin_unlock(&path->lock);
	return *erred || lapses;
}

/**
 * abt_merge_look() - look whether a peer has another's bottleneck, or no longer
 * @remote: peer; a connection of it has reported
 * @time_us: time [us]
 *
 * Context: any; no path's lock held.
 */
void abt_merge_look(struct abt_remote *remote, u64 time_us)
{
	bool erred;

	spin_lock_bh(&abt_merge_lock);
	if (abt_merge_ends(remote, &erred))
		abt_merge_part(remote, erred);
	else if (!remote->delays)
		abt_merge_become_candidate(remote);
	else if (abt_merge_is_due(time_us))
		abt_merge_compare_some(remote);
	WRITE_ONCE(abt_merge_compared,
		   max(abt_merge_compared, time_us >> ABT_MERGE_EVERY_SHIFT));
	spin_unlock_bh(&abt_merge_lock);
}

/**
 * abt_merge_forget() - a peer has no connections: it is alone, and not compared
 * @remote: peer
 *
 * Context: any; no path's lock held.
 */
void abt_merge_forget(struct abt_remote *remote)
{
	struct abt_delays *delays;

	spin_lock_bh(&abt_merge_lock);
	spin_lock(&remote->path->lock);
	delays = remote->delays;
	remote->delays = NULL;
	spin_unlock(&remote->path->lock);
	if (delays)
		list_del_init(&remote->candidate);
	if (READ_ONCE(remote->path->peers) > 1)
		abt_merge_part(remote, false);
	spin_unlock_bh(&abt_merge_lock);
	kfree(delays);
}
