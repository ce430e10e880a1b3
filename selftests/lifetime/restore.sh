#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The module goes, or a namespace is turned off, in the middle of transfers: they go on
# under the kernel's own tuning, from within the administrator's limits.
#
#	server ---- 10.0.1.0/24, fd00:1::/64 ---- client
. ./lib.sh

PORT=5001
FLOWS=3
RATE=3000000

setup_ns server client
link_ns "$server" "$client" 10
for ns in "$server" "$client"; do
	sysctl_set "$ns" tcp_rmem "4096 131072 700000"
	sysctl_set "$ns" tcp_wmem "4096 16384 600000"
done
CEILINGS="4096 131072 700000 4096 16384 600000"

ceilings() { { sysctl_get "$1" tcp_rmem; sysctl_get "$1" tcp_wmem; } | xargs; }

transfer() # ADDRESS
{
	sink_and_source "$1" "$PORT" conns "$FLOWS" rate "$RATE"
}

readonly FIXED_SEND=3000000

# All sockets of an end: no locks, and within the ceilings. A receive buffer may not go
# below what is already offered; the window to come is within the ceilings at once. A send
# buffer may not go below half of what is queued, which is no more than what it was.
handed_back() # NAME
{
	local name=$1 sndbuf clamp locks

	: > "$SCRATCH/$name"
	tell "$name" state
	wait_for "$name tells its state" has_lines "$name" '^state' "$FLOWS"
	while read -r _ _ sndbuf _ _ _ locks _ clamp; do
		check_is "$locks" 0 "locks at the $name"
		check_num "$sndbuf" -le $((FIXED_SEND / 2)) "send buffer at the $name"
		check_num "$clamp" -le 700000 "window clamp at the $name"
	done < <(grep '^state' "$SCRATCH/$name")
}

large_buffers()
{
	both mode on sender fixed receiver fixed fixed_send "$FIXED_SEND" fixed_recv 4000000
	wait_num "large buffers at the client" -gt 2000000 least conns "$client" remote:"$PORT" snd_applied
	wait_num "large buffers at the server" -gt 3000000 least conns "$server" local:"$PORT" rcv_applied
}

least() { "$@" | sort -n | head -n 1; }

rmmod_in_mid_transfer()
{
	local address

	for address in 10.0.1.1 fd00:1::1; do
		module_insert
		transfer "$address"
		large_buffers
		check "rmmod" module_remove
		check_is "$(ceilings "$server")" "$CEILINGS" "ceilings of the server"
		check_is "$(ceilings "$client")" "$CEILINGS" "ceilings of the client"
		handed_back source
		handed_back sink
		stop_and_receive "$FLOWS"
	done
}

off_in_mid_transfer()
{
	module_insert
	transfer 10.0.1.1
	large_buffers
	knobs "$server" mode off
	handed_back sink
	check_is "$(ceilings "$server")" "$CEILINGS" "ceilings of the server"
	check_is "$(conns "$server" local:"$PORT" local)" "" "connections still shown"
	check_num "$(least conns "$client" remote:"$PORT" snd_applied)" -gt 2000000 \
		"send buffers of the client, which is on"
	stop_and_receive "$FLOWS"
}

# The kernel tunes the receive buffer on, from what it starts with: it moves by itself.
the_kernel_tunes_on()
{
	knobs "$server" mode on receiver fixed fixed_recv 50000
	knobs "$client" mode on sender fixed
	sink_and_source 10.0.1.1 "$PORT" rate "$RATE"
	wait_is "a small receive buffer" 49999 conns "$server" local:"$PORT" rcv_applied
	knobs "$server" mode off
	wait_num "a receive buffer that grows" -gt 131072 state sink rcvbuf
	check_num "$(state sink rcvbuf)" -le 700000 "receive buffer"
	stop_and_receive 1
}

# Off and on again: the same sockets are taken in anew.
on_again()
{
	transfer 10.0.1.1
	large_buffers
	both mode observe
	handed_back source
	large_buffers
	stop_and_receive "$FLOWS"
	module_remove
	check_is "$(ceilings "$server")" "$CEILINGS" "ceilings of the server"
}

tests_run rmmod_in_mid_transfer off_in_mid_transfer the_kernel_tunes_on on_again
