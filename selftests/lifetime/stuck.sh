#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A sender that sleeps in send() owns its socket for as long as it likes. Nothing waits for
# it but for a second: not rmmod, not a knob, not a namespace; and nothing of the module
# stays in its socket.
#
#	client: senders, stuck ---- 10.0.1.0/24 ---- server
. ./lib.sh

PORT=5001
BYTES=400000	# of each sender before and after the page that does not come
PAGE=$(getconf PAGESIZE)
FIXED_SEND=80000	# a size of the policy's own: the kernel must not raise it
LIMIT_MS=2000
READ_MS=500	# of what does not wait at all
MANY=70		# more than the 64 that are handed back at a time

insmod "$ABT_STUCK" || exit 1
cleanup_stuck() { cleanup; rmmod tcp_abt_stuck; }
trap cleanup_stuck EXIT
setup_ns server client
link_ns "$server" "$client" 2

# senders CONNS: so many that the module has sized, stuck
senders()
{
	local locks

	module_insert
	knobs "$client" sender fixed fixed_send "$FIXED_SEND"
	peer sink "$server" listen 10.0.1.1 "$PORT"
	puppet source "$client" "$STUCK" /dev/tcp_abt_stuck 10.0.1.1 "$PORT" "$1" "$BYTES"
	wait_is "records at the sender" "$1" count_conns "$client" remote:"$PORT"
	answer source locks && locks=${WORDS[1]}
	check_num "$locks" -gt 0 "SO_BUF_LOCK of the senders, whose buffers are fixed"
	tell source stick
	wait_for "they are stuck" has_lines source stuck 1
	pause 0.1
	PENDING=()
}

# in_time MS TEXT COMMAND...: the command ends by then, though the senders are stuck
in_time()
{
	local limit=$1 text=$2 began pid TOOK=0; shift 2

	began=$(now_ms)
	"$@" > /dev/null 2>&1 &
	pid=$!
	PENDING+=("$pid")
	while kill -0 "$pid" 2> /dev/null && [ "$TOOK" -le "$limit" ]; do
		pause 0.01
		ms_since "$began"
	done
	say "$text: $TOOK ms"
	check_num "$TOOK" -le "$limit" "ms that $text took"
}

# released CONNS: the page comes, all arrives, no lock bit is left, and what hung ends
released()
{
	local locks

	answer source locks && locks=${WORDS[1]}
	check_is "$locks" 0 "SO_BUF_LOCK of the senders, stuck and handed back"
	tell source go
	wait "${PENDING[@]}" 2> /dev/null
	received sink "$1" $((2 * BYTES + PAGE))
	peers_end
}

mode_off() { in_ns "$client" sh -c "echo off > $KNOBS/mode"; }

rmmod_does_not_wait()
{
	senders 1
	rmmod tcp_abt & PENDING+=($!)
	pause 0.2
	in_time "$LIMIT_MS" "ip netns add beside rmmod" ip netns add "abt-beside-$$"
	in_time "$LIMIT_MS" "the rest of rmmod" tail -s 0.02 -f /dev/null --pid "${PENDING[0]}"
	check "the module is gone" eval '! module_loaded'
	released 1
	ip netns delete "abt-beside-$$"
}

mode_off_does_not_wait_and_knobs_are_read_meanwhile()
{
	senders 1
	mode_off & PENDING+=($!)
	pause 0.2
	in_time "$READ_MS" "a knob's read beside mode=off" in_ns "$client" cat "$KNOBS/mode"
	in_time "$LIMIT_MS" "sysctl -a beside mode=off" in_ns "$client" sysctl -a
	in_time "$LIMIT_MS" "ip netns add beside mode=off" ip netns add "abt-beside-$$"
	in_time "$LIMIT_MS" "the rest of mode=off" tail -s 0.02 -f /dev/null --pid "${PENDING[0]}"
	check_is "$(sysctl_get "$client" tcp_abt/mode)" off "mode"
	check_is "$(count_conns "$client" remote:"$PORT")" 0 "records of the senders"
	released 1
	ip netns delete "abt-beside-$$"
	module_remove
}

# Back in the same namespace, the socket is one like any other.
a_socket_that_was_stuck_is_managed_again()
{
	local BYTES=4000000	# seen to go on

	senders 1
	in_time "$LIMIT_MS" "mode=off" mode_off
	knobs "$client" mode on
	tell source go
	wait_is "a record again" 1 count_conns "$client" remote:"$PORT"
	received sink 1 $((2 * BYTES + PAGE))
	peers_end
	pools_are_empty
	module_remove
}

many_do_not_take_longer()
{
	local BYTES=200000	# still more than FIXED_SEND

	senders "$MANY"
	in_time "$LIMIT_MS" "rmmod beside $MANY" rmmod tcp_abt
	check "the module is gone" eval '! module_loaded'
	released "$MANY"
}

tests_run rmmod_does_not_wait mode_off_does_not_wait_and_knobs_are_read_meanwhile \
	a_socket_that_was_stuck_is_managed_again many_do_not_take_longer
