#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Each policy moves the buffers of live sockets as it says, over IPv4 and IPv6, where
# the connection was opened and where it was accepted.
#
#	+--------+ 10.0.1.1       10.0.1.2 +--------+
#	| server |-------------------------| client |
#	+--------+ fd00:1::1     fd00:1::2 +--------+
#	  reads       10 ms each way         sends
. ./lib.sh

PORT=5001
RTT_MS=20
FALL_TRIPS=30		# a peak counts for some round trips; then each of them is looked at
KEPT=2			# s: many times as long as a peak counts
POOL=16777216
SHORT_BDPS=16		# a pool of so many BDP at the lower rate is more than half full at the higher
declare -A SERVER=([4]=10.0.1.1 [6]=fd00:1::1)

setup_ns server client
link_ns "$server" "$client" $((RTT_MS / 2))
module_insert
both recv_pool "$POOL" send_pool "$POOL"

# flow FAMILY [SETTING VALUE]...: one connection that moves data until peers_end
flow()
{
	local family=$1; shift

	sink_and_source "${SERVER[$family]}" "$PORT" "$@"
}

# Both ends show these policies, and these buffers.
is_steered() # SENDER RECEIVER SNDBUF RCVBUF
{
	local end

	for end in "$server local" "$client remote"; do
		[ "$(conns "${end% *}" "${end#* }:$PORT" sender receiver snd_applied rcv_applied)" = \
			"$1 $2 $3 $4" ] || return
	done
}

# What ss and the socket itself show of the client's: sndbuf, rcvbuf.
ss_agrees()
{
	local buffers

	buffers=$(in_ns "$client" ss -tmnH "dport = $PORT" |
		sed -n 's/.*skmem:(r[0-9]*,rb\([0-9]*\),t[0-9]*,tb\([0-9]*\),.*/\2 \1/p')
	check_is "$buffers" "$1 $2" "send and receive buffer by ss"
	check_is "$(state source sndbuf) $(state source rcvbuf)" "$1 $2" \
		"send and receive buffer by getsockopt"
}

fixed_sets_both_buffers()
{
	local family

	both sender fixed receiver fixed fixed_send 300000 fixed_recv 400001
	for family in 4 6; do
		flow "$family" rate 2000000
		wait_for "fixed buffers over IPv$family" is_steered fixed fixed 299999 400001
		ss_agrees 299999 400001
		check_is "$(state source locks)" 1 "the send buffer alone is locked over IPv$family"
		peers_end
	done
}

a_fixed_size_follows_its_knob()
{
	flow 4 rate 2000000
	wait_for "fixed buffers" is_steered fixed fixed 299999 400001
	both fixed_send 200000 fixed_recv 800000
	wait_for "other fixed buffers" is_steered fixed fixed 199999 799999
	both fixed_recv 150000
	wait_for "a smaller receive buffer" is_steered fixed fixed 199999 149999
	both fixed_send 202000 fixed_recv 151001
	wait_for "a little more of each" is_steered fixed fixed 201999 151001
	both fixed_send 201500 fixed_recv 150501
	wait_for "a little less of each" is_steered fixed fixed 201499 150501
	peers_end
}

max_gives_all_that_the_pool_allows()
{
	both sender stock receiver max
	flow 6 rate 2000000
	wait_is "max at the server" "max $(ours 16777216)" at_server receiver rcv_applied
	wait_is "max at the client" "max $(ours 16777216)" at_client receiver rcv_applied
	peers_end
}

stock_leaves_all_to_the_kernel()
{
	both sender stock receiver stock
	flow 4 rate 2000000
	wait_is "stock at the server" "stock stock" at_server sender receiver
	wait_is "stock at the client" "stock stock" at_client sender receiver
	check_is "$(state source locks) $(state sink locks)" "0 0" "locks"
	peers_end
}

# Between 2 windows' payload and what 4 of them can cost at the most: a byte costs
# up to SKB_TRUESIZE / mss, below 3 at Ethernet's mss.
within_the_band()
{
	local sender cwnd mss applied

	read -r sender cwnd mss applied <<< "$(at_client sender cwnd mss snd_applied)"
	[ "$sender" = atbt ] && [ "$cwnd" -ge 10 ] &&
		[ $((applied * 17 / 16)) -ge $((2 * cwnd * mss)) ] &&
		[ "$applied" -le $((4 * cwnd * mss * 3)) ]
}

atbt_follows_the_window()
{
	local family before

	both sender atbt receiver max
	for family in 4 6; do
		flow "$family" rate 10000000
		wait_for "a send buffer of 2 to 4 windows over IPv$family" within_the_band
		wait_num "a window that grew" -gt 60 at_client cwnd
		wait_for "a send buffer that followed" within_the_band
		before=$(at_client snd_applied)
		check_num "$before" -gt $((2 * 60 * 1400)) "send buffer"
		check_is "$(at_server sender)" atbt "sender of the accepting end"
		peers_end
	done
}

# A steady flow needs a window of 2 x rate x RTT, by either policy while nothing is
# lost; the buffer has to hold that at the kernel's overhead, 4 times at the most. With
# plenty of memory the buffer stays when the rate falls, for the next burst. Each
# wait is for a figure of its own: what a slow machine's jitter adds for a moment is
# never what the next is compared with.
demand_follows_the_rate() # POLICY FAMILY
{
	local policy=$1 family=$2 rate=2000000 faster=4 bdp began

	sysctl_set "$server" tcp_rmem "4096 16384 6291456"
	both sender atbt receiver "$policy"
	bdp=$((rate * RTT_MS / 1000))
	flow "$family" rate "$rate"
	wait_num "$policy: room for 2 x BDP" -ge $((2 * bdp)) at_server rcv_applied
	wait_num "$policy: not much more" -le $((2 * 4 * bdp)) at_server rcv_demand
	tell source "rate $((faster * rate))"
	wait_num "$policy: grows with the rate" -ge $((2 * faster * bdp)) at_server rcv_applied
	wait_num "$policy: and comes to rest" -le $((2 * 4 * faster * bdp)) at_server rcv_demand
	tell source "rate $rate"
	pause "$KEPT"
	check_num "$(at_server rcv_applied)" -ge $((2 * faster * bdp)) "bytes for a burst"
	knobs "$server" recv_pool $((SHORT_BDPS * bdp))
	tell source "rate $((faster * rate))"
	wait_num "$policy: grows again" -ge $((2 * faster * bdp)) at_server rcv_applied
	began=$(now_ms)
	tell source "rate $rate"
	wait_num "$policy: shrinks with the rate" -le $((2 * 4 * bdp)) at_server rcv_applied
	# an emulated processor takes time of its own
	[ "${ABT_LAB:-}" != virtual ] || check_num $(($(now_ms) - began)) -le $((FALL_TRIPS * RTT_MS)) "ms to a smaller buffer"
	knobs "$server" recv_pool "$POOL"
	check_is "$(at_server receiver)" "$policy" "receiver's policy"
	peers_end
}

drs_follows_the_rate() { demand_follows_the_rate drs 4; }
tbt_plr_follows_the_rate() { demand_follows_the_rate tbt_plr 6; }

# With the largest window scale an offer is rounded up to 16 KB, and an ACK covers two
# segments: what `max` offered has to go down all the same, and not only when a base
# round trip is taken anew, after 10 s.
a_coarse_scale_drains()
{
	local bdp=$((${LINK_RATE%mbit} * RTT_MS * 1000 / 8))

	both sender stock receiver max
	sysctl_set "$server" tcp_rmem "4096 131072 1073741824"
	ip -n "$client" link set dev v1 gso_max_segs 1
	flow 4
	wait_is "all that the pool allows" "$(ours 16777216)" at_server rcv_applied
	knobs "$server" receiver tbt_plr
	pause 3
	WAIT_SECONDS=$((WAIT_SECONDS / 6)) \
		wait_num "room for 2 x BDP" -le $((2 * 3 * bdp)) at_server rcv_applied
	peers_end
	ip -n "$client" link set dev v1 gso_max_segs 65535
}

# A path that holds three granules: what slow start had stand in its queue goes down, too.
a_path_of_few_granules_drains()
{
	local rate=20 bdp

	bdp=$((rate * RTT_MS * 1000 / 8))
	both sender stock receiver tbt_plr
	sysctl_set "$server" tcp_rmem "4096 131072 1073741824"
	ip -n "$client" link set dev v1 gso_max_segs 1
	tc -n "$client" qdisc change dev v1 root netem delay $((RTT_MS / 2))ms rate "${rate}mbit" limit 170
	flow 4
	pause 4
	check_num "$(at_server rcv_applied)" -le $((2 * 3 * bdp)) "room for 2 x BDP"
	peers_end
	tc -n "$client" qdisc change dev v1 root netem delay $((RTT_MS / 2))ms rate "$LINK_RATE" limit 20000
	ip -n "$client" link set dev v1 gso_max_segs 65535
}

alpha_in_thousandths() { at_server alpha | awk '{ print $1 * 1000 }'; }

lose() { tc -n "$client" qdisc change dev v1 root netem delay $((RTT_MS / 2))ms limit 20000 loss "$1"; }

# Behind a lost segment all arrive out of order: alpha falls, and comes back.
alpha_falls_with_loss()
{
	both receiver tbt_plr
	flow 4 rate 4000000
	wait_num "alpha 1 without loss" -eq 1000 alpha_in_thousandths
	lose 4%
	wait_num "alpha below 0.9 with loss" -lt 900 alpha_in_thousandths
	lose 0%
	wait_num "alpha 1 again" -eq 1000 alpha_in_thousandths
	peers_end
}

# A congestion window that losses have cut counts as the initial one, of 10 segments; and
# while there is plenty, a buffer is no less than the kernel opens one with: that window
# twice, at the worst that a byte costs, above 2 at Ethernet's mss.
a_cut_window_keeps_the_least()
{
	local cwnd mss applied

	both sender atbt receiver max
	flow 4 rate 10000000
	wait_num "a window that grew" -gt 20 at_client cwnd
	lose 30%
	wait_num "a window that losses cut" -lt 5 at_client cwnd
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		read -r cwnd mss applied <<< "$(at_client cwnd mss snd_applied)"
		check_num "$applied" -ge $((2 * 10 * 2 * mss)) "send buffer at a window of $cwnd"
		pause 0.1
	done
	lose 0%
	wait_num "a window that came back" -gt 20 at_client cwnd
	wait_for "a send buffer of 2 to 4 windows again" within_the_band
	peers_end
}

# By the throughput equation: without loss the receiver's window, with loss a part of it.
sabt_follows_the_losses()
{
	local before

	both sender sabt receiver max
	flow 4 rate 10000000
	wait_is "sabt at the client" sabt at_client sender
	wait_num "the receiver's window without loss" -ge 200000 at_client snd_applied
	before=$(at_client snd_applied)
	lose 4%
	wait_num "less than half with loss" -lt $((before / 2)) at_client snd_applied
	check_is "$(state source locks)" 1 "the send buffer is locked"
	lose 0%
	peers_end
}

observe_applies_nothing()
{
	both mode observe sender atbt receiver drs
	flow 4 rate 4000000
	wait_num "a demand is shown" -gt 0 at_server rcv_demand
	wait_is "reason at the server" observe at_server rcv_reason
	wait_is "reason at the client" observe at_client snd_reason
	check_is "$(state source locks) $(state sink locks)" "0 0" "locks"
	peers_end
	both mode on
}

tests_run fixed_sets_both_buffers a_fixed_size_follows_its_knob \
	max_gives_all_that_the_pool_allows stock_leaves_all_to_the_kernel \
	atbt_follows_the_window drs_follows_the_rate tbt_plr_follows_the_rate a_coarse_scale_drains \
	a_path_of_few_granules_drains \
	alpha_falls_with_loss a_cut_window_keeps_the_least sabt_follows_the_losses \
	observe_applies_nothing
