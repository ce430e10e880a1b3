#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Whatever is written to whichever knob: a user without rights, in namespaces of its
# own, changes nothing for anybody else; root changes what it may, and transfers go on.
#
#	server ---- 10.0.1.0/24 ---- client
. ./lib.sh

WRITES=${WRITES:-400}
LOG_LINES=25	# that so many writes may add to the kernel's log
LOG_BURST=10	# more of them every LOG_BURST_S: what the kernel's rate limit lets through
LOG_BURST_S=5
CONNS=8
BYTES=1000000	# of each: they last longer than the writes, which take no time
FLOOD=40	# times off and on: a line each would be more than LOG_LINES
export WRITES

# Random values at random knobs: boundaries of each, of 32 and 64 bits, words of all, nonsense.
# shellcheck disable=SC2016 # for the shell inside
WRITE_ANYTHING='
	RANDOM=1
	cd /proc/sys/net/ipv4 || exit
	values=("" " " 0 1 -1 2 3 8 9 16 17 99 100 109 110 200 201 4607 4608 65535 65536 1000000 1000001
		1073741824 1073741825 2147483647 2147483648 4294967295 4294967296 1099511627776
		1099511627777 18446744073709551615 18446744073709551616 0x10000 010 1e6 "1 1" off on
		observe stock fixed max atbt sabt drs tbt_plr app maxmin proportional fcfs epoch queue
		"on on" ON %n $'"'\\\\x01'"' "$(printf "%0100d" 1)")
	knobs=(tcp_abt/* tcp_abt/* tcp_rmem tcp_wmem tcp_moderate_rcvbuf tcp_window_scaling tcp_app_win
		tcp_adv_win_scale tcp_shrink_window tcp_max_reordering)
	for ((i = 0; i < WRITES; i++)); do
		knob=${knobs[RANDOM % ${#knobs[@]}]}
		value=${values[RANDOM % ${#values[@]}]}
		case $knob in tcp_[rw]mem) value="4096 $value ${values[RANDOM % ${#values[@]}]}" ;; esac
		echo "$value" > $knob
		[ $((i % 20)) != 0 ] || cat tcp_abt/* /proc/net/tcp_abt /proc/net/tcp_abt_pool
	done > /dev/null 2>&1
	for knob in tcp_abt/*; do
		read -r value < "$knob"
		echo "${knob#*/}=$value"
	done'

# All that a user of the host can see of it, beside counters.
host_state()
{
	local file

	for file in "$KNOBS"/* /proc/sys/net/ipv4/tcp_[rw]mem; do
		echo "$file: $(< "$file")"
	done
	awk '{ print $1, $2, $3, $4, $7 }' /proc/net/tcp_abt_pool
}

log_lines() { dmesg | grep -c 'tcp_abt: '; }

a_user_changes_nothing_for_others()
{
	local before lines said

	module_insert
	before=$(host_state)
	lines=$(log_lines)
	said=$(as_nobody unshare -Urn bash -c "$WRITE_ANYTHING")
	check_num "$(wc -l <<< "$said")" -gt 10 "knobs that the user could read in the end"
	wait_is "state of the host" "$before" host_state
	check_num $(($(log_lines) - lines)) -le "$LOG_LINES" "lines that the user had logged"
	check "the host's own files are closed" \
		eval '! as_nobody bash -c "echo off > $KNOBS/mode" 2> /dev/null'
}

# The same by root, where connections are, at both ends.
anything_goes_under_traffic()
{
	local said

	setup_ns server client
	link_ns "$server" "$client" 2
	sink_and_source 10.0.1.1 5001 conns "$CONNS" bytes "$BYTES"
	in_ns "$client" bash -c "$WRITE_ANYTHING" > /dev/null &
	said=$(in_ns "$server" bash -c "$WRITE_ANYTHING")
	wait $!
	for ns in "$server" "$client"; do
		sysctl_set "$ns" tcp_rmem "4096 131072 6291456"
		sysctl_set "$ns" tcp_wmem "4096 16384 4194304"
		sysctl_set "$ns" tcp_window_scaling 1
	done
	received sink "$CONNS" "$BYTES"
	peers_end
	pools_are_empty
	check_num "$(wc -l <<< "$said")" -gt 10 "knobs in the end"
	module_remove
}

# Whoever owns a namespace can make the module say something, again and again.
the_log_is_not_flooded()
{
	local lines began

	module_insert
	lines=$(log_lines)
	began=$SECONDS
	FLOOD=$FLOOD as_nobody unshare -Urn bash -c '
		cd /proc/sys/net/ipv4 || exit
		for ((i = 0; i < FLOOD; i++)); do
			echo off > tcp_abt/mode; echo on > tcp_abt/mode
			echo "4096 131072 $((1000000 + i))" > tcp_rmem
			mapfile < /proc/net/tcp_abt
		done'
	check_num $(($(log_lines) - lines)) -le \
		$((LOG_LINES + (SECONDS - began) * LOG_BURST / LOG_BURST_S)) "lines that the user had logged"
	module_remove
}

tests_run a_user_changes_nothing_for_others anything_goes_under_traffic the_log_is_not_flooded
