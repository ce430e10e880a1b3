#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# New downloads are no slower than on the stock kernel: beside streams of the same peer that pause and
# go on, beside an active download of a small pool, beside downloads whose readers stopped or became
# slow, and beside active ones that take the senders' pool.
#
#	host ---- 10.0.1.0/24, 500 Mbit/s, 30 ms each way ----- far: streams, and a newcomer
#	host ---- 10.0.2.0/24, 400 Mbit/s, 150 ms each way ---- far: long downloads
#	host ---- 10.0.3.0/24, 400 Mbit/s, 150 ms each way ---- far: long downloads
#	host ---- 10.0.4.0/24, 1 Gbit/s, 5 ms each way -------- far: a newcomer
. ./lib.sh

SIZES=${SIZES:-1000000 5000000 20000000}	# bytes of a newcomer's download
STREAMS=3
BURST=200000		# bytes that a stream writes every
EVERY=0.4		# s
KNOWN=10		# s: until a path knows its streams
SMALL=41943040		# bytes of a receive pool of which one download takes more than half
HOST=104448000		# bytes: that of one with 3 GB
SENDS=86016000		# bytes: and its send pool
WHOLE=8			# s until a long download fills its path, 27 round trips
GROWS="2.7 3.3"		# s: nine and eleven round trips, in which a window grew, and has a promise beyond its claim
STOPPED=10		# s: until all that was offered has come
SLOW=5000		# bytes that a reader takes every 10 ms, when it has become slow
SLOWER=10		# percent that a newcomer may take longer than on stock
POLL=0.01		# s
MOST=60000		# ms: no download takes as long
GRAIN=20		# ms: two polls

# Up to 6.5 a byte of window takes two of buffer, later what it is seen to cost
case $(uname -r) in
6.1.*)
	HOST=$((HOST * 3 / 2))
	SMALL=$((SMALL * 3 / 2))
	;;
esac

declare -A STOCK	# ms that a newcomer's download takes there

setup_ns host far
link_ns "$far" "$host" 30 500mbit
link_ns "$far" "$host" 150 400mbit
link_ns "$far" "$host" 150 400mbit
link_ns "$far" "$host" 5 1gbit
for ns in "$host" "$far"; do
	sysctl_set "$ns" tcp_no_metrics_save 1
done
hold_sysctl tcp_mem "200000 250000 300000"	# both ends are in one kernel
PORT=5000

# downloads N: a listener of the host on link N for some; its port in PORT
downloads()
{
	PORT=$((PORT + 1))
	peer "sink$PORT" "$host" listen "10.0.$1.2" "$PORT"
}

# newcomer N BYTES: into TOOK, the ms that a new connection takes for so many
newcomer()
{
	local began

	downloads "$1"
	began=$(now_ms)
	peer get "$far" connect "10.0.$1.2" "$PORT" bytes "$2"
	TOOK=0
	until has_lines "sink$PORT" '^received' 1 || [ "$TOOK" -gt "$MOST" ]; do
		pause "$POLL"
		ms_since "$began"
	done
	received "sink$PORT" 1 "$2"
	peer_end get
	peer_end "sink$PORT"
}

# usual N BYTES: the middle one of three, in TOOK: a delayed ACK, 40 ms, falls into one or not
usual()
{
	local times=()

	for _ in 1 2 3; do
		newcomer "$1" "$2"
		times+=("$TOOK")
		pause 0.5
	done
	TOOK=$(median "${times[@]}")
}

# newcomers N WHAT: each size; on stock what it takes, with the module no longer
newcomers()
{
	local size key took=""

	for size in $SIZES; do
		usual "$1" "$size"
		took+=" $TOOK"
		key="$2 $size"
		if module_loaded; then
			check_num $(((TOOK - GRAIN) * 100)) -le $((STOCK[$key] * (100 + SLOWER))) \
				"ms for $size bytes beside $2, in hundredths"
		else
			STOCK[$key]=$TOOK
		fi
	done
	say "beside $2: $SIZES bytes took$took ms"
}

# until it is killed
streams_write()
{
	local i

	while :; do
		for ((i = 1; i <= STREAMS; i++)); do
			tell "stream$i" "send $BURST"
		done
		pause "$EVERY"
	done
}

beside_streams()
{
	local i writes

	downloads 1
	for ((i = 1; i <= STREAMS; i++)); do
		peer "stream$i" "$far" connect 10.0.1.2 "$PORT" send "$BURST"
	done
	streams_write &
	writes=$!
	pause "$KNOWN"
	newcomers 1 "streams of its peer"
	check "the streams are still written" kill "$writes"
	wait "$writes" 2> /dev/null	# the shell would say that it was killed
	for ((i = 1; i <= STREAMS; i++)); do
		check "stream $i goes on" eval '! peer_ended "stream$i"'
	done
	peers_end
}

# limit NS KNOB BYTES: while the module is there
limit() { ! module_loaded || knobs "$@"; }

# long_download N: over link N
long_download()
{
	downloads "$1"
	peer "long$1" "$far" connect "10.0.$1.2" "$PORT"
	LONG=sink$PORT
}

beside_an_active_one()
{
	limit "$host" recv_pool "$SMALL"
	long_download 2
	pause "$WHOLE"
	! module_loaded || wait_num "bytes charged" -gt $((SMALL / 2)) pool "$host" recv net charged
	newcomers 4 "an active download"
	peers_end
}

# beside_readers RECEIVES SENDS BYTES WHAT: that take so many every 10 ms, once their paths are full; the host's
# receive pool, and the senders' pool, 0: large
beside_readers()
{
	local n

	limit "$host" recv_pool "$1"
	limit "$far" send_pool "$2"
	for n in 2 3; do
		long_download "$n"
		pause "$WHOLE"
		tell "$LONG" "read $3"
	done
	pause "$STOPPED"
	newcomers 4 "$4"
	peers_end
}

beside_stopped_readers() { beside_readers "$HOST" "$SENDS" 0 "stopped readers"; }

beside_slow_readers() { beside_readers "$HOST" 0 "$SLOW" "slow readers"; }

# Readers that keep up, with no pool of their own: the senders' pool is what is short
beside_active_senders() { beside_readers 0 "$SENDS" -1 "active senders"; }

# stops_after S: a reader stops when its window grew for so long
stops_after()
{
	local queued charged

	long_download 2
	pause "$1"
	tell "$LONG" "read 0"
	pause "$STOPPED"
	queued=$(ss_shows "$host" r)
	charged=$(pool "$host" recv net charged)
	say "$queued bytes in the receive queue of a reader that stopped after $1 s, $charged charged"
	check_num "$queued" -ge $((HOST / 10)) "bytes of receive queue"
	check_num "$charged" -ge $((queued * 85 / 100)) "bytes charged: all but an eighth"
	check_num "$queued" -le $((HOST / 2)) "bytes of receive queue, no more than half of the pool"
	peers_end
	pause 1
}

the_pool_is_charged_for_queues()
{
	local grows

	knobs "$host" recv_pool "$HOST"
	for grows in $GROWS; do
		stops_after "$grows"
	done
	module_remove
}

on_stock()
{
	beside_streams
	beside_an_active_one
	beside_stopped_readers
	beside_slow_readers
	beside_active_senders
	module_insert
}

tests_run on_stock beside_streams beside_an_active_one beside_stopped_readers \
	beside_slow_readers beside_active_senders the_pool_is_charged_for_queues
