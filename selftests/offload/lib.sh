#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What the tests of the offload hook have in common: the driver that looks whether what the
# hook promises is so (provider.c), and
#
#	         .-- v1 -- 10.0.1.0/24, RTT 20 ms -- v1 --.
#	client --|                                        |-- server, 10.9.9.9
#	         '-- v2 -- 10.0.2.0/24, RTT 20 ms -- v2 --'
. ./lib.sh

readonly FILES=/sys/kernel/debug/tcp_abt_provider
readonly RTT_MS=20
readonly RATE=200000	# bytes a second of a flow: some segments a round trip, little work for an emulated processor

provider_insert() { insmod "$ABT_PROVIDER" "$@"; }
provider_remove() { rmmod tcp_abt_provider; }

# provider NS attach|detach|changed DEVICE
provider()
{
	in_ns "$1" sh -c 'echo "$1 $2" > "$3"' sh "$2" "$3" "$FILES/control" 2> /dev/null
}

# provider_set NAME VALUE: of its parameters
provider_set() { echo "$2" > "/sys/module/tcp_abt_provider/parameters/$1"; }

# told DEVICE COLUMN...: of what the driver knows of a device
told()
{
	local device=$1; shift

	table_of "$FILES/ports"
	rows_like device "$device" "$@"
}

# told_conns SIDE:PORT COLUMN...: of each connection that the driver knows
told_conns()
{
	local side=${1%%:*} port=${1#*:}; shift

	table_of "$FILES/conns"
	rows_like "$side" "*:$port" "$@"
}

# shown NS COLUMN...: of each adapter of a namespace, as abt has it
shown()
{
	local ns=$1; shift

	"$ABT_TOOL" -n "$ns" -j offload | from_json "
for a in it: print(*((a.get('memory', {}) | a)[c] for c in '$*'.split()))"
}

# what abt shows of client's only adapter is what its driver counted
alike()
{
	[ "$(shown "$client" dev conns adds updates gone rerouted evicted charged)" = \
		"$1 $(told "$1" conns adds updates gone route room granted)" ]
}

nothing_was_wrong()
{
	check_is "$(told "$1" wrong)" none "the first promise that was broken to $1's driver"
}

# Flows without end from the client, so many, to a port of the server
start_flows()
{
	local count=$1 port=$2 address=${3:-10.0.1.1}

	sink_and_source "$address" "$port" conns "$count" rate "$RATE"
}

setup()
{
	module_insert
	provider_insert "$@"
}

teardown()
{
	peers_end
	[ ! -d /sys/module/tcp_abt_provider ] || check "rmmod of the driver" provider_remove
	check "rmmod of tcp_abt" module_remove
}

mountpoint -q /sys/kernel/debug || mount -t debugfs none /sys/kernel/debug
setup_ns server client
link_ns "$server" "$client" $((RTT_MS / 2))
link_ns "$server" "$client" $((RTT_MS / 2))
ip -n "$server" addr add 10.9.9.9/32 dev lo
ip -n "$client" route add 10.9.9.9 via 10.0.1.1
