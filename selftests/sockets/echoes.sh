#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# While an offered window drains, each ACK echoes the timestamp that RFC 7323 asks for: of the first
# segment that it acknowledges. The other end takes a later one for a shorter round trip.
#
#	server ---- 10.0.1.0/24, 40 Mbit/s, 100 ms each way ---- client
. ./lib.sh

PORT=5001
LARGE=4000000		# buffers between which the receiver goes back and forth: the window drains
SMALL=1000000		# 30 granules of the scale of 14 stay within
ROUNDS=4
ROUND=2			# s
LEAST_ACKS=500
POOL_OF_SCALE_14=$((1 << 31))

setup_ns server client
link_ns "$server" "$client" 100 40mbit

# echoes COMMAND [ARGUMENT]...: ACKS, LATE and MOST of a transfer in which the command comes each round
echoes()
{
	local round

	peer sink "$server" listen 10.0.1.1 "$PORT"
	puppet link "$server" python3 sockets/echoes.py "$PORT"
	peer source "$client" connect 10.0.1.1 "$PORT"
	for ((round = 0; round < ROUNDS; round++)); do
		"$@" "$LARGE"
		pause "$ROUND"
		"$@" "$SMALL"
		pause "$ROUND"
	done
	tell link stop
	wait_for "echoes seen" has_lines link '^acks' 1
	find_lines link '^acks'
	split "${FOUND[0]}"
	ACKS=${WORDS[1]} LATE=${WORDS[3]} MOST=${WORDS[5]}
	say "$LATE of $ACKS ACKs echo a later segment, by up to $MOST ms"
	check_num "$ACKS" -ge "$LEAST_ACKS" "ACKs seen"
	peers_end
	PORT=$((PORT + 1))
}

without_the_module()
{
	echoes true
	STOCK=$LATE
}

a_window_that_drains()
{
	module_insert
	knobs "" recv_pool "$POOL_OF_SCALE_14"
	knobs "$server" receiver fixed fixed_recv "$LARGE"
	echoes knobs "$server" fixed_recv
	check_num "$LATE" -le "$STOCK" "ACKs that echo a later segment"
}

tests_run without_the_module a_window_that_drains
