#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A connection that moves little for a while still has the window for a burst, as on stock, where memory is
# plenty. A reader that takes nothing until a whole message is there gets all of it.
#
#	server ---- 10.0.1.0/24, 400 Mbit/s, 100 ms or 20 ms ---- client
. ./lib.sh

RATE=400mbit
DELAY_MS=50		# each way
SHORT_DELAY_MS=10	# each way: of a reader that waits for whole messages
RMEM="4096 131072 6291456"	# tcp_rmem of 6.12
BULK=60000000		# bytes: what the connection was used for first
BURST=2000000		# bytes
STREAM="160 50000 50"	# between bursts: messages, bytes, ms from one to the next
BURSTS=5
LATER=5			# percent that an answer may take longer than on stock

LARGE=1000000		# bytes: a message of a reader that waits for all of it
SMALL="2500 8000 0"	# and what it reads between these

VARIED_RATE=50mbit	# x SHORT_DELAY_MS: small messages of varied size, and one larger than the window now and then
VARIED_BULK=20000000	# bytes
VARIED_LARGE=375000	# bytes: three BDP
VARIED_TIMES=20
VARIED_LATER=50		# percent that one may take longer than on stock

setup_ns server client
link_ns "$server" "$client" 1
sysctl_set "$server" tcp_rmem "$RMEM"

# messages WAITED GROUP...: how long single messages took; the reader waits for all of one of up to WAITED bytes
messages()
{
	local waited=$1; shift

	puppet reader "$server" "$MESSAGES" listen 10.0.1.1 5001 "$waited"
	in_ns "$client" "$MESSAGES" connect 10.0.1.1 5001 "$@" > "$SCRATCH/took" || fail "no answer to a message"
	peers_end
}

# longest BYTES: of these messages [ms]
longest() { awk -v bytes="$1" '$1 == bytes && $2 > most { most = $2 } END { print most }' "$SCRATCH/took"; }

# Into TOOK how long the longest burst took [ms]
send_bursts()
{
	local groups=(1 "$BULK" 0) i

	link_delay "$server" "$client" "$DELAY_MS" "$RATE"
	for ((i = 0; i < BURSTS; i++)); do
		# shellcheck disable=SC2206 # three words
		groups+=($STREAM 1 "$BURST" 0)
	done
	messages 0 "${groups[@]}"
	TOOK=$(longest "$BURST")
}

# Into TOOK how long the last whole message took [ms]
send_whole_messages()
{
	link_delay "$server" "$client" "$SHORT_DELAY_MS" "$RATE"
	# shellcheck disable=SC2086 # three words
	messages "$LARGE" 1 "$BULK" 0 3 "$LARGE" 0 $SMALL 1 "$LARGE" 0
	TOOK=$(longest "$LARGE")
}

# Into TOOK how long the longest message larger than the window took [ms]
send_varied_messages()
{
	local groups=(1 "$VARIED_BULK" 0) i j

	link_delay "$server" "$client" "$SHORT_DELAY_MS" "$VARIED_RATE"
	for ((i = 1; i <= VARIED_TIMES; i++)); do
		for ((j = 1; j < 10; j++)); do
			# 10 to 50 KB, every 20 to 150 ms
			groups+=(1 $((10000 + (i * 7919 + j * 104729) % 40000)) $((20 + (i * 31 + j * 47) % 130)))
		done
		groups+=(1 "$VARIED_LARGE" 0)
	done
	messages "$VARIED_LARGE" "${groups[@]}"
	TOOK=$(longest "$VARIED_LARGE")
}

without_the_module()
{
	send_bursts
	STOCK_BURST=$TOOK
	send_whole_messages
	STOCK_MESSAGE=$TOOK
	send_varied_messages
	STOCK_VARIED=$TOOK
	say "a burst is answered after $STOCK_BURST ms, a whole message after $STOCK_MESSAGE ms, one among small ones after $STOCK_VARIED"
	check_num "$STOCK_BURST" -gt 0 "ms"
	check_num "$STOCK_MESSAGE" -gt 0 "ms"
	check_num "$STOCK_VARIED" -gt 0 "ms"
}

a_burst_finds_its_window()
{
	module_insert
	send_bursts
	say "a burst is answered after $TOOK ms at most"
	check_num "$TOOK" -gt 0 "ms"
	check_num $((TOOK * 100)) -le $((STOCK_BURST * (100 + LATER))) "ms, in hundredths"
}

a_reader_waits_for_all_of_a_message()
{
	send_whole_messages
	say "a whole message is answered after $TOOK ms"
	check_num "$TOOK" -gt 0 "ms"
	check_num $((TOOK * 100)) -le $((STOCK_MESSAGE * (100 + LATER))) "ms, in hundredths"
}

a_message_is_larger_than_those_before()
{
	send_varied_messages
	say "a large message among small ones is answered after ${TOOK:-no} ms at most"
	check_num "$TOOK" -gt 0 "ms"
	check_num $((TOOK * 100)) -le $((STOCK_VARIED * (100 + VARIED_LATER))) "ms, in hundredths"
	module_remove
}

tests_run without_the_module a_burst_finds_its_window a_reader_waits_for_all_of_a_message a_message_is_larger_than_those_before
