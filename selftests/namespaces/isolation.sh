#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Namespaces side by side: each has its own policies, pools and view, and none can
# take more than the host gives.
#
#	+---+ 10.0.1.1   10.0.1.2 +-------+ 10.0.2.2   10.0.2.1 +---+
#	| a |---------------------| peers |---------------------| b |
#	+---+                     +-------+                     +---+
. ./lib.sh

setup_ns a b peers
link_ns "$a" "$peers" 2
link_ns "$b" "$peers" 2
module_insert

traffic()
{
	peer sinka "$a" listen 10.0.1.1 5001
	peer sinkb "$b" listen 10.0.2.1 5002
	peer sourcea "$peers" connect 10.0.1.1 5001 rate 5000000
	peer sourceb "$peers" connect 10.0.2.1 5002 rate 5000000
}

each_has_its_own_policies()
{
	knobs "$a" sender fixed receiver fixed fixed_send 100000 fixed_recv 200000
	knobs "$b" sender atbt receiver max recv_pool 3000000
	traffic
	wait_is "policies of a" "fixed 99999 fixed 199999" \
		conns "$a" local:5001 sender snd_applied receiver rcv_applied
	wait_is "policies of b" "atbt max 2999999" conns "$b" local:5002 sender receiver rcv_applied
}

each_sees_its_own_connections()
{
	check_is "$(conns "$a" local:5001 local)$(conns "$a" local:5002 local)" 10.0.1.1:5001 "in a"
	check_is "$(conns "$b" local:5001 local)$(conns "$b" local:5002 local)" 10.0.2.1:5002 "in b"
	wait_is "lines in the third, with the header" 3 in_ns "$peers" awk 'END { print NR }' /proc/net/tcp_abt
	check_is "$(awk 'END { print NR }' /proc/net/tcp_abt)" 1 "lines in the first namespace"
}

each_has_its_own_pool()
{
	check_is "$(pool "$a" recv net size)" "" "pool of a: the host's alone"
	check_is "$(pool "$b" recv net size)" 3000000 "pool of b"
	check_is "$(pool "$b" recv net conns)" 1 "members of it"
	wait_num "what the host charges both: more than b, less than their buffers" -gt "$(pool "$b" recv net charged)" \
		pool "$b" recv host charged
	check_num "$(pool "$b" recv host charged)" -lt $((199999 + 2999999)) "as shares follow use"
	check_is "$(pool "$b" recv host size)" "$(pool "" recv host size)" "size of the host's pool"
}

# Who draws on it, or has a larger one of its own, can be given no more than all of it.
the_hosts_pool_bounds_them_all()
{
	local before

	before=$(ceiling "$a")
	knobs "" recv_pool 1000000
	wait_is "ceiling of a" 1000000 ceiling "$a"
	wait_is "ceiling of b" 1000000 ceiling "$b"
	knobs "" recv_pool 0
	wait_is "ceiling of a as it was" "$before" ceiling "$a"
	wait_is "ceiling of b as it was" 3000000 ceiling "$b"
}

what_is_off_is_untouched()
{
	local buffer

	knobs "$b" mode off
	check_is "$(state sinkb locks)" 0 "locks in b"
	check_is "$(sysctl_get "$b" tcp_rmem)" "$(off_rmem)" "ceilings of b"
	check_is "$(conns "$b" local:5002 local)" "" "connections that b shows"
	# what was offered is more for a moment, where the reader lags
	wait_is "a, which is on" "fixed 199999" conns "$a" local:5001 receiver rcv_applied
	pause 0.5
	buffer=$(state sinkb rcvbuf)
	check_is "$(state sinkb locks)" 0 "locks in b, half a second later"
	check_num "$buffer" -le 6291456 "receive buffer in b"
}

# What a new namespace has when the module is off.
off_rmem()
{
	local ns=abt-fresh-$$

	ip netns add "$ns"
	in_ns "$ns" sh -c 'echo off > /proc/sys/net/ipv4/tcp_abt/mode; cat /proc/sys/net/ipv4/tcp_rmem'
	ip netns delete "$ns"
}

# In a namespace of its own it may set what it has, and that comes to no more than the
# host gives.
anyone_can_limit_itself_only()
{
	local said host

	peers_end
	host=$(pool "" recv host size)
	said=$(as_nobody unshare -Urn sh -c '
		cd /proc/sys/net/ipv4 || exit
		echo 100000 > tcp_abt/recv_pool && cat tcp_abt/recv_pool
		cut -f3 tcp_rmem
		echo 1099511627776 > tcp_abt/recv_pool && cat tcp_abt/recv_pool
		cut -f3 tcp_rmem
		awk "\$1 == \"recv\" { print \$2, \$3 }" /proc/net/tcp_abt_pool' 2>&1 | xargs)
	check_is "$said" "100000 131072 1099511627776 $((host < 1 << 30 ? host : 1 << 30)) net \
1099511627776 host $host" "what it set, its ceilings, its pools"
	check_is "$(pool "" recv host size)" "$host" "size of the host's pool"
	check "the host's own knobs are closed to it" \
		eval '! as_nobody sh -c "echo off > $KNOBS/mode" 2> /dev/null'
	check_is "$(sysctl_get "" tcp_abt/mode)" on "mode of the host"
}

# Before 6.6: how much of a buffer is window. Anybody may write it in a namespace of its own,
# and a window that is a small part makes for a large buffer.
a_scale_of_its_own_takes_little()
{
	local scale

	knobs "$a" sender atbt receiver tbt_plr
	for scale in -31 -4 31; do
		peer sinka "$a" listen 10.0.1.1 5001
		peer sourcea "$peers" connect 10.0.1.1 5001 rate 4000000
		wait_is "the receiver is managed" tbt_plr conns "$a" local:5001 receiver
		pause 0.2
		sysctl_set "$a" tcp_adv_win_scale "$scale"
		pause 0.5
		check_num "$(conns "$a" local:5001 rcv_demand)" -le $((8 * 131072)) \
			"what it asks for with tcp_adv_win_scale $scale"
		check_num "$(pool "$a" recv host charged)" -le $((2 * 8 * 131072)) "what both ends are charged for"
		sysctl_set "$a" tcp_adv_win_scale 1
		peers_end
	done
}

# Whoever looked at the connections has let go of them.
sockets() { in_ns "$1" awk '$1 == "sockets:" { print $3 }' /proc/net/sockstat; }

no_reader_keeps_a_socket()
{
	local ns

	peers_end
	for ns in "$a" "$b" "$peers"; do
		wait_is "no socket is left in $ns" 0 sockets "$ns"
	done
}

tests_run each_has_its_own_policies each_sees_its_own_connections each_has_its_own_pool \
	the_hosts_pool_bounds_them_all what_is_off_is_untouched anyone_can_limit_itself_only \
	a_scale_of_its_own_takes_little no_reader_keeps_a_socket
