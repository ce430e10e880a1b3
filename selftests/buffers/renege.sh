#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Receive buffers shrink under traffic, often and far, and no segment is lost for it:
# what the window has offered always finds room.
#
#	server ---- 10.0.1.0/24 ---- client
#	slow readers    5 ms each way
. ./lib.sh

PORT=5001
FLOWS=6
ROUNDS=20
LARGE=16777216
SMALL=262144

setup_ns server client
link_ns "$server" "$client" 5
module_insert
both recv_pool $LARGE send_pool $LARGE

shrinks() { pool "$server" recv net shrinks; }

swing() # COMMAND LARGE-VALUE SMALL-VALUE
{
	local round

	for ((round = 0; round < ROUNDS; round++)); do
		"$1" "$3"
		pause 0.15
		"$1" "$2"
		pause 0.15
	done
}

pool_of() { knobs "$server" recv_pool "$1"; }

fixed_of() { knobs "$server" fixed_recv "$1"; }

# Shrink and grow by COMMAND while readers with READ bytes each 10 ms hold much unread.
under_swings() # READ COMMAND LARGE SMALL
{
	local lost shrunk

	lost=$(renege_counters "$server")
	shrunk=$(shrinks)
	peer sink "$server" listen 10.0.1.1 "$PORT" read "$1"
	peer source "$client" connect 10.0.1.1 "$PORT" conns "$FLOWS" rate 2000000
	swing "$2" "$3" "$4"
	tell sink "read -1"
	check_num "$(shrinks)" -gt $((shrunk + ROUNDS)) "shrinks so far"
	stop_and_receive "$FLOWS"
	check_is "$(renege_counters "$server")" "$lost" "losses"
}

the_pool_swings_quick_readers() { under_swings -1 pool_of "$LARGE" "$SMALL"; }

the_pool_swings_slow_readers() { under_swings 10000 pool_of "$LARGE" "$SMALL"; }

fixed_buffers_swing()
{
	knobs "$server" receiver fixed
	under_swings 15000 fixed_of 2000000 65536
	knobs "$server" receiver tbt_plr
}

# From the largest there is to the least, with readers that have stopped.
stopped_readers_are_cut()
{
	local lost

	lost=$(renege_counters "$server")
	knobs "$server" receiver max
	peer sink "$server" listen 10.0.1.1 "$PORT" read 0
	peer source "$client" connect 10.0.1.1 "$PORT" conns "$FLOWS" rate 2000000
	wait_num "much is unread" -gt $((LARGE / 4)) unread
	knobs "$server" receiver tbt_plr recv_pool 65536
	pause 1
	tell sink "read -1"
	stop_and_receive "$FLOWS"
	check_is "$(renege_counters "$server")" "$lost" "losses"
}

unread() { conns "$server" local:"$PORT" rcv_used | awk '{ sum += $1 } END { print sum + 0 }'; }

tests_run the_pool_swings_quick_readers the_pool_swings_slow_readers fixed_buffers_swing \
	stopped_readers_are_cut
