#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A send pool that is short borrows from a receive pool that nobody needs, and gives back; not if somebody sized one of them.
#
#	server ---- 10.0.1.0/24, 200 Mbit/s x 80 ms ---- client, which sends; the module is at the client alone
. ./lib.sh
WAIT_SECONDS=10			# a loan comes, or goes

PAGES=4096			# tcp_mem[1]: 16 MB of both ends
CONNS=24

setup_ns server client
link_ns "$server" "$client" 30
link_delay "$server" "$client" 40 200mbit
hold_sysctl tcp_mem "$((PAGES * 3 / 4)) $PAGES $((PAGES * 3 / 2))"

SEND=$(host_pool send "$PAGES")
RECV=$(host_pool recv "$PAGES")

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

tests_run a_short_pool_borrows pools_that_are_sized_lend_nothing it_has_all_back_in_the_end
