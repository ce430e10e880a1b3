#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Senders that rest keep empty room in their buffers while memory is plenty. All of it together is no more
# than half of their pool, because they may call it in at one moment.
#
#	server ---- 10.0.1.0/24, 200 Mbit/s x 40 ms ---- client, which sends
. ./lib.sh

TCP_MEM="12288 16384 24576"	# 48, 64 and 96 MB of both ends: the host's send pool is 29 MB
CONNS=20
BULK=12000000			# bytes a connection: stock's buffers are 4 MB each after it
SMALL=50000			# bytes a connection: a look at each
OWN_POOL=8000000		# bytes: the namespace's, written later
BULK_S=25			# until all of the bulk has gone
SETTLE_S=5

setup_ns server client
link_ns "$server" "$client" 20
link_delay "$server" "$client" 20 200mbit
hold_sysctl tcp_mem "$TCP_MEM"

# send buffers of all connections [bytes]
buffers() { ss_shows "$client" tb | awk '{ sum += $1 } END { print sum + 0 }'; }

each_sends()
{
	tell source "send $SMALL"
	pause "$SETTLE_S"
}

stock_keeps_all()
{
	sink_and_source 10.0.1.1 5001 conns "$CONNS" send "$BULK"
	pause "$BULK_S"
	each_sends
	say "$(buffers) bytes of $CONNS send buffers"
	check_num "$(buffers)" -ge $((CONNS * 2000000)) "bytes of send buffers"
}

half_of_the_pool_is_kept()
{
	local size

	module_insert
	each_sends
	size=$(pool "" send host size)
	say "$(buffers) bytes of send buffers, a pool of $size"
	check_num "$(buffers)" -le "$size" "bytes of send buffers"
	check_num "$(buffers)" -ge $((size / 3)) "bytes of send buffers"
}

less_is_kept_of_a_smaller_pool()
{
	knobs "$client" send_pool "$OWN_POOL"
	each_sends
	say "$(buffers) bytes of send buffers, a pool of $OWN_POOL"
	check_num "$(buffers)" -le $((OWN_POOL * 2)) "bytes of send buffers"
	knobs "$client" send_pool 0
	peers_end
	module_remove
}

tests_run stock_keeps_all half_of_the_pool_is_kept less_is_kept_of_a_smaller_pool
