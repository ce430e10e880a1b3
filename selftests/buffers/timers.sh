#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Writers that are not told of room: that come on a timer and write what fits, or whose messages are done with once the
# socket has taken them. A bound on unsent data keeps them from writing what the stock kernel takes.
#
#	server ---- 10.0.1.0/24 ---- client, which writes, and ---- 10.0.2.0/24 ----
. ./lib.sh
WAIT_SECONDS=120

TIME=20			# seconds of a writer on a timer
LEAST=97		# percent of stock's bytes; 16 to 68 before
MOST=115		# percent of the time on stock; 196 before
# round trip [ms], rate, queue, congestion control, ms between two writes
TICKS=("5 100mbit 250k cubic 75" "10 100mbit 250k cubic 70" "10 100mbit 250k bbr 300" "80 50mbit 500k bbr 64")
PUSHED="3000000 10"	# bytes of a message, messages to each of two
PUSH_PATH="100 20mbit 250k"

setup_ns server client
link_ns "$server" "$client"
link_ns "$server" "$client"
for ns in "$server" "$client"; do
	sysctl_set "$ns" tcp_no_metrics_save 1
done

# path RTT_MS RATE QUEUE
path()
{
	local n

	for n in 1 2; do
		tc -n "$server" qdisc replace dev "v$n" root netem delay "${1}ms" limit 50000
		tc -n "$client" qdisc replace dev "v$n" root tbf rate "$2" burst 200k limit "$3"
	done
}

# Into BYTES, in the order of TICKS
ticks()
{
	local rtt rate queue control every i

	BYTES=()
	for ((i = 0; i < ${#TICKS[@]}; i++)); do
		read -r rtt rate queue control every <<< "${TICKS[i]}"
		path "$rtt" "$rate" "$queue"
		sysctl_set "$client" tcp_congestion_control "$control"
		absent_writer "$TIME" 0 "$every"
		BYTES+=("${WROTE[0]}")
	done
	sysctl_set "$client" tcp_congestion_control cubic
}

# Into PUSHES [ms]
pushes()
{
	# shellcheck disable=SC2086 # words
	path $PUSH_PATH
	peer sink "$server" listen 0.0.0.0 5001
	# shellcheck disable=SC2086 # words
	in_ns "$client" "$UNSENT" push $PUSHED 5001 10.0.1.1 10.0.2.1 > "$SCRATCH/pushed" || fail "the messages were sent"
	read -r PUSHES < "$SCRATCH/pushed"
	peers_end
}

without_the_module()
{
	ticks
	STOCK=("${BYTES[@]}")
	pushes
	STOCK_PUSHES=$PUSHES
	check_num "$STOCK_PUSHES" -gt 0 "ms"
}

as_much_on_a_timer()
{
	local i

	module_insert
	ticks
	for ((i = 0; i < ${#TICKS[@]}; i++)); do
		say "${TICKS[i]}: ${BYTES[i]} bytes, without the module ${STOCK[i]}"
		check_num "${STOCK[i]}" -gt 0 "bytes"
		check_num $((BYTES[i] * 100)) -ge $((STOCK[i] * LEAST)) "bytes, in hundredths"
	done
}

messages_are_taken_as_soon()
{
	pushes
	say "$PUSHES ms, without the module $STOCK_PUSHES"
	check_num "$PUSHES" -gt 0 "ms"
	check_num $((PUSHES * 100)) -le $((STOCK_PUSHES * MOST)) "ms, in hundredths"
	module_remove
}

tests_run without_the_module as_much_on_a_timer messages_are_taken_as_soon
