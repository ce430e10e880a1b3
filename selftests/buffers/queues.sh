#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A send buffer is no reason for a long queue in the network, because cwnd may be that queue. Beyond the
# administrator's limit it follows what the path holds; the module is at the sender alone.
#
#	server ---- 10.0.1.0/24, 20 to 400 ms and a deep queue ---- client
. ./lib.sh

RMEM="4096 131072 33554432"	# tcp_rmem: the receiver limits nobody
SHORT="100mbit 20"	# rate, and ms each way: a BDP of 0.5 MB, an eighth of tcp_wmem[2]
LONG="100mbit 100"	# a BDP of 2.5 MB; with twice that in flight, more than tcp_wmem[2]
FASTER=500mbit		# five times
SETTLE=20		# s: round trips are long in a queue
SETTLE_STOCK=10		# s
LATER=10		# percent that a round trip may take longer than on stock
TRIPS=3			# a long path's round trip: the buffer has room for so many, in payload
LINE_MBPS=95		# less headers
LINE_FASTER=450		# four times what the queue before it had room for
COUNTED=5		# s

setup_ns server client
link_ns "$server" "$client" 1
sysctl_set "$server" tcp_rmem "$RMEM"
sysctl_set "$client" tcp_congestion_control cubic

trip() { ss_shows "$client" rtt:; }

acked() { ss_shows "$client" bytes_acked:; }

# measure S: into TRIP and MBPS, after S seconds
measure()
{
	local before

	pause "$1"
	before=$(acked)
	pause "$COUNTED"
	MBPS=$((($(acked) - before) * 8 / COUNTED / 1000000))
	TRIP=$(trip)
	say "$MBPS Mbit/s, a round trip of $TRIP ms"
}

# stream RATE DELAY_MS S
stream()
{
	link_delay "$server" "$client" "$2" "$1"
	sink_and_source 10.0.1.1 5001
	measure "$3"
}

ends()
{
	peers_end
	pause 3	# for the queue
}

without_the_module()
{
	# shellcheck disable=SC2086 # two words
	stream $SHORT "$SETTLE_STOCK"
	STOCK_TRIP=$TRIP STOCK_MBPS=$MBPS
	ends
	check_num "$STOCK_TRIP" -gt 0 "ms"
}

no_longer_a_queue_than_on_stock()
{
	module_insert
	knobs "$server" mode off
	# shellcheck disable=SC2086 # two words
	stream $SHORT "$SETTLE"
	ends
	check_num "$MBPS" -ge "$STOCK_MBPS" "Mbit/s"
	check_num $((TRIP * 100)) -le $((STOCK_TRIP * (100 + LATER))) "ms, in hundredths"
}

a_long_path_is_filled()
{
	# shellcheck disable=SC2086 # two words
	stream $LONG "$SETTLE"
	check_num "$MBPS" -ge "$LINE_MBPS" "Mbit/s"
	check_num "$TRIP" -le $((TRIPS * 2 * ${LONG#* })) "ms"
}

# Nothing but a look at the round trip tells the sender of that
a_path_that_becomes_faster_is_filled()
{
	link_delay "$server" "$client" "${LONG#* }" "$FASTER"
	measure "$SETTLE"
	check_num "$MBPS" -ge "$LINE_FASTER" "Mbit/s"
	ends
	module_remove
}

tests_run without_the_module no_longer_a_queue_than_on_stock a_long_path_is_filled \
	a_path_that_becomes_faster_is_filled
