#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# How often a connection goes through a full step because of others, and how often the slots of recent records lack its
# record. It runs with a module that counts:
#	lab/lab --lab virtual --kernel 7.3 --build coverage --out DIR -- selftests/run.sh steps
# A full step is a call of abt_steer(), a segment one of abt_on_segment(); renamed there, rename here.
#
#	server ---- 10.0.1.0/24, 1 Gbit/s, 5 ms each way ---- client	bystander
. ./lib.sh
. ./cost/counters.sh

STEP=conn/steer:abt_steer
SENDER_STEP=conn/steer:abt_steer_snd
RECEIVER_STEP=conn/steer:abt_settle_rcv
EPOCH=conn/steer:abt_steer_epoch
SEGMENT=conn/events:abt_on_segment
COPY=conn/events:abt_on_copy
ASIDE=conn/recent:abt_conn_recent	# not at home, and then not in the set:
MISS=conn/recent:abt_conn_remember
PORTS=8
EACH=1000		# connections of each port
CHUNK=1000		# bytes: five times a second are 5 KB/s
MOST_PERCENT=1		# of the segments may cause a full step
MOST_MISSES=5		# percent of the events
FLOWS=64		# uninvolved ones
WRITES=200		# of a knob elsewhere, 100 a second
WRITE_S=0.01
OWN=300000		# bytes of receive buffer that a peer sets: its window is less than cwnd
LOOKED_AT=0.6		# s after its start: a smaller offer has not lasted yet, and will be looked at again
FIXED=300000		# bytes of receive buffer that each wants
REST=200000		# bytes that are left for the last
MOST_UNRESTED=10	# percent of the epochs may end in a step
NOTICE=$((2 * FLOWS))	# steps: both ends of a flow may take note once of what was written

ulimit -n $((EACH + 1000))
setup_ns server client bystander
link_ns "$server" "$client" 5
for ns in "$server" "$client"; do
	tc -n "$ns" qdisc change dev v1 root netem delay 5ms rate 1gbit limit 100000
done
module_insert

tell_all()
{
	local i

	for ((i = 0; i < PORTS; i++)); do
		tell "source$i" "$1"
	done
}

trickle() # TIMES
{
	local i

	for ((i = 0; i < $1; i++)); do
		tell_all "send $CHUNK"
		pause 0.2
	done
}

# check_few FEW WHAT ALL OF LEAST PERCENT: of at least LEAST there are PERCENT at most
check_few()
{
	say "$1 $2 of $3 $4"
	check_num "$3" -ge "$5" "$4"
	check_num $(($1 * 100)) -le $(($3 * $6)) "$2, in hundredths"
}

thousands_that_trickle()
{
	local i segments events misses

	for ((i = 0; i < PORTS; i++)); do
		peer "sink$i" "$server" listen 10.0.1.1 $((5001 + i))
		peer "source$i" "$client" connect 10.0.1.1 $((5001 + i)) conns "$EACH" send "$CHUNK"
	done
	trickle 15
	count_from_now
	trickle 8
	segments=$(counted "$SEGMENT")
	say "of the host's receive pool $(pool "" recv host charged) of $(pool "" recv host size) charged"
	check_few "$(counted "$STEP")" "full steps" "$segments" "segments" $((8 * PORTS * EACH)) "$MOST_PERCENT"
	events=$((segments + $(counted "$COPY")))
	misses=$(counted "$MISS")
	say "of $events events $(counted "$ASIDE") find no record at home, $misses none in its set"
	check_num $((misses * 100)) -le $((events * MOST_MISSES)) "records that are in no slot, in hundredths"
	peers_end
}

# steps_beside VALUE...: full steps in the flows while each is written elsewhere
steps_beside()
{
	local value

	count_from_now
	for value; do
		[ "$value" = none ] || knobs "$bystander" fixed_send "$value"
		pause "$WRITE_S"
	done
	STEPS=$(counted "$STEP")
}

a_knob_is_written_elsewhere()
{
	local i before values=() none=()

	for ((i = 0; i < WRITES; i++)); do
		values+=($((100000 + i)))
		none+=(none)
	done
	sink_and_source 10.0.1.1 6001 conns "$FLOWS" rate 200000
	knobs "$bystander" mode off
	pause 5
	steps_beside "${none[@]}"
	before=$STEPS
	steps_beside "${values[@]}"
	say "$STEPS full steps in $FLOWS flows beside $WRITES writes elsewhere, $before without"
	check_num "$STEPS" -le $((before + NOTICE)) "full steps"
	peers_end
}

# With another policy the peer's window does not count, and no segment asks for a step because of it
a_smaller_offer_no_longer_counts()
{
	knobs "$server" mode off
	peer sink "$server" listen 10.0.1.1 6002 rcvbuf "$OWN"
	peer source "$client" connect 10.0.1.1 6002
	pause "$LOOKED_AT"
	knobs "$client" sender stock
	pause 1
	count_from_now
	pause 2
	check_few "$(counted "$SENDER_STEP")" "full steps" "$(counted "$SEGMENT")" "segments" 1000 "$MOST_PERCENT"
	peers_end
}

# Buffers are odd. After two of them a pool of an even size has an even rest, for the third.
the_last_of_a_full_pool_rests()
{
	knobs "$client" sender atbt
	knobs "$server" mode on share fcfs receiver fixed fixed_recv "$FIXED" recv_pool $((2 * FIXED + REST))
	sink_and_source 10.0.1.1 6003 conns 3
	pause 3
	check_num "$(pool "$server" recv net refused)" -ge 1 "times that the pool was too small"
	count_from_now
	pause 3
	check_few "$(counted "$RECEIVER_STEP")" "steps of receivers" "$(counted "$EPOCH")" "epochs" 500 "$MOST_UNRESTED"
	peers_end
}

tests_run the_module_counts thousands_that_trickle a_knob_is_written_elsewhere a_smaller_offer_no_longer_counts \
	the_last_of_a_full_pool_rests
