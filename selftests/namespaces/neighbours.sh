#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Four bulk flows of one namespace keep their throughput, whatever another namespace of the same host
# sets, and however it opens a thousand connections, as long as these use next to nothing.
#
#	victim ---- 10.0.1.0/24, 400 Mbit/s, 50 ms each way ---- peers
#	greedy ---- 10.0.2.0/24, 1 ms each way ----------------- peers
. ./lib.sh

FLOWS=4
CONNS=1000
KEEPS=95		# percent of what the flows have alone
ALONE_MBIT=375		# 98 % of what the link carries of payload
SETTLE=1.5		# s: what a share takes to move, some round trips
# s: a crowd that queues 60 MB within a second uses more than the host's send pool; its queues
# take 3 s to drain, on the stock kernel as well, and meanwhile the pool is shared equally
SETTLE_AFTER_BURST=5
MEASURE=1		# s: ten round trips
RECOVERY=8		# measurements at most until the victim has the link again
COMERS=15		# connections at a time of those that come and go
GIB=$((1 << 30))
TRICKLE=		# process of the trickle that goes on
TCP_MEM="36000 48000 72000"	# pages: a receive pool of 104 MB, five times what the flows' path holds

ulimit -n $((2 * CONNS + 1000))
setup_ns victim greedy peers
hold_sysctl tcp_mem "$TCP_MEM"
link_ns "$victim" "$peers" 50 400mbit
link_ns "$greedy" "$peers" 1

received_bytes() { awk '$1 == "v1:" { print $2 }' "/proc/${NS_PID[$victim]}/net/dev"; }

# measure: Mbit/s of the victim, into MBIT
measure()
{
	local before began

	before=$(received_bytes)
	began=$(now_ms)
	pause "$MEASURE"
	MBIT=$((($(received_bytes) - before) * 8 / 1000 / ($(now_ms) - began)))
}

victim_begins()
{
	peer sink "$victim" listen 10.0.1.1 5001
	peer source "$peers" connect 10.0.1.1 5001 conns "$FLOWS"
	pause 4
	measure
	ALONE=$MBIT
	say "alone $ALONE Mbit/s"
}

# greedy_sets [KNOB VALUE]...: of those that a case before set, and now
greedy_sets()
{
	knobs "$greedy" mode on sender atbt receiver tbt_plr share maxmin send_pool 0 recv_pool 0 "$@"
}

# crowd TEXT -- SETTINGS OF WHO ACCEPTS -- SETTINGS OF WHO CONNECTS
crowd()
{
	local accepts=()

	while [ "$1" != -- ]; do
		accepts+=("$1"); shift
	done
	shift
	peer hall "$greedy" listen 10.0.2.1 5002 "${accepts[@]}"
	peer crowd "$peers" connect 10.0.2.1 5002 "$@"
}

# trickle BYTES: each of the neighbour's connections sends so many, some times over
trickle()
{
	local i

	for i in 1 2 3 4 5 6; do
		tell crowd "send $1"
		pause 0.2
	done
}

# keep_trickling BYTES: the same until stop_trickling, too often for a connection to be idle
keep_trickling()
{
	while :; do
		tell crowd "send $1"
		pause 0.1
	done &
	TRICKLE=$!
}

stop_trickling()
{
	[ "$TRICKLE" ] || return
	kill "$TRICKLE"
	wait "$TRICKLE"
	TRICKLE=
}

# the_victim_keeps TEXT [SECONDS]: its throughput beside the crowd, after so long; the crowd then goes
the_victim_keeps()
{
	local i

	pause "${2:-$SETTLE}"
	measure
	say "$1: $MBIT of $ALONE Mbit/s; of the host's receive pool $(pool "" recv host charged) of $(pool "" recv host size) charged, level $(pool "" recv host level)"
	check_num $((MBIT * 100)) -ge $((ALONE * KEEPS)) "$1: Mbit/s of the victim, in hundredths"
	stop_trickling
	peer_end crowd
	peer_end hall
	for ((i = 0; i < RECOVERY; i++)); do
		[ $((MBIT * 100)) -lt $((ALONE * KEEPS)) ] || return
		measure
	done
	fail "$1: the victim has $MBIT of $ALONE Mbit/s afterwards"
}

# beside TEXT BYTES [SETTING VALUE]...: of who accepts
beside()
{
	local text=$1 bytes=$2; shift 2

	crowd "$@" -- conns "$CONNS" send 10
	trickle "$bytes"
	the_victim_keeps "$text"
}

it_has_the_link_alone()
{
	victim_begins
	check_num "$ALONE" -ge "$ALONE_MBIT" "Mbit/s alone"
}

beside_ten_bytes_a_second() { greedy_sets; beside "nothing set" 10; }

beside_receiver_max() { greedy_sets receiver max; beside "receiver=max" 10; }

# None of them is ever idle.
beside_a_steady_trickle()
{
	greedy_sets receiver max
	crowd -- conns "$CONNS" send 10
	keep_trickling 10
	the_victim_keeps "receiver=max, ten bytes ten times a second"
}

beside_a_fixed_gibibyte()
{
	greedy_sets receiver fixed fixed_recv "$GIB" sender fixed fixed_send "$GIB"
	beside "receiver=fixed, 1 GiB" 10
}

# The other way round: greedy connects and sends.
beside_senders_of_a_fixed_gibibyte()
{
	greedy_sets sender fixed fixed_send "$GIB"
	peer hall "$peers" listen 10.0.2.2 5002
	peer crowd "$greedy" connect 10.0.2.2 5002 conns "$CONNS" send 10
	trickle 10
	the_victim_keeps "sender=fixed, 1 GiB, it sends"
}

beside_pools_of_its_own()
{
	greedy_sets recv_pool "$GIB" send_pool "$GIB" receiver max
	beside "receiver=max, recv_pool=1 GiB" 10
}

beside_one_that_observes()
{
	greedy_sets receiver max mode observe
	crowd -- conns "$CONNS" send 10
	trickle 10
	# the senders' ends are in the pool, because their namespace is on
	check_num "$(pool "" recv host conns)" -lt $((CONNS + CONNS / 2)) "connections in the host's receive pool"
	the_victim_keeps "receiver=max, mode=observe"
}

beside_other_shares()
{
	greedy_sets receiver max share proportional
	beside "receiver=max, share=proportional" 10
}

beside_large_starts()
{
	local rmem wmem

	rmem=$(sysctl_get "$greedy" tcp_rmem)
	wmem=$(sysctl_get "$greedy" tcp_wmem)
	greedy_sets
	sysctl_set "$greedy" tcp_rmem "4096 16777216 33554432"
	sysctl_set "$greedy" tcp_wmem "4096 16777216 33554432"
	beside "tcp_rmem[1] of 16 MB" 10
	sysctl_set "$greedy" tcp_rmem "$rmem"
	sysctl_set "$greedy" tcp_wmem "$wmem"
}

beside_large_buffers_of_applications()
{
	greedy_sets
	beside "SO_RCVBUF of 8 MB" 10 rcvbuf 8000000
}

beside_readers_that_stopped()
{
	greedy_sets receiver max
	beside "receiver=max, 30 KB each that nobody reads" 5000 read 0
}

beside_silent_ones()
{
	greedy_sets receiver max
	crowd -- conns "$CONNS" send 60000
	the_victim_keeps "receiver=max, 60 KB and then silence" "$SETTLE_AFTER_BURST"
}

beside_those_that_come_and_go()
{
	greedy_sets receiver max
	crowd -- conns "$COMERS" bytes 10000 repeat 100000
	the_victim_keeps "receiver=max, connections that come and go"
}

module_insert
tests_run it_has_the_link_alone beside_ten_bytes_a_second beside_receiver_max \
	beside_a_steady_trickle beside_a_fixed_gibibyte \
	beside_senders_of_a_fixed_gibibyte beside_pools_of_its_own beside_one_that_observes \
	beside_other_shares beside_large_starts beside_large_buffers_of_applications \
	beside_readers_that_stopped beside_silent_ones beside_those_that_come_and_go
