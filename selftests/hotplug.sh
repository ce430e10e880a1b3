#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Processors go and come back in mid-transfer, with the module in and while it comes and goes:
# streams arrive, and nothing of theirs stays charged. Needs a kernel with several processors.
#
#	server ---- 10.0.1.0/24 ---- client
#	5001: bulk        5002: connections that come and go
. ./lib.sh

TIMES=20
CHURNED=10000	# more than can be opened meanwhile
CHURN_BYTES=20000

CPUS=$(find /sys/devices/system/cpu -path '*/cpu[1-9]*/online')
[ "$CPUS" ] ||
	{ echo "1..1"; echo "not ok 1 set-up: no processor can be taken away: expected a kernel with several, lab --cpus 2"; exit 1; }

setup_ns server client
link_ns "$server" "$client"

processors()
{
	local cpu

	for cpu in $CPUS; do
		{ echo "$1" > "$cpu"; } 2> /dev/null || fail "$1 > $cpu refused"
	done
}

start_traffic()
{
	peer sink5001 "$server" listen 10.0.1.1 5001
	peer sink5002 "$server" listen 10.0.1.1 5002
	peer bulk "$client" connect 10.0.1.1 5001 conns 2 rate 5000000
	peer churn "$client" connect 10.0.1.1 5002 conns 8 bytes "$CHURN_BYTES" repeat "$CHURNED"
}

away_and_back()
{
	processors 0
	pause 0.1
	"$@"
	processors 1
	pause 0.1
	"$@"
}

all_arrived()
{
	peer_end churn
	check_num "$(grep -c '^received .* corrupt' "$SCRATCH/sink5002")" -eq 0 "streams not intact"
	tell bulk stop
	wait_for "bulk streams end" has_lines sink5001 '^received [1-9][0-9]* ok' 2
	peers_end
}

processors_go_and_come_back_in_mid_transfer()
{
	local i pool

	module_insert
	start_traffic
	for ((i = 0; i < TIMES && RET == 0; i++)); do
		away_and_back :
	done
	all_arrived
	for pool in send recv; do
		wait_is "no connection is left in the $pool pool" 0 pool "" "$pool" host conns
		check_is "$(pool "" "$pool" host charged)" 0 "charge of the $pool pool"
	done
	check "rmmod" module_remove
}

toggle() { if module_loaded; then module_remove; else module_insert; fi; }

the_module_comes_and_goes_meanwhile()
{
	local i

	start_traffic
	for ((i = 0; i < TIMES && RET == 0; i++)); do
		away_and_back check "insmod or rmmod" toggle
	done
	check_is "$(state bulk locks | sort -u)" "0" "locks that stay"
	all_arrived
}

tests_run processors_go_and_come_back_in_mid_transfer the_module_comes_and_goes_meanwhile
