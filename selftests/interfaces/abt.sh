#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The command abt: what it shows is what /proc shows, what it sets is set, what it cannot
# do it says, and every screen fits into 80 columns.
#
#	server ---- 10.0.1.0/24, fd00:1::/64 ---- client
. ./lib.sh

PORT=5001
PORT6=5002
CONNS=20
SILENT=2		# seconds: longer than what makes a direction idle
COLUMNS_MOST=80

setup_ns server client other
link_ns "$server" "$client" 5

abt() { "$ABT_TOOL" "$@"; }

# says TEXT STATUS ARGUMENT...: on stderr, and nothing on stdout
says()
{
	local text=$1 status=$2 out; shift 2

	out=$(abt "$@" 2> "$SCRATCH/said")
	check_is "$?" "$status" "exit status of abt $*"
	check_is "$out" "" "what abt $* prints"
	grep -qF -- "$text" "$SCRATCH/said" || fail "abt $*: expected '$text', saw: $(cat "$SCRATCH/said")"
}

conns_by_abt()
{
	abt -n "$server" -j conn | from_json '
def end(e): return ("[%s]:%d" if ":" in e["addr"] else "%s:%d") % (e["addr"], e["port"])
for c in it:
	print(end(c["local"]), end(c["remote"]), c["send"]["policy"], c["recv"]["policy"], c["cwnd"], c["mss"],
		c["srtt_us"], c["min_rtt_us"], c["rcv_rtt_us"], "%.3f" % c["alpha"],
		*(c[d][f] for d in ("send", "recv") for f in ("demand", "grant", "applied", "used", "reason")))' | sort
}

conns_by_proc() { in_ns "$server" tail -n +2 /proc/net/tcp_abt | sort; }

conns_alike() { [ "$(conns_by_abt)" = "$(conns_by_proc)" ]; }

without_the_module_it_says_what_to_do()
{
	says "not loaded: modprobe tcp_abt" 1 conn
	says "not loaded" 1 set mode on
	check "advise needs no module" [ "$(abt advise | wc -l)" -gt 5 ]
	module_insert
}

connections_are_what_proc_shows()
{
	peer sink "$server" listen 10.0.1.1 "$PORT"
	peer sink6 "$server" listen fd00:1::1 "$PORT6"
	peer source "$client" connect 10.0.1.1 "$PORT" conns "$CONNS" send 100000
	peer source6 "$client" connect fd00:1::1 "$PORT6" send 100000
	wait_num "connections" -eq $((CONNS + 1)) eval 'conns_by_proc | wc -l'
	pause "$SILENT"
	wait_for "abt conn -j is what /proc shows" conns_alike
	check_is "$(abt -n "$server" conn | grep -c ' > ')" $((CONNS + 1)) "connections on the screen"
	check_is "$(abt -n "$server" conn local ":$PORT6" | grep -c ' > ')" 1 "connections of port $PORT6"
	check_is "$(abt -n "$server" c ":$PORT6" | grep -c ' > ')" 1 "the same, in short"
	check_is "$(abt -n "$server" conn remote 10.0.1.0/24 dev v1 | grep -c ' > ')" "$CONNS" "connections by IPv4"
	check_is "$(abt -n "$server" conn short)" "" "connections that are short"
	check_is "$(abt -n "$other" conn)" "" "connections of another namespace"
}

pools_are_what_proc_shows()
{
	check_is "$(abt -n "$server" -j pool | from_json '
for p in it: print(p["pool"], p["scope"], p["size"], p["charged"], p["demand"], p.get("level", "inf"), p["conns"])')" \
		"$(in_ns "$server" awk 'NR > 1 { print $1, $2, $3, $4, $5, $6, $7 }' /proc/net/tcp_abt_pool)" "pools"
}

metrics_are_what_abt_shows() { wait_for "metrics are what abt shows" ../abt/tests/live "$ABT_TOOL" "$server"; }

knobs_are_set_together_or_not_at_all()
{
	check_is "$(abt -n "$server" set | sort)" "$(in_ns "$server" grep -r . "$KNOBS" |
		awk -F: '{ sub(".*/", "", $1); printf "%-15s %s\n", $1, $2 }' | sort)" "knobs"
	check "two at once" abt -n "$server" set recv_pool 256M sender sabt
	check_is "$(sysctl_get "$server" tcp_abt/recv_pool) $(sysctl_get "$server" tcp_abt/sender)" \
		"268435456 sabt" "what they are then"
	says "path_headroom: expected 0, or 5 to 100" 1 -n "$server" set path_headroom 4 sender atbt
	check_is "$(sysctl_get "$server" tcp_abt/sender)" sabt "sender, after a set that was refused"
	check "by a beginning" abt -n "$server" set sender atbt recv 0
	says "send_pool or send_band_low" 1 -n "$server" set send_ 1
	says "expected one of: stock fixed atbt sabt" 1 -n "$server" set sender drs
	says "expected a whole number" 1 -n "$server" set fixed_recv 1.5
	says 'knob "tcp_mem" is unknown' 1 set tcp_mem 1
	says "expected a value after it" 1 set mode
}

who_has_no_rights_is_told()
{
	setpriv --bounding-set -all --inh-caps -all "$ABT_TOOL" set mode off 2> "$SCRATCH/said" &&
		fail "a user without rights turned it off"
	check "it says what is needed" grep -q CAP_NET_ADMIN "$SCRATCH/said"
	check_is "$(sysctl_get "" tcp_abt/mode)" on "mode"
}

wrong_words_are_refused()
{
	says 'object "nonsense" is unknown, expected one of: conn' 1 nonsense
	says 'address "10.0.0.300": expected' 1 conn 10.0.0.300
	says 'prefix length "33": expected a whole number from 0 to 32' 1 conn 10.0.0.0/33
	says 'dev "nosuch": no such device' 1 conn dev nosuch
	says 'network namespace "nosuch"' 1 -n nosuch conn
	says 'option "-x" is unknown' 1 -x conn
	says "ask in the first one" 1 -n "$server" advise
}

# Short of memory, as it is told by each of them.
it_says_why()
{
	# both ask for nearly all of the pool
	knobs "$server" receiver fixed fixed_recv 1000000 recv_pool 1100000
	tell source "rate 20000000"
	tell source "send -1"
	wait_num "some are short" -ge 1 eval 'abt -n "$server" conn short | grep -c " > "'
	abt -n "$server" why 10.0.1.2 > "$SCRATCH/why"
	check "it names the pool" grep -q "connections ask for .*, the namespace's pool has 1.0M: at most" "$SCRATCH/why"
	check "it says what to do" grep -q "abt set recv_pool" "$SCRATCH/why"
	check "it names the policy" grep -q "fixed asks for 977K" "$SCRATCH/why"
	says "no connection that fits" 1 -n "$server" why 10.9.9.9
	abt -n "$server" -j why ":$PORT6" | from_json 'print(it[0]["recv_why"])' > "$SCRATCH/why.json"
	tell source "rate 100000"
	check "the same as JSON" grep -q "share\|silent\|has" "$SCRATCH/why.json"
}

# narrow LINES TEXT
narrow()
{
	check_num "$(wc -l <<< "$1")" -ge 2 "lines of $2"
	check_num "$(awk '{ if (length($0) > most) most = length($0) } END { print most + 0 }' <<< "$1")" -le \
		"$COLUMNS_MOST" "columns of $2"
	[[ $1 != *$'\e'* ]] || fail "$2: colours, and no terminal"
}

decisions_are_shown()
{
	# the slow ones claim little, so that all have what they ask for: decisions come to an end
	wait_is "buffers at rest" 999999 eval 'conns "$server" local:"$PORT" rcv_applied | sort -u | xargs'
	puppet screen "$server" sh -c 'echo ready; exec "$0" -s monitor' "$ABT_TOOL"
	puppet monitor "$server" sh -c 'echo ready; exec "$0" -j monitor local "$1"' "$ABT_TOOL" ":$PORT"
	pause 1
	knobs "$server" fixed_recv 500000
	wait_num "decisions" -ge 10 eval 'grep -c direction "$SCRATCH/monitor"'
	check_is "$(grep -m 1 direction "$SCRATCH/monitor" |
		from_json 'print(it["local"]["port"], it["direction"] in ("send", "recv"))')" \
		"$PORT True" "the first of them"
	narrow "$(cat "$SCRATCH/screen")" "abt -s monitor"
	peer_end monitor
	peer_end screen
}

fits() { narrow "$(abt -n "$server" "$@")" "abt $*"; }	# ARGUMENT...

screens_fit()
{
	fits conn
	fits -s conn
	fits pool
	fits -s pool
	fits top count 1
	fits why 10.0.1.2
	fits why fd00:1::2
	fits set
	narrow "$(abt advise)" "abt advise"
	fits help
	check "pretty JSON is JSON" eval 'abt -n "$server" -j -p conn | from_json "assert len(it) > 1"'
	check "colours where asked for" eval '[[ $(abt -n "$server" -color conn) == *$'"'\\e'"'* ]]'
}

tests_run without_the_module_it_says_what_to_do connections_are_what_proc_shows \
	pools_are_what_proc_shows metrics_are_what_abt_shows knobs_are_set_together_or_not_at_all who_has_no_rights_is_told \
	wrong_words_are_refused it_says_why decisions_are_shown screens_fit
