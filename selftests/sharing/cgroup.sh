#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A memory cgroup's limit holds for the buffers of its sockets: with the module as without it, readers that
# stop leave room for the rest of the cgroup, also if their connections had rested, with windows that they had
# offered one after another. Without a limit, the buffers are what the path needs.
#
#	server ---- 10.0.1.0/24, 200 Mbit/s, 200 ms each way; 50 ms for those that rest;
#			50 Mbit/s, 10 ms, each frame a buffer of its own for those that stop one by one ---- client
. ./lib.sh

CONNS=2
LIMIT=$((48 << 20))
STOCK_LIMIT=6291456	# tcp_rmem[2]
MORE=$((24 << 20))	# bytes that the cgroup's other process needs
RESTING=16		# connections that had a download each, one after another, and rest
RESTING_LIMIT=$((64 << 20))
RESTING_STOCK_LIMIT=2097152	# tcp_rmem[2], less than 1/16 of that
RESTING_MORE=$((16 << 20))
STOPPING=6		# connections whose readers keep up until they stop, one by one
STOPPING_LIMIT=$((40 << 20))
STOPPING_MORE=$((16 << 20))
FULL_LIMIT=$((100 << 20))
FULL=85000000		# bytes of it that something else takes, for good
WRITER="15 100 150"	# seconds, ms of filling, ms away
WRITER_READER="1 500000"	# seconds; bytes of its buffer then
WRITER_LEAST=95		# percent of stock's bytes
DOWNLOAD=12000000	# bytes of each: some times what the path holds
NEEDS=8			# MB: more than the limit above, less than the share of a path of 10 MB takes

[ -e /sys/fs/cgroup/cgroup.procs ] || mount -t cgroup2 none /sys/fs/cgroup || fail "no cgroup2"
echo +memory > /sys/fs/cgroup/cgroup.subtree_control
setup_ns server client
link_ns "$server" "$client" 200

# path DELAY [RATE QUEUE SEGMENTS]: so many segments in a buffer at most
path()
{
	local ns

	for ns in "$server" "$client"; do
		ip -n "$ns" link set dev v1 gso_max_segs "${4:-65535}"
		tc -n "$ns" qdisc change dev v1 root netem delay "$1" rate "${2:-200mbit}" limit "${3:-40000}"
	done
}

sysctl_set "$server" tcp_rmem "4096 131072 $STOCK_LIMIT"
sysctl_set "$client" tcp_wmem "4096 16384 67108864"

path 200ms

# in_cgroup NAME LIMIT: a sink in a cgroup of its own
in_cgroup()
{
	CGROUP=/sys/fs/cgroup/$1
	mkdir "$CGROUP"
	echo "$2" > "$CGROUP/memory.max"
	peer sink "$server" listen 10.0.1.1 "$PORT"
	echo "${PEER_PID[sink]}" > "$CGROUP/cgroup.procs"
}

# within NAME LIMIT: what the sink has for a buffer once the path is full, into BUFFERS
within()
{
	in_cgroup "$1" "$2"
	SOURCES=(source)
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
	local source

	for source in "${SOURCES[@]}"; do
		peer_end "$source"
	done
	peer_end sink
	wait_for "$CGROUP is empty" rmdir "$CGROUP"
	PORT=$((PORT + 1))
}

# needs_more BYTES: a program of the cgroup, beside readers that stopped
needs_more()
{
	bash -c "echo \$\$ > $CGROUP/cgroup.procs; exec python3 -c 'bytearray($1)'"
	check_is $? 0 "exit status of a program that needs $(($1 >> 20)) MB beside readers that stopped"
	check_is "$(awk '$1 == "oom_kill" { print $2 }' "$CGROUP/memory.events")" 0 "processes killed"
	say "$(cat "$CGROUP/memory.peak" 2> /dev/null || echo unknown) bytes at most"
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
	needs_more "$MORE"
	ended
}

# Many rest, each with a window that it offered while few had data. Then all readers stop, and all peers send.
resting_connections()
{
	local i

	path 50ms
	in_cgroup resting "$RESTING_LIMIT"
	SOURCES=()
	for ((i = 0; i < RESTING; i++)); do
		SOURCES+=("source$i")
		peer "source$i" "$client" connect 10.0.1.1 "$PORT" send 0
	done
	for i in "${SOURCES[@]}"; do
		tell "$i" "send $DOWNLOAD"
		pause 1.5
	done
	say "receive buffers of $(all_states sink rcvbuf | awk '{ sum += $1 } END { print sum }') bytes rest"
	tell sink "read 0"
	for i in "${SOURCES[@]}"; do
		tell "$i" "send $DOWNLOAD"
	done
	pause 4
	needs_more "$RESTING_MORE"
	ended
	path 200ms
}

stopping_readers()
{
	local i

	path 10ms 50mbit 130 1
	in_cgroup stopping "$STOPPING_LIMIT"
	SOURCES=()
	for ((i = 0; i < STOPPING; i++)); do
		peer "sink$i" "$server" listen 10.0.1.1 $((PORT + 1 + i))
		echo "${PEER_PID[sink$i]}" > "$CGROUP/cgroup.procs"
		SOURCES+=("source$i" "sink$i")
		peer "source$i" "$client" connect 10.0.1.1 $((PORT + 1 + i))
		pause 1
		tell "sink$i" "read 0"
	done
	pause 2
	say "$(ss_shows "$server" r | awk '{ sum += $1 } END { print sum }') bytes wait for readers that stopped"
	needs_more "$STOPPING_MORE"
	ended
	PORT=$((PORT + STOPPING))
	path 200ms
}

# The cgroup has no room for more than the administrator's limit, which a late writer needs beside a small window.
writer_in_a_full_cgroup()
{
	CGROUP=/sys/fs/cgroup/full
	mkdir "$CGROUP"
	echo "$FULL_LIMIT" > "$CGROUP/memory.max"
	bash -c "echo \$\$ > $CGROUP/cgroup.procs; exec head -c $FULL /dev/zero > $SCRATCH/full"
	path 30ms 100mbit 3000
	# shellcheck disable=SC2086 # words
	(
		echo "$BASHPID" > "$CGROUP/cgroup.procs"
		READER=$WRITER_READER absent_writer $WRITER
		echo "${WROTE[0]}" > "$SCRATCH/moved"
	)
	read -r MOVED < "$SCRATCH/moved" || fail "the writer moved nothing"
	rm "$SCRATCH/full" "$SCRATCH/moved"
	wait_for "$CGROUP is empty" rmdir "$CGROUP"
	path 200ms
}

a_writer_in_a_full_cgroup()
{
	writer_in_a_full_cgroup
	WITH=$MOVED
}

# What is written while the module is there would be a ceiling of its own.
a_limit_holds_if_connections_rested()
{
	module_remove
	sysctl_set "$server" tcp_rmem "4096 131072 $RESTING_STOCK_LIMIT"
	module_insert
	resting_connections
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
	resting_connections
	sysctl_set "$server" tcp_rmem "4096 131072 $STOCK_LIMIT"
	a_limit_holds
	stopping_readers
	writer_in_a_full_cgroup
	say "a writer in a full cgroup moves $WITH of $MOVED bytes"
	check_num $((WITH * 100)) -ge $((MOVED * WRITER_LEAST)) "bytes, in hundredths"
}

PORT=5001
module_insert
tests_run no_limit_changes_nothing a_limit_holds stopping_readers a_writer_in_a_full_cgroup a_limit_holds_if_connections_rested without_the_module
