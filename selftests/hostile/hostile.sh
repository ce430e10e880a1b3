#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Peers that are as bad as the protocol lets them be, and users who write whatever
# they can. Others' transfers go on, pools hold, nothing stays.
#
#	attacker ---- 10.0.1.66, .1 ---- server ---- 10.0.2.0/24 ---- client
#	port 5001: bad peers		port 5002: transfers of the honest client
. ./lib.sh

BAD=8			# connections of a bad peer
BAD_MS=150		# for so long
BAD_RATE=1gbit		# more than they send: a reset does not stand in a queue
SEND_POOL=$((2 << 20))	# less than bad receivers ask for
RECV_POOL=$((8 << 20))
# What a pool is exceeded by, for each connection at most: its floor, three segments; and
# what it was offered before its segments shrank, 64 KB but for a granule of 16, at what 89
# bytes cost now: 768.
SEND_MUST=$((3 * 2304))
RECV_MUST=$((48 * 1024 * 768 / 89))
HONEST=4		# connections
HONEST_BYTES=1000000	# of each
HONEST_RATE=2000000	# bytes a second
HONEST_MS=1000		# twice what that takes
CROWD=10000
POOL_OF_SCALE_14=$((1 << 31))
SMALL_START=8192	# a buffer that offers little: nothing has to be kept of it
FLOOR_MUST=65536	# the floor of a connection, whatever a granule costs (kmod/conn/demand.c)

ulimit -n $((CROWD + 1000))
setup_ns attacker server client
ip link add v9 netns "$attacker" type veth peer name v9 netns "$server"
ip -n "$attacker" link set v9 address 02:00:00:00:00:02 up
ip -n "$server" link set v9 address 02:00:00:00:00:01 up
ip -n "$server" addr add 10.0.1.1/24 dev v9
ip -n "$server" neigh add 10.0.1.66 lladdr 02:00:00:00:00:02 dev v9
for ns in "$attacker" "$server"; do
	tc -n "$ns" qdisc add dev v9 root netem delay 2ms rate "$BAD_RATE" limit 20000
done
link_ns "$server" "$client"	# 10.0.1.x on v1: renumbered
ip -n "$server" addr del 10.0.1.1/24 dev v1
ip -n "$server" addr add 10.0.2.1/24 dev v1
ip -n "$client" addr del 10.0.1.2/24 dev v1
ip -n "$client" addr add 10.0.2.2/24 dev v1

# A scale of 14, so that windows and granules are the largest that there are.
module_insert
knobs "" recv_pool "$POOL_OF_SCALE_14" send_pool $((1 << 31))
knobs "$server" recv_pool $RECV_POOL send_pool $SEND_POOL
sysctl_set "$server" tcp_rmem "4096 131072 $((1 << 30))"

charged() { pool "$server" "$1" net charged; }

most_of() { MOST=$(($1 > MOST ? $1 : MOST)); }

# attack KIND DIRECTION CONNS: MOST is what its pool was charged for at most
attack()
{
	local kind=$1 dir=$2 conns=$3 bad

	in_ns "$attacker" "$BAD_PEER" "$kind" v9 "$conns" "$BAD_MS" > "$SCRATCH/bad" 2>&1 &
	bad=$!
	MOST=0
	while kill -0 "$bad" 2> /dev/null; do
		printed charged "$dir"
		most_of "$PRINTED"
		pause 0.005
	done
	wait "$bad" || fail "bad_peer: $(< "$SCRATCH/bad")"
	check_num "$(awk '{ print $2 }' "$SCRATCH/bad")" -eq "$conns" "connections that $kind opened"
	say "$kind: $(< "$SCRATCH/bad"), charged at most $MOST"
}

# bad_peers DIRECTION MOST KIND...: each beside an honest transfer that way
bad_peers()
{
	local dir=$1 most=$2 kind reverse=0 began; shift 2

	[ "$dir" = recv ] || reverse=1
	for kind; do
		peer victim "$server" listen 10.0.1.1 5001 reverse "$reverse"
		peer sink "$server" listen 10.0.2.1 5002
		began=$(now_ms)
		peer source "$client" connect 10.0.2.1 5002 conns "$HONEST" bytes "$HONEST_BYTES" rate "$HONEST_RATE"
		attack "$kind" "$dir" "$BAD"
		check_num "$MOST" -le "$most" "$dir pool while $kind goes on"
		received sink "$HONEST" "$HONEST_BYTES"
		check_num $(($(now_ms) - began)) -le "$HONEST_MS" "ms that the honest took beside $kind"
		wait_is "no connection is left of $kind" "" conns "$server" local:5001 local
		peers_end
		wait_is "nobody is left in the $dir pool after $kind" 0 pool "$server" "$dir" net conns
		check_is "$(charged "$dir")" 0 "$dir pool after $kind"
	done
}

bad_receivers() { bad_peers send $((SEND_POOL + BAD * SEND_MUST)) window shrink sack divide early zero; }

bad_senders() { bad_peers recv $((RECV_POOL + BAD * RECV_MUST)) tiny bytes reverse hole beyond; }

# A granule of a scale of 14 costs 180 KB at what a byte of tiny segments does. Where shares
# are next to nothing a floor has room for one: for 64 KB of it.
a_granule_costs_no_more_than_a_floor()
{
	local bad

	knobs "$server" recv_pool "$POOL_OF_SCALE_14"
	sysctl_set "$server" tcp_rmem "4096 $SMALL_START $((1 << 30))"
	peer victim "$server" listen 10.0.1.1 5001
	in_ns "$attacker" "$BAD_PEER" tiny v9 "$BAD" 600 > "$SCRATCH/bad" 2>&1 &
	bad=$!
	wait_is "all are open" "$BAD" pool "$server" recv net conns
	knobs "$server" recv_pool $((BAD * SMALL_START))
	pause 0.4
	check_num "$(conns "$server" local:5001 rcv_applied | sort -n | tail -n 1)" -le "$FLOOR_MUST" "largest floor of tiny segments"
	check_is "$(pool "$server" recv net conns)" "$BAD" "connections in the receive pool"
	wait "$bad" || fail "bad_peer: $(< "$SCRATCH/bad")"
	check_is "$(awk '{ print $2 }' "$SCRATCH/bad")" "$BAD" "connections that tiny opened"
	peers_end
	sysctl_set "$server" tcp_rmem "4096 131072 $((1 << 30))"
	knobs "$server" recv_pool "$RECV_POOL"
}

# A crowd that opens connections and stops, beside one that has something to move: what
# the crowd keeps is next to nothing, and the other has what it needs.
a_stalled_crowd_keeps_next_to_nothing()
{
	local crowd bytes=$((4 * HONEST_BYTES))

	peer victim "$server" listen 10.0.1.1 5001
	in_ns "$attacker" "$BAD_PEER" stall v9 "$CROWD" 6000 > "$SCRATCH/crowd" 2>&1 & crowd=$!
	pause 3
	sink_and_source 10.0.2.1 5002 bytes "$bytes" rate 2000000
	pause 1
	check_num "$(conns "$server" local:5002 rcv_grant)" -ge 131072 "receive buffer of the honest one"
	received sink 1 "$bytes"
	wait "$crowd" || fail "bad_peer: $(< "$SCRATCH/crowd")"
	check_num "$(awk '{ print $2 }' "$SCRATCH/crowd")" -eq "$CROWD" "connections of the crowd"
	peers_end
}

tests_run bad_receivers bad_senders a_granule_costs_no_more_than_a_floor \
	a_stalled_crowd_keeps_next_to_nothing
