#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The offload hook: which connections a driver is told of, what of them, when, and how an
# adapter's memory is shared out.
#
#	client -- v1, 10.0.1.0/24, RTT 20 ms -- server
#	attached: client's v1, or where a case says so server's
. ./offload/lib.sh

readonly CHANGES=18

# ss_fields NS PORT: name=value of a connection to that port, as ss shows it
ss_fields()
{
	in_ns "$1" ss -tinmHO "dport = :$2" | tr ' ' '\n' | awk -F '[:/]' '
		BEGIN { split("rcvmss rcv_mss segs_in segs_in segs_out segs_out cwnd cwnd mss mss " \
			"data_segs_in data_segs_in data_segs_out data_segs_out delivered delivered " \
			"bytes_sent bytes_sent bytes_acked bytes_acked bytes_received bytes_received", a, " ")
			for (i = 1; i in a; i += 2) name[a[i]] = a[i + 1] }
		$1 in name && NF == 2 { print name[$1] "=" $2 }
		$1 == "rtt" { print "srtt_us=" int($2 * 1000 + 0.5) }
		$1 == "minrtt" { print "min_rtt_us=" int($2 * 1000 + 0.5) }
		$1 == "delivery_rate" { rate = 1; next }
		rate { sub("bps", ""); print "delivery_rate=" int($1 / 8); rate = 0 }
		$1 == "skmem" { split($2, m, /[(),]/)
			for (i in m) {
				if (m[i] ~ /^r[0-9]/) print "rcv_used=" substr(m[i], 2)
				if (m[i] ~ /^rb/) print "rcv_applied=" substr(m[i], 3)
				if (m[i] ~ /^tb/) print "snd_applied=" substr(m[i], 3)
				if (m[i] ~ /^w[0-9]/) print "snd_used=" substr(m[i], 2)
			} }'
}

old_and_new_connections_are_told()
{
	setup
	start_flows 2 5001
	check "a device that is not there is refused" eval '! provider "$client" attach v9'
	check "attach" provider "$client" attach v1
	check "a second time is refused" eval '! provider "$client" attach v1'
	wait_is "connections older than the driver" 2 told v1 conns
	peer sink6 "$server" listen fd00:1::1 5006
	peer source6 "$client" connect fd00:1::1 5006 rate "$RATE"
	wait_is "and one of IPv6 that is newer" 3 told v1 conns
	check_is "$(told_conns remote:5006 remote)" "[fd00:1::1]:5006" "its remote end"
	check_is "$(told_conns remote:5001 remote | sort -u)" "10.0.1.1:5001" "the others' remote end"
	peer_end source6
	wait_is "one has closed" 1 told v1 gone
	check_is "$(told v1 conns)" 2 "connections left"
	nothing_was_wrong v1
	check "detach" provider "$client" detach v1
	check "a second time is refused" eval '! provider "$client" detach v1'
	teardown
}

# Silent since more than a round trip: what was told last is what there is.
state_is_what_ss_says()
{
	local field name value

	setup
	provider "$client" attach v1
	sink_and_source 10.0.1.1 5001 send 3000000
	wait_is "all is acknowledged" 3000001 told_conns remote:5001 bytes_acked
	pause 0.5
	ss_fields "$client" 5001 > "$SCRATCH/ss"
	check_num "$(wc -l < "$SCRATCH/ss")" -ge 15 "fields of ss that are compared"
	while IFS='=' read -r name value; do
		field=$(told_conns remote:5001 "$name")
		check_is "$field" "$value" "$name"
	done < "$SCRATCH/ss"
	check_is "$(told_conns remote:5001 alloc copy_in)" "3000001 3000001" \
		"bytes of functions 1 and 2, SYN included"
	nothing_was_wrong v1
	teardown
}

updates_come_in_order_and_in_time()
{
	local before after began elapsed_ms seconds=5

	setup
	provider "$client" attach v1
	start_flows 3 5001
	wait_is "connections" 3 told v1 conns
	pause 1
	began=$(now_ms)
	before=$(told v1 updates)
	pause "$seconds"
	after=$(told v1 updates)
	elapsed_ms=$(($(now_ms) - began))
	check_num $((after - before)) -le $((3 * elapsed_ms / RTT_MS)) \
		"updates of 3 connections in $elapsed_ms ms"
	check_num $((after - before)) -ge $((3 * seconds * 1000 / RTT_MS / 2)) \
		"updates of 3 connections in $elapsed_ms ms"
	say "$((after - before)) updates, the latest $(told v1 late_us) us beyond the bound"
	# an emulated processor takes time of its own
	[ "${ABT_LAB:-}" != virtual ] || check_num "$(told v1 late_us)" -le 0 "us beyond the bound"
	tell source "send 0"
	wait_is "all is acknowledged" "0 0" eval 'told_conns remote:5001 unsent in_flight | sort -u'
	pause 0.5
	before=$(told v1 updates)
	pause 1
	check_is "$(told v1 updates)" "$before" "updates, of silent connections"
	nothing_was_wrong v1
	teardown
}

# Readers that stopped leave more in the receive buffers than the adapter has memory
memory_is_shared_max_min()
{
	local i size=300000 floor=20000

	setup bytes="$size" floor_bytes="$floor"
	provider "$server" attach v1
	peer sink "$server" listen 10.0.1.1 5001 read 0
	for i in 1 2 3 4 5 6; do
		peer "source$i" "$client" connect 10.0.1.1 5001 send $((i * 40000))
	done
	wait_is "connections" 6 told v1 conns
	wait_num "what waits in the receive buffers" -ge 500000 eval \
		'told_conns local:5001 unread | awk "{ s += \$1 } END { print s }"'
	wait_is "each has min(demand, level)" fair shares "$size" "$floor"
	check_num "$(pool "$server" adapter v1 charged)" -le "$size" "charge of the adapter's pool"
	check_is "$(pool "$server" adapter v1 charged)" "$(told v1 granted)" "what the driver granted"
	tell sink "read -1"
	wait_is "all has what it needs when they read" "$floor" \
		eval 'told_conns local:5001 adapter_grant | sort -u'
	nothing_was_wrong v1
	teardown
}

# shares SIZE FLOOR: "fair" if who has less than it demands has the level, which hands
# out all there is but for the width of a bucket, 1/16
shares()
{
	told_conns local:5001 snd_used rcv_used adapter_grant | awk -v size="$1" -v floor="$2" \
		-v level="$(pool "$server" adapter v1 level)" '
		{ demand = $1 + $2 > floor ? $1 + $2 : floor
		  share = demand < level ? demand : level
		  if ($3 > demand || $3 < share - share / 32 || $3 > share + share / 32) bad = bad " " $0
		  sum += $3 }
		END { if (bad || sum > size || sum < size * 15 / 16) print "level", level, "sum", sum bad
		      else print "fair" }'
}

# Connections come and go, and idle between bursts: what was granted never exceeds what there is.
memory_holds_under_churn()
{
	local i size=600000

	setup bytes="$size"
	provider "$client" attach v1
	peer sink "$server" listen 10.0.1.1 5001
	peer sink2 "$server" listen 10.0.1.1 5002
	peer churn "$client" connect 10.0.1.1 5001 conns 12 bytes 200000 rate 500000 repeat 1000
	peer bursts "$client" connect 10.0.1.1 5002 conns 12 rate "$RATE" send 0
	for ((i = 0; i < CHANGES; i++)); do
		tell bursts "send $((RANDOM * 8))"
		provider_set conns $((8 + RANDOM % 40))
		provider "$client" changed v1
		pause 0.$((1 + RANDOM % 3))
	done
	check_num "$(told v1 adds)" -ge 50 "connections taken on"
	check_num "$(told v1 room)" -ge 1 "given up for want of room"
	check_num "$(told v1 most_granted)" -le "$size" "the most that was granted"
	check_num "$(told v1 most_granted)" -ge $((size / 4)) "the most that was granted"
	nothing_was_wrong v1
	peers_end
	wait_is "none is left" 0 told v1 conns
	check_is "$(pool "$client" adapter v1 charged) $(pool "$client" adapter v1 conns)" "0 0" \
		"charge and members of the adapter's pool"
	teardown
}

who_does_not_fit_waits_and_returns()
{
	setup bytes=100000 floor_bytes=30000
	provider "$client" attach v1
	peer sink "$server" listen 10.0.1.1 5001
	peer first "$client" connect 10.0.1.1 5001 conns 3 rate 500000
	wait_is "as many as there are floors in the memory" 3 told v1 conns
	peer second "$client" connect 10.0.1.1 5001 conns 2 rate 500000
	pause 1
	check_is "$(told v1 conns adds)" "3 3" "connections when two more came"
	peer_end first
	wait_is "the two when there is room: connections, taken on so far" "2 5" told v1 conns adds

	provider_set bytes 59999
	provider "$client" changed v1
	wait_is "less memory, one goes: connections, given up for want of room" "1 1" told v1 conns room
	provider_set bytes 60000
	provider "$client" changed v1
	wait_is "more memory: it is back" 2 told v1 conns
	tell second stop
	received sink 5
	nothing_was_wrong v1
	teardown
}

who_is_refused_stays_on_the_host_path()
{
	setup refuse=28	# ENOSPC
	provider "$client" attach v1
	start_flows 2 5001
	wait_is "both were asked for" 2 told v1 refused
	pause 1
	check_is "$(told v1 refused conns)" "2 0" "asked again, taken on"
	provider_set refuse 95	# EOPNOTSUPP
	provider "$client" changed v1
	wait_is "asked again when there may be room" 4 told v1 refused
	provider_set refuse 0
	provider "$client" changed v1
	pause 1
	check_is "$(told v1 refused conns)" "4 0" "refused for good: asked again, taken on"
	stop_and_receive 2
	check_is "$(pool "$client" adapter v1 conns)" 0 "members of the adapter's pool"
	nothing_was_wrong v1
	teardown
}

# Three of five fit; the adapter gets smaller, one closes, one comes that it will not have.
abt_shows_what_the_driver_counted()
{
	setup bytes=100000 floor_bytes=30000 conns=50
	check_is "$("$ABT_TOOL" -n "$client" offload)" \
		"No driver has registered an adapter in this network namespace." "no adapter"
	check_is "$("$ABT_TOOL" -n "$client" -j offload)" "[]" "the same as JSON"
	provider "$client" attach v1
	peer sink "$server" listen 10.0.1.1 5001
	peer first "$client" connect 10.0.1.1 5001 conns 3 rate "$RATE"
	wait_is "three fit" "3 0" shown "$client" conns waiting
	peer second "$client" connect 10.0.1.1 5001 conns 2 rate "$RATE"
	wait_is "two wait" "3 2 2" shown "$client" conns waiting refused
	provider_set bytes 70000
	provider "$client" changed v1
	wait_is "one has to go" "2 1" shown "$client" conns evicted
	peer_end first
	wait_is "who waited is there" "2 0" shown "$client" conns waiting
	# three, where the one that had to go came back before it ended
	check_num "$(shown "$client" gone)" -ge 2 "connections that are gone"
	provider_set bytes 100000
	provider_set refuse 95	# EOPNOTSUPP
	provider "$client" changed v1
	peer third "$client" connect 10.0.1.1 5001 rate "$RATE"
	wait_is "the driver refuses" 1 told v1 refused
	tell second "send 0"
	tell third "send 0"
	wait_for "abt shows what the driver counted" alike v1
	check_is "$(shown "$client" max_conns size floor waiting)" "50 100000 30000 0" "its limits"
	check_is "$("$ABT_TOOL" -n "$client" offload | head -n 1)" "v1 conns 2 of 3 waiting 0 refused $(shown "$client" refused)" \
		"the first line"
	check_is "$("$ABT_TOOL" -n "$client" -s offload | awk 'length > 80')" "" "lines of more than 80 columns"
	wait_for "metrics are what abt shows" ../abt/tests/live "$ABT_TOOL" "$client"
	check_is "$("$ABT_TOOL" -n "$server" -j offload)" "[]" "adapters that another namespace sees"
	nothing_was_wrong v1
	teardown
}

tests_run old_and_new_connections_are_told state_is_what_ss_says updates_come_in_order_and_in_time \
	memory_is_shared_max_min memory_holds_under_churn who_does_not_fit_waits_and_returns \
	who_is_refused_stays_on_the_host_path abt_shows_what_the_driver_counted
