#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Who lists ten thousand connections without end takes no goodput from a flow that has a
# processor to share with him. For the lab `count`, where time is instructions:
#	make watched
# A hundred thousand:	PORTS=25 EACH=4000
#
#	server ---- 10.0.1.0/24 ---- client	PORTS ports, EACH silent connections each
#	server ---- 10.0.2.0/24 ---- client	the flow, 160 Mbit/s
#	      5 ms each way
. ./lib.sh
: "${ABT_TOOL:?the path of the command abt: run the tests by run.sh}"

PORTS=${PORTS:-10}
EACH=${EACH:-1000}
ALL=$((PORTS * EACH + 1))
FIRST=5001
LONE=5000
ROOM=16384		# bytes of tcp_mem a connection, so that memory is not what the flow lacks
GREETING=6000		# bytes: more than a floor, from where on the module sees a connection
STEADY=$((5 + ALL / 4000))	# s: slow start is over, and idle ones gave their memory back
WINDOW=$((10 + ALL / 5000))	# s, of a measurement
LISTS_MIN=3		# lists in WINDOW: fewer are no load
LOSS_MAX=10		# of 1000 parts of the goodput

ulimit -n $((EACH + 1000))
setup_ns server client
link_ns "$server" "$client" 5
link_ns "$server" "$client" 5
pages=$((2 * ALL * ROOM / $(getconf PAGESIZE) + $(sed 's/\t.*//' /proc/sys/net/ipv4/tcp_mem)))
hold_sysctl tcp_mem "$pages $pages $((2 * pages))"
module_insert

all_connect()
{
	local port

	for ((port = FIRST; port < FIRST + PORTS; port++)); do
		peer "sink$port" "$server" listen 10.0.1.1 "$port"
		peer "source$port" "$client" connect 10.0.1.1 "$port" conns "$EACH" send "$GREETING"
	done
	peer sink "$server" listen 10.0.2.1 "$LONE"
	peer source "$client" connect 10.0.2.1 "$LONE"
	wait_is "connections in the host's pool, of both ends" $((2 * ALL)) pool "" recv host conns
}

# In GOODPUT, bytes a second that arrived at the flow's device, headers included
measure()
{
	local before after began ended

	arrived; before=$ARRIVED; began=${EPOCHREALTIME/./}
	pause "$WINDOW"
	arrived; after=$ARRIVED; ended=${EPOCHREALTIME/./}
	GOODPUT=$(((after - before) * 1000000 / (ended - began)))
}

arrived()
{
	local name bytes

	while read -r name bytes _; do
		[ "$name" != v2: ] || ARRIVED=$bytes
	done < "/proc/${PEER_PID[sink]}/net/dev"
}

lists_take_nothing_from_a_flow()
{
	local alone lists

	pause "$STEADY"
	measure
	alone=$GOODPUT
	# shellcheck disable=SC2016 # for the inner shell
	puppet watcher "$server" sh -c '
		echo ready
		while "$1" -j conn > "$2"; do echo listed; done' sh "$ABT_TOOL" "$SCRATCH/list"
	wait_for "a list" has_lines watcher listed 1
	find_lines watcher listed
	lists=${#FOUND[@]}
	measure
	find_lines watcher listed
	lists=$((${#FOUND[@]} - lists))
	say "$alone bytes/s alone, $GOODPUT beside $lists lists of $ALL connections in $WINDOW s"
	check_num "$lists" -ge "$LISTS_MIN" "lists"
	check_num $((GOODPUT * 1000)) -ge $((alone * (1000 - LOSS_MAX))) "goodput beside lists, of that alone"
	peer_end watcher
	in_ns "$server" "$ABT_TOOL" -j conn > "$SCRATCH/last"	# the watcher's may still be written
	check_is "$(grep -o '"local":' "$SCRATCH/last" | wc -l)" "$ALL" "connections that are listed"
}

tests_run all_connect lists_take_nothing_from_a_flow
