#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Mixed traffic, while the module comes and goes and its knobs change, at random: each byte
# arrives, and nothing is left in memory. In virtual time silence costs nothing, so rounds
# are far apart. SOAK_MINUTES and SOAK_SEED in the environment: how long, which random numbers.
#
#	server ---- 10.0.1.0/24, 5 ms each way ---- client
#	5001: received by the server	5002: sent by it	5003: a stream for all the time
. ./lib.sh

MINUTES=${SOAK_MINUTES:-75}	# 32 bits of microseconds wrap after 71
SEED=${SOAK_SEED:-$RANDOM}
ROUND_S=10
ROUNDS=$((MINUTES * 60 / ROUND_S))
TOLD=30		# rounds from one line of progress to the next
SENT=200000	# bytes of each stream that the server sends
STEADY=10000	# bytes a second of the stream for all the time
SLAB_KB=16384	# what the kernel may keep in its own caches
RANDOM=$SEED

UPLOADED=0	# streams so far
DOWNLOADED=0
TOGGLED=0
CHANGED=0

setup_ns server client
link_ns "$server" "$client" 5

one_of() { ONE=${*:1 + RANDOM % $#:1}; }

# The module goes, or comes back.
toggle()
{
	TOGGLED=$((TOGGLED + 1))
	if module_loaded; then
		check "rmmod" module_remove
	else
		check "insmod" module_insert
	fi
}

# A knob of either end gets another value.
change()
{
	local ns name value

	module_loaded || return 0
	one_of "$server" "$client"; ns=$ONE
	one_of "mode on" "mode off" "mode observe" "mode on" "sender atbt" "sender sabt" "sender fixed" \
		"sender stock" "receiver tbt_plr" "receiver drs" "receiver fixed" "receiver max" \
		"receiver stock" "share maxmin" "share proportional" "share fcfs" "path_headroom 0" "path_headroom 50" \
		"recv_pool $((65536 + RANDOM * 64))" "send_pool $((65536 + RANDOM * 64))" \
		"recv_pool 0" "send_pool 0" "alpha_signal queue" "alpha_signal epoch"
	read -r name value <<< "$ONE"
	knobs "$ns" "$name" "$value"
	CHANGED=$((CHANGED + 1))
}

# A few long ones, or many short ones; to a reader that keeps up, or to one that does not.
upload()
{
	local conns=$((1 + RANDOM % 6)) repeat=$((1 + RANDOM % 2 * 4))
	local bytes=$((1 + RANDOM * 30 / conns / repeat))

	one_of -1 -1 20000; tell sink "read $ONE"
	peer source "$client" connect 10.0.1.1 5001 conns "$conns" bytes "$bytes" repeat "$repeat"
	"$1"
	UPLOADED=$((UPLOADED + conns * repeat))
	received sink "$UPLOADED"
	peer_end source
}

download()
{
	local conns=$((1 + RANDOM % 4))

	peer reader "$client" connect 10.0.1.1 5002 reverse 1 conns "$conns"
	"$1"
	DOWNLOADED=$((DOWNLOADED + conns))
	received reader "$conns" "$SENT"
	peer_end reader
}

# In the midst of a transfer something changes, or nothing.
a_round()
{
	local how

	one_of upload download; how=$ONE
	one_of toggle change change change :
	"$how" "$ONE"
	pause "$ROUND_S"
}

progress()
{
	say "$1 of $ROUNDS rounds, $((UPLOADED + DOWNLOADED)) streams, $TOGGLED times insmod or rmmod, $CHANGED knobs, $(unreclaimable_kb) KB of slab"
}

everything_at_random()
{
	local i half

	say "SOAK_MINUTES=$MINUTES SOAK_SEED=$SEED"
	module_insert
	peer sink "$server" listen 10.0.1.1 5001
	peer sender "$server" listen 10.0.1.1 5002 reverse 1 bytes "$SENT"
	peer steady_sink "$server" listen 10.0.1.1 5003
	peer steady "$client" connect 10.0.1.1 5003 rate "$STEADY"
	for ((i = 0; i < ROUNDS && RET == 0; i++)); do
		[ "$i" != $((ROUNDS / 2)) ] || half=$(unreclaimable_kb)
		a_round
		[ $(((i + 1) % TOLD)) != 0 ] || progress $((i + 1))
	done
	progress "$i"
	check_num $(($(unreclaimable_kb) - half)) -le "$SLAB_KB" "KB of slab more than half way"
}

the_stream_for_all_the_time_ends()
{
	tell steady stop
	received steady_sink 1
	check_num "$(awk '/^received/ { print $2 }' "$SCRATCH/steady_sink")" -ge $((STEADY * ROUNDS * ROUND_S / 2)) \
		"bytes of it"
	peers_end
}

nothing_is_left()
{
	module_loaded || module_insert
	pools_are_empty
	check "rmmod" module_remove
}

tests_run everything_at_random the_stream_for_all_the_time_ends nothing_is_left
