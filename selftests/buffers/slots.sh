#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# ACKs that leave several at once, in slots of time, as on a radio or cable link: the window has to cover that time as well, and
# the receiver's round trip has nothing of it.
#
#	server ---- 10.0.1.0/24, the way of the ACKs in slots; 100 Mbit/s behind a queue ---- client, which writes
. ./lib.sh
WAIT_SECONDS=60

TIME=20			# seconds of each
# One of many runs of bbr has 0.89 of stock's bytes, the others 0.95 to 0.98. So each runs three times, and the one in the middle
# is compared with that of stock.
RUNS=3
LEAST=90		# percent of stock's bytes; 41 to 87 before
# delay [ms], slot [ms], rate, queue [packets], congestion control
SLOTS=("10 20 100mbit 400 bbr" "20 60 100mbit 400 bbr" "10 20 100mbit 400 cubic")

setup_ns server client
link_ns "$server" "$client" 1
for ns in "$server" "$client"; do
	sysctl_set "$ns" tcp_no_metrics_save 1
done

# Into BYTES, in the order of SLOTS
slots()
{
	local delay slot rate queue control i run runs

	BYTES=()
	for ((i = 0; i < ${#SLOTS[@]}; i++)); do
		read -r delay slot rate queue control <<< "${SLOTS[i]}"
		tc -n "$server" qdisc replace dev v1 root netem delay "${delay}ms" slot "${slot}ms" limit 100000
		tc -n "$client" qdisc replace dev v1 root netem rate "$rate" limit "$queue"
		sysctl_set "$client" tcp_congestion_control "$control"
		runs=()
		for ((run = 0; run < RUNS; run++)); do
			absent_writer "$TIME" $((TIME * 1000)) 1
			runs+=("${WROTE[0]}")
		done
		BYTES+=("$(median "${runs[@]}")")
	done
}

without_the_module()
{
	slots
	STOCK=("${BYTES[@]}")
}

# as_much_with WHO
as_much_with()
{
	local i

	slots
	for ((i = 0; i < ${#SLOTS[@]}; i++)); do
		say "$1, ${SLOTS[i]}: ${BYTES[i]} bytes, without the module ${STOCK[i]}"
		check_num "${STOCK[i]}" -gt 0 "bytes"
		check_num $((BYTES[i] * 100)) -ge $((STOCK[i] * LEAST)) "bytes, in hundredths"
	done
}

as_much_with_both()
{
	module_insert
	as_much_with both
}

as_much_with_the_reader()
{
	module_of reader
	as_much_with reader
	module_remove
}

tests_run without_the_module as_much_with_both as_much_with_the_reader
