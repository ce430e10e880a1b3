#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The end of a namespace without connections does not look at those of others: how often
# the table of records is walked is counted by the function tracer.
. ./lib.sh

CONNS=50	# at each end
PORT=5001
TRACING=/sys/kernel/tracing

setup_ns server client
link_ns "$server" "$client"
module_insert

walked() { grep -c 'abt_records_walk_next <-' "$TRACING/trace"; }

the_end_of_a_namespace_walks_no_records()
{
	[ -e "$TRACING/current_tracer" ] || mount -t tracefs tracefs "$TRACING"
	check "the function to trace" eval "echo abt_records_walk_next > $TRACING/set_ftrace_filter"
	check "the function tracer" eval "echo function > $TRACING/current_tracer"
	sink_and_source 10.0.1.1 "$PORT" conns "$CONNS" send 20000
	wait_num "records" -ge $((2 * CONNS)) pool "" recv host conns
	pause 1
	echo > "$TRACING/trace"
	setup_ns gone
	ns_delete "$gone"
	pause 1
	check_num "$(walked)" -eq 0 "looks at the table by the end of a namespace without records"
	echo > "$TRACING/trace"
	knobs "$client" mode off
	check_num "$(walked)" -ge "$CONNS" "looks at the table by one that has some"
	peers_end
	echo nop > "$TRACING/current_tracer"
	echo > "$TRACING/set_ftrace_filter"
}

tests_run the_end_of_a_namespace_walks_no_records
