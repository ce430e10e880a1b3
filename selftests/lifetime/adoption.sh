#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Connections that are older than the module are taken in at their next segment.
#
#	server ---- 10.0.1.0/24, fd00:1::/64 ---- client
. ./lib.sh

declare -A SERVER=([4]=10.0.1.1 [6]=fd00:1::1)

setup_ns server client
link_ns "$server" "$client" 5

old_connections_are_managed()
{
	local family port

	for family in 4 6; do
		port=500$family
		peer "sink$family" "$server" listen "${SERVER[$family]}" "$port"
		peer "source$family" "$client" connect "${SERVER[$family]}" "$port" rate 10000000
		check_is "$(state "source$family" locks)" 0 "locks before"
	done
	module_insert
	for family in 4 6; do
		port=500$family
		wait_is "the old sender over IPv$family" atbt conns "$client" remote:"$port" sender
		wait_is "the old receiver over IPv$family" tbt_plr conns "$server" local:"$port" receiver
		wait_num "its receive buffer is the module's" -eq 1 odd conns "$server" local:"$port" rcv_applied
		wait_num "its send buffer is entered" -gt 0 conns "$client" remote:"$port" snd_grant
		check_is "$(state "source$family" locks)" 0 "locks: memory is plenty"
	done
}

odd() { echo $(($("$@") % 2)); }

# Data goes on, and all of it arrives.
old_connections_go_on()
{
	local family

	for family in 4 6; do
		tell "source$family" stop
		wait_for "the stream over IPv$family ends" has_lines "sink$family" '^received' 1
		check "and is intact" has_lines "sink$family" '^received [1-9][0-9]* ok' 1
		peer_end "source$family"
	done
}

# One that has been silent since before is not touched until it says something.
a_silent_one_joins_when_it_speaks()
{
	module_remove
	peer source "$client" connect 10.0.1.1 5004 rate 10000000
	tell sink4 "read 0"
	wait_num "a full receive buffer" -gt 0 state source sndbuf
	module_insert
	tell sink4 "read -1"
	wait_is "its policy" tbt_plr conns "$server" local:5004 receiver
	tell source stop
	wait_for "the stream ends" has_lines sink4 '^received [1-9][0-9]* ok' 2
}

# Who moved no more than three segments has what it would have in any case: no record is
# made, which would cost more than all that such a connection does.
a_small_one_is_left_alone()
{
	local said

	peer small_sink "$server" listen 10.0.1.1 5006
	peer small "$client" connect 10.0.1.1 5006 send 1000
	for said in 1000 2000 3000; do
		wait_is "$said bytes have arrived" "$said $said" eval 'answer small_sink moved && echo "${WORDS[1]} ${WORDS[2]}"'
		check_is "$(conns "$server" local:5006 receiver)$(conns "$client" remote:5006 sender)" "" \
			"who looks after it, with $said bytes"
		check_is "$(state small locks)" 0 "locks"
		tell small "send 1000"
	done
	wait_is "its receiver, with a fourth segment" tbt_plr conns "$server" local:5006 receiver
	wait_is "and its sender" atbt conns "$client" remote:5006 sender
	peer_end small
	peer_end small_sink
}

# A socket that is disconnected and connected again has another connection: nothing of
# the first tells anything of the second, whose sequence numbers are others; and the
# window that the kernel chose for that is nothing that an application set.
a_socket_may_have_another_connection()
{
	local now policy most=0 process policies=""

	peer sender "$server" listen 10.0.1.1 5005 reverse 1 rate 2000000
	in_ns "$client" "$RECONNECT" 10.0.1.1 5005 6 1000000 2> "$SCRATCH/again" & process=$!
	while kill -0 "$process" 2> /dev/null; do
		read -r now policy <<< "$(conns "$client" remote:5005 rcv_demand receiver)"
		most=$((${now:-0} > most ? now : most))
		[ -z "$policy" ] || policies+="$policy"$'\n'
		pause 0.02
	done
	wait "$process" || fail "$(< "$SCRATCH/again")"
	check_is "$(sort -u <<< "$policies" | xargs)" tbt_plr "policies of the receiver"
	check_num "$most" -gt 0 "receive buffer asked for"
	check_num "$most" -le 2000000 "receive buffer asked for by 2 MB/s over 10 ms"
	peer_end sender
}

# Once a connection was reset nothing is told of it any more. A copy of the rest makes no record, for
# the socket's next connection would have it.
a_copy_after_a_reset_makes_no_record()
{
	local before process

	before=$(records)
	peer sender "$server" listen 10.0.1.1 5007 reverse 1 send 60000
	in_ns "$client" "$RECONNECT" 10.0.1.1 5007 1 4000000 reset > "$SCRATCH/again" 2>&1 & process=$!
	wait_num "sent before the reset" -eq 60000 eval 'answer sender moved && echo "${WORDS[1]}"'
	pause 0.5
	peer_end sender
	wait_for "the rest is read" has_lines again '^after the reset 60000' 1
	check_is "$(records)" "$before" "records at the client"
	peer sender "$server" listen 10.0.1.1 5007 reverse 1 rate 2000000
	wait_is "the policy of the next connection" tbt_plr conns "$client" remote:5007 receiver
	wait "$process" || fail "$(< "$SCRATCH/again")"
	peer_end sender
}

records() { in_ns "$client" cat /proc/net/tcp_abt | wc -l; }

pools_are_empty_in_the_end()
{
	peers_end
	pools_are_empty
}

tests_run old_connections_are_managed old_connections_go_on \
	a_silent_one_joins_when_it_speaks a_small_one_is_left_alone \
	a_socket_may_have_another_connection a_copy_after_a_reset_makes_no_record pools_are_empty_in_the_end
