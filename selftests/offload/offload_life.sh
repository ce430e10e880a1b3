#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The offload hook: routes, devices, namespaces, modes and modules come and go under
# traffic, and no driver is told of what is not its own any more.
#
#	         .-- v1 -- 10.0.1.0/24, RTT 20 ms -- v1 --.
#	client --|                                        |-- server, 10.9.9.9
#	         '-- v2 -- 10.0.2.0/24, RTT 20 ms -- v2 --'
#	attached: client's v1, and where a case says so v2, or a device of its own
. ./offload/lib.sh

readonly CYCLES=6

# On v1, v2, which is not attached to, back on v1, and on v2 when it is
connections_follow_their_route()
{
	setup
	provider "$client" attach v1
	start_flows 2 5001 10.9.9.9
	wait_is "connections of v1" 2 told v1 conns
	reroute 2
	wait_is "connections that left v1" 2 told v1 route
	check_is "$(told v1 conns)" 0 "connections of v1"
	reroute 1
	wait_is "connections of v1" 2 told v1 conns
	provider "$client" attach v2
	reroute 2
	wait_is "connections of v2" 2 told v2 conns
	check_is "$(told v1 conns route)" "0 4" "connections of v1, and how many left"
	check_is "$(shown "$client" dev conns rerouted | tr '\n' ' ')" "v1 0 4 v2 2 0 " "the same, as abt has it"
	reroute 1
	wait_is "connections of v1" 2 told v1 conns
	nothing_was_wrong v1
	nothing_was_wrong v2
	stop_and_receive 2
	teardown
}

reroute() { ip -n "$client" route replace 10.9.9.9 via "10.0.$1.1"; }

# While the driver is slow: it returns when nothing is under way.
a_device_may_go_under_traffic()
{
	setup slow_ms=5
	link_ns "$server" "$client" $((RTT_MS / 2))
	provider "$client" attach "v$LINK_COUNT"
	start_flows 8 5001 "10.0.$LINK_COUNT.1"
	wait_is "connections" 8 told "v$LINK_COUNT" conns
	check "the device goes" ip -n "$client" link delete "v$LINK_COUNT"
	check_is "$(told "v$LINK_COUNT" conns)" "" "connections of a device that went"
	teardown
}

a_namespace_may_go_under_traffic()
{
	setup slow_ms=5
	setup_ns gone
	link_ns "$server" "$gone" $((RTT_MS / 2))
	provider "$gone" attach "v$LINK_COUNT"
	peer sink "$server" listen "10.0.$LINK_COUNT.1" 5001
	peer source "$gone" connect "10.0.$LINK_COUNT.1" 5001 conns 8 rate "$RATE"
	wait_is "connections" 8 told "v$LINK_COUNT" conns
	ns_delete "$gone"
	peer_end source
	wait_is "connections of a namespace that went" "" told "v$LINK_COUNT" conns
	teardown
}

turning_it_off_takes_all_back()
{
	setup
	provider "$client" attach v1
	start_flows 4 5001
	wait_is "connections" 4 told v1 conns
	knobs "$client" mode off
	wait_is "connections when it is off" 0 told v1 conns
	check_is "$(told v1 gone)" 4 "connections that went"
	knobs "$client" mode observe
	wait_is "connections when it observes" 4 told v1 conns
	knobs "$client" mode on
	pause 1
	check_is "$(told v1 conns)" 4 "connections when it is on"
	nothing_was_wrong v1
	stop_and_receive 4
	teardown
}

# The driver comes and goes while connections do, slow or not, tcp_abt never first.
modules_come_and_go_under_traffic()
{
	local i before

	peer sink "$server" listen 10.0.1.1 5001
	peer sink2 "$server" listen 10.0.1.1 5002
	peer churn "$client" connect 10.0.1.1 5001 conns 8 bytes 200000 rate 500000 repeat 10000
	peer bulk "$client" connect 10.0.1.1 5002 conns 4 rate "$RATE"
	for ((i = 0; i < CYCLES; i++)); do
		setup slow_ms=$((i % 3))
		provider "$client" attach v1
		[ $((i % 2)) = 0 ] || provider "$client" attach v2
		pause 0.$((1 + RANDOM % 3))
		nothing_was_wrong v1
		check "tcp_abt stays while a driver uses it" eval '! rmmod tcp_abt 2> /dev/null'
		[ $((i % 3)) != 0 ] || check "detach" provider "$client" detach v1
		check "rmmod of the driver" provider_remove
		check "rmmod of tcp_abt" module_remove
		[ "$i" != 1 ] || before=$(unreclaimable_kb)
	done
	check_num $(($(unreclaimable_kb) - before)) -le 8192 "KB of slab that stay"
	tell bulk stop
	received sink2 4
	check_num "$(grep -c '^received .* corrupt' "$SCRATCH/sink")" -eq 0 "streams not intact"
	peers_end
}

tests_run connections_follow_their_route a_device_may_go_under_traffic \
	a_namespace_may_go_under_traffic turning_it_off_takes_all_back modules_come_and_go_under_traffic
