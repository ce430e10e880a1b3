#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The emulated adapter: what it holds of real connections, and that it can come and go.
#
#	client --- v1, 10.0.1.0/24, RTT 20 ms --- server
#	the adapter: at client's v1, unless a case says otherwise
. ./lib.sh

readonly FILES=/sys/kernel/debug/toe_hybrid
readonly TOE_MODULE=${ABT_MODULE%/*}/toe_hybrid.ko
readonly RTT_MS=20
readonly CYCLES=15

# toe NS attach|detach DEVICE
toe() { in_ns "$1" sh -c 'echo "$1 $2" > "$3"' sh "$2" "$3" "$FILES/control" 2> /dev/null; }

knob_set() { echo "$1 $2" 2> /dev/null > "$FILES/knobs"; }

knob() { awk -v name="$1" '$1 == name { print $2 }' "$FILES/knobs"; }

# did DEVICE NAME: what the adapter there did; a name may be an expression: the sum of all
did()
{
	awk -v device="$1" -v name="^$2\$" '
		$1 == device && $2 ~ name { sum += $3; seen = 1 } END { if (seen) print sum }' \
		"$FILES/adapters"
}

# buffers: what connections hold of them
buffers() { awk 'NR > 1 { sum += $4 + $6 } END { print sum + 0 }' "$FILES/conns"; }

setup()
{
	module_insert
	insmod "$TOE_MODULE" "$@"
}

teardown()
{
	peers_end
	check "rmmod of the adapter" rmmod toe_hybrid
	check "rmmod of tcp_abt" module_remove
}

# Flows without end from the client, so many, to a port of the server
start_flows()
{
	peer "sink$2" "$server" listen "${3:-10.0.1.1}" "$2"
	peer "source$2" "$client" connect "${3:-10.0.1.1}" "$2" conns "$1" rate 1000000
}

mountpoint -q /sys/kernel/debug || mount -t debugfs none /sys/kernel/debug
setup_ns server client
link_ns "$server" "$client" $((RTT_MS / 2))

# What is on the books agrees, whatever is under way
books_agree()
{
	local device=$1 buffer
	local -a line

	buffer=$(knob buffer)
	read -r -a line <<< "$(awk -v device="$device" -v buffer="$buffer" '
		$1 == device { v[$2] = $3 }
		END { print (v["buffers.allocs"] - v["buffers.frees"]) * buffer, v["memory.used"],
			v["memory.peak"], v["memory.bytes"], v["conns.added"] - v["conns.gone"], v["conns.now"] }' \
		"$FILES/adapters")"
	check_is "${line[0]}" "${line[1]}" "buffers taken and not given back"
	check_num "${line[1]}" -le "${line[2]}" "memory in use, and its peak"
	check_num "${line[2]}" -le "${line[3]}" "peak, and memory there is"
	check_is "${line[4]}" "${line[5]}" "connections that came and did not go"
}

connections_are_held()
{
	local name

	setup
	start_flows 3 5001
	check "attach" toe "$client" attach v1
	check "a second time is refused" eval '! toe "$client" attach v1'
	check "a device that is not there is refused" eval '! toe "$client" attach v9'
	check "tcp_abt stays while the adapter needs it" eval '! rmmod tcp_abt 2> /dev/null'
	wait_is "connections" 3 did v1 conns.now
	wait_num "messages that were sent" -ge 100 did v1 "function.copy_in.count"
	for name in alloc check free; do
		check_num "$(did v1 "function.$name.count")" -gt 0 "function $name"
		check_num "$(did v1 "function.$name.ns")" -gt 0 "time of function $name"
		check_num "$(did v1 "function.$name.host_cycles")" -gt 0 "what it saves the host"
	done
	check_num "$(did v1 memory.peak)" -ge $((3 * $(knob buffer))) "memory that was in use at most"
	books_agree v1
	tell source5001 stop
	received sink5001 3
	wait_is "connections, all have closed" 0 did v1 conns.now
	check_is "$(did v1 memory.used)" 0 "memory in use"
	check_is "$(did v1 conns.refused) $(did v1 states.stalls)" "0 0" "refusals, stalls"
	check "detach" toe "$client" detach v1
	check "a second time is refused" eval '! toe "$client" detach v1'
	teardown
}

# The receiving end acknowledges and copies out, and its buffers hold what nobody reads.
receivers_hold_what_is_not_read()
{
	setup
	check "attach" toe "$server" attach v1
	peer sink "$server" listen 10.0.1.1 5001 read 0
	peer source "$client" connect 10.0.1.1 5001 send 50000
	wait_num "bytes of buffers in use" -ge 50000 did v1 memory.used
	check_num "$(buffers)" -ge $((50000 / $(knob buffer))) "buffers by connection"
	check_num "$(did v1 "function.ack.count")" -gt 0 "ACKs"
	books_agree v1
	tell sink "read -1"
	wait_is "bytes of buffers in use" 0 did v1 memory.used
	check_num "$(did v1 "function.copy_out.host_cycles")" -gt $((50000 * 7000 / 1024)) \
		"cycles saved by copying out"
	teardown
}

knobs_have_ranges()
{
	local before

	module_insert
	check "a device to attach to that is not there" eval \
		'! insmod "$TOE_MODULE" attach=nowhere 2> /dev/null'
	module_remove
	setup attach=lo
	check_is "$(did lo memory.bytes)" $((64 << 20)) "memory of the adapter that it attached itself"
	before=$(cat "$FILES/knobs")
	check "too small" eval '! knob_set memory 63'
	check "too large" eval '! knob_set threads 5'
	check "no number" eval '! knob_set wire fast'
	check "no such knob" eval '! knob_set speed 1'
	check "no value" eval '! echo memory 2> /dev/null > "$FILES/knobs"'
	check_is "$(cat "$FILES/knobs")" "$before" "the knobs after all that"
	check "the reason is in the log" eval \
		'dmesg | grep -q "toe_hybrid: threads .5.: expected a number from 1 to 4"'
	check_is "$(awk 'NR > 1 && ($2 < $4 || $2 > $5 || $2 != $3)' "$FILES/knobs")" "" \
		"defaults out of their range"
	check "another memory" knob_set memory 128
	check "attach" toe "$client" attach v1
	check_is "$(did v1 memory.bytes)" $((128 << 10)) "memory of an adapter attached then"
	check "another for the next" knob_set memory 256
	check_is "$(did v1 memory.bytes)" $((128 << 10)) "memory of the same adapter"
	check "work that takes more instructions than there are" eval \
		'knob_set mop_instructions 64 && toe "$client" detach v1 && toe "$client" attach v1'
	teardown
}

# Four parts of 64 KB are four connections; by what they need six fit as well.
partitions_refuse_what_grants_hold()
{
	setup
	check "256 KB" knob_set memory 256
	check "in parts of 64 KB" knob_set fixed 65536
	check "attach" toe "$client" attach v1
	start_flows 6 5001
	wait_is "connections" 4 did v1 conns.now
	pause 1
	check_is "$(did v1 conns.now)" 4 "connections a second later"
	check "detach" toe "$client" detach v1
	check "as the hook grants it" knob_set fixed 0
	check "attach" toe "$client" attach v1
	wait_is "connections" 6 did v1 conns.now
	wait_num "states" -ge 100 did v1 states.told
	books_agree v1
	teardown
}

small_and_large_go_by_their_own_modes()
{
	setup
	check "attach" toe "$client" attach v1
	peer sink "$server" listen 10.0.1.1 5001
	peer small "$client" connect 10.0.1.1 5001 send 300
	for _ in 1 2 3; do	# with more than a floor it is a connection of ours
		pause 0.1
		tell small "send 300"
	done
	wait_is "connections" 1 did v1 conns.now
	tell small "send 300"
	wait_num "messages that were copied" -gt 0 did v1 mode.bcopy.messages
	check_is "$(did v1 "mode.(read|write)_zcopy.messages")" 0 "of them without a copy"
	start_flows 1 5002
	wait_num "messages without a copy" -gt 0 did v1 "mode.(read|write)_zcopy.messages"
	check_num "$(did v1 mode.read_from_bytes)" -ge "$(did v1 mode.write_from_bytes)" \
		"threshold of reads, which pin twice"
	teardown
}

packets_are_worked_on_in_pieces()
{
	local mop only

	setup
	check "attach" toe "$server" attach v1
	start_flows 4 5001
	wait_num "packets" -ge 200 did v1 "port[.][0-9].packets"
	mop=$(did v1 "port[.][0-9].mop")
	only=$(did v1 "port[.][0-9].only")
	check_num "$mop" -gt $((10 * only)) "pieces in the middle of packets, at the end that receives"
	check_num "$(did v1 "port[.][0-9].sop")" -gt 100 "first pieces"
	check_num "$(did v1 "port[.][0-9].engine_[01]")" -gt $((mop * 90)) "cycles that engines ran"
	check_is "$(did v1 "port[.][0-9].overrun")" 0 "pieces that found no room, at a hundredth of the rate"
	teardown
}

removed_under_traffic()
{
	local i

	setup
	start_flows 8 5001
	for ((i = 0; i < CYCLES; i++)); do
		check "attach" toe "$client" attach v1
		check "attach" toe "$server" attach v1
		pause 0.$((1 + RANDOM % 3))
		check "rmmod of the adapter" rmmod toe_hybrid
		insmod "$TOE_MODULE"
	done
	tell source5001 stop
	received sink5001 8
	teardown
}

a_device_takes_its_adapter_along()
{
	local ns

	setup
	setup_ns other
	link_ns "$server" "$client"
	link_ns "$other" "$client"
	check "attach" toe "$client" attach v2
	check "attach" toe "$other" attach v3
	start_flows 4 5002 10.0.2.1
	wait_is "connections" 4 did v2 conns.now
	check "the device goes" ip -n "$client" link delete v2
	check_is "$(did v2 conns.now)" "" "the adapter of a device that is gone"
	check "the namespace goes" ns_delete "$other"
	wait_is "the adapter of a namespace that is gone" "" did v3 conns.now
	check "attach" toe "$client" attach v1
	teardown
}

tests_run connections_are_held receivers_hold_what_is_not_read knobs_have_ranges \
	partitions_refuse_what_grants_hold small_and_large_go_by_their_own_modes \
	packets_are_worked_on_in_pieces removed_under_traffic a_device_takes_its_adapter_along
