#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Namespaces with pools of their own come and go, with connections in mid-transfer.
# NAMESPACES in the environment: so many, for a long run.
. ./lib.sh

NAMESPACES=${NAMESPACES:-20}
SLAB_KB=16384	# what the kernel may keep in its own caches

# What a namespace does in its short life; its processes, killed, leave sockets behind.
# shellcheck disable=SC2016 # for the shell inside
LIFE='
	ip link set lo up
	cd /proc/sys/net/ipv4/tcp_abt
	echo 1000000 > recv_pool
	echo 1000000 > send_pool
	"$TCP_PEER" listen 127.0.0.1 5001 <&"$NEVER" > /dev/null & listening=$!
	until "$TCP_PEER" connect 127.0.0.1 5001 conns 1 bytes 1 <&"$NEVER" > /dev/null 2>&1; do :; done
	"$TCP_PEER" connect 127.0.0.1 5001 conns 4 rate 2000000 <&"$NEVER" > /dev/null & connecting=$!
	read -r -t 0.02 -u "$NEVER"
	mapfile -t rows < /proc/net/tcp_abt
	echo $((${#rows[@]} > 1 ? ${#rows[@]} - 1 : 0))
	kill -9 $listening $connecting 2> /dev/null'

live() { NEVER=$NEVER unshare -n bash -c "$LIFE"; }

they_come_and_go_with_live_connections()
{
	local i before lived=0

	module_insert
	live > /dev/null
	before=$(unreclaimable_kb)
	for ((i = 0; i < NAMESPACES; i++)); do
		[ "$(live)" -lt 8 ] || lived=$((lived + 1))
	done
	check_num "$lived" -ge $((NAMESPACES * 9 / 10)) "namespaces that had their 8 ends of connections"
	pools_are_empty
	check_num $(($(unreclaimable_kb) - before)) -le "$SLAB_KB" "KB of slab that stay"
	check "rmmod" module_remove
}

# The module comes and goes while they do.
the_module_comes_and_goes_meanwhile()
{
	local i living

	(for ((i = 0; i < NAMESPACES; i++)); do live; done > /dev/null 2>&1) & living=$!
	while kill -0 "$living" 2> /dev/null; do
		check "insmod" module_insert
		pause 0.05
		check "rmmod" module_remove
		pause 0.01
	done
	wait "$living"
	check "nothing stays" [ ! -e "$KNOBS" ]
}

tests_run they_come_and_go_with_live_connections the_module_comes_and_goes_meanwhile
