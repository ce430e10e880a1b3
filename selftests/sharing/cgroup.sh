#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A memory cgroup's limit holds for the buffers of its sockets: with the module as without it, readers that
# stop leave room for the rest of the cgroup. Without a limit, the buffers are what the path needs.
#
#	server ---- 10.0.1.0/24, 200 Mbit/s, 200 ms each way ---- client
. ./lib.sh

CONNS=2
LIMIT=$((48 << 20))
STOCK_LIMIT=6291456	# tcp_rmem[2]
MORE=$((24 << 20))	# bytes that the cgroup's other process needs
NEEDS=8			# MB: more than the limit above, less than the share of a path of 10 MB takes

[ -e /sys/fs/cgroup/cgroup.procs ] || mount -t cgroup2 none /sys/fs/cgroup || fail "no cgroup2"
echo +memory > /sys/fs/cgroup/cgroup.subtree_control
setup_ns server client
link_ns "$server" "$client" 200
for ns in "$server" "$client"; do
	tc -n "$ns" qdisc change dev v1 root netem delay 200ms rate 200mbit limit 40000
done
sysctl_set "$server" tcp_rmem "4096 131072 $STOCK_LIMIT"
sysctl_set "$client" tcp_wmem "4096 16384 67108864"

# within NAME LIMIT: a cgroup of the sink's, and what it has for a buffer once the path is full, into BUFFERS
within()
{
	CGROUP=/sys/fs/cgroup/$1
	mkdir "$CGROUP"
	echo "$2" > "$CGROUP/memory.max"
	peer sink "$server" listen 10.0.1.1 "$PORT"
	echo "${PEER_PID[sink]}" > "$CGROUP/cgroup.procs"
	peer source "$client" connect 10.0.1.1 "$PORT" conns "$CONNS"
	pause 8
	mapfile -t BUFFERS < <(all_states sink rcvbuf)
	say "$1: receive buffers ${BUFFERS[*]}, memory $(< "$CGROUP/memory.current")"
}

# all_states NAME FIELD: of each of its connections
all_states()
{
	answer "$1" state || return
	find_lines "$1" "^state"
	printf '%s\n' "${FOUND[@]}" | awk -v field="$2" '{ for (i = 2; i < NF; i++) if ($i == field) print $(i + 1) }'
}

ended()
{
	peer_end source
	peer_end sink
	wait_for "$CGROUP is empty" rmdir "$CGROUP"
	PORT=$((PORT + 1))
}

a_limit_holds()
{
	local buffer

	within limited "$LIMIT"
	for buffer in "${BUFFERS[@]}"; do
		check_num "$buffer" -le "$STOCK_LIMIT" "receive buffer in a cgroup of $((LIMIT >> 20)) MB"
	done
	tell sink "read 0"
	pause 3
	bash -c "echo \$\$ > $CGROUP/cgroup.procs; exec python3 -c 'bytearray($MORE)'"
	check_is $? 0 "exit status of a program that needs $((MORE >> 20)) MB beside readers that stopped"
	check_is "$(awk '$1 == "oom_kill" { print $2 }' "$CGROUP/memory.events")" 0 "processes killed"
	say "$(cat "$CGROUP/memory.peak" 2> /dev/null || echo unknown) bytes at most"
	ended
}

no_limit_changes_nothing()
{
	within unlimited max
	check_num "${BUFFERS[0]}" -gt $((NEEDS * 1000000)) "receive buffer in a cgroup without a limit"
	ended
}

without_the_module()
{
	module_remove
	a_limit_holds
}

PORT=5001
module_insert
tests_run no_limit_changes_nothing a_limit_holds without_the_module
