#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What connections cost processors that share a pool, in six states of the pools: full steps and the pools' locks by
# segment, and records that are not at home, or in no slot at all, by event. With a module that counts:	make crowds
# Of each state two rows of the table in $ABT_OUT/crowds.tsv: as soon as all are connected, and a minute later, when
# they are settled, which is judged. It takes 10 minutes, so make test has no part of it.
#
#	server ---- 10.0.1.0/24, 1 Gbit/s, 25 ms each way ---- client
. ./lib.sh
. ./cost/counters.sh
: "${ABT_OUT:?the folder for results: run by lab/lab}"

UNITS="conn/events conn/news conn/steer conn/recent conn/record pool/level pool/pool pool/gather pool/part path/member"
PORTS=8			# of connections that trickle
CHUNK=1000		# bytes: five times a second are 5 KB/s
ROUND_S=0.2		# s, from one chunk to the next
WINDOW_S=10		# s, of a measurement
SETTLED_S=50		# s between the two
MOST_STEPS=100		# full steps of 10,000 segments
MOST_LOCKS=50		# acquisitions of the pools' locks of 10,000 segments
MOST_MISSES=500		# records that are in no slot, of 10,000 events
TABLE=$ABT_OUT/crowds.tsv
COLUMNS="segments copies full_steps news_looks sender_steps receiver_steps epochs pool_locks part_locks path_locks away misses refused told ticks"
HOST_PAGES=16384	# tcp_mem[1] that makes the host's pools short for a thousand: 64 MB
FEW_BYTES=4000000	# a namespace's own pools
MANY_BYTES=30000000

ulimit -n 10000
setup_ns server client
link_ns "$server" "$client" 25
for ns in "$server" "$client"; do
	tc -n "$ns" qdisc change dev v1 root netem delay 25ms rate 1gbit limit 100000
done
module_insert

# own BYTES: pools of the namespaces' own; 0: the host's
own()
{
	both send_pool "$1" recv_pool "$1"
}

declare -A COUNT

# counts: into COUNT
counts()
{
	local name number

	# shellcheck disable=SC2086 # words
	gcov_of $UNITS > "$SCRATCH/gcov"
	COUNT=()
	while read -r name number; do
		COUNT[$name]=$number
	done < <(python3 ./cost/counts.py "$BUILT" < "$SCRATCH/gcov")
}

# of_10000 NAME OF: so many of 10,000
of_10000() { echo $((COUNT[$1] * 10000 / $2)); }

# in_percent NAME OF: it, as people read it
in_percent()
{
	local part

	part=$(of_10000 "$1" "$2")
	printf '%d.%02d %%' $((part / 100)) $((part % 100))
}

# row STATE WHEN: what was counted, into the table
row()
{
	local name events

	counts
	check_num "${COUNT[segments]}" -ge 10000 "segments" || return
	printf '%s\t%s' "$1" "$2" >> "$TABLE"
	for name in $COLUMNS; do
		printf '\t%s' "${COUNT[$name]}" >> "$TABLE"
	done
	echo >> "$TABLE"
	events=$((COUNT[segments] + COUNT[copies]))
	say "$1, $2: of ${COUNT[segments]} segments full steps $(in_percent full_steps "${COUNT[segments]}"), locks of the pools $(in_percent pool_locks "${COUNT[segments]}"); of the events records not at home $(in_percent away "$events"), in no slot $(in_percent misses "$events")"
	for name in "${!COUNT[@]}"; do
		[[ $name != *:* ]] || say "$name ${COUNT[$name]}"
	done
	say_pool "the host's send" "" send host
	say_pool "the host's receive" "" recv host
	say_pool "the writers' own" "$client" send net
	say_pool "the readers' own" "$server" recv net
}

say_pool() # NAME NS send|recv host|net
{
	local size

	size=$(pool "$2" "$3" "$4" size)
	[ -z "$size" ] || say "$1 pool: $(pool "$2" "$3" "$4" charged) of $size charged, demands of $(pool "$2" "$3" "$4" demand), level $(pool "$2" "$3" "$4" level)"
}

# measure STATE MOVE: what happens while MOVE, which takes a number of seconds, keeps connections busy
measure()
{
	local state=$1 move=$2

	count_from_now
	"$move" "$WINDOW_S"
	row "$state" "at first"
	"$move" "$SETTLED_S"
	count_from_now
	"$move" "$WINDOW_S"
	row "$state" settled
	check_num "$(of_10000 full_steps "${COUNT[segments]}")" -le "$MOST_STEPS" "$state: full steps of 10,000 segments"
	check_num "$(of_10000 pool_locks "${COUNT[segments]}")" -le "$MOST_LOCKS" "$state: locks of the pools of 10,000 segments"
	check_num "$(of_10000 misses $((COUNT[segments] + COUNT[copies])))" -le "$MOST_MISSES" "$state: records in no slot of 10,000 events"
	peers_end
	pause 2
}

bulk() # STATE CONNECTIONS
{
	sink_and_source 10.0.1.1 5001 conns "$2"
	measure "$1" pause
}

trickle() # SECONDS
{
	local end=$((SECONDS + $1)) i

	while [ "$SECONDS" -lt "$end" ]; do
		for ((i = 0; i < PORTS; i++)); do
			tell "source$i" "send $CHUNK"
		done
		pause "$ROUND_S"
	done
}

trickling() # STATE CONNECTIONS
{
	local i

	for ((i = 0; i < PORTS; i++)); do
		peer "sink$i" "$server" listen 10.0.1.1 $((5001 + i))
		peer "source$i" "$client" connect 10.0.1.1 $((5001 + i)) conns $(($2 / PORTS)) send "$CHUNK"
	done
	measure "$1" trickle
}

few_flows_with_plenty() { bulk "64 flows, plenty" 64; }

few_flows_in_a_small_pool()
{
	own "$FEW_BYTES"
	bulk "64 flows in 4 MB" 64
	own 0
}

a_thousand_flows_on_a_short_host()
{
	local before

	before=$(sysctl_get "" tcp_mem)
	hold_sysctl tcp_mem "$HOST_PAGES $HOST_PAGES $((2 * HOST_PAGES))"
	bulk "1,000 flows, the host short" 1000
	sysctl_set "" tcp_mem "$before"
}

a_thousand_flows_in_a_pool_of_their_own()
{
	own "$MANY_BYTES"
	bulk "1,000 flows in 30 MB" 1000
	own 0
}

four_thousand_that_trickle() { trickling "4,000 that trickle" 4000; }

eight_thousand_that_trickle() { trickling "8,000 that trickle" 8000; }

printf 'state\twhen\t%s\n' "${COLUMNS// /$'\t'}" > "$TABLE"
# shellcheck disable=SC2086 # words
tests_run the_module_counts ${CROWDS:-few_flows_with_plenty few_flows_in_a_small_pool a_thousand_flows_on_a_short_host \
	a_thousand_flows_in_a_pool_of_their_own four_thousand_that_trickle eight_thousand_that_trickle}
