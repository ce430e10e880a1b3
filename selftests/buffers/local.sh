#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# On a local path buffers are the kernel's own, at most the administrator's limits, however long a connection
# lasts. A sender takes another limit. Pools are charged for the use: for what is queued, and for little
# while connections rest, so those beside them have the kernel's own buffers as well.
#
#	server ---- 10.0.1.0/24, 100 Mbit/s, without delay ---- client
. ./lib.sh

RATE=100mbit
SETTLE=6		# s
WMEM="4096 16384"	# tcp_wmem without its limit
LIMIT=8388608		# bytes: another limit of the administrator's, twice the first
NOTICED=3		# s: a sender looks once a second
FORGET=2		# s: for so long the kernel remembers the least round trip (tcp_min_rtt_wlen)
REMEMBER=300		# s: the kernel's default
LASTS=8			# s
BEHIND_MS=20		# ms each way, behind a proxy
BURST=20000000		# bytes, and then so little that cwnd is small again
SILENT=6		# s: many timeouts, so cwnd begins anew
TRICKLE=50000		# bytes, written
EVERY=0.1		# s
TRICKLES=120		# times
PROBED=15		# s until the closed window was probed again: the module sees the queue when a segment comes in
CHARGED=75		# percent of the queue: it is charged in steps of an eighth

MEMORY="200000 250000 300000"	# pages: both ends are in one kernel
SHORT="8000 10000 14000"	# pages: a receive pool of 22 MB; the crowd's buffers are twice that, and one newcomer's is less than half
CROWD=8
LOSSES="rate 1gbit loss 0.1%"	# so holes come several times a second
NEARLY=90		# percent: stock itself has 6.9 to 7.1 MB
LOOKS=200		# at a receive buffer
LOOK=0.02		# s between them
CROWDED=15000000	# bytes that each of them receives, and then rests

setup_ns server client
link_ns "$server" "$client" 1
link_delay "$server" "$client" 0 "$RATE"
hold_sysctl tcp_mem "$MEMORY"

queued() { ss_shows "$client" w; }

buffer() { ss_shows "$client" tb; }

receive_buffer() { in_ns "$server" ss -tminHO state established sport = 5001 | sed -E 's/.*,rb([0-9]+).*/\1/'; }

# beside_a_crowd: into NEWCOMER, the receive buffer of a connection beside some that rest
beside_a_crowd()
{
	local i

	hold_sysctl tcp_mem "$SHORT"
	peer crowd_sink "$server" listen 10.0.1.1 5002
	for ((i = 0; i < CROWD; i++)); do
		peer "crowd$i" "$client" connect 10.0.1.1 5002 send "$CROWDED"
		pause 2
	done
	sink_and_source 10.0.1.1 5001
	pause "$SETTLE"
	# shellcheck disable=SC2154 # from setup_ns
	NEWCOMER=$(receive_buffer)
	peers_end
	hold_sysctl tcp_mem "$MEMORY"
	pause 1	# for the queue
}

without_the_module()
{
	sink_and_source 10.0.1.1 5001
	pause "$SETTLE"
	STOCK=$(buffer)
	peers_end
	beside_a_crowd
	STOCK_NEWCOMER=$NEWCOMER
}

no_more_than_the_kernels_own()
{
	module_insert
	sink_and_source 10.0.1.1 5001
	pause "$SETTLE"
	check_num "$(buffer)" -eq "$(ours "$STOCK")" "bytes of send buffer"
}

# The kernel sizes the buffer, and the module tells the pool
a_queue_that_its_reader_leaves_is_charged()
{
	local i queue

	peers_end
	peer sink "$server" listen 10.0.1.1 5001
	peer source "$client" connect 10.0.1.1 5001 send "$BURST"
	pause "$SILENT"
	tell source "send $TRICKLE"
	pause 1
	tell sink "read 0"
	for ((i = 0; i < TRICKLES; i++)); do
		tell source "send $TRICKLE"
		pause "$EVERY"
	done
	pause "$PROBED"
	queue=$(queued)
	say "$queue queued, charged $(pool "" send host charged)"
	check_num "$queue" -ge $((STOCK / 4)) "bytes queued"
	check_num "$(pool "" send host charged)" -ge $((queue * CHARGED / 100)) "bytes that the pool is charged for"
	peers_end
}

# A handshake that is answered nearby says nothing of the path, once the kernel has forgotten it
a_proxy_that_answers_the_handshake_does_not_count()
{
	pause 1	# for the queue before it
	peer sink "$server" listen 10.0.1.1 5001
	peer source "$client" connect 10.0.1.1 5001 send 0
	link_delay "$server" "$client" "$BEHIND_MS" "$RATE"
	tell source "send -1"
	pause "$LASTS"
	say "a buffer of $(buffer), a round trip of $(ss_shows "$client" minrtt:) ms at least"
	check_num "$(buffer)" -gt "$STOCK" "bytes of send buffer"
	sysctl_set "$client" tcp_min_rtt_wlen "$REMEMBER"
	link_delay "$server" "$client" 0 "$RATE"
	peers_end
}

connections_that_rest_take_nothing_from_others()
{
	beside_a_crowd
	say "a receive buffer of $NEWCOMER beside $CROWD connections that rest, on stock $STOCK_NEWCOMER"
	check_num "$((NEWCOMER * 100))" -ge $((STOCK_NEWCOMER * NEARLY)) "bytes of receive buffer, in hundredths"
}

# The kernel goes on to tune a buffer that has room for what waits behind the hole
a_hole_leaves_the_buffer_to_the_kernel()
{
	local i ours=0

	# shellcheck disable=SC2086 # words
	tc -n "$client" qdisc change dev v1 root netem $LOSSES limit 20000
	sink_and_source 10.0.1.1 5001
	for ((i = 0; i < LOOKS; i++)); do
		pause "$LOOK"
		[ "$(conns "$server" local:5001 rcv_reason)" = stock ] || ours=$((ours + 1))
	done
	say "a receive buffer of $(receive_buffer) in the end, the module's in $ours of $LOOKS looks"
	check_num "$ours" -eq 0 "looks at which the module sizes it"
	peers_end
	link_delay "$server" "$client" 0 "$RATE"
}

a_raised_limit_counts()
{
	sink_and_source 10.0.1.1 5001
	pause "$SETTLE"
	check_num "$(buffer)" -eq "$(ours "$STOCK")" "bytes of send buffer"
	sysctl_set "$client" tcp_wmem "$WMEM $LIMIT"
	pause "$NOTICED"
	check_num "$(buffer)" -ge $((LIMIT - LIMIT / 16)) "bytes of send buffer"
	peers_end
	module_remove
}

# Its least round trip is then that of the queue
a_flow_that_lasts_stays_local()
{
	sysctl_set "$client" tcp_min_rtt_wlen "$FORGET"
	sink_and_source 10.0.1.1 5001
	pause "$LASTS"
	say "a buffer of $(buffer), a round trip of $(ss_shows "$client" minrtt:) ms at least"
	check_num "$(buffer)" -eq "$(ours "$STOCK")" "bytes of send buffer"
	peers_end
}

tests_run without_the_module no_more_than_the_kernels_own a_queue_that_its_reader_leaves_is_charged \
	connections_that_rest_take_nothing_from_others a_hole_leaves_the_buffer_to_the_kernel \
	a_flow_that_lasts_stays_local a_proxy_that_answers_the_handshake_does_not_count \
	a_raised_limit_counts
