#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# tcp_shrink_window: the kernel rounds a window down to a granule of the window scale, which
# is 16 KB below a ceiling of 1 GiB. A small receive buffer of an application's still has a
# window, whether the sysctl was on before its connection or not.
#
#	client: sends 1 MB ---- 10.0.1.0/24 ---- server: sets SO_RCVBUF after accept()
. ./lib.sh

PORT=5001
BYTES=1000000
SMALL=8192		# SO_RCVBUF of the application
LIMIT_MS=2000		# without the module: 0.3 s
POOL=$((1 << 31))	# of which a connection may have 1 GiB: a scale of 14
CEILING_OF_SCALE_10=$((1 << 26))

setup_ns server client
link_ns "$server" "$client" 5
module_insert
knobs "" recv_pool "$POOL"
knobs "$server" recv_pool "$POOL"

# arrives MS: what is left of the stream, by then
arrives()
{
	local began

	began=$(now_ms)
	received sink 1 "$1"
	say "$(($(now_ms) - began)) ms"
	check_num $(($(now_ms) - began)) -le "$LIMIT_MS" "ms that $1 bytes took"
	peers_end
	sysctl_set "$server" tcp_shrink_window 0
}

the_ceiling_stays_below_a_scale_of_11()
{
	wait_num "without the sysctl, tcp_rmem[2]" -gt "$CEILING_OF_SCALE_10" ceiling "$server"
	sysctl_set "$server" tcp_shrink_window 1
	knobs "$server" alpha_signal queue
	check_num "$(ceiling "$server")" -lt "$CEILING_OF_SCALE_10" "tcp_rmem[2] with it"
	sysctl_set "$server" tcp_shrink_window 0
	knobs "$server" alpha_signal epoch
	check_num "$(ceiling "$server")" -gt "$CEILING_OF_SCALE_10" "tcp_rmem[2] without it again"
}

# Steps of connections look at the sysctl.
traffic_follows_the_sysctl()
{
	sink_and_source 10.0.1.1 "$PORT" rate 1000000
	wait_is "a record" 1 count_conns "$server" local:"$PORT"
	sysctl_set "$server" tcp_shrink_window 1
	wait_num "tcp_rmem[2] with the sysctl" -lt "$CEILING_OF_SCALE_10" ceiling "$server"
	stop_and_receive 1
	sysctl_set "$server" tcp_shrink_window 0
}

an_administrator_s_larger_ceiling_stays()
{
	knobs "$server" mode off
	sysctl_set "$server" tcp_rmem "4096 131072 $((1 << 28))"
	sysctl_set "$server" tcp_shrink_window 1
	knobs "$server" mode on
	check_num "$(ceiling "$server")" -ge $((1 << 28)) "tcp_rmem[2]"
	sysctl_set "$server" tcp_shrink_window 0
	knobs "$server" mode off
	sysctl_set "$server" tcp_rmem "4096 131072 $((6 << 20))"
	knobs "$server" mode on
}

the_sysctl_is_on_before_the_connection()
{
	sysctl_set "$server" tcp_shrink_window 1
	sink_and_source 10.0.1.1 "$PORT" send 0 bytes "$BYTES"
	wait_for "it is accepted" accepted
	tell sink "rcvbuf $SMALL"
	tell source "send -1"
	arrives "$BYTES"
}

accepted() { answer sink moved && [ "${WORDS[3]}" = 1 ]; }

the_sysctl_is_turned_on_later()
{
	sink_and_source 10.0.1.1 "$PORT" send 200000 bytes "$BYTES"
	wait_for "some arrived" moved_at_least 200000
	sysctl_set "$server" tcp_shrink_window 1
	tell sink "rcvbuf $SMALL"
	tell source "send -1"
	arrives "$BYTES"
}

moved_at_least() { answer sink moved && [ "${WORDS[1]}" -ge "$1" ]; }

tests_run the_ceiling_stays_below_a_scale_of_11 traffic_follows_the_sysctl \
	an_administrator_s_larger_ceiling_stays the_sysctl_is_on_before_the_connection \
	the_sysctl_is_turned_on_later
