#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Sequence numbers wrap, the clock of 32 bits wraps, somebody sets the time of day or closes
# a laptop: what connections get is as on any other day. In virtual time: an hour is skipped.
#
#	server ---- 10.0.1.0/24, 5 ms each way ---- client
. ./lib.sh

PORT=5001
BYTES=4000000
RATE=8000000		# bytes a second
DELAY_MS=5		# each way
SAMPLES=30		# 20 ms apart, while that goes on
WRAP_S=4295		# after so many seconds 32 bits of microseconds wrap
ASLEEP_S=50		# a retransmission is tried again soon after that
EARLY_S=0.2		# before that a transfer begins
SIZES=(snd_demand snd_applied rcv_demand rcv_applied)

setup_ns server client
link_ns "$server" "$client" "$DELAY_MS"
module_insert

# Both ends' directions.
sizes()
{
	conns "$server" local:"$PORT" "${SIZES[@]}"
	conns "$client" remote:"$PORT" "${SIZES[@]}"
}

# transfer ISN [EVENT]: MOST is the most of each size while it goes on; EVENT happens half way
transfer()
{
	local isn=$1 event=${2:-:} i

	: > "$SCRATCH/sizes"
	sink_and_source 10.0.1.1 "$PORT" isn "$isn" bytes "$BYTES" rate "$RATE"
	for ((i = 0; i < SAMPLES; i++)); do
		[ "$i" != $((SAMPLES / 2)) ] || "$event"
		sizes >> "$SCRATCH/sizes"
		pause 0.02
	done
	received sink 1 "$BYTES"
	peers_end
	MOST=$(awk '{ for (i = 1; i <= NF; i++) if ($i > most[i]) most[i] = $i }
		END { for (i = 1; i <= 4; i++) printf "%d ", most[i] }' "$SCRATCH/sizes")
}

# as_usual TEXT: is MOST what it was without anything, an eighth more or less?
as_usual()
{
	local text=$1 column seen least most

	while read -r column seen least most; do
		check_num "$seen" -le $((most * 9 / 8)) "$column, $text"
		check_num "$seen" -ge $((least * 7 / 8)) "$column, $text"
	done < <(paste <(printf "%s\n" "${SIZES[@]}") <(xargs -n 1 <<< "$MOST") "$SCRATCH/usual")
}

# Far from where anything wraps. When a writer is looked at decides what a slow start asks for, so there are several.
transfers_as_usual()
{
	local isn

	for isn in 1000000000 1100000000 1200000000 1300000000; do
		transfer "$isn"
		check_num "${MOST%% *}" -ge 50000 "send buffer that is asked for"
		say "usual: $MOST"
		echo "$MOST" >> "$SCRATCH/transfers"
	done
	awk '{ for (i = 1; i <= NF; i++) { if (NR == 1 || $i < least[i]) least[i] = $i; if ($i > most[i]) most[i] = $i } }
		END { for (i = 1; i <= 4; i++) print least[i], most[i] }' "$SCRATCH/transfers" > "$SCRATCH/usual"
}

# In the handshake, in the first round trip, half way; and the sign, half way.
sequence_numbers_wrap()
{
	local isn

	for isn in 4294967294 4294960000 4292967295 2145483647; do
		transfer "$isn"
		as_usual "first sequence number $isn"
	done
}

set_clock() { date -s "$1" > /dev/null; }

forward() { set_clock "5 hours"; }

back() { set_clock "9 hours ago"; }

# lib.sh has its limits in seconds of that clock, so it is set back after a moment.
the_time_of_day_is_set()
{
	local jump

	for jump in forward back; do
		jump_and_return()
		{
			"$jump"
			pause 0.2
			sizes >> "$SCRATCH/sizes"
			if [ "$jump" = forward ]; then set_clock "5 hours ago"; else set_clock "9 hours"; fi
		}
		transfer 1000000000 jump_and_return
		as_usual "the clock set $jump"
	done
}

# silence LOSS: what of all packets is lost, each way
silence()
{
	local ns

	for ns in "$server" "$client"; do
		tc -n "$ns" qdisc change dev v1 root netem delay "${DELAY_MS}ms" rate "$LINK_RATE" limit 20000 loss "$1"
	done
}

suspend_and_resume()
{
	kill -STOP "${PEER_PID[source]}"
	silence 100%
	pause "$ASLEEP_S"
	silence 0%
	kill -CONT "${PEER_PID[source]}"
}

a_peer_is_suspended()
{
	transfer 1000000000 suspend_and_resume
	as_usual "a peer suspended for $ASLEEP_S s"
}

uptime_s() { cut -d ' ' -f 1 /proc/uptime; }

the_clock_of_32_bits_wraps()
{
	local began

	pause "$(awk -v end="$WRAP_S" -v early="$EARLY_S" '{ print end - early - $1 }' /proc/uptime)"
	began=$(uptime_s)
	transfer 1000000000
	as_usual "across the wrap of the clock"
	check_num "${began%.*}" -lt "$WRAP_S" "second in which it began"
	check_num "$(cut -d . -f 1 /proc/uptime)" -ge "$WRAP_S" "second in which it ended"
}

tests_run transfers_as_usual sequence_numbers_wrap the_time_of_day_is_set a_peer_is_suspended \
	the_clock_of_32_bits_wraps
