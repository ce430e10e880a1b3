#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A reader that takes a little, again and again, and leaves the rest: its peer waits for room no longer than on stock, so
# a TCP_USER_TIMEOUT ends no connection that it does not end there, and data are no older.
#
#	server ---- 10.0.1.0/24, 100 Mbit/s, 20 ms each way ---- client
. ./lib.sh
WAIT_SECONDS=120

TIME=30		# seconds of a transfer
# bytes that the reader takes, how often [ms], for how long it takes all at first [ms], the writer's TCP_USER_TIMEOUT [ms], who
# has the module, the age of data if it may be other than AGE
CASES=("20000 500 0 15000 reader" "100000 3000 0 6000 both" "10000 500 0 15000 reader" "200000 1000 0 15000 both"
       "30000 500 200 60000 both" "58000 500 0 15000 reader 180" "64000 500 0 15000 reader 180" "60000 300 0 15000 reader 180")
WAIT=150	# percent of stock's longest wait
WAIT_MORE=1000	# ms
AGE=130		# percent of stock's
RESET=104	# ECONNRESET: the reader has ended, with data unread

setup_ns server client
link_ns "$server" "$client" 1
link_delay "$server" "$client" 20 100mbit
for ns in "$server" "$client"; do
	sysctl_set "$ns" tcp_no_metrics_save 1
done

# Into AGE_MS the median of the ages, into WAITED the longest wait for room [ms], into ERROR what ended the connection
# transfer BYTES EVERY_MS FAST_MS TIMEOUT_MS
transfer()
{
	puppet reader "$server" "$AGES" listen 10.0.1.1 5001 "$TIME" "${@:1:3}"
	puppet writer "$client" "$AGES" connect 10.0.1.1 5001 "$((TIME + 5))" "$4"
	wait_for "the reader ends" peer_ended reader
	wait_for "the writer ends" peer_ended writer
	find_lines reader '^[0-9]'
	read -r _ AGE_MS _ <<< "${FOUND[0]:-}"
	find_lines writer '^waited'
	read -r _ WAITED ERROR <<< "${FOUND[0]:-}"
	peers_end
	pause 2
}

without_the_module()
{
	local i

	for ((i = 0; i < ${#CASES[@]}; i++)); do
		# shellcheck disable=SC2086 # words
		transfer ${CASES[i]}
		STOCK_AGE[i]=$AGE_MS STOCK_WAITED[i]=$WAITED STOCK_ERROR[i]=$ERROR
		check_num "$AGE_MS" -gt 0 "ms of age"
		check_is "$ERROR" "$RESET" "errno at the writer's end"
	done
}

no_longer()
{
	local i who most

	module_insert
	for ((i = 0; i < ${#CASES[@]}; i++)); do
		read -r _ _ _ _ who most <<< "${CASES[i]}"
		module_of "$who"
		# shellcheck disable=SC2086 # words
		transfer ${CASES[i]}
		say "${CASES[i]}: waited ${WAITED:-} ms, age ${AGE_MS:-} ms, ended by ${ERROR:-}; without the module ${STOCK_WAITED[i]}, ${STOCK_AGE[i]}, ${STOCK_ERROR[i]}"
		check_is "$ERROR" "${STOCK_ERROR[i]}" "errno at the writer's end"
		check_num "$WAITED" -le $((STOCK_WAITED[i] * WAIT / 100 + WAIT_MORE)) "ms without room"
		check_num "$AGE_MS" -gt 0 "ms of age"
		check_num $((AGE_MS * 100)) -le $((STOCK_AGE[i] * ${most:-$AGE})) "ms of age, in hundredths"
	done
	module_remove
}

tests_run without_the_module no_longer
