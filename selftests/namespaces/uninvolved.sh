#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A knob is news for the connections of its namespace and of no other.
#
# How a step is seen: a sender that gets nothing to read has no event that looks at its
# receive buffer, but a full step does, and finds that the application has set it.
#
#	client: the sender ---- 10.0.1.0/24 ---- server		other: writes knobs
. ./lib.sh

PORT=5001
RATE=2000000	# bytes a second: some thousand segments while knobs are written
WRITES=20

setup_ns server client other
link_ns "$server" "$client" 10
module_insert

# A record whose next step will find the buffer of the application's.
flow_begins()
{
	sink_and_source 10.0.1.1 "$PORT" rate "$RATE"
	wait_is "the sender is managed" "atbt tbt_plr" at_client sender receiver
	pause 0.5
	tell source "rcvbuf 50000"
	pause 0.3
	check_is "$(at_client receiver)" tbt_plr "before any knob is written, the receiver's policy"
}

# written_by NS KNOB VALUE...: the knob, with each of the values in turn
written_by()
{
	local ns=$1 knob=$2 i; shift 2
	local values=("$@")

	for ((i = 0; i < WRITES; i++)); do
		knobs "$ns" "$knob" "${values[i % ${#values[@]}]}"
		pause 0.01
	done
	pause 0.2
}

no_step() { check_is "$(at_client receiver)" tbt_plr "the receiver's policy after $1"; }

stepped() { wait_is "the receiver's policy after $1" app at_client receiver; }

knobs_of_another_namespace_are_no_news()
{
	flow_begins
	written_by "$other" epoch_min_us 1000 2000
	no_step "knobs of another namespace"
	written_by "$other" mode off on
	no_step "another namespace's mode"
	written_by "$other" recv_pool 4000000 8000000 0
	no_step "another namespace's pools"
	written_by "$client" epoch_min_us 1000 2000
	stepped "knobs of its own namespace"
	stop_and_receive 1
}

knobs_of_the_first_namespace_that_leave_its_pools_are_no_news()
{
	flow_begins
	written_by "" epoch_min_us 1000 2000
	no_step "knobs of the first namespace"
	written_by "" recv_pool 100000000 200000000
	stepped "the size of the host's pool"
	knobs "" recv_pool 0
	stop_and_receive 1
}

tcp_mem_is_news()
{
	local before

	before=$(sysctl_get "" tcp_mem)
	flow_begins
	sysctl_set "" tcp_mem "20000 30000 40000"
	pool "" recv host size > /dev/null	# looks at once
	stepped "tcp_mem"
	sysctl_set "" tcp_mem "$before"
	stop_and_receive 1
}

tests_run knobs_of_another_namespace_are_no_news \
	knobs_of_the_first_namespace_that_leave_its_pools_are_no_news tcp_mem_is_news
