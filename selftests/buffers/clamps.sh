#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A receiver whose window the application clamped is tuned on by the kernel, within the administrator's limit; and
# no buffer that the module hands back looks like one of those.
#
#	server ---- 10.0.1.0/24, 20 ms each way ---- client
. ./lib.sh

PORT=5001
LIMIT=6291456		# tcp_rmem[2]
READERS=12
SLOW=10000		# bytes that a slow reader takes each 10 ms
THROTTLED=20000		# TCP_WINDOW_CLAMP [bytes]
UNTHROTTLED=100000000
TRUESIZE=2		# bytes of buffer that a byte of payload may cost

setup_ns server client
link_ns "$server" "$client" 1
for ns in "$server" "$client"; do sysctl_set "$ns" tcp_no_metrics_save 1; done
sysctl_set "$server" tcp_rmem "4096 131072 $LIMIT"
# a send buffer of the kernel's own that fills the queue of the path
sysctl_set "$client" tcp_wmem "4096 16384 134217728"
module_insert
knobs "$client" mode off

# path RATE: and a port that no connection had
path()
{
	PORT=$((PORT + 1))
	link_delay "$server" "$client" 20 "$1"
}

# A program throttles its peer for a while, and lets it go again.
a_window_that_is_let_go()
{
	path 100mbit
	sink_and_source 10.0.1.1 "$PORT"
	pause 1
	tell sink "clamp $THROTTLED"
	wait_is "the clamp is the application's" app at_server receiver
	tell sink "clamp $UNTHROTTLED"
	pause 8
	say "a receive buffer of $(state sink rcvbuf) after its window was let go"
	check_num "$(state sink rcvbuf)" -le "$LIMIT" "receive buffer"
	check_num "$(state sink rcvbuf)" -gt $((LIMIT / 2)) "receive buffer, which the kernel may tune"
	tell sink "read 0"
	pause 5
	check_num "$(ss_shows "$server" r)" -le $((TRUESIZE * LIMIT)) "memory that waits for the reader"
	check_num "$(state sink rcvbuf)" -le $((TRUESIZE * LIMIT)) "receive buffer of a reader that stopped"
	peers_end
}

# The application may size a buffer for a while, and give it back to be tuned.
a_buffer_that_is_let_go()
{
	path 100mbit
	peer sink "$server" listen 10.0.1.1 "$PORT" rcvbuf 100000
	peer source "$client" connect 10.0.1.1 "$PORT"
	wait_is "the buffer is the application's" app at_server receiver
	check_is "$(state sink rcvbuf)" 200000 "receive buffer"
	tell sink "locks 0"
	pause 5
	check_num "$(state sink rcvbuf)" -le "$LIMIT" "receive buffer"
	check_num "$(state sink rcvbuf)" -gt 200000 "receive buffer, which the kernel may tune"
	peers_end
}

# slow_over COMMAND...: while readers are slow
slow_over()
{
	local largest

	path 200mbit
	sink_and_source 10.0.1.1 "$PORT" conns "$READERS"
	pause 3
	tell sink "read $SLOW"
	pause 6
	"$@"
	pause 3
	check_is "$(at_server receiver | sort | uniq -c | xargs)" "$READERS tbt_plr" "policies"
	tell sink "read -1"
	pause 3
	largest=$(in_ns "$server" ss -tminHO state established | grep -oE 'rb[0-9]+' | tr -d rb | sort -n | tail -n 1)
	say "$1: the largest receive buffer is $largest"
	check_num "$largest" -le $((TRUESIZE * LIMIT)) "largest receive buffer"
	peers_end
}

off_and_on()
{
	knobs "$server" mode off
	pause 1
	knobs "$server" mode on
}

come_again()
{
	module_remove
	pause 1
	module_insert
	knobs "$client" mode off
}

slow_readers_while_the_mode_changes() { slow_over off_and_on; }
slow_readers_while_the_module_is_replaced() { slow_over come_again; }

tests_run a_window_that_is_let_go a_buffer_that_is_let_go \
	slow_readers_while_the_mode_changes slow_readers_while_the_module_is_replaced
