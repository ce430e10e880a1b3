#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A pool that is too small for its flows: not overdrawn, shared equally at rest, with
# a newcomer, and after one has left.
#
#	server ---- 10.0.1.0/24 ---- client
#	   5 flows      5 ms each way
. ./lib.sh

PORT=500
SIZE=2097152
CROWD=32		# whose floors are most of the pool of their case
CROWD_OPENS=8192	# bytes of buffer: less than a floor, so that a floor is what they get
CROWD_BYTES=10000	# what each of them says: more than a floor, or the module would not look at it
SILENT_S=2		# ten times what makes a silent one idle
ANSWER_S=0.4		# from one answer to the next: ten times what makes a sender idle in need

# A window that was offered is kept even where its segments take more memory than the
# kernel reckoned with, as they do while a reader lags. Until it caught up, a pool can
# be over its size by that: 5 % was seen where one processor emulates both ends.
HELD_PART=4	# of the size

setup_ns server client
link_ns "$server" "$client" 5
module_insert
knobs "$server" recv_pool $SIZE send_pool $SIZE receiver max path_headroom 0
knobs "$client" recv_pool $SIZE send_pool $SIZE sender fixed fixed_send 4194304

start() { peer "source$1" "$client" connect 10.0.1.1 "$PORT""$1"; }

stop() { peer_end "source$1"; }

# Of all connections' buffers: their number, the least, the most, the sum.
summary() # NS COLUMN
{
	local row buffer

	count=0 least=0 most=0 sum=0
	table "$1" tcp_abt
	for row in "${ROWS[@]}"; do
		fields "$row"
		[ "${FIELD[cwnd]}" != 0 ] || continue
		buffer=${FIELD[$2]}
		[ "$count" != 0 ] && [ "$least" -le "$buffer" ] || least=$buffer
		[ "$most" -ge "$buffer" ] || most=$buffer
		sum=$((sum + buffer))
		count=$((count + 1))
	done
}

# COUNT equal shares, to 1/16 (a bucket) and 1/16 (growth that is not worth while).
shares_are_equal() # NS recv|send COLUMN COUNT
{
	local charged

	summary "$1" "$3"
	charged=$(pool "$1" "$2" net charged)
	SHARES="$count buffers from $least to $most, $sum in all, $charged charged"
	[ "$count" = "$4" ] && [ "$sum" -le "$SIZE" ] && [ "$charged" -le "$SIZE" ] &&
		[ $((least * 8)) -ge $((most * 7)) ] && [ $((least * $4 * 8)) -ge $((SIZE * 7)) ]
}

# Whose share is not equal, and why.
say_rows() # NS
{
	local row

	table "$1" tcp_abt
	say "${TITLES[*]}"
	for row in "${ROWS[@]}"; do
		say "$row"
	done
}

equal_shares() # COUNT
{
	wait_for "$1 equal shares of the receive pool" shares_are_equal "$server" recv rcv_applied "$1" ||
		say_rows "$server"
	say "receive pool: $SHARES"
	wait_for "$1 equal shares of the send pool" shares_are_equal "$client" send snd_applied "$1" ||
		say_rows "$client"
	say "send pool: $SHARES"
}

# While others give back a newcomer has what it came with; that, and what is held, is all
# that there may be above the size. In motion only the pool itself can say what is handed
# out at one moment: lines of connections are each of a moment of their own.
never_overdrawn() # NEWCOMERS
{
	local newcomers=$(($1 * 200000))

	check_num "$(pool "$server" recv net charged)" -le $((SIZE + SIZE / HELD_PART + newcomers)) \
		"charge of the receive pool"
	check_num "$(pool "$client" send net charged)" -le $((SIZE + newcomers)) "charge of the send pool"
}

four_share_equally()
{
	local i

	for i in 1 2 3 4 5; do
		peer "sink$i" "$server" listen 10.0.1.1 "$PORT""$i"
	done
	for i in 1 2 3 4; do
		start "$i"
		never_overdrawn 1
	done
	equal_shares 4
}

a_newcomer_gets_its_share()
{
	start 5
	for _ in 1 2 3 4 5; do
		never_overdrawn 1
	done
	equal_shares 5
}

one_that_leaves_gives_back()
{
	stop 1
	for _ in 1 2 3 4 5; do
		never_overdrawn 0
	done
	equal_shares 4
}

# Other demands, other sizes: the policies that measure, in a pool below what they
# start with.
measured_demands_share_equally()
{
	SIZE=262144
	knobs "$server" recv_pool "$SIZE" receiver tbt_plr
	knobs "$client" send_pool "$SIZE" sender atbt
	start 1
	equal_shares 5
	knobs "$server" receiver drs
	equal_shares 5
}

# No data for longer than a second, while there is less than is asked for, by an emulated
# processor as well: its least, which is below a tenth of its share here, and more for the others.
an_idle_one_gives_way()
{
	SIZE=524288
	knobs "$server" recv_pool "$SIZE" receiver drs
	knobs "$client" send_pool "$SIZE" sender fixed fixed_send 4194304
	equal_shares 5
	kill -STOP "${PEER_PID[source5]}"
	wait_num "demand of the idle one" -lt $((SIZE / 50)) \
		conns "$server" local:"${PORT}"5 rcv_demand
	for i in 1 2 3 4; do
		wait_num "share of the others" -ge $((SIZE * 7 / 32)) \
			conns "$server" local:"${PORT}$i" rcv_applied
	done
	kill -CONT "${PEER_PID[source5]}"
	equal_shares 5
}

a_small_demand_is_met_in_full()
{
	local small

	SIZE=2097152
	knobs "$server" recv_pool "$SIZE" receiver max
	small=$(conns "$server" local:"${PORT}"1 rcv_applied)
	tell sink1 "rcvbuf 50000"
	wait_is "one is the application's" app conns "$server" local:"${PORT}"1 receiver
	wait_num "the others share the rest" -ge $(((SIZE - 100000) * 7 / 32)) \
		conns "$server" local:"${PORT}"2 rcv_applied
	wait_num "and it is more" -gt "$small" conns "$server" local:"${PORT}"2 rcv_applied
	never_overdrawn 0
}

# Newcomers get their floors at once, and are charged for them. When they have said
# something and fall silent they are charged for what is in them, or a crowd of such
# would keep the pool from one that has much to move.
a_silent_crowd_gives_way()
{
	local max

	SIZE=524288
	peers_end
	max=$(in_ns "$server" sysctl -n net.ipv4.tcp_rmem)
	in_ns "$server" sysctl -qw net.ipv4.tcp_rmem="4096 $CROWD_OPENS ${max##*[[:space:]]}"
	knobs "$server" recv_pool "$SIZE" receiver drs
	knobs "$client" send_pool $((CROWD * 2 * 4194304))
	peer sink7 "$server" listen 10.0.1.1 "${PORT}"7
	start 7
	wait_num "buffer of one alone" -ge $((SIZE * 7 / 8)) conns "$server" local:"${PORT}"7 rcv_applied
	peer crowd_sink "$server" listen 10.0.1.1 "${PORT}"6
	peer crowd "$client" connect 10.0.1.1 "${PORT}"6 conns "$CROWD" send "$CROWD_BYTES"
	wait_is "the crowd is there" $((CROWD + 1)) pool "$server" recv net conns
	pause "$SILENT_S"
	wait_num "buffer of the one that goes on" -ge $((SIZE * 7 / 8)) \
		conns "$server" local:"${PORT}"7 rcv_applied
	check_num "$(pool "$server" recv net charged)" -le "$SIZE" "charge of the pool"
}

# Of those who answer now and then most have just answered. In need, they do not keep for a
# retransmission timeout, which is longer than their pauses here, what is empty.
who_has_just_answered_gives_way()
{
	local answers

	peers_end
	knobs "$client" send_pool 262144 sender atbt
	ip -n "$client" route replace 10.0.1.0/24 dev v1 rto_min 1s
	peer sink8 "$server" listen 10.0.1.1 "${PORT}"8
	start 8
	peer sink9 "$server" listen 10.0.1.1 "${PORT}"9
	peer source9 "$client" connect 10.0.1.1 "${PORT}"9 send 0
	while :; do
		tell source9 "send 100000"
		pause "$ANSWER_S"
	done &
	answers=$!
	wait_num "it asks for something" -gt 0 conns "$client" remote:"${PORT}"9 snd_demand
	wait_num "and between two answers for nothing" -eq 0 conns "$client" remote:"${PORT}"9 snd_demand
	kill "$answers"
	wait "$answers" 2> /dev/null
}

the_pool_is_empty_in_the_end()
{
	peers_end
	wait_is "no charge in the receive pool" 0 pool "$server" recv net charged
	wait_is "no charge in the send pool" 0 pool "$client" send net charged
	wait_is "level" inf pool "$server" recv net level
}

tests_run four_share_equally a_newcomer_gets_its_share one_that_leaves_gives_back \
	measured_demands_share_equally an_idle_one_gives_way a_small_demand_is_met_in_full \
	a_silent_crowd_gives_way who_has_just_answered_gives_way the_pool_is_empty_in_the_end
