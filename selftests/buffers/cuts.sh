#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A sender's pool is cut while most of a long path's window is queued, and the path loses something:
# the kernel still splits what it sends again, and sends again what it does without a cut.
#
#	server ---- 10.0.1.0/24, 200 Mbit/s, 200 ms each way ---- client
. ./lib.sh

RATE=200mbit
DELAY=200ms
LOSS=20			# percent of the buffers of segmentation offload lose a packet of about 44 each
LOSS_SECONDS=1.2
QUEUED=9000000		# bytes of truesize in the send buffer when the pool is cut
CUTS="100000 1500000 6000000"
FILL=9			# s: by then they are queued
AGAIN=2			# times what is sent again without a cut

setup_ns server client
hold_sysctl tcp_mem "200000 400000 800000"
link_ns "$server" "$client" "${DELAY%ms}" "$RATE"
PORT=5001

path() # SETTING...
{
	tc -n "$client" qdisc change dev v1 root netem delay "$DELAY" rate "$RATE" limit 20000 "$@"
}

queued() { in_ns "$client" ss -tmHn dst 10.0.1.1 | grep -o ',w[0-9]*' | tr -d ,w; }

# lossy_spell POOL: with the send pool cut to POOL, 0: as it is; BIG times a split was refused, AGAIN
# segments sent again
lossy_spell()
{
	local big again

	sink_and_source 10.0.1.1 "$PORT"
	pause "$FILL"
	check_num "$(queued)" -ge "$QUEUED" "bytes queued"
	big=$(counter "$client" TCPWqueueTooBig)
	again=$(counter "$client" RetransSegs)
	[ "$1" = 0 ] || knobs "" send_pool "$1"
	path corrupt "$LOSS%"
	pause "$LOSS_SECONDS"
	path corrupt 0%
	pause 2
	BIG=$(($(counter "$client" TCPWqueueTooBig) - big))
	SENT_AGAIN=$(($(counter "$client" RetransSegs) - again))
	say "send pool cut to $1: TCPWqueueTooBig $BIG, segments sent again $SENT_AGAIN"
	peers_end
	[ "$1" = 0 ] || knobs "" send_pool 0
	PORT=$((PORT + 1))
}

a_lossy_spell_without_a_cut()
{
	lossy_spell 0
	UNCUT=$SENT_AGAIN
	check_is "$BIG" 0 "splits refused"
	check_num "$UNCUT" -gt 0 "segments sent again"
}

a_lossy_spell_after_a_cut()
{
	local pool

	for pool in $CUTS; do
		lossy_spell "$pool"
		check_is "$BIG" 0 "splits refused, pool cut to $pool"
		check_num "$SENT_AGAIN" -le $((UNCUT * AGAIN)) "segments sent again, pool cut to $pool"
	done
}

module_insert
knobs "" recv_pool 1073741824
tests_run a_lossy_spell_without_a_cut a_lossy_spell_after_a_cut
