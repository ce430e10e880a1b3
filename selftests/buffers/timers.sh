#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Writers that are not told of room: that come on a timer and write what fits, or whose messages are done with once the
# socket has taken them. A bound on unsent data keeps them from writing what the stock kernel takes. And threads that wait for
# room in one socket, which wakes all of them.
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
RESTED="40 1000000"	# seconds of a writer that fills its socket, bytes of its message after a rest
TAKEN=95		# percent of what the socket takes on stock; 34 before, after 200 s
THREADS="20 32"		# seconds, threads
THREADS_PATH="40 50mbit 500k"
SLEPT=700		# percent of how often they slept on stock; 2,200 before

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

# Into SAID what "unsent" says
# says ARGUMENT...
says()
{
	peer sink "$server" listen 0.0.0.0 5001
	in_ns "$client" "$UNSENT" "$@" > "$SCRATCH/said" || fail "unsent $*"
	read -r SAID < "$SCRATCH/said"
	peers_end
}

# Into TOOK [bytes]
rested()
{
	# shellcheck disable=SC2086 # words
	path $PUSH_PATH
	# shellcheck disable=SC2086 # words
	says rest 10.0.1.1 5001 $RESTED
	TOOK=$SAID
}

# Into SLEEPS
herd()
{
	# shellcheck disable=SC2086 # words
	path $THREADS_PATH
	# shellcheck disable=SC2086 # words
	says threads 10.0.1.1 5001 $THREADS
	SLEEPS=$SAID
}

without_the_module()
{
	ticks
	STOCK=("${BYTES[@]}")
	rested
	STOCK_TOOK=$TOOK
	herd
	STOCK_SLEEPS=$SLEEPS
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
}

messages_after_a_rest_are_taken()
{
	rested
	say "$TOOK bytes, without the module $STOCK_TOOK"
	check_num $((TOOK * 100)) -ge $((STOCK_TOOK * TAKEN)) "bytes, in hundredths"
}

threads_are_woken_no_more_often()
{
	herd
	say "$SLEEPS sleeps, without the module $STOCK_SLEEPS"
	check_num "$SLEEPS" -gt 0 "sleeps"
	check_num $((SLEEPS * 100)) -le $((STOCK_SLEEPS * SLEPT)) "sleeps, in hundredths"
	module_remove
}

tests_run without_the_module as_much_on_a_timer messages_are_taken_as_soon messages_after_a_rest_are_taken \
	threads_are_woken_no_more_often
