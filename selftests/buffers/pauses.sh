#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A reader that takes everything, and nothing for some seconds now and then, gets as much as on stock. One that asks to
# be woken late (SO_RCVLOWAT) has no more memory than on stock.
#
#	server ---- 10.0.1.0/24 ---- client
. ./lib.sh

RMEM="4096 131072 6291456"	# tcp_rmem of 6.12
TIME=24		# seconds of a transfer
# Mbit/s, delay each way [ms], for how long it reads and pauses [ms]
CASES=("10 10 4000 2000" "20 5 4000 2000" "50 15 3000 500")
LEAST=95		# percent of what stock takes
TIMES=3		# with the module: a pause in which the window does not go on takes a tenth of the second case
LOWAT=64000000		# bytes: half of stock's tcp_rmem[2] is what the kernel makes of it
LOWAT_PATH=100		# Mbit/s
MEMORY=150		# percent of stock's TCP memory, at most

setup_ns server client
link_ns "$server" "$client" 1
sysctl_set "$server" tcp_rmem "$RMEM"

# Into TOOK what the reader took [bytes], into HAS its SO_RCVLOWAT, into PEAK the most TCP memory [pages]
# transfer MBIT DELAY_MS READ_MS PAUSE_MS [LOWAT]
transfer()
{
	link_delay "$server" "$client" "$2" "${1}mbit"
	puppet reader "$server" "$PAUSES" listen 10.0.1.1 5001 "$TIME" "${@:3}"
	puppet writer "$client" "$PAUSES" connect 10.0.1.1 5001 "$((TIME + 5))"
	PEAK=0
	while ! peer_ended reader; do
		pause 0.5
		tcp_pages
		[ "$PAGES" -le "$PEAK" ] || PEAK=$PAGES
	done
	find_lines reader '^[0-9]'
	read -r TOOK HAS <<< "${FOUND[0]}"
	peers_end
	pause 2
}

# Into ALL, of each case, what the reader took: the median of so many transfers
# transfer_all TIMES
transfer_all()
{
	local i j took

	for ((i = 0; i < ${#CASES[@]}; i++)); do
		took=()
		for ((j = 0; j < $1; j++)); do
			# shellcheck disable=SC2086 # four words
			transfer ${CASES[i]}
			took+=("$TOOK")
		done
		ALL[i]=$(median "${took[@]}")
	done
}

without_the_module()
{
	transfer_all 1
	STOCK=("${ALL[@]}")
	transfer "$LOWAT_PATH" 10 4000 0 "$LOWAT"
	STOCK_LOWAT=$HAS STOCK_PEAK=$PEAK
	say "${STOCK[*]} bytes; SO_RCVLOWAT $STOCK_LOWAT, $STOCK_PEAK pages"
	check_num "$STOCK_PEAK" -gt 0 "pages"
}

a_reader_that_pauses_takes_as_much()
{
	local i

	module_insert
	transfer_all "$TIMES"
	for ((i = 0; i < ${#CASES[@]}; i++)); do
		say "${CASES[i]}: $((ALL[i] * 100 / STOCK[i])) % of ${STOCK[i]} bytes"
		check_num $((ALL[i] * 100)) -ge $((STOCK[i] * LEAST)) "bytes, in hundredths"
	done
}

a_reader_that_is_woken_late_has_no_more_memory()
{
	transfer "$LOWAT_PATH" 10 4000 0 "$LOWAT"
	say "SO_RCVLOWAT $HAS, $PEAK pages"
	check_num "$HAS" -eq "$STOCK_LOWAT" "bytes"
	check_num $((PEAK * 100)) -le $((STOCK_PEAK * MEMORY)) "pages, in hundredths"
	module_remove
}

tests_run without_the_module a_reader_that_pauses_takes_as_much a_reader_that_is_woken_late_has_no_more_memory
