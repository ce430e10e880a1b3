#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Readers that take little at a time, and a stream that starts beside them from the same peer. A slow reader takes as much as it
# likes from its queue, so a larger window only makes that longer, and has all of the readers bring a burst at once.
#
#	server ---- 10.0.1.0/24, 100 Mbit/s behind a queue of 1 BDP ---- router ---- 10.0.2.0/24 ---- client, which writes
. ./lib.sh
WAIT_SECONDS=60

READERS=10
TAKE="65536 262"	# bytes, each so many ms: 2 Mbit/s
ALONE=2			# s until the stream starts
TIME=10			# s of the stream
PORT=6000		# of the first reader, less 1
# In one of some runs the stream loses a segment of its slow start on a stock kernel as well, so the middle one of three counts.
RUNS=3
LEAST=90		# percent of the stream's bytes on stock; 81 before

setup_ns server router client
link_ns "$server" "$router" 1
link_ns "$router" "$client" 2
ip -n "$server" route add 10.0.2.0/24 via 10.0.1.2
ip -n "$client" route add 10.0.1.0/24 via 10.0.2.1
in_ns "$router" sh -c 'echo 1 > /proc/sys/net/ipv4/ip_forward'
tc -n "$server" qdisc replace dev v1 root netem delay 60ms limit 100000
tc -n "$router" qdisc replace dev v1 root tbf rate 100mbit burst 20k limit 750k
in_ns "$client" ethtool -K v2 tso off gso off > "$SCRATCH/ethtool"
sysctl_set "$client" tcp_no_metrics_save 1

# Into WROTE[0] what the stream moved [bytes]
run()
{
	local i

	for ((i = 1; i <= READERS; i++)); do
		# shellcheck disable=SC2086,SC2153 # words; run.sh sets AGES
		puppet "reader$i" "$server" "$AGES" listen 10.0.1.1 $((PORT + i)) $((ALONE + TIME + 2)) $TAKE
	done
	for ((i = 1; i <= READERS; i++)); do
		puppet "writer$i" "$client" "$AGES" connect 10.0.1.1 $((PORT + i)) $((ALONE + TIME + 4))
	done
	pause "$ALONE"
	absent_writer "$TIME" $((TIME * 1000)) 1
	pause 2
}

# Into BYTES what the stream moved in the run in the middle
runs()
{
	local i bytes=()

	for ((i = 0; i < RUNS; i++)); do
		run
		bytes+=("${WROTE[0]}")
	done
	say "a stream of ${bytes[*]} bytes"
	BYTES=$(median "${bytes[@]}")
}

without_the_module()
{
	runs
	STOCK=$BYTES
	check_num "$STOCK" -gt 0 "bytes"
}

as_with_none()
{
	runs
	check_num $((BYTES * 100)) -ge $((STOCK * LEAST)) "bytes of the stream, in hundredths"
}

as_with_both()
{
	module_insert
	as_with_none
}

as_with_the_reader()
{
	module_of reader
	as_with_none
	module_remove
}

tests_run without_the_module as_with_both as_with_the_reader
