#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What an application or the administrator set is left alone.
#
#	server ---- 10.0.1.0/24 ---- client
. ./lib.sh

PORT=5001
RAISED=2000000		# an SO_RCVBUF, of which the kernel makes twice as much
RMEM_MAX=/proc/sys/net/core/rmem_max

setup_ns server client
link_ns "$server" "$client" 5
module_insert
both recv_pool 16777216 send_pool 16777216

# The kernel's own tuning would move the application's clamp with the buffer.
sysctl_set "$server" tcp_moderate_rcvbuf 0
sysctl_set "$client" tcp_moderate_rcvbuf 0

ends() # SETTINGS OF THE LISTENING END -- SETTINGS OF THE CONNECTING END
{
	local listening=()

	while [ "$1" != -- ]; do
		listening+=("$1"); shift
	done
	shift
	peer sink "$server" listen 10.0.1.1 "$PORT" "${listening[@]}"
	peer source "$client" connect 10.0.1.1 "$PORT" rate 20000000 "$@"
}

# A second of traffic: time enough for any wrong decision.
traffic() { pause 1; }

# The kernel doubles what setsockopt() is given; TCP_WINDOW_CLAMP it takes as it is.
set_before_connect()
{
	ends -- sndbuf 100000 rcvbuf 90000
	wait_is "the client's own" "app app" at_client sender receiver
	wait_is "the server's other end is managed" "atbt tbt_plr" at_server sender receiver
	traffic
	check_is "$(state source sndbuf) $(state source rcvbuf) $(state source locks)" \
		"200000 180000 3" "buffers and locks of the client"
	peers_end
}

set_before_listen()
{
	ends sndbuf 100000 rcvbuf 90000 --
	wait_is "the server's own" "app app" at_server sender receiver
	wait_is "the client's other end is managed" "atbt tbt_plr" at_client sender receiver
	traffic
	check_is "$(state sink sndbuf) $(state sink rcvbuf) $(state sink locks)" \
		"200000 180000 3" "buffers and locks of the server"
	peers_end
}

set_in_mid_connection()
{
	ends --
	wait_is "both are managed at first" "atbt tbt_plr" at_client sender receiver
	wait_is "both are managed at first" "atbt tbt_plr" at_server sender receiver
	tell source "sndbuf 150000"
	tell sink "rcvbuf 160000"
	wait_is "the send buffer is the application's" "app tbt_plr" at_client sender receiver
	wait_is "the receive buffer is the application's" "atbt app" at_server sender receiver
	traffic
	check_is "$(state source sndbuf)" 300000 "send buffer"
	check_is "$(state sink rcvbuf)" 320000 "receive buffer"
	check_is "$(at_client snd_reason) $(at_server rcv_reason)" "app app" "reasons"
	peers_end
}

# The window that the module had is no bound of a buffer that is larger.
raised_in_mid_connection()
{
	local most

	most=$(< "$RMEM_MAX")
	echo "$RAISED" > "$RMEM_MAX"
	ends --
	traffic
	wait_is "managed at first" tbt_plr at_server receiver
	tell sink "rcvbuf $RAISED"
	wait_is "the receive buffer is the application's" app at_server receiver
	traffic
	check_is "$(state sink rcvbuf)" $((2 * RAISED)) "receive buffer"
	check_num "$(state sink clamp)" -ge "$RAISED" "window that it may have"
	peers_end
	echo "$most" > "$RMEM_MAX"
}

# SO_BUF_LOCK of 0 asks for a buffer that is tuned, so it may not become what the module's ceiling allows
lock_cleared()
{
	ends --
	wait_is "managed at first" atbt at_client sender
	tell source "sndbuf 150000"
	wait_is "the application's" app at_client sender
	tell source "locks 0"
	wait_is "managed again" atbt at_client sender
	peers_end
}

# What setsockopt() leaves is even, what we leave is odd.
set_to_what_it_is_anyway()
{
	local send receive

	knobs "$client" sender fixed
	knobs "$server" receiver fixed
	ends --
	wait_is "the client's is fixed" fixed at_client sender
	wait_is "the server's is fixed" fixed at_server receiver
	traffic
	send=$(state source sndbuf)
	receive=$(state sink rcvbuf)
	tell source "sndbuf $((send / 2))"
	tell sink "rcvbuf $((receive / 2))"
	wait_is "the send buffer is the application's" app at_client sender
	wait_is "the receive buffer is the application's" app at_server receiver
	peers_end
	knobs "$client" sender atbt
	knobs "$server" receiver tbt_plr
}

# The kernel's own tuning, which the socket is left to, goes over the clamp as soon as it
# grows the buffer (with no module as well): hands off shows in buffer and locks.
clamp_before_listen()
{
	ends clamp 40000 --
	wait_is "the clamp is the application's" app at_server receiver
	traffic
	check_is "$(($(state sink rcvbuf) % 2)) $(state sink locks)" "0 0" "no mark of ours, and no lock"
	check_num "$(state sink rcvbuf)" -le 6291456 "receive buffer, the kernel's"
	peers_end
}

clamp_before_connect()
{
	ends -- clamp 40000
	wait_is "the clamp is the application's" "atbt app" at_client sender receiver
	traffic
	check_is "$(state source clamp)" 40000 "window clamp of the client"
	peers_end
}

clamp_in_mid_connection()
{
	ends --
	wait_is "managed at first" tbt_plr at_server receiver
	tell sink "clamp 50000"
	wait_is "the clamp is the application's" app at_server receiver
	traffic
	check_is "$(state sink clamp)" 50000 "window clamp"
	peers_end
}

# It is not ours to share out, but it is gone from the pool.
an_own_buffer_is_charged()
{
	ends rcvbuf 1000000 --
	wait_is "the server's own" app at_server receiver
	wait_is "the charge" "$(state sink rcvbuf)" pool "$server" recv net charged
	peers_end
}

# In mid-transfer: grants stay below it, and mode=off puts nothing back over it.
the_administrator_wins()
{
	local said

	ends --
	wait_num "a receive buffer that grew" -gt 150000 at_server rcv_applied
	said=$(dmesg | grep -c 'tcp_rmem was written')
	sysctl_set "$server" tcp_rmem "4096 100000 150000"
	knobs "$server" receiver max
	wait_num "grants within the new limit" -le 150000 at_server rcv_applied
	traffic
	# the buffer may be above it for a moment, for what waits; the grant may not
	check_num "$(at_server rcv_grant)" -le 150000 "grant"
	wait_num "receive buffer" -le 150000 at_server rcv_applied
	wait_is "the reason" admin at_server rcv_reason
	# another namespace's write is no line of its own
	sysctl_set "$client" tcp_rmem "4096 100000 150000"
	knobs "$client" mode off mode on
	check_num "$(dmesg | grep -c 'tcp_rmem was written')" -eq $((said + 1)) \
		"times that it was said"
	check_is "$(sysctl_get "$server" tcp_rmem | xargs)" "4096 100000 150000" "tcp_rmem while on"
	knobs "$server" mode off
	check_is "$(sysctl_get "$server" tcp_rmem | xargs)" "4096 100000 150000" "tcp_rmem after"
	check_num "$(sysctl_get "$server" tcp_wmem | cut -f3)" -lt 16777216 \
		"tcp_wmem, which nobody wrote: restored"
	peers_end
	knobs "$server" mode on receiver tbt_plr
}

# tcp_mem[1] divided by that
set_tcp_mem()
{
	local low mark high

	read -r low mark high <<< "$TCP_MEM"
	sysctl_set "" tcp_mem "$((low / $1)) $((mark / $1)) $((high / $1))"
	SEND=$(host_pool send $((mark / $1)))
	RECV=$(host_pool recv $((mark / $1)))
}

# Seen by whichever connection moves something: an old one, too.
the_hosts_pools_follow_tcp_mem()
{
	local TCP_MEM SEND RECV part

	TCP_MEM=$(sysctl_get "" tcp_mem)
	ends --
	for part in 8 1; do
		set_tcp_mem "$part"
		# first what can be seen without asking the module
		wait_is "tcp_rmem[2] of the first namespace, tcp_mem / $part" \
			"$((RECV < 1 << 30 ? RECV : 1 << 30))" ceiling ""
		check_is "$(pool "" recv host size)" "$RECV" "receive pool of the host, tcp_mem / $part"
		check_is "$(pool "" send host size)" "$SEND" "send pool of the host, tcp_mem / $part"
	done
	peers_end
}

# No segment moves that could see it.
who_asks_is_told_the_size_that_it_has_now()
{
	local TCP_MEM SEND RECV part

	TCP_MEM=$(sysctl_get "" tcp_mem)
	for part in 8 1; do
		set_tcp_mem "$part"
		check_is "$(pool "" recv host size)" "$RECV" "receive pool of the host, tcp_mem / $part, at once"
		check_is "$(ceiling "")" "$((RECV < 1 << 30 ? RECV : 1 << 30))" "and tcp_rmem[2]"
	done
}

a_pool_that_was_sized_does_not()
{
	local TCP_MEM SEND RECV

	TCP_MEM=$(sysctl_get "" tcp_mem)
	knobs "" recv_pool 33554432
	set_tcp_mem 8
	ends --
	wait_is "send pool of the host" "$SEND" pool "" send host size
	check_is "$(pool "" recv host size)" 33554432 "receive pool of the host"
	peers_end
	knobs "" recv_pool 0
	set_tcp_mem 1
}

# 100 of 180000 bytes would take all of the pool four times over. Nothing goes through
# them: one that has something to move gets what it needs.
idle_buffers_of_its_own_are_promises()
{
	knobs "$server" recv_pool 4000000
	peer idle "$server" listen 10.0.1.1 5002 rcvbuf 90000
	peer crowd "$client" connect 10.0.1.1 5002 conns 100 send 10000
	wait_num "connections of the crowd" -eq 100 count_conns "$server" local:5002
	pause 1
	ends --
	wait_num "what the busy one asks for" -gt 200000 at_server rcv_demand
	pause 1
	wait_num "what it is granted" -gt 200000 at_server rcv_grant
	wait_num "what all ask for" -le 4000000 pool "$server" recv net demand
	tell crowd "send 10000"
	pause 0.2
	tell crowd stop
	received idle 100 20000
	peers_end
	knobs "$server" recv_pool 16777216
}

# 2^52 pages are 2^64 bytes.
an_absurd_tcp_mem_is_bounded()
{
	local before

	before=$(sysctl_get "" tcp_mem)
	sysctl_set "" tcp_mem "4503599627370496 4503599627370496 4503599627370496"
	ends --
	wait_num "receive pool of the host" -gt $((1 << 38)) pool "" recv host size
	peers_end
	sysctl_set "" tcp_mem "$before"
	ends --
	wait_num "receive pool of the host" -lt $((1 << 38)) pool "" recv host size
	peers_end
}

tests_run set_before_connect set_before_listen set_in_mid_connection raised_in_mid_connection lock_cleared \
	set_to_what_it_is_anyway clamp_before_listen \
	clamp_before_connect clamp_in_mid_connection an_own_buffer_is_charged idle_buffers_of_its_own_are_promises an_absurd_tcp_mem_is_bounded \
	the_administrator_wins the_hosts_pools_follow_tcp_mem \
	who_asks_is_told_the_size_that_it_has_now a_pool_that_was_sized_does_not
