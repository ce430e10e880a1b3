#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The module comes and goes, and leaves nothing behind.
#
#	init_net	old (made before insmod)	new (made after)
#	knobs, files and ceilings are looked at in each
. ./lib.sh

ceilings() { sysctl_get "$1" tcp_rmem; sysctl_get "$1" tcp_wmem; }

setup_ns old
sysctl_set "$old" tcp_rmem "4096 100000 3000001"
sysctl_set "$old" tcp_wmem "4096 20000 1000003"
declare -A before=([init]=$(ceilings "") [old]=$(ceilings "$old"))

insmod_makes_knobs_and_files()
{
	local ns

	check "insmod" module_insert
	setup_ns new
	for ns in "" "$old" "$new"; do
		check "mode of '$ns' is on" [ "$(sysctl_get "$ns" tcp_abt/mode)" = on ]
		check "tcp_abt of '$ns' has columns" \
			in_ns "$ns" grep -q '^local remote sender receiver cwnd' /proc/net/tcp_abt
		check_is "$(in_ns "$ns" awk 'NR > 1 { print $1, $2 }' /proc/net/tcp_abt_pool | xargs)" \
			"send host recv host" "pools that '$ns' draws on"
	done
	check_is "$(cat /sys/module/tcp_abt/refcnt)" 0 "references held on the module"
}

# 14/32 of tcp_mem[1] for sending, 17/32 for receiving; at most 1 GiB
insmod_holds_the_ceilings()
{
	local mark send recv ns

	mark=$(awk '{ print $2 }' /proc/sys/net/ipv4/tcp_mem)
	send=$(host_pool send "$mark")
	recv=$(host_pool recv "$mark")
	check_is "$(pool "" send host size)" "$send" "size of the host's send pool"
	check_is "$(pool "" recv host size)" "$recv" "size of the host's receive pool"
	send=$((send < 1 << 30 ? send : 1 << 30))
	recv=$((recv < 1 << 30 ? recv : 1 << 30))
	for ns in "" "$old" "$new"; do
		check_is "$(ceiling "$ns")" "$recv" "tcp_rmem[2] of '$ns'"
		check_is "$(sysctl_get "$ns" tcp_wmem | cut -f3)" "$send" "tcp_wmem[2] of '$ns'"
	done
	check_is "$(sysctl_get "$old" tcp_rmem | cut -f1,2)" "4096	100000" "tcp_rmem[0], [1]"
}

rmmod_removes_everything()
{
	local ns

	check "rmmod" module_remove
	for ns in "" "$old" "$new"; do
		check "no knobs in '$ns'" in_ns "$ns" [ ! -e "$KNOBS" ]
		check "no files in '$ns'" \
			in_ns "$ns" [ ! -e /proc/net/tcp_abt -a ! -e /proc/net/tcp_abt_pool ]
	done
	check_is "$(ceilings "")" "${before[init]}" "tcp_rmem, tcp_wmem of the first namespace"
	check_is "$(ceilings "$old")" "${before[old]}" "tcp_rmem, tcp_wmem of one made before"
	check_is "$(ceilings "$new")" "${before[init]}" "tcp_rmem, tcp_wmem of one made after"
	# of a cache that was merged with another's the kernel itself leaves the link
	check "no slab cache is left" \
		[ ! -e /sys/kernel/slab/tcp_abt_conn -o -L /sys/kernel/slab/tcp_abt_conn ]
	check "no tracepoints are left" [ ! -e /sys/kernel/tracing/events/tcp_abt ]
}

a_wrong_mode_is_refused()
{
	check "mode=maybe is refused" eval '! module_insert mode=maybe 2> /dev/null'
	check "nothing stays of it" [ ! -e /sys/module/tcp_abt -a ! -e "$KNOBS" ]
}

# A kernel that lacks a tracepoint: the module asks for one of another name. Whoever
# has seen the knobs by then may read and write them all the while.
a_missing_tracepoint_is_told()
{
	local poked said tried absent=$SCRATCH/absent.ko

	LC_ALL=C sed 's/tcp_rcv_space_adjust/tcp_rcv_space_absent/' "$ABT_MODULE" > "$absent"
	check "the other name is in the module" grep -qa tcp_rcv_space_absent "$absent"
	poke_knobs & poked=$!
	for tried in 1 2 3; do
		said=$(insmod "$absent" 2>&1) && fail "insmod $tried succeeded"
		check "ENOENT: $said" grep -q 'Unknown symbol\|No such file' <<< "$said"
		check_is "$(ceilings "$old")" "${before[old]}" "ceilings after insmod $tried"
	done
	check "the log names it" eval 'dmesg | grep -q "no tracepoint tcp_rcv_space_absent"'
	check "mode=off needs none" insmod "$absent" mode=off
	check "mode on is refused" eval '! sysctl_set "$old" tcp_abt/mode on'
	check_is "$(sysctl_get "$old" tcp_abt/mode)" off "mode"
	module_remove
	kill "$poked"
	wait "$poked" 2> /dev/null
	check "nothing stays of it" [ ! -e /sys/module/tcp_abt -a ! -e "$KNOBS" ]
}

poke_knobs()
{
	local value

	while pause 0.0005; do
		{ read -r value < "$KNOBS/mode" && echo "$value" > "$KNOBS/mode"; }
	done 2> /dev/null
}

mode_sets_the_default_of_all()
{
	local mode

	for mode in off observe on; do
		check "insmod mode=$mode" module_insert mode="$mode"
		check_is "$(sysctl_get "" tcp_abt/mode)" "$mode" "mode"
		check_is "$(sysctl_get "$old" tcp_abt/mode)" "$mode" "mode of another namespace"
		[ "$mode" = on ] || check_is "$(ceilings "$old")" "${before[old]}" "ceilings in mode $mode"
		module_remove
	done
}

# A namespace that goes takes its pools and knobs along.
namespaces_may_go_first()
{
	local ns

	module_insert
	for _ in 1 2 3; do
		setup_ns gone
		ns=$gone
		knobs "$ns" send_pool 1000000 recv_pool 1000000 mode observe mode on
		ns_delete "$ns"
	done
	check "rmmod right after" module_remove
	check_is "$(ceilings "")" "${before[init]}" "tcp_rmem, tcp_wmem of the first namespace"
}

tests_run insmod_makes_knobs_and_files insmod_holds_the_ceilings rmmod_removes_everything \
	a_wrong_mode_is_refused a_missing_tracepoint_is_told mode_sets_the_default_of_all namespaces_may_go_first
