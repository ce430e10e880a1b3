#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Connections from one peer share their path: equal windows, a short queue; nothing is shared where none
# stands, over another way to the same host, across namespaces, or with path_headroom=0. And what "abt path" shows of that.
#
#	server ---- 10.0.1.0/24, 160 Mbit/s, 50 ms each way ---- client
#	server ---- 10.0.2.0/24, 160 Mbit/s, 50 ms each way ---- client
. ./lib.sh

FLOWS=4
APART=1			# s between two starts
SETTLE=15		# s: 150 round trips
BASE_LEAST=100000	# us
BASE_MOST=120000	# us: a segment's time at the rate, the processor's and the clock's grain come on top; 111,625 on 6.1
RTT_MOST=150000		# us: half of a BDP of queue
EQUAL=80		# percent: the least window of the largest

setup_ns server client other
link_ns "$server" "$client" 50
link_ns "$server" "$client" 50

# path PEER: its line of "abt path": state, members, conns, base, round trip, held, level
path()
{
	"$ABT_TOOL" -n "$server" -j path | from_json "
for p in it:
	if p['remote'] == '$1':
		print(p['state'], p['members'], p['conns'], p['base_us'], p['rtt_us'], p['held'], p.get('level', 0))"
}

state() { path "$1" | cut -d" " -f1; }

# windows LOCAL: what receivers ask for, the least and the most
windows()
{
	in_ns "$server" awk -v local="$1" 'index($1, local) == 1 { if (!n++ || $16 < least) least = $16; if ($16 > most) most = $16 }
		END { print least + 0, most + 0 }' /proc/net/tcp_abt
}

flows_start_apart()
{
	local i

	peer sink "$server" listen 10.0.1.1 5001
	for ((i = 1; i <= FLOWS; i++)); do
		peer "source$i" "$client" connect 10.0.1.1 5001
		pause "$APART"
	done
	pause "$SETTLE"
}

one_path_is_shared()
{
	local least most state members conns base rtt held level

	module_insert
	flows_start_apart
	wait_is "state of the path" shared state 10.0.1.2
	wait_num "us of round trip" -le "$RTT_MOST" eval 'path 10.0.1.2 | cut -d" " -f5'
	read -r state members conns base rtt held level <<< "$(path 10.0.1.2)"
	say "base $base us, round trip $rtt us, holds $held, at most $level each; $state, $members of $conns"
	check_is "$members $conns" "$FLOWS $FLOWS" "members and connections"
	check_num "$base" -ge "$BASE_LEAST" "us of base round trip"
	check_num "$base" -le "$BASE_MOST" "us of base round trip"
	check_num "$rtt" -le "$RTT_MOST" "us of round trip"
	check_num $((level * FLOWS)) -le $((held * 2)) "bytes of all shares"
	read -r least most <<< "$(windows 10.0.1.1)"
	say "receive buffers asked for: $least to $most"
	check_num $((least * 100)) -ge $((most * EQUAL)) "bytes of the least of them, in hundredths"
}

it_says_so()
{
	local said

	"$ABT_TOOL" -n "$server" why 10.0.1.2 > "$SCRATCH/why"
	check "why says how many share" grep -q "^ *$FLOWS connections share their path, which holds" "$SCRATCH/why"
	said=$("$ABT_TOOL" -n "$server" path)
	check_is "$(grep -c shared <<< "$said")" 1 "paths shown as shared"
	check_num "$(wc -L <<< "$said")" -le 80 "columns"
	check_is "$("$ABT_TOOL" -n "$other" -j path)" "[]" "paths of another namespace"
	check_is "$("$ABT_TOOL" -n "$client" -j path | from_json 'print(sum(p["state"] == "shared" for p in it))')" 0 \
		"shared paths of the senders' namespace"
}

another_way_is_another_path()
{
	peer far "$server" listen 10.0.2.1 5002
	peer alone "$client" connect 10.0.2.1 5002 send 100000
	wait_num "connections of the second path" -eq 1 eval 'path 10.0.2.2 | cut -d" " -f3'
	check_is "$(state 10.0.2.2)" apart "state of a path without a queue"
	check_is "$(path 10.0.1.2 | cut -d" " -f3)" "$FLOWS" "connections of the first"
}

headroom_0_shares_nothing()
{
	knobs "$server" path_headroom 0
	wait_is "connections of the path without headroom" 0 eval 'path 10.0.1.2 | cut -d" " -f3'
	knobs "$server" path_headroom 20
	wait_is "state of the path" shared state 10.0.1.2
}

paths_outlive_connections()
{
	local i base

	for ((i = 1; i <= FLOWS; i++)); do
		peer_end "source$i"
	done
	peer_end sink
	wait_is "connections of the path" 0 eval 'path 10.0.1.2 | cut -d" " -f3'
	base=$(path 10.0.1.2 | cut -d" " -f4)
	check_num "$base" -ge "$BASE_LEAST" "us of base round trip that is remembered"
}

tests_run one_path_is_shared it_says_so another_way_is_another_path headroom_0_shares_nothing paths_outlive_connections
