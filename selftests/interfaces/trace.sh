#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The module's own tracepoints tell every change of a buffer.
#
#	server ---- 10.0.1.0/24 ---- client
. ./lib.sh

PORT=5001
TRACING=/sys/kernel/tracing
EVENTS=$TRACING/instances/tcp_abt_selftest

setup_ns server client
link_ns "$server" "$client" 5
module_insert
mkdir "$EVENTS" || exit 1

# The events go before the module does: an instance holds on to what it has enabled.
trap 'echo 0 > $EVENTS/events/tcp_abt/enable; rmdir $EVENTS; cleanup' EXIT

has_fields()
{
	grep -q "$1: .*local=$2 .*dir=$3 demand=[0-9]* grant=[0-9]* applied=[0-9]* old=[0-9]* reason=[a-z]*" \
		"$EVENTS/trace"
}

every_change_is_told()
{
	local server_end='10.0.1.1:5001'

	echo 1 > "$EVENTS/events/tcp_abt/enable"
	sink_and_source 10.0.1.1 "$PORT" rate 20000000
	wait_for "a grant to the receiver" has_fields tcp_abt_grant "$server_end" recv
	# larger than the tcp_wmem[2] of any kernel, so that no tuning comes first
	knobs "$client" sender fixed fixed_send 6000000
	wait_for "a grant to the sender" has_fields tcp_abt_grant "10.0.1.2:[0-9]*" send
	knobs "$server" recv_pool 65536
	wait_for "a shrink of the receiver" has_fields tcp_abt_shrink "$server_end" recv
	echo 0 > "$EVENTS/events/tcp_abt/enable"
}

# The last change of a buffer leads to what /proc shows.
what_is_told_is_what_is_shown()
{
	local told

	wait_num "the receiver comes to rest" -le 65536 conns "$server" local:"$PORT" rcv_applied
	: > "$EVENTS/trace"
	echo 1 > "$EVENTS/events/tcp_abt/enable"
	# the pool last: room for more, and the policy before would come within what is not worth a change
	knobs "$server" receiver fixed fixed_recv 600000 recv_pool 8388608
	wait_is "the fixed buffer" 599999 conns "$server" local:"$PORT" rcv_applied
	told=$(sed -n 's/.*local=10.0.1.1:5001 .*dir=recv .*applied=\([0-9]*\) .*/\1/p' "$EVENTS/trace" |
		tail -n 1)
	check_is "$told" 599999 "buffer told last"
}

tests_run every_change_is_told what_is_told_is_what_is_shown
