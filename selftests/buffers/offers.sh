#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A peer that offers less than cwnd asks for: the send buffer follows what it offers, because nothing
# lowers a cwnd that is not used. When the peer offers more again, the buffer is there at once; it is never
# less than the kernel's own, and no cut keeps a writer waiting for long.
#
#	server ---- 10.0.1.0/24, 400 Mbit/s, 50 ms each way ---- client
. ./lib.sh

SHORT=2000000		# bytes of the server's pool: 1.4 MB of window, where 5 MB are under way before
SETTLE=6		# s: 60 round trips, and the second that an offer has to last
WHOLE=8			# s until all of 5 MB are under way
QUEUED_OF_SHORT=200	# percent of the pool: a window twice, in truesize, is 3.4 MB
GOODPUT=90		# percent, of what the connection had before, within RECOVERS
RECOVERS=2		# s
OWN=1000000		# bytes of receive buffer that the peer's application sets
SLOW=5000		# bytes that a reader takes every 10 ms, when it has become slow
WATCH=40		# samples
SAMPLE_S=0.5
PAUSE_MOST=16		# samples without room to write: 8 s, twice 16 round trips of 200 ms and more
KEPT=90			# percent of the receive buffer, while memory is plenty; 68 if it followed the reader down
MORE=100000		# bytes that the writer has room for at once; in a sample the reader takes 250,000 of what is queued
SEGMENT=1448		# bytes

# delay_of MS: each way
delay_of() { link_delay "$server" "$client" "$1" 400mbit; }

setup_ns server client
link_ns "$server" "$client" 50
delay_of 50
hold_sysctl tcp_mem "200000 250000 300000"	# both ends are in one kernel

queued() { ss_shows "$client" w; }

buffer() { ss_shows "$client" tb; }

received() { ss_shows "$server" rb; }

window() { ss_shows "$client" snd_wnd:; }

arrived() { ss_shows "$server" bytes_received:; }

# bytes that the application has written, but for what was sent again
written_to() { in_ns "$client" ss -tinHO state established | awk -v segment="$SEGMENT" '
	match($0, /bytes_acked:[0-9]+/) { sum += substr($0, RSTART + 12, RLENGTH - 12) }
	match($0, /unacked:[0-9]+/) { sum += segment * substr($0, RSTART + 8, RLENGTH - 8) }
	match($0, /notsent:[0-9]+/) { sum += substr($0, RSTART + 8, RLENGTH - 8) }
	END { print sum + 0 }'; }

# rate S: bytes a second that arrive in so long
rate()
{
	local before

	before=$(arrived)
	pause "$1"
	echo $((($(arrived) - before) / $1))
}

# own_buffer PORT [WORD]...: BUFFER of a sender, when it has settled; WORDs are its peer's
own_buffer()
{
	peer sink "$server" listen 10.0.1.1 "$@"
	peer source "$client" connect 10.0.1.1 "$1"
	pause "$SETTLE"
	BUFFER=$(buffer)
	say "send buffer $BUFFER, the peer offers $(window)"
	peers_end
}

without_the_module()
{
	own_buffer 5002 rcvbuf "$OWN"
	STOCK_BUFFER=$BUFFER
}

# Nor more: the ceiling would let the kernel have three times as much for a cwnd that the peer's window leaves unused
all_of_the_kernels_own()
{
	module_insert
	own_buffer 5003 rcvbuf "$OWN"
	check_num "$BUFFER" -ge "$(ours "$STOCK_BUFFER")" "bytes of send buffer"
	check_num "$BUFFER" -le "$STOCK_BUFFER" "bytes of send buffer"
}

the_buffer_follows()
{
	local before queued

	sink_and_source 10.0.1.1 5001
	pause "$WHOLE"
	before=$(queued)
	BEFORE=$(rate "$RECOVERS")
	knobs "$server" recv_pool "$SHORT"
	pause "$SETTLE"
	queued=$(queued)
	say "queued $before, then $queued while the peer offers $(window)"
	check_num "$before" -ge $((5 * SHORT / 2)) "bytes queued while the peer offers all"
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
}

# A reader that becomes slow: a minute of data is queued at either end, and the writer waits for none of it
the_writer_goes_on()
{
	local i last=0 now seen=0 most=0 buffer

	delay_of 100
	sink_and_source 10.0.1.1 5004
	pause "$WHOLE"
	buffer=$(received)
	tell sink "read $SLOW"
	for ((i = 0; i < WATCH; i++)); do
		pause "$SAMPLE_S"
		now=$(written_to)
		# what goes out in this time is not more
		if [ $((now - seen)) -ge "$MORE" ]; then
			seen=$now last=$i
		fi
		most=$((i - last > most ? i - last : most))
	done
	say "$(queued) queued; without room to write for at most $most samples of $SAMPLE_S s"
	check_num "$most" -le "$PAUSE_MOST" "samples without room to write"
	check_num "$(received)" -ge $((buffer * KEPT / 100)) "bytes of receive buffer, nearly as before"
	peers_end
	module_remove
}

tests_run without_the_module all_of_the_kernels_own the_buffer_follows it_grows_back the_writer_goes_on
