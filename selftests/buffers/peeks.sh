#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Readers that look before they take. One that looks with MSG_PEEK until a message is there gets all of it, and so does one
# that asks for FIONREAD when the module has gone. One that only looks takes no more memory than on stock, nor does one that had
# stopped when the module went.
#
#	server ---- 10.0.1.0/24, 50 Mbit/s x 20 ms ---- client
. ./lib.sh

RATE=50mbit
DELAY_MS=10		# each way
BULK=20000000		# bytes: what the connection was used for first
WHOLE=1000000		# bytes: a message that the reader takes once all of it is there
REST="1 1000 6000"	# between both: a message, and 6 s
GOES_SECONDS=6		# the module goes in that rest
LAGS="400 10000 -1"	# messages at once before it
WORK_MS=5		# that each takes its reader, so that data wait
FOUND_LATER=8000	# ms: a reader that lagged is known to wait after four seconds, and probes come after 3 and 6.2
ENDLESS=2000000000	# bytes: of which the reader only looks at the first
KILLED=$((128 + 15))	# status of a command that SIGTERM ended
LOOKS_SECONDS=10
LATER=25		# percent that a message may take longer than on stock, or that may wait for stopped readers more than before
STOPPED=30		# connections whose readers stop before the module goes
STOPPED_SECONDS=10	# until all that was offered has come
MORE=512		# pages more than on stock: the kernel counts each end by 256

setup_ns server client
link_ns "$server" "$client" 1
link_delay "$server" "$client" "$DELAY_MS" "$RATE"

# send LISTEN-ARGUMENT... -- GROUP...: messages in the background
send()
{
	local listen=()

	while [ "$1" != -- ]; do
		listen+=("$1"); shift
	done
	shift
	puppet reader "$server" "$MESSAGES" listen 10.0.1.1 5001 "${listen[@]}"
	# exec: what is killed later is the command itself
	(exec nsenter --net="/run/netns/$client" "$MESSAGES" connect 10.0.1.1 5001 "$@") > "$SCRATCH/took" &
	WRITER=$!
}

# Into TOOK how long the last message took [ms]; 0: it did not come
sent()
{
	TOOK=0
	if wait "$WRITER"; then
		TOOK=$(awk -v bytes="$WHOLE" '$1 == bytes { print $2 }' "$SCRATCH/took")
	fi
	peers_end
	in_ns "$client" ip tcp_metrics flush > /dev/null
}

look_for_a_message()
{
	send "$WHOLE" peek -- 1 "$BULK" 0 1 "$WHOLE" 0
	sent
}

# message_behind_others HOW: after messages that a reader takes more slowly than they come
message_behind_others()
{
	# shellcheck disable=SC2086 # three words
	send "$WHOLE" "$1" "$WORK_MS" -- 1 "$BULK" 0 $LAGS 1 "$WHOLE" 0
	sent
}

# Into TOOK how long a message takes to a half-closed reader [us], and into ENDED what the stream came to
message_to_a_half_closed_reader()
{
	in_ns "$client" "$SHUTDOWNS" "$client" "$server" 10.0.1.1 half-close-and-wait-for-a-message > "$SCRATCH/half"
	read -r _ TOOK ENDED < "$SCRATCH/half" || fail "nothing of a half-closed reader"
	in_ns "$client" ip tcp_metrics flush > /dev/null
}

# ask_for_a_message COMMAND...: which runs in the rest
ask_for_a_message()
{
	# shellcheck disable=SC2086 # three words
	send "$WHOLE" -- 1 "$BULK" 0 $REST 1 "$WHOLE" 0
	pause "$GOES_SECONDS"
	"$@"
	sent
}

# Into MOST the most memory [pages] while a reader only looks
only_look()
{
	local began status=0

	MOST=0
	send "$ENDLESS" peek -- 1 "$ENDLESS" 0
	for ((began = SECONDS; SECONDS - began < LOOKS_SECONDS; )); do
		tcp_pages
		MOST=$((PAGES > MOST ? PAGES : MOST))
		pause 0.1
	done
	kill "$WRITER"
	wait "$WRITER" || status=$?
	check_num "$status" -eq "$KILLED" "status of a writer that was there until it was killed"
	peers_end
}

without_the_module()
{
	look_for_a_message
	STOCK_LOOKED=$TOOK
	ask_for_a_message true
	STOCK_ASKED=$TOOK
	message_behind_others ask
	STOCK_LAGGED=$TOOK
	message_to_a_half_closed_reader
	STOCK_HALF=$TOOK STOCK_ENDED=$ENDED
	only_look
	STOCK_MOST=$MOST
	say "a message is answered after $STOCK_LOOKED and $STOCK_ASKED ms; a reader that only looks takes $STOCK_MOST pages at most"
	check_num "$STOCK_LOOKED" -gt 0 "ms"
	check_num "$STOCK_ASKED" -gt 0 "ms"
	check_num "$STOCK_MOST" -gt 0 "pages"
	check_num "$STOCK_LAGGED" -gt 0 "ms"
}

a_reader_looks_until_a_message_is_there()
{
	module_insert
	look_for_a_message
	say "a message is answered after $TOOK ms"
	check_num "$TOOK" -gt 0 "ms"
	check_num $((TOOK * 100)) -le $((STOCK_LOOKED * (100 + LATER))) "ms, in hundredths"
}

a_reader_that_lagged_waits_for_a_message()
{
	message_behind_others ask
	say "a message is answered after $TOOK ms, on stock $STOCK_LAGGED"
	check_num "$TOOK" -gt 0 "ms"
	check_num "$TOOK" -le $((STOCK_LAGGED + FOUND_LATER)) "ms"
	message_behind_others peek
	say "after $TOOK ms if its reader looks"
	check_num "$TOOK" -gt 0 "ms"
	check_num "$TOOK" -le $((STOCK_LAGGED + FOUND_LATER)) "ms"
}

a_half_closed_reader_waits_for_a_message()
{
	message_to_a_half_closed_reader
	say "a message comes to a half-closed reader after $TOOK us, on stock $STOCK_HALF"
	check_is "$ENDED" "$STOCK_ENDED" "the end of its stream"
	check_num $((TOOK * 100)) -le $((STOCK_HALF * (100 + LATER))) "us, in hundredths"
}

a_reader_that_only_looks_takes_no_memory()
{
	only_look
	say "$MOST pages at most"
	check_num "$MOST" -le $((STOCK_MOST + MORE)) "pages"
}

# goes COMMAND...: a reader waits for a message after that
goes()
{
	ask_for_a_message "$@"
	say "a message is answered after $TOOK ms"
	check_num "$TOOK" -gt 0 "ms"
	check_num $((TOOK * 100)) -le $((STOCK_ASKED * (100 + LATER))) "ms, in hundredths"
}

a_reader_waits_after_mode_off()
{
	goes both mode off
	both mode on
}

# received: bytes in all receive buffers of the server
received() { ss_shows "$server" r | awk '{ sum += $1 } END { print sum }'; }

stopped_readers_take_no_more_after_the_module()
{
	local before after

	sink_and_source 10.0.1.1 5001 conns "$STOPPED"
	pause "$LOOKS_SECONDS"
	kill -STOP "${PEER_PID[sink]}"
	pause "$STOPPED_SECONDS"
	before=$(received)
	module_remove
	pause "$STOPPED_SECONDS"
	after=$(received)
	say "$before bytes wait, $after without the module"
	check_num $((after * 100)) -le $((before * (100 + LATER))) "bytes, in hundredths"
	kill -CONT "${PEER_PID[sink]}"
	peers_end
	module_insert
}

a_reader_waits_after_the_module() { goes module_remove; }

tests_run without_the_module a_reader_looks_until_a_message_is_there \
	a_reader_that_lagged_waits_for_a_message a_half_closed_reader_waits_for_a_message a_reader_that_only_looks_takes_no_memory \
	a_reader_waits_after_mode_off stopped_readers_take_no_more_after_the_module a_reader_waits_after_the_module
