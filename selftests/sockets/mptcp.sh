#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# MPTCP, which the module does not size, has no more memory than on stock because of the ceilings that it raised.
#
#	server ---- 10.0.1.0/24, 50 Mbit/s, 20 ms ---- client
. ./lib.sh

RMEM="4096 131072 6291456"	# tcp_rmem of 6.12
SECONDS_EACH=15			# after 10 s stock's buffers are as large as they get
MEMORY=130			# percent of stock's TCP memory, at most

setup_ns server client
link_ns "$server" "$client" 10 50mbit
for ns in "$server" "$client"; do
	sysctl_set "$ns" tcp_rmem "$RMEM"
	in_ns "$ns" sysctl -qw net.mptcp.enabled=1
done

# Into HELD the most TCP memory [pages], of a reader that takes everything or, with a READ_MS of 0, nothing
transfer()
{
	local pages

	puppet reader "$server" "$PAUSES" listen 10.0.1.1 5001 mptcp "$SECONDS_EACH" "$1" 0
	puppet writer "$client" "$PAUSES" connect 10.0.1.1 5001 mptcp "$((SECONDS_EACH + 5))"
	HELD=0
	while ! peer_ended reader; do
		pause 0.5
		pages=$(awk '$1 == "TCP:" { print $NF }' /proc/net/sockstat)
		[ "$pages" -le "$HELD" ] || HELD=$pages
	done
	find_lines reader '^[0-9]'
	peers_end
	pause 5
}

without_the_module()
{
	transfer 4000
	STOCK=$HELD
	transfer 0
	STOCK_STOPPED=$HELD
	say "$STOCK pages, $STOCK_STOPPED with a reader that stopped"
	check_num "$STOCK" -gt 0 "pages"
}

with_the_module()
{
	module_insert
	transfer 4000
	say "$HELD pages"
	check_num $((HELD * 100)) -le $((STOCK * MEMORY)) "pages, in hundredths"
	transfer 0
	say "$HELD pages with a reader that stopped"
	check_num $((HELD * 100)) -le $((STOCK_STOPPED * MEMORY)) "pages, in hundredths"
	module_remove
}

tests_run without_the_module with_the_module
