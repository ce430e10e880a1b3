#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# How old are data when a slow reader takes them, whose writer writes as much as its socket takes? They wait in the
# buffers of both ends, so larger buffers make them older.
#
#	server ---- 10.0.1.0/24 ---- client
. ./lib.sh

RMEM="4096 131072 6291456"	# tcp_rmem of 6.12
# Seconds of the transfer: in its first half buffers come to rest; Mbit/s, delay each way [ms], bytes that the reader takes, how often [ms];
# who has the module, percent of the age on stock at most. How a transfer starts decides how large its buffers become: on stock
# the first is 1,100 or 2,020 ms in the median, the third 1,160 to 1,580. So each runs three
# times, and the one in the middle is compared with the oldest on stock.
RUNS=3
CASES=("24 100 20 10000 20 both 50" "16 500 20 100000 20 both 60" "16 500 20 100000 20 writer 70" "24 100 40 20000 40 reader 120")
LEAST=98		# percent of what the reader takes on stock

setup_ns server client
link_ns "$server" "$client" 1
for ns in "$server" "$client"; do
	sysctl_set "$ns" tcp_rmem "$RMEM"
	sysctl_set "$ns" tcp_no_metrics_save 1
done

# Into TOOK what was taken [bytes], into AGE the median of its ages [ms]
# transfer SECONDS MBIT DELAY_MS BYTES EVERY_MS
transfer()
{
	link_delay "$server" "$client" "$3" "${2}mbit"
	puppet reader "$server" "$AGES" listen 10.0.1.1 5001 "$1" "${@:4:2}"
	puppet writer "$client" "$AGES" connect 10.0.1.1 5001 "$(($1 + 5))"
	wait_for "the reader ends" peer_ended reader
	find_lines reader '^[0-9]'
	read -r TOOK AGE _ <<< "${FOUND[0]}"
	peers_end
	pause 2
}

# Into MEDIANS, in order; into TOOK the least
# transfers TRANSFER...
transfers()
{
	local run least=

	MEDIANS=()
	for ((run = 0; run < RUNS; run++)); do
		transfer "$@"
		MEDIANS+=("$AGE")
		[ -n "$least" ] && [ "$least" -lt "$TOOK" ] || least=$TOOK
	done
	TOOK=$least
	mapfile -t MEDIANS < <(printf '%s\n' "${MEDIANS[@]}" | sort -n)
}

# Once for each transfer, whoever has the module later
without_the_module()
{
	local i transfer last=

	for ((i = 0; i < ${#CASES[@]}; i++)); do
		transfer=${CASES[i]% * *}
		# shellcheck disable=SC2086 # words
		[ "$transfer" = "$last" ] || transfers $transfer
		last=$transfer
		TAKEN[i]=$TOOK OLD[i]=${MEDIANS[RUNS - 1]}
		check_num "${OLD[i]}" -gt 0 "ms"
	done
}

data_are_no_older()
{
	local i

	module_insert
	for ((i = 0; i < ${#CASES[@]}; i++)); do
		read -r _ _ _ _ _ who percent <<< "${CASES[i]}"
		module_of "$who"
		# shellcheck disable=SC2086 # words
		transfers ${CASES[i]}
		say "${CASES[i]}: ${MEDIANS[*]} ms in the median; without the module ${OLD[i]}"
		check_num $((MEDIANS[RUNS / 2] * 100)) -le $((OLD[i] * percent)) "ms, in hundredths"
		check_num $((TOOK * 100)) -ge $((TAKEN[i] * LEAST)) "bytes, in hundredths"
	done
	module_remove
}

tests_run without_the_module data_are_no_older
