#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Ten thousand connections in pools of 128 MB: all are there, a changing part of them
# has traffic, one wakes up, and the module goes while all are open. A hundred thousand:
#	PORTS=25 EACH=4000 POOL=1342177280 run.sh scale
#
#	server ---- 10.0.1.0/24 ---- client	PORTS ports, EACH connections each
#	server ---- 10.0.2.0/24 ---- client	the one that wakes up
#	      5 ms each way
. ./lib.sh

PORTS=${PORTS:-10}
EACH=${EACH:-1000}
ALL=$((PORTS * EACH + 1))
LONE=5000
FIRST=5001
POOL=${POOL:-$((128 << 20))}
GREETING=6000		# bytes: more than a floor, from where on the module sees a connection
BURST=80000		# bytes: more than the window that a connection opens with
FLOOR=8192		# bytes: three segments, each way
RECORD_MAX=256		# bytes
WAKE_SECONDS=2		# an idle one has its share within that
REMOVAL_MS=10000	# rmmod, on an emulated processor
LISTING_MS=10000	# the same for /proc/net/tcp_abt

ulimit -n $((EACH + 1000))
setup_ns server client
link_ns "$server" "$client" 5
link_ns "$server" "$client" 5
# both pools, or the kernel's own pressure would come first
pages=$((2 * POOL / $(getconf PAGESIZE)))
hold_sysctl tcp_mem "$pages $pages $((2 * pages))"
module_insert
knobs "$server" recv_pool "$POOL"
knobs "$client" send_pool "$POOL"

# took_ms COMMAND...: its time, in TOOK
took_ms()
{
	local began

	began=$(now_ms)
	"$@"
	TOOK=$(($(now_ms) - began))
}

# The most that was charged at once; looked at while others are waited for.
declare -A MOST=([server]=0 [client]=0)

look_at_pools()
{
	local end pool scope charged

	module_loaded || return 0
	for end in server client; do
		while read -r pool scope _ charged _; do
			[ "$end $pool $scope" = "server recv net" ] || [ "$end $pool $scope" = "client send net" ] ||
				continue
			[ "$charged" -le "${MOST[$end]}" ] || MOST[$end]=$charged
		done < "/proc/${PEER_PID[$end]}/net/tcp_abt_pool"
	done
}

# moved NAME BYTES COUNT: did each of its connections receive so much?
moved()
{
	look_at_pools
	answer "$1" moved || return
	[ "${WORDS[1]}" -ge "$2" ] && [ "${WORDS[3]}" = "$3" ]
}

open_port() # ADDRESS PORT CONNS
{
	peer "sink$2" "$server" listen "$1" "$2"
	peer "source$2" "$client" connect "$1" "$2" conns "$3" send "$GREETING"
	look_at_pools
}

open_all()
{
	local port

	# these hold a namespace each: where to look at the pools
	peer server "$server" listen 10.0.1.1 4999
	peer client "$client" listen 10.0.1.2 4999
	open_port 10.0.2.1 "$LONE" 1
	for ((port = FIRST; port < FIRST + PORTS; port++)); do
		open_port 10.0.1.1 "$port" "$EACH"
	done
}

# A pool that is full gives a newcomer its floor on top, until others gave theirs back; and
# what was offered is charged in any case when it is called in.
pools_held() # OFFERED
{
	local most=$((POOL + ALL * FLOOR))

	say "charged at most so far: ${MOST[server]} of the receive pool, ${MOST[client]} of the send pool"
	check_num "${MOST[server]}" -le $((most + $1)) "charge of the receive pool"
	check_num "${MOST[client]}" -le "$most" "charge of the send pool"
}

all_connect()
{
	local port

	took_ms open_all
	say "$ALL connections opened in $TOOK ms"
	wait_for "greetings at $LONE" moved "sink$LONE" "$GREETING" 1
	for ((port = FIRST; port < FIRST + PORTS; port++)); do
		wait_for "greetings at $port" moved "sink$port" "$GREETING" "$EACH"
	done
	pools_held 0
	check_is "$(pool "$server" recv net conns)" "$ALL" "connections in the receive pool"
	check_is "$(pool "$client" send net conns)" "$ALL" "connections in the send pool"
	check_num "$(cat /sys/kernel/slab/tcp_abt_conn/object_size)" -le "$RECORD_MAX" "size of a record"
}

list() { in_ns "$server" cat /proc/net/tcp_abt > "$SCRATCH/list"; }

all_are_listed()
{
	took_ms list
	say "/proc/net/tcp_abt read in $TOOK ms"
	check_num "$TOOK" -le "$LISTING_MS" "time to list"
	check_is "$(awk 'NR > 1 { print $1, $2 }' "$SCRATCH/list" | sort -u | wc -l)" "$ALL" \
		"connections listed"
}

# In virtual time no processor's time passes: the host's clock beside these two lines shows what it
# took. A guest shows its lines when it is idle.
abt_tells_of_all()
{
	say "abt -j conn begins"
	pause 0.1
	in_ns "$server" "$ABT_TOOL" -j conn > "$SCRATCH/told"
	say "abt -j conn has ended"
	pause 0.1
	check_is "$(grep -o '"local":' "$SCRATCH/told" | wc -l)" "$ALL" "connections told of"
}

burst() # PORT BYTES_IN_ALL
{
	tell "source$1" "send $BURST"
	wait_for "a burst at $1" moved "sink$1" "$2" "$EACH"
}

a_changing_part_has_traffic()
{
	local port

	for port in $FIRST $((FIRST + 3)) $((FIRST + 6)); do
		took_ms burst "$port" $((GREETING + BURST))
		say "$EACH connections to $port moved $BURST bytes each in $TOOK ms"
	done
}

# What it asks for, if that is more than it woke up with; or as much as anybody has, but
# for what the level moves while it is looked at.
lone_has_its_share()
{
	local demand grant level

	read -r demand grant <<< "$(conns "$server" "local:$LONE" rcv_demand rcv_grant)"
	# of the namespace's pool, or of the host's, which twice as many sockets draw on
	level=$({ pool "$server" recv net level; pool "" recv host level; } | grep -v inf | sort -n | head -1)
	say "then it asks for $demand, may have $grant, level $level"
	[ "$demand" -ge "$BURST" ] || return
	[ "$grant" = "$demand" ] || { [ -n "$level" ] && [ $((grant * 4)) -ge $((level * 3)) ]; }
}

# While others have traffic without end. Looked at once: on an emulated processor a look at
# ten thousand lines takes seconds.
an_idle_one_wakes_up()
{
	local busy=$((FIRST + 5))

	tell "source$busy" "send -1"
	wait_for "traffic at $busy" moved "sink$busy" $((GREETING + BURST / 10)) "$EACH"
	tell "source$LONE" "send -1"
	pause "$WAKE_SECONDS"
	check "it moved its bytes" moved "sink$LONE" $((GREETING + BURST)) 1
	say "$WAKE_SECONDS s after it woke up it had moved $(tail -1 "$SCRATCH/sink$LONE" | cut -d' ' -f2) bytes"
	check "it has its share" lone_has_its_share
	tell "source$LONE" "send 0"
	tell "source$busy" "send 0"
}

# A thousand together woke up with the windows that the kernel opens connections with.
nobody_was_pressed()
{
	local ns

	pools_held $((EACH * $(sysctl_get "$server" tcp_rmem | cut -f2)))
	for ns in "$server" "$client"; do
		check_is "$(counter "$ns" TCPMemoryPressures)" 0 "times that the kernel was short of memory"
		check_is "$(renege_counters "$ns")" "" "segments lost to a buffer cut too low"
	done
}

the_module_goes_while_all_are_open()
{
	local before after

	before=$(unreclaimable_kb)
	took_ms module_remove
	after=$(unreclaimable_kb)
	say "rmmod took $TOOK ms and gave $((before - after)) KB of slab back"
	check_num "$TOOK" -le "$REMOVAL_MS" "time of rmmod"
	# two ends each
	check_num $((before - after)) -ge $((2 * ALL * RECORD_MAX * 3 / 4 / 1024)) "KB of slab that came back"
	burst $((FIRST + 8)) $((GREETING + BURST))
}

tests_run all_connect all_are_listed abt_tells_of_all a_changing_part_has_traffic an_idle_one_wakes_up \
	nobody_was_pressed the_module_goes_while_all_are_open
