#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The generic netlink family tcp_abt, by the kernel's own YNL and its specification: what
# it tells is what /proc and sysctl tell, what it sets is what sysctl sets.
#
#	server ---- 10.0.1.0/24, fd00:1::/64 ---- client
# shellcheck disable=SC2034 # YNL takes long to start on a busy, emulated processor
WAIT_SECONDS=120
. ./lib.sh

: "${ABT_YNL:?the tree with tools/net/ynl of a kernel: run the tests by lab/lab --ynl}"

SPEC=../kmod/control/tcp_abt.yaml
PORT=5001
PORT6=5002
CONNS=150		# a message buffer takes about 100
TOLD=20			# decisions, at least, when all have traffic
SILENT=2		# seconds: longer than what makes a direction idle
CLAIMED=2		# seconds, after which the senders' demands have been seen
FUZZ=${ABT_FUZZ:-5000}	# messages, twice
TRACING=/sys/kernel/tracing
PROVIDED=/sys/kernel/debug/tcp_abt_provider
EVENTS=$TRACING/instances/tcp_abt_netlink
IDLE_SLAB_KB=512	# what a kernel's slab moves by itself

# As /proc/net/tcp_abt has them.
AS_IN_PROC="local remote send.policy receive.policy cwnd mss srtt-us min-rtt-us rcv-rtt-us alpha
send.demand send.grant send.applied send.used send.reason
receive.demand receive.grant receive.applied receive.used receive.reason"
AS_IN_PROC=${AS_IN_PROC//$'\n'/ }

# A user that may read the tests, and has no capability.
NO_RIGHTS=(setpriv --bounding-set -all --inh-caps -all)

setup_ns server client other
link_ns "$server" "$client" 5
module_insert

# ask NAME LINE: what it prints, up to "done" or "refused"
ask()
{
	local name=$1 said before line

	mapfile -t said < "$SCRATCH/$name"
	before=${#said[@]}
	tell "$name" "$2"
	wait_for "$name answers" answered "$name" "$before"
	mapfile -t -s "$before" said < "$SCRATCH/$name"
	for line in "${said[@]}"; do
		[ "$line" = "done" ] || echo "$line"
	done
}

# answered NAME LINES: did it end an answer after so many?
answered()
{
	local said

	mapfile -t -s "$2" said < "$SCRATCH/$1"
	[ "${#said[@]}" != 0 ] && [[ ${said[-1]} =~ ^(done|refused) ]]
}

# In the form of /proc/net/tcp_abt, sorted. dump NAME [FILTER]
dump()
{
	local filter=${2:-"{}"}

	ask "$1" "dump conn-get $filter $AS_IN_PROC" | tr - _ | sort
}

proc_conns()
{
	in_ns "$1" awk 'NR > 1 { sub(/\./, "", $10); $10 += 0; print }' /proc/net/tcp_abt | sort
}

count() { grep -c . <<< "$1"; }

dumps_alike() { [ "$(dump yserver)" = "$(proc_conns "$server")" ]; }

# Connections that are there and silent: all figures stand still.
a_dump_is_what_proc_shows()
{
	puppet yserver "$server" python3 ./interfaces/ynl_peer.py "$ABT_YNL" "$SPEC"
	peer sink "$server" listen 10.0.1.1 "$PORT"
	peer sink6 "$server" listen fd00:1::1 "$PORT6"
	peer source "$client" connect 10.0.1.1 "$PORT" conns "$CONNS" send 10000
	peer source6 "$client" connect fd00:1::1 "$PORT6" conns 2 send 100000
	wait_num "connections in /proc" -eq $((CONNS + 2)) eval 'count "$(proc_conns "$server")"'
	pause "$SILENT"
	wait_for "the dump is what /proc shows" dumps_alike
	check_is "$(count "$(dump yserver)")" $((CONNS + 2)) "connections dumped"
}

pools_alike()
{
	[ "$(ask yserver "dump pool-get {} direction scope size charged demand level conns grants shrinks refused" |
		sed 's/^receive/recv/; s/ netns / net /; s/ - / inf /' | sort)" = \
		"$(in_ns "$server" awk 'NR > 1 { $11 = ""; $0 = $0; $1 = $1; print }' /proc/net/tcp_abt_pool | sort)" ]
}

pools_are_what_proc_shows()
{
	wait_for "pools alike" pools_alike
	knobs "$server" recv_pool 100000000
	wait_for "pools alike, with one of its own" pools_alike
	knobs "$server" recv_pool 0
}

# same LINES LINES TEXT: shows where they differ
same()
{
	local differ

	differ=$(diff <(echo "$1") <(echo "$2") | grep '^[<>]' | head -n 6)
	[ -z "$differ" ] || fail "$3: < seen, > expected:"$'\n'"${differ//$'\n'/$'\n'# }"
}

# filtered FILTER AWK: the filter finds what awk finds in /proc, and that is some of it
filtered()
{
	local found expected

	found=$(dump yserver "$1")
	expected=$(proc_conns "$server" | awk "$2")
	same "$found" "$expected" "dump with $1"
	check_num "$(count "$expected")" -ge 1 "connections that $1 is to find"
}

# provider VERB: v1 of the server
provider() { in_ns "$server" sh -c 'echo "$1 v1" > "$2/control"' sh "$1" "$PROVIDED"; }

adapters_alike()
{
	[ "$(ask yserver "dump offload-get {} conns adds updates refused gone rerouted evicted memory.charged")" = \
		"$(awk 'NR > 1 { print $2, $3, $4, $9, $5, $6, $7, $10 }' "$PROVIDED/ports")" ]
}

adapters_are_what_their_driver_counted()
{
	mountpoint -q /sys/kernel/debug || mount -t debugfs none /sys/kernel/debug
	check "the driver" insmod "$ABT_PROVIDER" bytes=10000000 functions=64	# "free"
	provider attach
	wait_num "connections that it holds" -ge "$CONNS" awk 'NR > 1 { print $2 }' "$PROVIDED/ports"
	wait_for "adapters alike" adapters_alike
	check_is "$(ask yserver 'dump offload-get {} max-conns memory.size functions')" "1000 10000000 {'free'}" "limits"
	check "the driver goes" rmmod tcp_abt_provider
	check_is "$(ask yserver 'dump offload-get {} conns')" "" "adapters without a driver"
	refused yserver 'dump offload-get {"conns":1}' "attribute"
	refused yserver 'dump pool-get {"conns":1}' "attribute"
	refused yserver 'do config-get {"mode":1}' "attribute"
}

filters_find_what_they_say()
{
	local device port6

	device=$(ip -n "$server" -o link show dev v1 | cut -d: -f1)
	port6=$(proc_conns "$server" | awk '/fd00/ { n = split($2, part, ":"); print part[n]; exit }')
	filtered "{\"local-port\":$PORT6}" '$1 ~ /:5002$/'
	filtered "{\"remote-port\":$port6}" '$2 ~ /:'"$port6"'$/'
	filtered '{"local-addr":"10.0.1.1"}' '$1 ~ /^10.0.1.1:/'
	filtered '{"remote-addr":"fd00:1::2"}' '$2 ~ /fd00:1::2/'
	filtered '{"remote-addr":"10.0.128.0","remote-prefix":16}' '$2 ~ /^10/'
	filtered '{"remote-addr":"fd00:1::ffff","remote-prefix":112}' '$2 ~ /fd00/'
	filtered "{\"ifindex\":$device}" 1
	check_is "$(dump yserver "{\"ifindex\":$((device + 100))}")" "" "connections of a device that is not there"
	check_is "$(dump yserver '{"remote-addr":"10.0.0.0","remote-prefix":24}')" "" "connections of another network"
	check_is "$(dump yserver '{"remote-addr":"10.0.1.2","local-port":5002}')" "" "connections that only one filter fits"
}

short_by_proc() { proc_conns "$server" | awk '$12 < $11 || $17 < $16 { print $1, $2 }'; }

# Connections are looked at one after another: of two looks that agree, what is between.
short_alike()
{
	local before found

	before=$(short_by_proc)
	found=$(dump yserver '{"below-demand":true}' | awk '{ print $1, $2 }')
	[ "$before" ] && [ "$before" = "$(short_by_proc)" ] && [ "$found" = "$before" ]
}

below_demand_finds_who_is_short()
{
	knobs "$server" receiver fixed fixed_recv 1000000 recv_pool 1100000
	tell source6 "send -1"
	pause "$CLAIMED"	# a look takes hundreds of times as long as the pause
	# one that falls silent claims nothing, so that none is short: while they send, then
	wait_for "the filter finds those that /proc shows as short" short_alike
	tell source6 "send 0"
	knobs "$server" receiver tbt_plr recv_pool 0
}

server_knobs() { in_ns "$server" grep -H . -r "$KNOBS"; }

# refused NAME LINE TEXT...: with each TEXT in what is said, and no knob changed
refused()
{
	local name=$1 line=$2 before said text; shift 2

	before=$(server_knobs)
	said=$(ask "$name" "$line")
	[[ $said == refused* ]] || fail "$line: expected a refusal, saw: $said"
	for text; do
		[[ $said == *"$text"* ]] || fail "$line: expected '$text' in: $said"
	done
	check_is "$(server_knobs)" "$before" "knobs after $line"
}

wrong_filters_are_refused_by_name()
{
	refused yserver 'dump conn-get {"local-addr":"10.0.1.1","local-prefix":33}' "local-prefix: expected"
	refused yserver 'dump conn-get {"remote-prefix":8}' "remote-prefix: expected together with remote-addr"
}

a_knob_is_what_sysctl_shows()
{
	local knob

	for knob in "$KNOBS"/*; do
		knob=${knob##*/}
		check_is "$(ask yserver "do config-get {} ${knob//_/-}" | tr - _)" \
			"$(sysctl_get "$server" "tcp_abt/$knob")" "$knob"
	done
}

sets() # JSON KNOB VALUE
{
	check_is "$(ask yserver "do config-set $1")" "" "answer to $1"
	check_is "$(sysctl_get "$server" "tcp_abt/$2")" "$3" "$2 after $1"
}

setting_is_as_by_sysctl()
{
	sets '{"mode":"observe"}' mode observe
	sets '{"mode":"on"}' mode on
	sets '{"sender":"sabt"}' sender sabt
	sets '{"receiver":"drs","share":"proportional","alpha-signal":"queue"}' receiver drs
	check_is "$(sysctl_get "$server" tcp_abt/share)" proportional "share, set together with it"
	sets '{"path-headroom":50}' path_headroom 50
	sets '{"wake-min-us":0}' wake_min_us 0
	sets '{"wake-min-us":1000}' wake_min_us 1000
	sets '{"recv-pool":1099511627776}' recv_pool 1099511627776
	sets '{"send-band-low":5,"send-target":6,"send-band-high":7}' send_target 6
	sets '{"epoch-min-us":2000,"fixed-send":4608}' epoch_min_us 2000
	check "the sysctl profile sets all back" in_ns "$server" sysctl -q -p ../sysctl/tbt-plr.conf
	sets '{"recv-pool":0,"epoch-min-us":1000,"fixed-send":131072}' fixed_send 131072
}

wrong_values_are_refused_by_name()
{
	refused yserver 'do config-set {"path-headroom":4}' "path_headroom: expected 0, or 5 to 100" .path-headroom
	refused yserver 'do config-set {"sender":"drs"}' "sender: expected stock, fixed, atbt, sabt" .sender
	refused yserver 'do config-set {"receiver":"app"}' "receiver: expected" .receiver
	refused yserver 'do config-set {"send-pool":65535}' "send_pool: expected 0, or 65536 to 1099511627776"
	refused yserver 'do config-set {"fixed-recv":4294967295}' "fixed_recv: expected 4608 to 1073741824"
	refused yserver 'do config-set {"send-target":5}' "send_band_low <= send_target <= send_band_high" .send-target
	refused yserver 'do config-set {"fixed-send":200000,"fixed-recv":1}' "fixed_recv: expected" .fixed-recv
	refused yserver 'do config-set {}' "no attribute"
}

who_has_no_rights_may_look_only()
{
	# "observe" forgot them, each until its next segment
	tell source "send 10000"
	wait_num "connections in /proc" -ge "$CONNS" eval 'count "$(proc_conns "$server")"'
	puppet nobody "$server" "${NO_RIGHTS[@]}" python3 ./interfaces/ynl_peer.py "$ABT_YNL" "$SPEC"
	check_num "$(count "$(ask nobody 'dump conn-get {} local')")" -ge "$CONNS" "connections shown"
	check "knobs are shown" [ "$(ask nobody 'do config-get {} mode')" = on ]
	refused nobody 'do config-set {"mode":"off"}' "Operation not permitted"
	peer_end nobody
}

others_see_nothing_of_it()
{
	puppet yother "$other" python3 ./interfaces/ynl_peer.py "$ABT_YNL" "$SPEC"
	check_is "$(ask yother 'dump conn-get {} local')" "" "connections that a third namespace sees"
	ask yother 'do config-set {"mode":"observe"}'
	check_is "$(sysctl_get "$other" tcp_abt/mode) $(sysctl_get "$server" tcp_abt/mode)" "observe on" \
		"modes after the third namespace set its own"
	peer_end yother
}

# The tracepoints tell the same, of all namespaces; dir is 0, 1 in the message.
told_by_tracepoints()
{
	sed -n 's/.*tcp_abt_[a-z]*: local=10.0.1.1:\([^ ]*\) remote=\([^ ]*\) dir=\([a-z]*\) .* grant=\([0-9]*\) applied=\([0-9]*\) old=\([0-9]*\) reason=\(.*\)/10.0.1.1:\1 \2 \3 \4 \5 \6 \7/p' \
		"$EVENTS/trace" | sort
}

told_by_netlink()
{
	sed -n 's/ receive / recv /; s/^\(10.0.1.1.*\) 0$/\1/p' "$SCRATCH/told" |
		awk '{ n = $3 == "send" ? 4 : 7; print $1, $2, $3, $n, $(n + 1), $10, $(n + 2) }' | sort
}

each_decision_is_told()
{
	local column="local remote direction send.grant send.applied send.reason receive.grant receive.applied \
receive.reason old lost" told

	mkdir "$EVENTS" || { fail "no $EVENTS"; return; }
	puppet listener "$server" python3 ./interfaces/ynl_peer.py "$ABT_YNL" "$SPEC"
	tell listener "listen 4 $column"
	wait_for "it listens" grep -q listening "$SCRATCH/listener"
	echo 1 > "$EVENTS/events/tcp_abt/enable"
	tell source "send 30000"
	wait_for "it has listened" answered listener 1
	echo 0 > "$EVENTS/events/tcp_abt/enable"
	grep '^10' "$SCRATCH/listener" > "$SCRATCH/told"
	told=$(told_by_netlink)
	same "$told" "$(told_by_tracepoints)" "decisions told"
	check_num "$(count "$told")" -ge "$TOLD" "decisions told"
	peer_end listener
	rmdir "$EVENTS"
}

# Connections come and go; those that stay are in each dump once.
those_that_stay_are_dumped_once()
{
	local round stay dumped

	stay=$(proc_conns "$server" | awk '{ print $2 }' | sort)
	check_num "$(count "$stay")" -ge "$CONNS" "connections that stay"
	peer churn "$client" connect 10.0.1.1 "$PORT" conns 20 bytes 3000 repeat 200
	for round in 1 2 3 4 5; do
		dumped=$(ask yserver 'dump conn-get {} remote' | sort)
		check_is "$(comm -23 <(echo "$stay") <(echo "$dumped"))" "" "connections missing from dump $round"
		check_is "$(uniq -d <<< "$dumped")" "" "connections twice in dump $round"
	done
	peer_end churn
}

# fuzz NS COMMAND...: half of the messages are well-formed
fuzz()
{
	local ns=$1 said; shift

	said=$(in_ns "$ns" "$@" "$NETLINK_FUZZ" "$FUZZ" 1 2>&1) || fail "the fuzzer: $said"
	say "$said"
	[[ $said == "sent $FUZZ answered "[1-9]*" refused "[1-9]* ]] || fail "expected answers and refusals, saw: $said"
}

damaged_messages_change_nothing()
{
	local before slab

	before=$(server_knobs)
	fuzz "$server" "${NO_RIGHTS[@]}"
	check_is "$(server_knobs)" "$before" \
		"knobs after messages of who may change none"
	slab=$(unreclaimable_kb)
	fuzz "$other"
	check_num $(($(unreclaimable_kb) - slab)) -le "$IDLE_SLAB_KB" "KB of slab that $FUZZ messages left"
	check_is "$(server_knobs)" "$before" \
		"knobs after messages of another namespace"
	knobs_hold
}

# Whatever the fuzzer set in its own namespace, each knob takes the value that it has.
knobs_hold()
{
	local knob

	for knob in "$KNOBS"/*; do
		knob=${knob##*/}
		check "$knob is in its range" sysctl_set "$other" "tcp_abt/$knob" "$(sysctl_get "$other" "tcp_abt/$knob")"
	done
}

tests_run a_dump_is_what_proc_shows pools_are_what_proc_shows adapters_are_what_their_driver_counted filters_find_what_they_say \
	below_demand_finds_who_is_short wrong_filters_are_refused_by_name a_knob_is_what_sysctl_shows \
	setting_is_as_by_sysctl wrong_values_are_refused_by_name who_has_no_rights_may_look_only \
	others_see_nothing_of_it each_decision_is_told those_that_stay_are_dumped_once \
	damaged_messages_change_nothing
