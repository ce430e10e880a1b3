#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The module comes and goes a hundred times under traffic, while connections are
# opened and closed by the hundred.
#
#	server ---- 10.0.1.0/24 ---- client
#	5001: bulk        5002: connections that come and go
. ./lib.sh

CYCLES=100
ROUNDS=20
CROWD=400	# that wait to be accepted

setup_ns server client
link_ns "$server" "$client" 1

# The traffic takes what processor the module's coming and going leaves.
start_traffic()
{
	bulk_and_churn "$server" "$client"
	renice -n 19 -p "${PEER_PID[@]}" > /dev/null
}

cycle()
{
	module_insert && pause 0.0"$((RANDOM % 9))" && module_remove
}

a_hundred_cycles_under_traffic()
{
	local i before

	start_traffic
	cycle
	before=$(unreclaimable_kb)
	for ((i = 0; i < CYCLES; i++)); do
		cycle || fail "cycle $i"
	done
	peer_end churn
	check_num "$(grep -c "^received $CHURN_BYTES ok" "$SCRATCH/sink5002")" -ge 100 \
		"connections that came and went"
	check_num "$(grep -c '^received .* corrupt' "$SCRATCH/sink5002")" -eq 0 "streams not intact"
	check_is "$(state bulk locks | sort -u) $(state sink5001 locks | sort -u)" "0 0" \
		"locks that stay"
	tell bulk stop
	wait_for "bulk streams end" has_lines sink5001 '^received [1-9][0-9]* ok' 2
	check_num $(($(unreclaimable_kb) - before)) -le 8192 "KB of slab that stay"
}

# Changed while connections come and go: everything that can be.
knobs_change_under_churn()
{
	local i

	module_insert
	peer churn "$client" connect 10.0.1.1 5002 conns 16 bytes "$CHURN_BYTES" repeat "$CHURNED"
	for ((i = 0; i < ROUNDS; i++)); do
		knobs "$server" recv_pool $((65536 + RANDOM * 64)) receiver max send_pool $((i % 2 * 1000000))
		knobs "$server" receiver fixed mode off mode on share fcfs
		knobs "$server" receiver tbt_plr path_headroom $((i % 2 * 20)) sender stock mode observe share maxmin sender atbt
	done
	knobs "$server" mode on
	peers_end
	pools_are_empty
	check "rmmod" module_remove
}

# A listener that ends takes along those that nobody accepted, on one processor, while another
# hands them back: what the kernel locks them with does not wait for a lock that sleeps.
those_not_accepted_go_as_they_are_handed_back()
{
	local i

	module_insert
	for ((i = 0; i < ROUNDS && RET == 0; i++)); do
		peer sink5003 "$server" listen 10.0.1.1 5003
		kill -STOP "${PEER_PID[sink5003]}"
		peer crowd "$client" connect 10.0.1.1 5003 conns "$CROWD" send 10000
		wait_num "both ends of them have been seen" -ge $((2 * CROWD)) pool "" recv host conns
		{
			kill -KILL "${PEER_PID[sink5003]}"
			knobs "$server" mode off mode on
			peers_end
		} 2> /dev/null
	done
	check "rmmod" module_remove
}

tests_run a_hundred_cycles_under_traffic knobs_change_under_churn \
	those_not_accepted_go_as_they_are_handed_back
