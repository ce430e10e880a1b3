#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The kernel keeps timestamps of sent data (SO_TIMESTAMPING) in the receive buffer. In a pool that is
# short a connection that asks for them keeps as many as without the module.
#
#	server ---- 10.0.1.0/24, 400 Mbit/s, 10 ms each way ---- client
. ./lib.sh

FLOWS=8			# that the pool is short for
POOL=600000		# bytes: a tenth of what they take
LEAST=78		# timestamps, of 80
STOCK_SENDS=400000	# bytes of send buffer of each flow on stock: more than its part of the path, and no queue of a second

setup_ns server client
link_ns "$server" "$client" 10 400mbit
PORT=5001

# stamps: KEPT of two for each message, beside the flows
stamps()
{
	sink_and_source 10.0.1.1 "$PORT" conns "$FLOWS"
	pause 3
	KEPT=$(python3 sockets/stamps.py "$server" "$client" 10.0.1.1 $((PORT + 1)))
	say "$KEPT timestamps kept"
	peers_end
	PORT=$((PORT + 2))
}

# 80 messages go one after another, each after a round trip. Stock's own send buffers make that 0.4 s.
without_the_module()
{
	local wmem

	wmem=$(sysctl_get "$client" tcp_wmem)
	sysctl_set "$client" tcp_wmem "4096 16384 $STOCK_SENDS"
	stamps
	sysctl_set "$client" tcp_wmem "$wmem"
	STOCK=$KEPT
	check_num "$STOCK" -ge "$LEAST" "timestamps of sent data that are kept"
}

in_a_short_pool()
{
	module_insert
	knobs "$server" recv_pool "$POOL"
	stamps
	check_num "$KEPT" -ge "$STOCK" "timestamps of sent data that are kept in a short pool"
}

tests_run without_the_module in_a_short_pool
