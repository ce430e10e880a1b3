#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Uploads to a reader that keeps up, the module at the writer alone: no more is queued than on stock, whatever cwnd slow start
# left. Chance decides that, so there are several.
#
#	server ---- 10.0.1.0/24, 30 ms; 100 Mbit/s behind a queue of 300 KB ---- client, which writes
. ./lib.sh

UPLOADS=10
TIME=12			# seconds of each
LEAST=11250000		# bytes a second: 90 % of the line
QUEUED=130		# percent of the most that stock has queued; 170 in 10 of 32 before

setup_ns server client
link_ns "$server" "$client" 1
tc -n "$server" qdisc replace dev v1 root netem delay 30ms limit 20000
tc -n "$client" qdisc replace dev v1 root tbf rate 100mbit burst 200k limit 300k

# Into MOST what is queued in the end, of the upload with most
uploads()
{
	local i

	MOST=0
	for ((i = 0; i < UPLOADS; i++)); do
		absent_writer "$TIME" $((TIME * 1000 + i * 7)) 1
		check_num "${WROTE[0]}" -ge $((TIME * LEAST)) "bytes"
		((WROTE[1] <= MOST)) || MOST=${WROTE[1]}
	done
}

without_the_module()
{
	uploads
	STOCK_MOST=$MOST
	check_num "$STOCK_MOST" -gt 0 "bytes queued"
}

no_more_is_queued()
{
	module_insert
	module_of writer
	uploads
	say "queued $MOST for $STOCK_MOST"
	check_num $((MOST * 100)) -le $((STOCK_MOST * QUEUED)) "bytes queued, in hundredths"
	module_remove
}

tests_run without_the_module no_more_is_queued
