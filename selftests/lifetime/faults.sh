#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# No memory, no tracepoint: each allocation of ours fails once, by turns, and nothing
# is left of what was begun. Needs a kernel with fault injection: the debug kernel.
#
#	server ---- 10.0.1.0/24 ---- client
#	a namespace for each name that comes and goes in the tests

# The kernel itself shows with a trace where it had no memory for a cache of ours.
COMPLAINTS='WARNING:|BUG:|Oops|general protection|leak|Objects remaining'
. ./lib.sh

DEBUGFS=/sys/kernel/debug
MOST_SITES=400	# more allocations than anything here makes
NO_PAGES=10	# an order that nothing here asks for
REFUSED=15	# times at least that insmod is
CONNS=20
BYTES=100000

[ -d "$DEBUGFS"/failslab ] ||
	{ echo "1..1"; echo "not ok 1 set-up: no $DEBUGFS/failslab: expected the kernel 7.3-debug"; exit 1; }

hold_sysctl tcp_rmem "4096 131072 3000001"
hold_sysctl tcp_wmem "4096 16384 2000001"

# By what bash can do itself: this is looked at some hundred times.
ceilings()
{
	local send receive

	read -r receive < /proc/sys/net/ipv4/tcp_rmem
	read -r send < /proc/sys/net/ipv4/tcp_wmem
	CEILINGS="$receive $send"
}
ceilings
readonly CEILINGS_BEFORE=$CEILINGS

fault_set()
{
	local kind name=$1 value=$2

	for kind in failslab fail_page_alloc; do
		echo "$value" > "$DEBUGFS/$kind/$name"
	done
}

# faults_below START END: only what is called from code between these addresses fails
faults_below()
{
	fault_set require-start "$1"
	fault_set require-end "$2"
	fault_set ignore-gfp-wait N 2> /dev/null
	echo N > "$DEBUGFS"/fail_page_alloc/ignore-gfp-highmem
	echo 0 > "$DEBUGFS"/fail_page_alloc/min-order
	fault_set verbose 0
	fault_set times 1
	fault_set stacktrace-depth 32
}

# An address range of the kernel's own, from a function to the next.
faults_below_function()
{
	local range

	range=$(awk -v name="$1" '
		NR == FNR { if ($3 == name) start = $1; next }
		$1 > start && (!end || $1 < end) { end = $1 }
		END { print "0x" start, "0x" end }' /proc/kallsyms /proc/kallsyms)
	# shellcheck disable=SC2086 # two words
	faults_below $range
}

faults_below_module()
{
	local start

	read -r start < /sys/module/tcp_abt/sections/.text
	faults_below "$start" "$(printf '0x%x' $((start + $(< /sys/module/tcp_abt/coresize))))"
}

faults_end()
{
	fault_set probability 0
	fault_set times 0
}

# with_fault N PROGRAM...: its N-th allocation fails. FAULTED: did it make so many?
# The request is of a task: it goes on through exec, not through fork.
with_fault()
{
	local n=$1 slab page status; shift

	fault_set times 1
	(echo "$n" > /proc/self/fail-nth && exec "$@") 2> "$SCRATCH/said"
	status=$?
	FAULTED=1
	read -r slab < "$DEBUGFS"/failslab/times
	read -r page < "$DEBUGFS"/fail_page_alloc/times
	[ "$slab $page" != "1 1" ] || FAULTED=
	return "$status"
}

# each_fault PROGRAM...: each of its allocations fails once. After each run of it
# `after_fault STATUS` looks at what is left. SITES: how many there were.
each_fault()
{
	local status

	for ((SITES = 0; SITES < MOST_SITES; SITES++)); do
		with_fault $((SITES + 1)) "$@"
		status=$?
		after_fault "$status"
		[ "$FAULTED" ] || break
		[ "$RET" = 0 ] || break
	done
	faults_end
	say "$SITES allocations failed, one at a time"
}

nothing_is_left()
{
	check "no module" [ ! -d /sys/module/tcp_abt ]
	check "no knobs" [ ! -e "$KNOBS" ]
	check "no files" [ ! -e /proc/net/tcp_abt -a ! -e /proc/net/tcp_abt_pool ]
	ceilings
	check_is "$CEILINGS" "$CEILINGS_BEFORE" "ceilings"
}

# There are three namespaces then, so that one fails after others stood.
insmod_survives_each_fault()
{
	local refused=0

	setup_ns one two
	after_fault()
	{
		if module_loaded; then
			check_is "$1" 0 "status of an insmod that inserted it"
			check "rmmod after fault $SITES" module_remove
		else
			check "ENOMEM of fault $SITES: $(< "$SCRATCH/said")" \
				grep -q 'Cannot allocate memory' "$SCRATCH/said"
			refused=$((refused + 1))
		fi
		nothing_is_left
	}
	faults_below_function do_one_initcall
	each_fault insmod "$ABT_MODULE"
	check_num "$refused" -ge "$REFUSED" "times that insmod was refused"
	say "insmod was refused $refused times"
}

a_new_namespace_survives_each_fault()
{
	local refused=0

	module_insert
	after_fault()
	{
		if [ "$1" = 0 ]; then
			check "its knobs" in_ns spare cat "$KNOBS/mode" > /dev/null
			ip netns delete spare
		else
			refused=$((refused + 1))
			ip netns delete spare 2> /dev/null
		fi
	}
	faults_below_module
	# pages are for slabs, which do with fewer; how many there are depends on what went before
	echo "$NO_PAGES" > "$DEBUGFS"/fail_page_alloc/min-order
	each_fault ip netns add spare
	check_num "$refused" -ge 5 "times that a namespace was refused"
	say "a namespace was refused $refused times"
}

# Each knob of each kind; what is refused has changed nothing.
a_knob_survives_each_fault()
{
	local before refused=0 knob value

	setup_ns knobbed
	after_fault()
	{
		if [ "$1" != 0 ]; then
			refused=$((refused + 1))
			check "ENOMEM: $(< "$SCRATCH/said")" grep -q 'Cannot allocate memory' "$SCRATCH/said"
			check_is "$(sysctl_get "$knobbed" "tcp_abt/$knob")" "$before" "$knob after a fault"
		fi
	}
	faults_below_module
	while read -r knob value; do
		before=$(sysctl_get "$knobbed" "tcp_abt/$knob")
		each_fault nsenter --net="/run/netns/$knobbed" bash -c "echo $value > $KNOBS/$knob"
		check_num "$SITES" -ge 1 "allocations of $knob"
		check_is "$(sysctl_get "$knobbed" "tcp_abt/$knob")" "$value" "$knob in the end"
	done <<-EOF
		recv_pool 1000000
		send_pool 1000000
		sender fixed
		mode off
		mode on
	EOF
	check_num "$refused" -ge 5 "times that a knob was refused"
	module_remove
}

# No hook allocates but for a record: while none can be had, connections open, and are
# the kernel's own; as soon as one can, they are ours.
without_records_the_kernel_tunes()
{
	setup_ns server client
	link_ns "$server" "$client"
	module_insert
	faults_below_module
	fault_set times -1
	fault_set probability 100
	sink_and_source 10.0.1.1 5001 conns "$CONNS" send "$BYTES"
	wait_is "all was sent" "moved $BYTES $BYTES $CONNS" moved source
	check_is "$(conns "$server" local:5001 local)" "" "connections with a record"
	check_is "$(state sink locks | sort -u)" 0 "locks"
	check_is "$(pool "" recv host conns)" 0 "members of the pool"
	faults_end
	tell source "send $BYTES"
	wait_num "connections with a record" -eq "$CONNS" count_conns "$server" local:5001
	stop_and_receive "$CONNS"
	module_remove
}

moved()
{
	tell "$1" moved
	pause 0.2
	grep '^moved' "$SCRATCH/$1" | tail -n 1
}

# Half of all that the hooks and the table ask for.
half_of_all_allocations_fail()
{
	module_insert
	faults_below_module
	fault_set times -1
	fault_set probability 50
	sink_and_source 10.0.1.1 5001 conns "$CONNS" bytes 20000 repeat 10
	received sink $((10 * CONNS)) 20000
	faults_end
	pools_are_empty
	peers_end
	module_remove
}

# The table grows while there is no memory for a larger one.
faults_end_with_nothing_charged()
{
	check_is "$(cat "$DEBUGFS"/failslab/probability)" 0 "faults are over"
	nothing_is_left
}

tests_run insmod_survives_each_fault a_new_namespace_survives_each_fault \
	a_knob_survives_each_fault without_records_the_kernel_tunes \
	half_of_all_allocations_fail faults_end_with_nothing_charged
