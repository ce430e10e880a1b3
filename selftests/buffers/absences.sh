#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A writer that is away now and then: what it has queued fills the path meanwhile, as on stock, and is not
# several times that, with the module at both ends or at the writer alone.
#
#	server ---- 10.0.1.0/24 ---- client, which writes
. ./lib.sh

LOSSY="100mbit delay 5ms loss 0.3%"	# each way; losses keep cwnd small
LOSSY_RUN="40 300 200"			# seconds, ms of filling, ms away
LOSSY_TIMES=6				# losses decide, so the mean counts: of three it was 0.79 of stock's to 1.04
LOSSY_LEAST=82				# percent of stock's bytes, which chance varies by a tenth
LOSSY_QUEUED=40				# percent of what stock has queued as the writer goes away; 23 before

# each way; a queue of real packets far longer than the path, so that cwnd is, too: twice cwnd is far beyond tcp_wmem[2]
DEEP=("200mbit delay 20ms" "100mbit delay 50ms")
DEEP_RUN=("15 0 100" "15 800 300")
DEEP_LEAST=95				# percent of stock's bytes
DEEP_MOST=200				# percent of what stock has queued; 1,500 before

# the reader's buffer becomes small, so that the window is less than cwnd: the kernel makes room for twice cwnd
LESS_READER="4 1000000"			# seconds; bytes, which the kernel doubles
LESS_MOST=150				# percent of what stock has queued

REST_PATH="200mbit delay 25ms"
SMALL=50000		# bytes: an answer between two rests
LARGE=3000000		# bytes
TAKEN=95		# percent of what stock's send() takes; 7 before

setup_ns server client
link_ns "$server" "$client" 5

# path PARAMETERS: of netem, each way
path()
{
	local ns

	for ns in "$server" "$client"; do
		# shellcheck disable=SC2086 # several words
		tc -n "$ns" qdisc replace dev v1 root netem rate $1 limit 3000
	done
}

# Into BYTES and QUEUED, the mean, of all runs over the lossy path
lossy()
{
	local i

	path "$LOSSY"
	BYTES=0 QUEUED=0
	for ((i = 0; i < LOSSY_TIMES; i++)); do
		# shellcheck disable=SC2086 # three words
		absent_writer $LOSSY_RUN
		BYTES=$((BYTES + WROTE[0])) QUEUED=$((QUEUED + WROTE[2] / LOSSY_TIMES))
	done
}

# deep I: into BYTES and QUEUED, the most
deep()
{
	path "${DEEP[$1]}"
	# shellcheck disable=SC2086 # three words
	absent_writer ${DEEP_RUN[$1]}
	BYTES=${WROTE[0]} QUEUED=${WROTE[1]}
}

# Into BYTES and QUEUED, the most
less()
{
	path "${DEEP[0]}"
	# shellcheck disable=SC2086 # three words
	READER=$LESS_READER absent_writer ${DEEP_RUN[0]}
	BYTES=${WROTE[0]} QUEUED=${WROTE[1]}
}

# Into TOOK
rested()
{
	path "$REST_PATH"
	absent_writer "$SMALL" "$LARGE"
	TOOK=${WROTE[0]}
}

without_the_module()
{
	local i

	lossy
	STOCK_LOSSY=$BYTES STOCK_MEAN=$QUEUED
	for i in "${!DEEP[@]}"; do
		deep "$i"
		STOCK_DEEP[i]=$BYTES STOCK_QUEUED[i]=$QUEUED
	done
	less
	STOCK_LESS=$BYTES STOCK_LESS_QUEUED=$QUEUED
	rested
	STOCK_TOOK=$TOOK
	say "lossy $STOCK_LOSSY, queued $STOCK_MEAN; deep ${STOCK_DEEP[*]}, queued ${STOCK_QUEUED[*]}; a window that became small $STOCK_LESS, queued $STOCK_LESS_QUEUED; taken after rests $STOCK_TOOK"
}

as_much_over_a_lossy_path()
{
	lossy
	say "$((BYTES * 100 / STOCK_LOSSY)) % of $STOCK_LOSSY bytes, queued $QUEUED for $STOCK_MEAN"
	check_num $((BYTES * 100)) -ge $((STOCK_LOSSY * LOSSY_LEAST)) "bytes, in hundredths"
	check_num $((QUEUED * 100)) -ge $((STOCK_MEAN * LOSSY_QUEUED)) "bytes queued, in hundredths"
}

no_more_in_a_deep_queue()
{
	local i

	for i in "${!DEEP[@]}"; do
		deep "$i"
		say "${DEEP[i]}: $((BYTES * 100 / STOCK_DEEP[i])) % of ${STOCK_DEEP[i]} bytes, queued $QUEUED for ${STOCK_QUEUED[i]}"
		check_num $((BYTES * 100)) -ge $((STOCK_DEEP[i] * DEEP_LEAST)) "bytes, in hundredths"
		check_num $((QUEUED * 100)) -le $((STOCK_QUEUED[i] * DEEP_MOST)) "bytes queued, in hundredths"
	done
}

no_more_behind_a_small_window()
{
	less
	say "$((BYTES * 100 / STOCK_LESS)) % of $STOCK_LESS bytes, queued $QUEUED for $STOCK_LESS_QUEUED"
	check_num $((BYTES * 100)) -ge $((STOCK_LESS * DEEP_LEAST)) "bytes, in hundredths"
	check_num $((QUEUED * 100)) -le $((STOCK_LESS_QUEUED * LESS_MOST)) "bytes queued, in hundredths"
}

one_send_takes_as_much_after_rests()
{
	rested
	say "$TOOK bytes for $STOCK_TOOK"
	check_num $((TOOK * 100)) -ge $((STOCK_TOOK * TAKEN)) "bytes, in hundredths"
}

both_ends_over_a_lossy_path() { module_insert; as_much_over_a_lossy_path; }

the_writer_alone_over_a_lossy_path() { module_of writer; as_much_over_a_lossy_path; }

the_writer_alone_in_a_deep_queue() { no_more_in_a_deep_queue; }

the_writer_alone_behind_a_small_window() { no_more_behind_a_small_window; }

the_writer_alone_after_rests() { one_send_takes_as_much_after_rests; module_remove; }

tests_run without_the_module both_ends_over_a_lossy_path no_more_in_a_deep_queue no_more_behind_a_small_window \
	one_send_takes_as_much_after_rests the_writer_alone_over_a_lossy_path the_writer_alone_in_a_deep_queue \
	the_writer_alone_behind_a_small_window the_writer_alone_after_rests
