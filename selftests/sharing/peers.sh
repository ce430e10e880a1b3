#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Peers behind one bottleneck, with base round trips of 20 to 200 ms: the module finds that out, and their connections have equal
# rates. Two peers with a bottleneck each are not kept together.
#
#	server ---- 10.0.1.0/24, data 100 Mbit/s behind 1.25 MB of queue ---- router ---- 10.0.2.0/24, ACKs 20 ms later ---- a
#	                                                                      router ---- 10.0.3.0/24, 60 ms ---- b
#	                                                                      router ---- 10.0.4.0/24, 120 ms ---- c
#	                                                                      router ---- 10.0.5.0/24, 200 ms ---- d
. ./lib.sh

RATE=100mbit
QUEUE=1250000		# bytes: what the line carries in 100 ms
BURST=90k		# what the bottleneck lets through at once: one packet of segmentation offload
DELAYS=(20 60 120 200)	# ms
APART=2			# s between two starts
FIND=40			# s after the last until peers are found to be together, and are equal
LOOK=20			# s that they are looked at for
RATE_LEAST=90		# percent of the line, of which headers take 5
EQUAL=75		# percent: the least received of the most, in the last seconds
EASY=90			# percent: the same, on stock
RTT_MOST=60		# ms more than without a queue: three fifths of what the queue has room for

setup_ns server router a b c d
PEERS=("$a" "$b" "$c" "$d")
link_ns "$server" "$router"
ip -n "$server" route add default via 10.0.1.2
for i in 0 1 2 3; do
	link_ns "$router" "${PEERS[i]}"
	ip -n "${PEERS[i]}" route add 10.0.1.0/24 via "10.0.$((i + 2)).1"
	tc -n "$router" qdisc replace dev "v$((i + 2))" root netem delay "${DELAYS[i]}ms" limit 20000
	sysctl_set "${PEERS[i]}" tcp_no_metrics_save 1
	sysctl_set "${PEERS[i]}" tcp_congestion_control cubic
done
in_ns "$router" sh -c 'echo 1 > /proc/sys/net/ipv4/ip_forward'
tc -n "$router" qdisc replace dev v1 root tbf rate "$RATE" burst "$BURST" limit "$QUEUE"

# flows WHAT: into LEAST, MOST and ALL, bytes that a flow moved in the end, and all of them
flows()
{
	local i

	for i in 0 1 2 3; do
		peer "sink$i" "$server" listen 10.0.1.1 $((5000 + i))
		peer "source$i" "${PEERS[i]}" connect 10.0.1.1 $((5000 + i))
		pause "$APART"
	done
	pause "$FIND"
	flows_move "$LOOK" sink{0..3}
	for i in 0 1 2 3; do
		say "$1: ${DELAYS[i]} ms: ${MOVED[i]} bytes"
	done
}

# rest_of PEER KEY: of its line of "abt path"
rest_of()
{
	"$ABT_TOOL" -n "$server" -j path | from_json "
for p in it:
	if p['remote'] == '$1':
		print(p.get('$2', 0))"
}

on_stock()
{
	flows stock
	check_num $((LEAST * 100)) -lt $((MOST * EASY)) "bytes of the slowest flow, in hundredths, or the path is too easy"
	peers_end
	module_insert
}

peers_are_one_path()
{
	local i trip

	flows "with the module"
	check_num $((LEAST * 100)) -ge $((MOST * EQUAL)) "bytes of the slowest flow, in hundredths"
	check_num $((ALL * 100)) -ge $((${RATE%mbit} * 125000 * LOOK * RATE_LEAST)) "bytes of all flows, in hundredths"
	for i in 0 1 2 3; do
		check_is "$(rest_of "10.0.$((i + 2)).2" peers)" 4 "peers on the path of ${DELAYS[i]} ms"
		trip=$(ss_shows "${PEERS[i]}" rtt: | head -n 1)
		check_num "${trip%.*}" -lt $((DELAYS[i] + RTT_MOST)) "ms of round trip"
	done
}

it_says_so()
{
	local said

	said=$("$ABT_TOOL" -n "$server" path)
	say "$said"
	check_is "$(grep -c '^    one bottleneck with 10' <<< "$said")" 4 "peers with others"
	check_num "$(wc -L <<< "$said")" -le 80 "columns"
	peers_end
	wait_is "peers, once no connection is left" 0 rest_of 10.0.2.2 peers
}

tests_run on_stock peers_are_one_path it_says_so
