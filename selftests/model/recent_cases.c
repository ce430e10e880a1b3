// SPDX-License-Identifier: GPL-2.0
/* The slots of recent records. Addresses of sockets stand for sockets, and are chosen by the set that they give. */
#include "cases.h"
#include "conn/conn.h"
#include "conn/recent.h"

#define WAYS		8U	/* of a set */
#define SET_BYTES	(WAYS * sizeof(void *))
#define RECORDS		(WAYS + 1)	/* in one set: one too many */
#define ROUNDS		1000U
#define SOCKET_BYTES	64	/* addresses are multiples of this */

static struct abt_conn records[RECORDS];

static unsigned long set_of(unsigned long address)
{
	return (unsigned long)abt_recent_home((struct sock *)address) / SET_BYTES;
}

/* Records that are all of the set of the first one. */
static bool begin(struct abt_test *t)
{
	unsigned long address = SOCKET_BYTES * (1UL + abt_test_below(t, 1 << 20)), set;

	if (!EXPECT(t, abt_recent_init(), ==, 0))
		return false;
	set = set_of(address);
	for (u32 i = 0; i < RECORDS; address += SOCKET_BYTES)
		if (set_of(address) == set)
			records[i++].sk = (struct sock *)address;
	return true;
}

/* The slots' own check finds those that are not free. */
static void end(void)
{
	for (u32 i = 0; i < RECORDS; i++)
		abt_conn_unremember(&records[i]);
	abt_recent_exit();
}

/* As an event looks. */
static bool finds(struct abt_conn *record)
{
	struct abt_conn *found;

	if (!abt_conn_glance(record->sk, &found))
		found = abt_conn_recent(record->sk);
	return found == record;
}

static u32 find_all(void)
{
	u32 found = 0;

	for (u32 i = 0; i < RECORDS; i++)
		found += finds(&records[i]);
	return found;
}

static void a_set_holds_as_many_as_it_has_slots(struct abt_test *t)
{
	if (!begin(t))
		return;
	EXPECT(t, find_all(), ==, 0);
	for (u32 i = 0; i < WAYS; i++) {
		abt_conn_remember(&records[i]);
		EXPECT_AT(t, i, find_all(), ==, i + 1);
	}
	end();
}

/* Whichever slot it has. */
static void a_record_that_is_forgotten_leaves_its_slot(struct abt_test *t)
{
	if (!begin(t))
		return;
	for (u32 i = 0; i < WAYS; i++)
		abt_conn_remember(&records[i]);
	for (u32 i = 0; i < WAYS; i++) {
		abt_conn_unremember(&records[i]);
		EXPECT_AT(t, i, finds(&records[i]), ==, false);
		EXPECT_AT(t, i, find_all(), ==, WAYS - 1);
		abt_conn_remember(&records[i]);
		EXPECT_AT(t, i, find_all(), ==, WAYS);
	}
	end();
}

/* Each miss remembers the record, as an event does. Return: misses */
static u32 events_in_turn(u32 connections, u32 rounds)
{
	u32 misses = 0;

	for (u32 i = 0; i < rounds * connections; i++) {
		struct abt_conn *record = &records[i % connections];

		if (finds(record))
			continue;
		misses++;
		abt_conn_remember(record);
	}
	return misses;
}

/* With the latest in the set each event would miss, and write. One record too many costs little more than its own events. */
static void one_too_many_does_not_displace_all(struct abt_test *t)
{
	u32 misses;

	if (!begin(t))
		return;
	misses = events_in_turn(RECORDS, ROUNDS);
	EXPECT(t, misses, >=, ROUNDS);
	EXPECT(t, misses, <=, ROUNDS + ROUNDS / 4);
	end();
}

/* A set that is full of idle connections. */
static void a_busy_one_gets_a_slot_of_the_idle(struct abt_test *t)
{
	u32 misses = 0;

	if (!begin(t))
		return;
	events_in_turn(WAYS, 1);
	for (; !finds(&records[WAYS]) && misses < ROUNDS; misses++)
		abt_conn_remember(&records[WAYS]);
	EXPECT(t, misses, <=, 100);
	EXPECT(t, find_all(), ==, WAYS);
	end();
}

/* Finds of @record until it is at home; at most @most. */
static u32 finds_until_home(struct abt_conn *record, u32 most)
{
	struct abt_conn *found;
	u32 n = 0;

	for (; !abt_conn_glance(record->sk, &found) && n < most; n++)
		if (finds(record))
			abt_conn_come_home(record);
		else
			abt_conn_remember(record);
	return n;
}

/* Another record may have the home. The slots' own check tells that no record has two slots then. */
static void a_busy_one_comes_home(struct abt_test *t)
{
	if (!begin(t))
		return;
	events_in_turn(WAYS, 1);
	for (u32 i = 0; i < RECORDS; i++)
		EXPECT_AT(t, i, finds_until_home(&records[i], ROUNDS), <, 100);
	end();
}

static void a_free_home_is_taken_at_once(struct abt_test *t)
{
	struct abt_conn *found;

	if (!begin(t))
		return;
	for (u32 i = 0; i < WAYS; i++) {
		events_in_turn(WAYS, 1);
		abt_conn_glance(records[i].sk, &found);
		if (found == &records[i])
			continue;
		abt_conn_unremember(found);
		EXPECT_AT(t, i, finds_until_home(&records[i], ROUNDS), ==, 1);
	}
	end();
}

/* A hook may find a record in its slot after it was taken out of the table. */
static void a_dead_one_stays_aside(struct abt_test *t)
{
	if (!begin(t))
		return;
	events_in_turn(WAYS, 1);
	for (u32 i = 0; i < WAYS; i++) {
		struct abt_conn *found;
		bool at_home = abt_conn_glance(records[i].sk, &found);

		records[i].dead = true;
		if (!at_home)
			EXPECT_AT(t, i, finds_until_home(&records[i], ROUNDS), ==, ROUNDS);
		records[i].dead = false;
	}
	end();
}

const struct abt_case abt_recent_cases[] = {
	{ "recent: a set holds as many as it has slots", a_set_holds_as_many_as_it_has_slots },
	{ "recent: a forgotten record leaves its slot", a_record_that_is_forgotten_leaves_its_slot },
	{ "recent: one too many does not displace all", one_too_many_does_not_displace_all },
	{ "recent: a busy one gets a slot of the idle", a_busy_one_gets_a_slot_of_the_idle },
	{ "recent: a busy one comes home", a_busy_one_comes_home },
	{ "recent: a free home is taken at once", a_free_home_is_taken_at_once },
	{ "recent: a dead one stays aside", a_dead_one_stays_aside },
	{ }
};
