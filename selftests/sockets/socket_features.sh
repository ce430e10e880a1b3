#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Uses of a TCP socket that reach deeper into it than reading and writing: each does what it
# does without the module, and the module manages the connection all the same.
#
#	+--------+ 10.0.1.1       10.0.1.2 +--------+
#	| server |-------------------------| client |
#	+--------+      5 ms each way      +--------+
. ./lib.sh

PORT=5001
BEYOND=5002
CROWDED=5003
BYTES=20000000	# a second of the link

setup_ns server client
link_ns "$server" "$client" 5
module_insert

# said NAME PATTERN: wait until it does; FOUND is what it said
said() { wait_for "$1 says $2" has_lines "$1" "$2" 1; }

# Connections are gone, with what they were charged for; and nothing was lost for want of room.
nothing_stays()
{
	peers_end
	pools_are_empty
	check_is "$(renege_counters "$server")" "" "losses at the server"
}

msg_zerocopy()
{
	peer sink "$server" listen 10.0.1.1 "$PORT"
	puppet source "$client" "$FEATURES/zerocopy_send" 10.0.1.1 "$PORT" "$BYTES"
	wait_is "the sender is managed" atbt at_client sender
	received sink 1 "$BYTES"
	said source '^sent'
	check_num "${FOUND[0]#sent }" -ge $((BYTES / 65536)) "sends, each of which was told to be over"
	nothing_stays
}

# Segments of a page each, so that the pages that were sent are those that arrive.
tcp_zerocopy_receive()
{
	local page pages

	page=$(getconf PAGESIZE)
	pages=$((BYTES / page))
	ip -n "$client" link set dev v1 mtu $((page + 52))
	ip -n "$server" link set dev v1 mtu $((page + 52))
	puppet sink "$server" "$FEATURES/zerocopy_receive" 10.0.1.1 "$PORT"
	puppet source "$client" "$FEATURES/splice_send" 10.0.1.1 "$PORT" "$pages"
	wait_is "the receiver is managed" tbt_plr at_server receiver
	said sink '^received'
	check_is "${FOUND[0]}" "received $((pages * page)) ok" "the stream"
	said sink '^mapped'
	check_num "${FOUND[0]#mapped }" -ge $((BYTES / 2)) "bytes of it that were mapped"
	ip -n "$client" link set dev v1 mtu 1500
	ip -n "$server" link set dev v1 mtu 1500
	nothing_stays
}

# The new socket offers what the old one offered, with a buffer of the kernel's size.
tcp_repair()
{
	local burst=50000 times=5 i

	puppet sink "$server" "$FEATURES/repair" 10.0.1.1 "$PORT" "$burst" "$times"
	peer source "$client" connect 10.0.1.1 "$PORT" send "$burst"
	for ((i = 1; i <= times; i++)); do
		wait_for "moved $i times" has_lines sink '^moved' "$i"
		[ "$i" = "$times" ] || tell source "send $burst"
	done
	tell source "send -1"
	wait_num "it grows as any other" -gt 200000 at_server rcv_applied
	check_is "$(at_server receiver)" tbt_plr "the receiver's policy: one connection"
	tell source stop
	said sink '^received'
	check "the stream is intact: ${FOUND[0]}" [ "${FOUND[0]##* }" = ok ]
	nothing_stays
}

bpf_sockmap()
{
	puppet proxy "$server" "$FEATURES/sockmap" 10.0.1.1 "$PORT" 10.0.1.2 "$BEYOND" "$BYTES" 0
	peer sink "$client" listen 10.0.1.2 "$BEYOND"
	peer source "$client" connect 10.0.1.1 "$PORT" send 0
	said proxy joined
	tell source "send $BYTES"
	wait_is "the sender is managed" atbt at_client sender
	wait_is "and who sends it on" atbt conns "$server" remote:"$BEYOND" sender
	received sink 1 "$BYTES"
	nothing_stays
}

syncookies()
{
	local count=20

	sysctl_set "$server" tcp_syncookies 2
	sink_and_source 10.0.1.1 "$PORT" conns "$count" bytes $((BYTES / count))
	wait_is "they are managed" "$count atbt tbt_plr" eval 'at_server sender receiver | sort | uniq -c | xargs'
	received sink "$count" $((BYTES / count))
	check_is "$(counters "$server" SyncookiesRecv)" "SyncookiesRecv $count" "connections made of cookies"
	nothing_stays
}

# Of one connection in a crowd that leaves it next to nothing of the pool. Each message has to
# fit into the buffer and the window: the kernel's parser hands on whole ones only. They are sent
# on, because 6.1 counts what a program reads of a parsed stream twice, and then stalls or not.
bpf_whole_messages()
{
	local bytes=2000000

	knobs "$server" recv_pool 200000
	peer crowded "$server" listen 10.0.1.1 "$CROWDED"
	peer crowd "$client" connect 10.0.1.1 "$CROWDED" conns 16 rate 400000
	wait_is "the crowd is managed" 16 pool "$server" recv net conns
	puppet proxy "$server" "$FEATURES/sockmap" 10.0.1.1 "$PORT" 10.0.1.2 "$BEYOND" "$bytes" 40000
	peer sink "$client" listen 10.0.1.2 "$BEYOND"
	peer source "$client" connect 10.0.1.1 "$PORT" send 0
	said proxy joined
	tell source "send $bytes"
	received sink 1 "$bytes"
	peers_end
	knobs "$server" recv_pool 0
}

tests_run msg_zerocopy tcp_zerocopy_receive tcp_repair bpf_sockmap bpf_whole_messages syncookies
