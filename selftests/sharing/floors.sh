#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# However small the pool and however many the connections, each keeps three segments
# each way, and data moves.
#
#	server ---- 10.0.1.0/24, fd00:1::/64 ---- client
. ./lib.sh

PORT=5001
FLOWS=16
BYTES=150000

setup_ns server client
link_ns "$server" "$client"
module_insert
both send_pool 65536 recv_pool 65536

# The least of a column over all connections, in segments of its own mss.
least_segments() # NS SIDE COLUMN
{
	conns "$1" "$2:$PORT" "$3" mss | awk '
		{ segments = int($1 / $2); if (NR == 1 || segments < least) least = segments }
		END { print least + 0 }'
}

# managed RECEIVER: connections that are, at the server; and all at the client
managed()
{
	echo "$(conns "$server" local:"$PORT" receiver | grep -c "$1") $(count_conns "$client" remote:"$PORT")"
}

# Each connection's share of the pool is below its floor: three segments, whatever
# each of them costs in memory.
everyone_keeps_three_segments()
{
	local receiver end

	for receiver in tbt_plr max fixed; do
		knobs "$server" receiver "$receiver"
		peer sink "$server" listen 10.0.1.1 "$PORT" read 20000
		peer source "$client" connect 10.0.1.1 "$PORT" conns "$FLOWS" rate 400000
		wait_is "connections are managed ($receiver)" "$FLOWS $FLOWS" managed "$receiver"
		for end in "$server local" "$client remote"; do
			check_num "$(least_segments "${end% *}" "${end#* }" snd_applied)" -ge 3 \
				"segments of send buffer ($receiver)"
			check_num "$(least_segments "${end% *}" "${end#* }" rcv_applied)" -ge 3 \
				"segments of receive buffer ($receiver)"
		done
		tell sink "read -1"
		stop_and_receive "$FLOWS"
	done
	knobs "$server" receiver tbt_plr
}

data_moves_over_ipv6_as_well()
{
	sink_and_source fd00:1::1 "$PORT" conns "$FLOWS" bytes "$BYTES"
	received sink "$FLOWS" "$BYTES"
	peers_end
}

# A large scale has coarse granules: one of them is offered at least. The scale is
# fixed while the pool is large; 2^14 is the coarsest.
a_coarse_scale_keeps_its_granule()
{
	knobs "$server" recv_pool 1099511627776
	sysctl_set "" tcp_abt/recv_pool 1099511627776
	sink_and_source 10.0.1.1 "$PORT" rate 4000000
	knobs "$server" recv_pool 65536
	wait_is "the pool's size" 65536 pool "$server" recv net size
	check_num "$(state sink clamp)" -ge 16384 "window clamp"
	stop_and_receive 1
	sysctl_set "" tcp_abt/recv_pool 0
}

pools_are_empty_in_the_end()
{
	local ns direction

	for ns in "$server" "$client"; do
		for direction in send recv; do
			wait_is "no charge in the $direction pool of $ns" 0 pool "$ns" "$direction" net charged
		done
	done
}

tests_run everyone_keeps_three_segments data_moves_over_ipv6_as_well \
	a_coarse_scale_keeps_its_granule pools_are_empty_in_the_end
