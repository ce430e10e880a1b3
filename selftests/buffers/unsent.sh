#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Data that are written and not sent: a prompt writer has little of them, at the same goodput; one that comes late has
# enough; and a bound of the application's or the administrator's is left alone. With the bound of the module gone the
# socket is as before.
#
#	server ---- 10.0.1.0/24, 80 ms; 50 Mbit/s behind a queue of 500 KB ---- client, which writes
. ./lib.sh

TIME=12			# seconds of a stream
LEAST=5700000		# bytes a second: 95 % of the line's
WAITS=100000		# bytes, in the median: 64 KB, and a piece
LATE_MS=30		# 190 KB of the line
LONGER=97		# percent of the bytes that the same writer moves without a bound
NOT_SET=0
MANY=16		# writers
MANY_LEAST=100000	# bytes: half of 2 x 1 ms of 800 Mbit/s, because shares of the line vary; 65,537 for one alone
LOWAT=400000		# the application's own

setup_ns server client
link_ns "$server" "$client" 1
tc -n "$server" qdisc replace dev v1 root netem delay 80ms limit 20000
tc -n "$client" qdisc replace dev v1 root tbf rate 50mbit burst 200k limit 500k
for ns in "$server" "$client"; do
	sysctl_set "$ns" tcp_no_metrics_save 1
done

# stream ARGUMENT...: begins; stream_ends: into BYTES of all seconds but two, WAITING, READ and LEFT what it printed
stream()
{
	puppet reader "$server" "$ABSENCES" listen 10.0.1.1 5001
	puppet writer "$client" "$UNSENT" 10.0.1.1 5001 "$@"
}

stream_ends()
{
	local line bytes

	wait_for "the writer ends" peer_ended writer
	find_lines writer '^[0-9]'
	BYTES=0
	for line in "${FOUND[@]:2:TIME-2}"; do
		read -r bytes WAITING READ <<< "$line"
		BYTES=$((BYTES + bytes))
	done
	read -r _ _ LEFT <<< "${FOUND[TIME]:-}"
	peers_end
}

# After so many seconds
seconds() { wait_for "second $1" has_lines writer '^[0-9]+ ' "$1"; }

without_the_module()
{
	stream "$TIME"
	stream_ends
	STOCK_WAITING=$WAITING
	check_num "$BYTES" -ge $(((TIME - 2) * LEAST)) "bytes"
	check_num "$STOCK_WAITING" -gt $((4 * WAITS)) "bytes unsent"
	check_is "$READ" "$NOT_SET" "TCP_NOTSENT_LOWAT"
	stream "$TIME" 0 "$LATE_MS"
	stream_ends
	STOCK_LATE=$BYTES
	check_num "$STOCK_LATE" -ge $(((TIME - 2) * LEAST)) "bytes of a writer that is late"
}

little_waits()
{
	module_insert
	stream "$TIME"
	stream_ends
	say "$WAITING bytes unsent, without the module $STOCK_WAITING"
	check_num "$BYTES" -ge $(((TIME - 2) * LEAST)) "bytes"
	check_num "$WAITING" -le "$WAITS" "bytes unsent"
	check_num "$READ" -gt 0 "TCP_NOTSENT_LOWAT"
	check_is "$LEFT" "$NOT_SET" "TCP_NOTSENT_LOWAT after shutdown()"
}

the_late_have_enough()
{
	stream "$TIME" 0 "$LATE_MS"
	stream_ends
	say "$BYTES bytes, without the module $STOCK_LATE; $WAITING unsent"
	check_num $((BYTES * 100)) -ge $((STOCK_LATE * LONGER)) "bytes, in hundredths"
	check_num "$WAITING" -lt $((STOCK_WAITING / 2)) "bytes unsent"
}

# A wake-up each millisecond is one each 16 ms for each of 16 writers. So each has 2 ms of the whole line waiting.
many_are_woken_no_more_often()
{
	local i

	link_ns "$server" "$client" 2
	tc -n "$server" qdisc replace dev v2 root netem delay 20ms limit 20000
	tc -n "$client" qdisc replace dev v2 root netem rate 800mbit limit 3000
	for ((i = 0; i < MANY; i++)); do
		puppet "reader$i" "$server" "$ABSENCES" listen 10.0.2.1 $((5001 + i))
		puppet "writer$i" "$client" "$UNSENT" 10.0.2.1 $((5001 + i)) "$TIME"
	done
	for ((i = 0; i < MANY; i++)); do
		wait_for "writer $i ends" peer_ended "writer$i"
	done
	find_lines writer0 '^[0-9]'
	read -r _ WAITING READ <<< "${FOUND[TIME - 1]}"
	peers_end
	say "a bound of $READ bytes, $WAITING unsent"
	check_num "$READ" -ge "$MANY_LEAST" "TCP_NOTSENT_LOWAT of one of $MANY"
}

bounds_of_others_stay()
{
	stream "$TIME" "$LOWAT"
	stream_ends
	check_is "$READ" "$LOWAT" "the application's TCP_NOTSENT_LOWAT"
	check_is "$LEFT" "$LOWAT" "the same after shutdown()"
	sysctl_set "$client" tcp_notsent_lowat "$LOWAT"
	stream "$TIME"
	stream_ends
	check_is "$READ" "$NOT_SET" "TCP_NOTSENT_LOWAT with the administrator's"
	sysctl_set "$client" tcp_notsent_lowat 4294967295
}

# goes WHAT COMMAND...: in the midst of a stream
goes()
{
	local what=$1; shift

	stream "$TIME"
	seconds 8
	find_lines writer '^[0-9]'
	read -r _ _ READ <<< "${FOUND[7]}"
	check_num "$READ" -gt 0 "TCP_NOTSENT_LOWAT before $what"
	"$@"
	stream_ends
	check_is "$READ" "$NOT_SET" "TCP_NOTSENT_LOWAT after $what"
	check_num "$BYTES" -ge $(((TIME - 2) * LEAST)) "bytes, with $what"
}

it_goes_with_the_module()
{
	goes "wake_min_us=0" knobs "$client" wake_min_us 0
	knobs "$client" wake_min_us 1000
	goes "mode=observe" knobs "$client" mode observe
	knobs "$client" mode on
	goes "sender=sabt" knobs "$client" sender sabt
	knobs "$client" sender atbt
	goes "tcp_notsent_lowat" sysctl_set "$client" tcp_notsent_lowat 4000000
	sysctl_set "$client" tcp_notsent_lowat 4294967295
	goes "rmmod" module_remove
}

tests_run without_the_module little_waits the_late_have_enough many_are_woken_no_more_often bounds_of_others_stay it_goes_with_the_module
