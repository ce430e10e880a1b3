#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Runs the kselftests, all or those named, in the kernel that it is started in:
#	lab/lab --kernel 6.12 --out DIR -- selftests/run.sh [NAME]...		a NAME is that of */NAME.sh
# Prints one stream of KTAP. Exit status 1 when one failed. There are no skips: what
# cannot run fails, and says what is missing.
set -u

LIMIT=${LIMIT_SECONDS:-600}	# seconds a test, by the lab's clock: the longest takes 40 in the lab packaged
declare -A LONGER=([wraps]=4600 [alerts]=7200 [soak]=86400 [options]=3000 [timeouts]=2000 [absences]=2000 [slots]=2000)	# of those that wait, in virtual time
TOOLS="ip:iproute2 tc:iproute2 ss:iproute2 insmod:kmod rmmod:kmod awk:mawk dmesg:util-linux
sysctl:procps make:make timeout:coreutils setpriv:util-linux unshare:util-linux
nsenter:util-linux renice:bsdutils"

cd "$(dirname "${BASH_SOURCE[0]}")" || exit 1
PATH=$PATH:/usr/sbin:/sbin

die()
{
	echo "1..1"
	echo "not ok 1 set-up: $*"
	exit 1
}

# What one test leaves changed on the host is another condition for the next
host_state()
{
	# not by sysctl -a, which walks all of /proc/sys: ten times as long
	grep -H . /proc/sys/net/core/* /proc/sys/net/ipv4/tcp_* 2> /dev/null | grep -v available
	ip netns list
	cut -d" " -f1 /proc/modules | grep -E "^(tcp_abt|toe_hybrid)"
}

# left_as_found: is the host as in BEFORE?
left_as_found()
{
	local after changed

	after=$(host_state)
	[ "$after" != "$before" ] || return 0
	changed=$(diff <(echo "$before") <(echo "$after"))
	before=$after
	echo "# FAILED: $name left the host changed:"
	printf '%s\n' "$changed" | sed 's/^/# /'
	return 1
}

export ABT_TOOL=${ABT_TOOL:-$PWD/../out/abt/abt}

echo "TAP version 13"
[ -r "${ABT_MODULE:-}" ] || die "ABT_MODULE='${ABT_MODULE:-}': expected the path of tcp_abt.ko for this kernel, see lab/lab"
[ "$(id -u)" = 0 ] || die "needs root: it inserts a module"
[ ! -d /sys/module/tcp_abt ] || die "tcp_abt is loaded already: rmmod tcp_abt first"
[ -x "$ABT_TOOL" ] || die "ABT_TOOL='$ABT_TOOL': expected the command abt: make abt"
for tool in $TOOLS; do
	command -v "${tool%:*}" > /dev/null || die "no ${tool%:*}: apt-get install ${tool#*:}"
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
# Built before, or else here: an emulated processor takes half a minute for them
programs=$PWD/../out/selftests
if ! make -s -q BUILD="$programs" 2> /dev/null; then
	programs=$work
	command -v cc > /dev/null || die "no cc, and out/selftests is older than its sources: make programs"
	make -s BUILD="$programs" || die "the programs of the tests did not build"
fi
export TCP_PEER=$programs/tcp_peer BAD_PEER=$programs/hostile/bad_peer NETLINK_FUZZ=$programs/interfaces/netlink_fuzz \
	ABSENCES=$programs/buffers/absences AGES=$programs/buffers/ages MESSAGES=$programs/buffers/messages PAUSES=$programs/buffers/pauses RECONNECT=$programs/lifetime/reconnect STUCK=$programs/lifetime/stuck UNSENT=$programs/buffers/unsent \
	FEATURES=$programs/sockets/features \
	OPTIONS=$programs/sockets/options SHUTDOWNS=$programs/sockets/shutdowns STATES=$programs/sockets/states
export ABT_PROVIDER=${ABT_MODULE%/kmod/*}/selftests/offload/tcp_abt_provider.ko \
	ABT_STUCK=${ABT_MODULE%/kmod/*}/selftests/lifetime/stuck/tcp_abt_stuck.ko

if [ $# = 0 ]; then
	# what differs from kernel to kernel: sysctl, fields of a socket
	set -- knobs policies overrides renege restore isolation shrink_window
	rest="lifecycle abt adoption stuck floors uninvolved stress trace fairshare offload offload_life"
	case ${ABT_LAB:-}-$(uname -r) in
	# By ptrace a test takes three times as long as on 7.3 (lab/virtual.py), so the earlier kernels have the rest in make
	# torture (lab/test): what the module does by itself, what the kernels around them or their packages have, and what
	# takes longest.
	virtual-6.12.*) ;;
	virtual-6.*) set -- "$@" abt adoption states local ;;
	# An emulated processor takes minutes for wraps, and the others compare throughput, which there is the
	# processor's.
	virtual-*)
		# shellcheck disable=SC2086 # words
		set -- "$@" $rest wraps pressure states cuts offers local bursts newcomers netlink toe scale hostile stamps paths \
			options shutdowns neighbours echoes ages pauses peeks absences uploads rests loans queues timeouts unsent timers slots slow_readers stopped clamps starts peers
		;;
	*)
		# the virtual kernels have no sockmaps, function tracer or memory cgroups
		# shellcheck disable=SC2086 # words
		set -- "$@" $rest socket_features walks cgroup
		;;
	esac
	# what the debug kernel is for
	[ ! -d /sys/kernel/debug/failslab ] || set -- "$@" faults random_knobs namespaces
	# and what several processors are for
	[ ! -e /sys/devices/system/cpu/cpu1/online ] || set -- "$@" hotplug
fi
echo "1..$#"
number=0
status=0
before=$(host_state)
for name; do
	number=$((number + 1))
	began=$SECONDS
	echo "# Subtest: $name"
	timeout -k 20 "${LONGER[$name]:-$LIMIT}" bash ./*/"$name.sh" 2>&1 | sed -u 's/^/    /'
	good=${PIPESTATUS[0]}
	left_as_found || good=1
	if [ "$good" = 0 ]; then
		echo "ok $number $name"
	else
		echo "not ok $number $name"
		status=1
	fi
	echo "# $name: $((SECONDS - began)) s"
done
exit "$status"
