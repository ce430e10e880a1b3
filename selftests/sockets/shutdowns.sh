#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Every order of shutdown(), close() and disconnecting: the same program on this kernel without the
# module and with it moves the same bytes, ends the same way, and has 95 % of the throughput.
#
#	server ---- 10.0.1.0/24, 200 Mbit/s, 50 ms each way ---- client
WAIT_SECONDS=600	# as long as all orders take together
. ./lib.sh

THROUGHPUT=95		# percent of what the kernel has without the module
SMALL_LIMIT=1000000	# bytes: a fifth of what the path holds, in truesize
HALF_CLOSE_MBIT=125	# 95 % of the 131.5 Mbit/s that the kernel has without the module

setup_ns server client
link_ns "$server" "$client" 50 200mbit

# run_orders NAME: into the file NAME-all; CHILDREN is what the module shows of a once-managed socket's
run_orders()
{
	puppet "$1" "$client" "$SHUTDOWNS" "$client" "$server" 10.0.1.1
	CHILDREN=
	! module_loaded || CHILDREN=$(in_ns "$server" cat /proc/net/tcp_abt)
	tell "$1" go
	wait_for "$1: over" peer_ended "$1"
	grep -v ready "$SCRATCH/$1" > "$SCRATCH/$1-all"
	peer_end "$1"
}

# order_of FILE ORDER: microseconds, and what it came to
order_of() { awk -v order="$2" '$1 == order { sub(/^[^ ]+ /, ""); print }' "$SCRATCH/$1"; }

# as_stock ORDER: in the file "with-all", as in the file "stock-all"
as_stock()
{
	local stock seen

	stock=$(order_of stock-all "$1")
	seen=$(order_of with-all "$1")
	say "$1: ${seen%% *} us, without the module ${stock%% *}; ${seen#* }"
	check_is "${seen#* }" "${stock#* }" "$1"
	check_num $((${seen%% *} * THROUGHPUT)) -le $((${stock%% *} * 100)) "$1: microseconds, times $THROUGHPUT"
}

half_closed_connections()
{
	local order us

	for order in half-close half-close-in-mid-download half-close-of-the-reader \
			half-close-of-the-reader-in-mid-upload half-close-in-both-directions \
			half-close-and-long-idle half-close-and-wait-for-a-message; do
		as_stock "$order"
	done
	read -r us _ <<< "$(order_of with-all half-close)"
	check_num $((50 * 8 * 1000000 / us)) -ge "$HALF_CLOSE_MBIT" "Mbit/s of a download that follows a half-close"
}

# largest_receive_buffer NS STATE: of any connection there in that state [bytes]
largest_receive_buffer()
{
	in_ns "$1" ss -tinmHO state "$2" |
		awk 'match($0, /,rb[0-9]+/) { rb = substr($0, RSTART + 3, RLENGTH - 3); if (rb > most) most = rb } END { print most + 0 }'
}

# half_closed ORDER: into LARGEST and LAST the receive buffer of a half-closed reader, of a small tcp_rmem[2]
half_closed()
{
	local now limit process

	LARGEST=0 LAST=0
	knobs "$client" mode off
	read -r _ _ limit <<< "$(sysctl_get "$client" tcp_rmem)"
	sysctl_set "$client" tcp_rmem "4096 131072 $SMALL_LIMIT"
	knobs "$client" mode on
	in_ns "$client" "$SHUTDOWNS" "$client" "$server" 10.0.1.1 "$1" > "$SCRATCH/bound" &
	process=$!
	while kill -0 "$process" 2> /dev/null; do
		now=$(largest_receive_buffer "$client" fin-wait-2)
		LARGEST=$((now > LARGEST ? now : LARGEST)) LAST=$((now > 0 ? now : LAST))
		pause 0.25
	done
	wait "$process" || fail "shutdowns: $(< "$SCRATCH/bound")"
	knobs "$client" mode off
	sysctl_set "$client" tcp_rmem "4096 131072 $limit"
	knobs "$client" mode on
}

# DRS takes the queue that it causes for the path, and twice of that. The module raised the ceiling there.
a_half_closed_reader_stays_within_the_limit()
{
	half_closed half-close
	say "receive buffer of a half-closed reader: $LARGEST bytes, limit $SMALL_LIMIT"
	check_num "$LARGEST" -gt 0 "bytes of its receive buffer"
	check_num "$LARGEST" -le $((2 * SMALL_LIMIT)) "bytes of its receive buffer"
	half_closed half-close-in-mid-download
	say "in mid-download: $LARGEST bytes at first, $LAST in the end"
	check_num "$LARGEST" -gt "$SMALL_LIMIT" "bytes of its receive buffer at first"
	check_num "$LAST" -le "$SMALL_LIMIT" "bytes of its receive buffer in the end"
}

shutdown_of_reading()
{
	as_stock shut-rd-of-the-uploader
	as_stock shut-rd-of-the-reader
}

shutdown_of_both() { as_stock shut-rdwr-of-the-sender; as_stock shut-rdwr-of-the-reader; }

close_in_mid_transfer()
{
	as_stock close-with-unread-data
	as_stock close-with-linger-of-0
	as_stock close-with-linger-of-10
}

a_socket_is_connected_again() { as_stock reconnect; }

# What the one that listens was locked with its children would have for good.
a_socket_listens_that_was_connected()
{
	as_stock children
	table_of /dev/stdin <<< "$CHILDREN"
	check_num "${#ROWS[@]}" -ge 4 "connections shown"
	check_is "$(rows_like sender app local)" "" "children whose send buffer is taken for the application's"
	check_is "$(rows_like receiver app local)" "" "children whose receive buffer is taken for the application's"
}

nothing_is_left() { pools_are_empty; }

run_orders stock
module_insert
run_orders with
tests_run half_closed_connections a_half_closed_reader_stays_within_the_limit shutdown_of_reading shutdown_of_both close_in_mid_transfer \
	a_socket_is_connected_again a_socket_listens_that_was_connected nothing_is_left
