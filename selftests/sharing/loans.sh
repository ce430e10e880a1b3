#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A send pool that is short borrows from a receive pool that nobody needs, and gives back; not if somebody sized one of them. If
# both are short, each hands out a part of what no socket uses, until readers stop.
#
#	server ---- 10.0.1.0/24, 200 and 800 Mbit/s x 80 ms ---- client, which sends; the module is at the client alone, and then at both
. ./lib.sh
WAIT_SECONDS=200		# a loan comes, or goes; the kernel gives up sockets that an earlier test left with data

PAGES_THERE=4096		# tcp_mem[1]: 16 MB of both ends
RATE=200mbit
DELAY_MS=40			# each way
FAST=800mbit			# of this 8 MB are in flight
CONNS=24
STOPPED_SECONDS=3		# until all that was offered has come

setup_ns server client
link_ns "$server" "$client" 30
link_delay "$server" "$client" "$DELAY_MS" "$RATE"
hold_sysctl tcp_mem "$((PAGES_THERE * 3 / 4)) $PAGES_THERE $((PAGES_THERE * 3 / 2))"

SEND=$(host_pool send "$PAGES_THERE")
RECV=$(host_pool recv "$PAGES_THERE")

# size DIR: what that pool of the host has, loans included [bytes]
size() { pool "" "$1" host size; }

lends() { (($(size send) > SEND + RECV / 4 && $(size recv) < RECV)); }

lends_nothing() { (($(size send) == SEND && $(size recv) == RECV)); }

charged_fits() { (($(pool "" send host charged) <= SEND * 17 / 16)); }

a_short_pool_borrows()
{
	module_insert
	module_of writer
	check "nothing is lent at first" lends_nothing
	sink_and_source 10.0.1.1 5001 conns "$CONNS"
	wait_for "the receive pool lends" lends
	say "send $(size send) of its own $SEND, receive $(size recv) of $RECV"
	check_num $(($(size send) + $(size recv))) -le $((SEND + RECV)) "bytes of both pools"
	check_num "$(size recv)" -ge $((RECV / 2)) "bytes of the lender"
	check_num "$(pool "" send host charged)" -le "$(size send)" "bytes charged"
}

pools_that_are_sized_lend_nothing()
{
	knobs "" recv_pool "$RECV"
	wait_for "nothing is lent" lends_nothing
	wait_for "the borrower's members give back" charged_fits
	knobs "" recv_pool 0
	wait_for "the receive pool lends again" lends
}

it_has_all_back_in_the_end()
{
	peers_end
	wait_for "nothing is lent" lends_nothing
	pools_are_empty
	module_remove
}

# no_more_than PAGES: TCP of the host uses no more
no_more_than()
{
	tcp_pages
	say "send $(size send) of its own $SEND, receive $(size recv) of $RECV, $PAGES pages in use"
	check_num "$PAGES" -le "$1" "pages in use"
}

hands_out_more() { (($(size send) > SEND + SEND / 8 && $(size recv) > RECV + RECV / 8)); }

hands_out_its_own() { (($(size send) + $(size recv) <= SEND + RECV)); }

# The kernel adds what a processor uses in steps of 256 pages
nothing_in_use() { tcp_pages; ((PAGES < 256)); }

both_hand_out_what_is_unused()
{
	wait_for "no socket uses memory" nothing_in_use
	link_delay "$server" "$client" "$DELAY_MS" "$FAST"
	module_insert
	sink_and_source 10.0.1.1 5001 conns "$CONNS"
	wait_for "both have more than their own" hands_out_more
	check_num $(($(size send) + $(size recv))) -le $(((SEND + RECV) * 3 / 2)) "bytes of both pools"
	no_more_than "$PAGES_THERE"
	check_is "$(counters "$client" TCPMemoryPressures)" "" "memory pressure"
}

readers_that_stop_end_that()
{
	kill -STOP "${PEER_PID[sink]}"
	pause "$STOPPED_SECONDS"
	check "both have no more than their own" hands_out_its_own
	no_more_than $((PAGES_THERE * 9 / 8))
	kill -CONT "${PEER_PID[sink]}"
	wait_for "both have more than their own again" hands_out_more
	peers_end
	wait_for "both have their own" lends_nothing
	pools_are_empty
	module_remove
}

tests_run a_short_pool_borrows pools_that_are_sized_lend_nothing it_has_all_back_in_the_end both_hand_out_what_is_unused \
	readers_that_stop_end_that
