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
	local i

	module_insert
	bulk_and_churn "$server" "$client"
	for ((i = 0; i < TIMES && RET == 0; i++)); do
		away_and_back :
	done
	all_arrived
	pools_are_empty
	check "rmmod" module_remove
}

toggle() { if module_loaded; then module_remove; else module_insert; fi; }

the_module_comes_and_goes_meanwhile()
{
	local i

	bulk_and_churn "$server" "$client"
	for ((i = 0; i < TIMES && RET == 0; i++)); do
		away_and_back check "insmod or rmmod" toggle
	done
	check_is "$(state bulk locks | sort -u)" "0" "locks that stay"
	all_arrived
}

tests_run processors_go_and_come_back_in_mid_transfer the_module_comes_and_goes_meanwhile
