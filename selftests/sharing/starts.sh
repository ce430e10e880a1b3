#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Connections in slow start on a path that nothing is known of: their windows end before its queue does.
#
#	server ---- 10.0.1.0/24, data 160 Mbit/s behind a queue of one BDP, ACKs 100 ms later ---- router ---- 10.0.2.0/24 ---- client
. ./lib.sh

RTT=100			# ms
RATE=160mbit
BDP=2000000		# bytes
BURST=90k		# what the bottleneck lets through at once: one packet of segmentation offload
FLOWS=4
APART=1			# s between two starts: ten round trips
SETTLE=6		# s after the last
RTT_MOST=150		# ms, in the end: half of a BDP of queue
RATE_LEAST=90		# percent of the line, of which headers take 5
EQUAL=90		# percent: the least received of the most, in the last seconds

setup_ns server router client
link_ns "$server" "$router"
link_ns "$router" "$client"
ip -n "$server" route add 10.0.2.0/24 via 10.0.1.2
ip -n "$client" route add 10.0.1.0/24 via 10.0.2.1
in_ns "$router" sh -c 'echo 1 > /proc/sys/net/ipv4/ip_forward'
tc -n "$router" qdisc replace dev v1 root tbf rate "$RATE" burst "$BURST" limit "$BDP"
tc -n "$server" qdisc replace dev v1 root netem delay "${RTT}ms" limit 20000
sysctl_set "$client" tcp_no_metrics_save 1
sysctl_set "$client" tcp_congestion_control reno	# which no longer round trip ends a slow start of

# starts WHAT: into AGAIN, the segments sent again; into LEAST, MOST and ALL, bytes that a flow moved in the end, and all of them; and into TRIP, ms
starts()
{
	local again readers=() i

	again=$(counter "$client" RetransSegs)
	for ((i = 1; i <= FLOWS; i++)); do
		peer "sink$i" "$server" listen 10.0.1.1 $((5000 + i))
		peer "source$i" "$client" connect 10.0.1.1 $((5000 + i))
		readers+=("sink$i")
		pause "$APART"
	done
	pause "$SETTLE"
	flows_move "$SETTLE" "${readers[@]}"
	TRIP=$(ss_shows "$client" rtt: | head -n 1)
	AGAIN=$(($(counter "$client" RetransSegs) - again))
	say "$1: $AGAIN segments sent again, then $LEAST to $MOST bytes a flow in $SETTLE s, a round trip of $TRIP ms"
	peers_end
}

on_stock()
{
	starts stock
	check_num "$AGAIN" -gt 0 "segments sent again on stock, or the path is too easy"
	module_insert
}

no_queue_overflows()
{
	starts "with the module"
	check_is "$AGAIN" 0 "segments sent again"
	check_num $((LEAST * 100)) -ge $((MOST * EQUAL)) "bytes of the slowest flow, in hundredths"
	check_num $((ALL * 100)) -ge $((${RATE%mbit} * 125000 * SETTLE * RATE_LEAST)) "bytes of all flows, in hundredths"
	check_num "$TRIP" -lt "$RTT_MOST" "ms of round trip"
}

tests_run on_stock no_queue_overflows
