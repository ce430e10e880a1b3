#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A connection in each state of TCP, while pools are cut and given back, the mode changes, and the
# module goes: then each goes on to its end as it does on this kernel without the module.
#
#	server ---- 10.0.1.0/24, 10 ms each way ---- client
#	server ---- 10.0.2.0/24, 10 ms each way ---- client	nothing of the server's arrives at first
WAIT_SECONDS=400	# the last of them waits for several retransmissions
. ./lib.sh

LEAST_POOL=65536
STEP=0.3		# s from one change to the next: some segments are sent again meanwhile

setup_ns server client
link_ns "$server" "$client" 10
link_ns "$server" "$client" 10

# path NS DEVICE SETTING...
path()
{
	local ns=$1 device=$2; shift 2

	tc -n "$ns" qdisc change dev "$device" root netem delay 10ms rate "$LINK_RATE" limit 20000 "$@"
}

# through_states NAME COMMAND...: the command comes while each is in its state; into the file NAME-all
through_states()
{
	local name=$1; shift

	path "$server" v2 loss 100%
	puppet "$name" "$client" "$STATES" "$client" "$server" 10.0.1.1 10.0.2.1
	path "$client" v1 loss 100%
	tell "$name" go
	wait_for "$name: in each state" has_lines "$name" ready 2
	"$@"
	tell "$name" go
	wait_for "$name: done with it" has_lines "$name" ready 3
	path "$client" v1 loss 0%
	path "$server" v2 loss 0%
	tell "$name" go
	wait_for "$name: over" peer_ended "$name"
	grep -E '^(held|locks|ended)' "$SCRATCH/$name" > "$SCRATCH/$name-all"
	peer_end "$name"
}

# Nothing was set, and no pool is short when they go on: buffers are locked nowhere.
as_stock() # NAME
{
	check_is "$(diff "$SCRATCH/stock-all" "$SCRATCH/$1-all")" "" "what differs from the kernel without the module"
}

# Of the client's end and of the server's.
each_state_was_held()
{
	check_is "$(awk '$1 == "held" { print $2, $3, $4 }' "$SCRATCH/stock-all")" \
		"established ESTABLISHED ESTABLISHED
fin-wait-1 FIN_WAIT1 ESTABLISHED
half-closed FIN_WAIT2 CLOSE_WAIT
last-ack CLOSE LAST_ACK
closing CLOSING FIN_WAIT1
time-wait none none
unaccepted ESTABLISHED none
syn-sent SYN_SENT none
syn-recv SYN_SENT none" "states"
	check_num "$(grep -c '^ended' "$SCRATCH/stock-all")" -ge 12 "ends told"
	check_is "$(grep -cE 'corrupt|never|stalled' "$SCRATCH/stock-all")" 0 "of them bad, without the module"
}

cut()
{
	knobs "" recv_pool "$LEAST_POOL" send_pool "$LEAST_POOL"
	pause "$STEP"
}

cut_and_grow()
{
	cut
	knobs "" recv_pool 0 send_pool 0
	pause "$STEP"
}

modes()
{
	local mode

	for mode in observe on off on; do
		both mode "$mode"
		pause "$STEP"
	done
}

pools_are_cut_and_given_back()
{
	module_insert
	through_states pools cut_and_grow
	as_stock pools
	pools_are_empty
}

# All of them come to their ends in that. A send buffer that is held to a share is locked.
pools_stay_cut()
{
	through_states cut cut
	sed -i /^locks/d "$SCRATCH/cut-all"
	grep -v ^locks "$SCRATCH/stock-all" > "$SCRATCH/unlocked"
	check_is "$(diff "$SCRATCH/unlocked" "$SCRATCH/cut-all")" "" "what differs from the kernel without the module"
	pools_are_empty
	knobs "" recv_pool 0 send_pool 0
}

the_mode_changes()
{
	through_states modes modes
	as_stock modes
	pools_are_empty
}

the_module_goes()
{
	through_states gone module_remove
	as_stock gone
}

# What it takes in then is in every state already.
the_module_comes()
{
	through_states comes module_insert
	as_stock comes
	pools_are_empty
}

through_states stock true
tests_run each_state_was_held pools_are_cut_and_given_back pools_stay_cut the_mode_changes the_module_goes the_module_comes
