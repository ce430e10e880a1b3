#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A send buffer is no reason for a long queue in the network, because cwnd may be that queue, or for data
# that wait unsent, because cwnd may be twice what is in flight. Beyond the administrator's limit it
# follows what the path holds; the module is at the sender alone.
#
#	server ---- 10.0.1.0/24, 20 to 400 ms and a deep queue ---- client
. ./lib.sh

RMEM="4096 131072 33554432"	# tcp_rmem: the receiver limits nobody
SHORT="100mbit 20"	# rate, and ms each way: a BDP of 0.5 MB, an eighth of tcp_wmem[2]
MIDDLE="200mbit 50"	# a BDP of 2.5 MB, which tcp_wmem[2] holds as well
LONG="200mbit 100"	# a BDP of 5 MB, more than that
FASTER=800mbit		# four times
SETTLE=15		# s: round trips are long in a queue
SETTLE_STOCK=10		# s
MORE=110		# percent of stock's round trip, or of its queue in memory, that is no more
LESS=98			# percent of stock's throughput that is no less
TRIPS=2			# a long path's round trip, in its least one
LINE_MBPS=190		# less headers
LINE_FASTER=600		# of 763: cubic takes its time
COUNTED=5		# s
PROBED="400mbit 100"	# a BDP of 10 MB
BEGINS=5		# s: bbr begins with a cwnd of three times the BDP, and the buffer comes down from that
PROBES=25		# s: it has next to no cwnd twice
LOOKS=5			# a second
MOST=40000000		# bytes of send buffer: four times the BDP
LINE_PROBED=340		# Mbit/s, of 382

setup_ns server client
link_ns "$server" "$client" 1
sysctl_set "$server" tcp_rmem "$RMEM"

trip() { ss_shows "$client" rtt:; }

acked() { ss_shows "$client" bytes_acked:; }

# measure S: into TRIP [ms], MBPS, and QUEUED, the mean of what is in the send buffer [bytes], after S seconds
measure()
{
	local before i sum=0

	pause "$1"
	before=$(acked)
	for ((i = 0; i < COUNTED; i++)); do
		pause 1
		sum=$((sum + $(ss_shows "$client" w)))
	done
	MBPS=$((($(acked) - before) * 8 / COUNTED / 1000000))
	QUEUED=$((sum / COUNTED))
	TRIP=$(trip)
	say "$MBPS Mbit/s, a round trip of $TRIP ms, $QUEUED bytes queued"
}

# stream cubic|bbr RATE DELAY_MS S
stream()
{
	sysctl_set "$client" tcp_congestion_control "$1"
	link_delay "$server" "$client" "$3" "$2"
	sink_and_source 10.0.1.1 5001
	measure "$4"
}

ends()
{
	peers_end
	pause 3	# for the queue
}

# no_more_than_stock cubic|bbr PATH: queues, at no less throughput
# shellcheck disable=SC2086 # a path is two words
no_more_than_stock()
{
	stream "$1" $2 "$SETTLE_STOCK"
	ends
	local trip=$TRIP mbps=$MBPS queued=$QUEUED

	module_insert
	knobs "$server" mode off
	stream "$1" $2 "$SETTLE"
	ends
	module_remove
	check_num "$trip" -gt 0 "ms"
	check_num $((MBPS * 100)) -ge $((mbps * LESS)) "Mbit/s, in hundredths"
	check_num $((TRIP * 100)) -le $((trip * MORE)) "ms, in hundredths"
	# a sender that has more of the line has more in flight
	check_num $((QUEUED * mbps)) -le $((queued * MBPS * MORE / 100)) "bytes queued, times what stock sends"
}

a_short_path() { no_more_than_stock cubic "$SHORT"; }

a_path_that_stock_fills() { no_more_than_stock cubic "$MIDDLE"; }

a_cwnd_of_which_half_is_in_flight() { no_more_than_stock bbr "$MIDDLE"; }

a_long_path_is_filled()
{
	module_insert
	knobs "$server" mode off
	# shellcheck disable=SC2086 # two words
	stream cubic $LONG "$SETTLE"
	check_num "$MBPS" -ge "$LINE_MBPS" "Mbit/s"
	check_num "$TRIP" -le $((TRIPS * 2 * ${LONG#* })) "ms"
}

# Nothing but a look at the rate tells the sender of that
a_path_that_becomes_faster_is_filled()
{
	link_delay "$server" "$client" "${LONG#* }" "$FASTER"
	measure "$SETTLE"
	check_num "$MBPS" -ge "$LINE_FASTER" "Mbit/s"
	ends
	module_remove
}

# bbr has next to no cwnd for 200 ms, and the buffer is not to be let go for that
a_cwnd_that_goes_for_a_moment()
{
	local i now before most=0

	module_insert
	knobs "$server" mode off
	sysctl_set "$client" tcp_congestion_control bbr
	# shellcheck disable=SC2086 # two words
	set -- $PROBED
	link_delay "$server" "$client" "$2" "$1"
	sink_and_source 10.0.1.1 5001
	pause "$BEGINS"
	before=$(acked)
	for ((i = 0; i < PROBES * LOOKS; i++)); do
		pause "0.$((10 / LOOKS))"
		now=$(ss_shows "$client" tb)
		[ "$now" -le "$most" ] || most=$now
	done
	MBPS=$((($(acked) - before) * 8 / PROBES / 1000000))
	ends
	module_remove
	say "$MBPS Mbit/s, a send buffer of $most bytes at most"
	check_num "$MBPS" -ge "$LINE_PROBED" "Mbit/s"
	check_num "$most" -le "$MOST" "bytes"
}

tests_run a_short_path a_path_that_stock_fills a_cwnd_of_which_half_is_in_flight \
	a_long_path_is_filled a_path_that_becomes_faster_is_filled a_cwnd_that_goes_for_a_moment
