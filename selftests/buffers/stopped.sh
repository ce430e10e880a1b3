#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The window of a reader that stops closes, within the administrator's limit, however large the granule of its window
# scale is. When it reads again, its peer goes on at once. Each frame is in a buffer of its own, as many come from a
# slow link: a packet of offload closes a window that frames keep open.
#
#	server ---- 10.0.1.0/24, 50 or 2 Mbit/s, 10 ms each way ---- client
. ./lib.sh

PORT=5001
LIMIT=6291456		# tcp_rmem[2]
MOST=10000000		# bytes of truesize that may wait: a slow path brings some more before its reader counts as stopped
GROWS=1			# percent that it may grow by between the last two looks
RESUMED_LATER=25	# percent, and a moment
RESUMED_MOMENT_MS=50
RESUMED_MOST_MS=60000	# then it is given up
POOLS_MB=(60 200 600)	# with scales of 10, 12 and 14

setup_ns server client
link_ns "$server" "$client" 10
sysctl_set "$server" tcp_rmem "4096 131072 $LIMIT"

# path RATE QUEUE SECONDS BYTES PAUSE...: until the reader stops; after it reads again; between looks at what waits
path()
{
	local ns

	for ns in "$server" "$client"; do
		ip -n "$ns" link set dev v1 gso_max_segs 1
		tc -n "$ns" qdisc change dev v1 root netem delay 10ms rate "$1" limit "$2"
	done
	RUNS_S=$3 RESUMED_BYTES=$4
	LOOKS_S=("${@:5}")
}

fast() { path 50mbit 130 1.5 2000000 2 10 30; }

# An acknowledgement covers less than a granule of the largest scale.
slow() { path 2mbit 40 8 300000 10 30 30; }

# stop_and_resume NAME: into WAITED the bytes that wait at each look, into TOOK the ms until more have come
stop_and_resume()
{
	local seconds began from

	PORT=$((PORT + 1))
	peer sink "$server" listen 10.0.1.1 "$PORT"
	peer source "$client" connect 10.0.1.1 "$PORT"
	pause "$RUNS_S"
	tell sink "read 0"
	WAITED=()
	for seconds in "${LOOKS_S[@]}"; do
		pause "$seconds"
		WAITED+=("$(ss_shows "$server" r)")
	done
	SCALE=$(in_ns "$server" ss -tinHO state established | grep -oE 'wscale:[0-9]+,[0-9]+' | cut -d , -f 2)
	from=$(ss_shows "$client" bytes_acked:)
	began=$(now_ms)
	tell sink "read -1"
	until [ $(($(ss_shows "$client" bytes_acked:) - from)) -ge "$RESUMED_BYTES" ]; do
		pause 0.01
		ms_since "$began"
		[ "$TOOK" -lt "$RESUMED_MOST_MS" ] || break
	done
	say "$1: scale $SCALE, ${WAITED[*]} bytes wait after ${LOOKS_S[*]} s, $RESUMED_BYTES more after $TOOK ms; $(counter "$client" RetransSegs) segments were sent again so far"
	peers_end
	in_ns "$client" ip tcp_metrics flush > /dev/null
}

# By path
declare -A STOCK_TOOK

without_the_module()
{
	for PATH_IS in fast slow; do
		"$PATH_IS"
		stop_and_resume "stock, $PATH_IS"
		check_num "${WAITED[0]}" -gt 0 "bytes that wait"
		STOCK_TOOK[$PATH_IS]=$TOOK
	done
}

# as_stock POOL
as_stock()
{
	local case="$PATH_IS path, pool of $1 MB"

	both mode off
	knobs "" recv_pool $(($1 << 20))
	both mode on
	stop_and_resume "$case"
	check_num "${WAITED[-1]}" -le "$MOST" "bytes that wait, $case"
	check_num $((WAITED[-1] * 100)) -le $((WAITED[-2] * (100 + GROWS))) "hundredths of bytes that wait in the end, $case"
	check_num "$TOOK" -le $((STOCK_TOOK[$PATH_IS] * (100 + RESUMED_LATER) / 100 + RESUMED_MOMENT_MS)) "ms, $case"
}

a_reader_stops()
{
	local pool

	module_insert
	PATH_IS=fast
	fast
	for pool in "${POOLS_MB[@]}"; do
		as_stock "$pool"
	done
}

a_reader_of_a_slow_path_stops()
{
	PATH_IS=slow
	slow
	as_stock "${POOLS_MB[-1]}"
}

tests_run without_the_module a_reader_stops a_reader_of_a_slow_path_stops
