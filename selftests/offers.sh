#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A peer that offers less than cwnd asks for: the send buffer follows what it offers, because nothing
# lowers a cwnd that is not used. When the peer offers more again, the buffer is there at once.
#
#	server ---- 10.0.1.0/24, 400 Mbit/s, 50 ms each way ---- client
. ./lib.sh

SHORT=2000000		# bytes of the server's pool: 1.4 MB of window, where 5 MB are under way before
SETTLE=6		# s: 60 round trips, and the second that an offer has to last
WHOLE=8			# s until all of 5 MB are under way
QUEUED_OF_SHORT=200	# percent of the pool: a window twice, in truesize, is 3.4 MB
GOODPUT=90		# percent, of what the connection had before, within RECOVERS
RECOVERS=2		# s

setup_ns server client
link_ns "$server" "$client" 50
for ns in "$server" "$client"; do
	tc -n "$ns" qdisc change dev v1 root netem delay 50ms rate 400mbit limit 20000
done

queued() { in_ns "$client" ss -tmnHO state established | sed -E 's/.*,w([0-9]+),.*/\1/'; }

window() { in_ns "$client" ss -tinHO state established | sed -E 's/.*snd_wnd:([0-9]+).*/\1/'; }

arrived() { in_ns "$server" ss -tinHO state established | sed -E 's/.*bytes_received:([0-9]+).*/\1/'; }

# rate S: bytes a second that arrive in so long
rate()
{
	local before

	before=$(arrived)
	pause "$1"
	echo $((($(arrived) - before) / $1))
}

the_buffer_follows()
{
	local before queued

	module_insert
	peer sink "$server" listen 10.0.1.1 5001
	peer source "$client" connect 10.0.1.1 5001
	pause "$WHOLE"
	before=$(queued)
	BEFORE=$(rate "$RECOVERS")
	knobs "$server" recv_pool "$SHORT"
	pause "$SETTLE"
	queued=$(queued)
	say "queued $before, then $queued while the peer offers $(window)"
	check_num "$before" -ge $((4 * SHORT)) "bytes queued while the peer offers all"
	check_num "$queued" -le $((SHORT * QUEUED_OF_SHORT / 100)) "bytes queued while it offers less"
	check_num "$queued" -ge $((SHORT * 3 / 4)) "bytes queued: more than a window"
}

it_grows_back()
{
	local after

	knobs "$server" recv_pool 0
	pause 1
	after=$(rate "$RECOVERS")
	say "$BEFORE bytes a second before, $after as soon as the peer offers more"
	check_num $((after * 100)) -ge $((BEFORE * GOODPUT)) "bytes a second, in hundredths"
	peers_end
	module_remove
}

tests_run the_buffer_follows it_grows_back
