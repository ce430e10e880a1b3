#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What the kselftests have in common. A test sources this, has a function for each
# of its cases, and names them to tests_run: each case is a line of KTAP. In a case:
# check TEXT COMMAND, check_num, check_is, fail TEXT. What was set up goes when the
# script ends, however it ends.

: "${ABT_MODULE:?the path of tcp_abt.ko: run the tests by run.sh in a lab kernel}"
: "${TCP_PEER:?the path of tcp_peer: run the tests by run.sh}"

: "${WAIT_SECONDS:=30}"	# an emulated processor can be slow
# shellcheck disable=SC2034 # for the tests
readonly KNOBS=/proc/sys/net/ipv4/tcp_abt
: "${COMPLAINTS:=WARNING:|BUG:|Oops|general protection|Call Trace|leak|Objects remaining}"

# A data race of the kernel's own is reported without a module's name.
readonly RACE_OF_OTHERS='KCSAN: [^[]*$'

SCRATCH=$(mktemp -d)
NS_LIST=()
declare -A HELD	# sysctls of the host's that are to be restored, see hold_sysctl()
declare -A NS_PID=()
LINK_COUNT=0
RET=0
declare -A PEER_PID=() PEER_FD=()

# A pipe that nobody writes to: reading it with a time limit is a sleep without a
# process of its own.
exec {NEVER}<> <(:)

pause() { read -r -t "$1" -u "$NEVER" || :; }

now_ms() { echo $((${EPOCHREALTIME/./} / 1000)); }

# ms_since MS: into TOOK, for loops: $(...) starts a process
# shellcheck disable=SC2034 # for the tests
ms_since() { TOOK=$((${EPOCHREALTIME/./} / 1000 - $1)); }

##############################################################################
# Cases and their results

say() { echo "# $*"; }

fail()
{
	RET=1
	say "FAILED: $*"
}

# check TEXT COMMAND...: the case fails when the command does
check()
{
	local text=$1; shift

	"$@" || fail "$text"
}

# median NUMBER...: the one in the middle
median() { printf '%s\n' "$@" | sort -n | sed -n "$(($# / 2 + 1))p"; }

# check_num LEFT OP RIGHT TEXT: numbers compared as [ ] does
check_num()
{
	local left=$1 op=$2 right=$3; shift 3

	if ! [[ $left =~ ^-?[0-9]+$ && $right =~ ^-?[0-9]+$ ]]; then
		fail "$*: not numbers: '$left' $op '$right'"
	elif ! test "$left" "$op" "$right"; then
		fail "$*: expected $op $right, saw $left"
	fi
}

# check_is LEFT RIGHT TEXT
check_is()
{
	local left=$1 right=$2; shift 2

	[ "$left" = "$right" ] || fail "$*: expected '$right', saw '$left'"
}

# wait_for TEXT COMMAND...: until the command succeeds
wait_for()
{
	local text=$1 end=$((SECONDS + WAIT_SECONDS)); shift

	until "$@"; do
		if [ "$SECONDS" -ge "$end" ]; then
			fail "not within $WAIT_SECONDS s: $text"
			return 1
		fi
		pause 0.05
	done
}

# wait_num TEXT OP NUMBER COMMAND...: until the number that the command prints is so
wait_num()
{
	local text=$1 op=$2 number=$3; shift 3

	wait_for "$text" prints_num "$op" "$number" "$@" ||
		say "expected $op $number, saw last: $PRINTED"
}

# wait_is TEXT VALUE COMMAND...: until the command prints that
wait_is()
{
	local text=$1 value=$2; shift 2

	wait_for "$text" prints "$value" "$@" || say "expected '$value', saw last: '$PRINTED'"
}

# printed COMMAND...: what it prints, into PRINTED. Through a file, because $(...) starts a process, which takes
# User-Mode Linux longer than the look at a table does.
printed()
{
	"$@" > "$SCRATCH/printed"
	mapfile -t PRINTED_LINES < "$SCRATCH/printed"
	printf -v PRINTED '%s\n' "${PRINTED_LINES[@]}"
	PRINTED=${PRINTED%$'\n'}
}

prints()
{
	local value=$1; shift

	printed "$@"
	[ "$PRINTED" = "$value" ]
}

prints_num()
{
	local op=$1 number=$2; shift 2

	printed "$@"
	[[ $PRINTED =~ ^-?[0-9]+$ ]] && test "$PRINTED" "$op" "$number"
}

# Every script's last case.
kernel_did_not_complain()
{
	local found

	found=$(dmesg | awk -v mark="$DMESG_MARK" 'index($0, mark) { seen = 1; next } seen' |
		grep -E "$COMPLAINTS" | grep -vE "$RACE_OF_OTHERS")
	[ -z "$found" ] || fail "$found"
}

# tests_run CASE...
tests_run()
{
	local name number=0 status=0

	set -- "$@" kernel_did_not_complain
	DMESG_MARK="tcp_abt selftest $$"
	echo "$DMESG_MARK" > /dev/kmsg
	echo "1..$#"
	for name; do
		RET=0
		"$name"
		number=$((number + 1))
		if [ "$RET" = 0 ]; then
			echo "ok $number ${name//_/ }"
		else
			echo "not ok $number ${name//_/ }"
			status=1
		fi
	done
	exit "$status"
}

cleanup()
{
	local ns name

	trap '' INT TERM
	peers_end
	for ns in "${NS_LIST[@]}"; do
		ns_delete "$ns" 2> /dev/null
	done
	[ ! -d /sys/module/tcp_abt_provider ] || rmmod tcp_abt_provider
	[ ! -d /sys/module/toe_hybrid ] || rmmod toe_hybrid
	module_loaded && rmmod tcp_abt
	for name in "${!HELD[@]}"; do
		sysctl_set "" "$name" "${HELD[$name]}"
	done
	rm -rf "$SCRATCH"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

##############################################################################
# The module and its knobs

module_loaded() { [ -d /sys/module/tcp_abt ]; }

# module_insert [PARAMETER=VALUE]...
module_insert() { insmod "$ABT_MODULE" "$@"; }

module_remove() { rmmod tcp_abt; }

# The namespace of the script itself goes by the name of "".
in_ns()
{
	local ns=$1; shift

	if [ "$ns" ]; then
		nsenter --net="/run/netns/$ns" "$@"
	else
		"$@"
	fi
}

# What the shell of a namespace does; a sysctl is of the namespace of who reads or writes it.
readonly NS_SHELL='
	while read -r what file value; do
		good=no
		if [ "$what" = get ]; then
			{ IFS= read -r value < "$file"; } 2> /dev/null && good=yes
		else
			{ echo "$value" > "$file"; } 2> /dev/null && good=yes
		fi
		echo "$good $value"
	done'

# ask_ns NS get|set FILE [VALUE]: was it done? The answer in ANSWER.
ask_ns()
{
	local ns=$1; shift

	echo "$@" > "$SCRATCH/$ns.in"
	IFS= read -r ANSWER < "$SCRATCH/$ns.out"
	[ "${ANSWER%% *}" = yes ]
}

# written NS FILE VALUE: was it taken?
written()
{
	if [ "$1" ]; then
		ask_ns "$1" set "${@:2}"
	else
		{ echo "$3" > "$2"; } 2> /dev/null
	fi
}

# sysctl_get NS PATH, sysctl_set NS PATH VALUE: PATH under /proc/sys/net/ipv4, of one line
sysctl_get()
{
	local file=/proc/sys/net/ipv4/$2 value

	if [ "$1" ]; then
		ask_ns "$1" get "$file" || return
		echo "${ANSWER#yes }"
	else
		IFS= read -r value < "$file" && echo "$value"
	fi
}

sysctl_set() { written "$1" "/proc/sys/net/ipv4/$2" "$3"; }

# knobs NS NAME VALUE [NAME VALUE]...
knobs()
{
	local ns=$1; shift

	while [ $# -gt 0 ]; do
		if ! written "$ns" "$KNOBS/$1" "$2"; then
			fail "a knob of ${ns:-the first namespace} refused: $1 $2"
			return
		fi
		shift 2
	done
}

# module_of WHO: it is on for "both" of $server, which reads, and $client, which writes, or for one, "reader" or "writer"
module_of()
{
	knobs "$server" mode "$([ "$1" = writer ] && echo off || echo on)"
	knobs "$client" mode "$([ "$1" = reader ] && echo off || echo on)"
}

# both NAME VALUE [NAME VALUE]...: knobs of $server and of $client
both()
{
	knobs "$server" "$@"
	knobs "$client" "$@"
}

# ceiling NS: of a receive buffer, tcp_rmem[2]
ceiling()
{
	local rmem

	rmem=$(sysctl_get "$1" tcp_rmem)
	echo "${rmem##*[[:space:]]}"
}

# A user without rights; a lab may have changed its root, from where the kernel makes
# no user namespaces.
as_nobody()
{
	nsenter --target 1 --mount --root -- \
		setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
}

##############################################################################
# Namespaces, links

# setup_ns VARIABLE...: a namespace each, its name in the variable. A shell lives in it,
# to look from and to write by: where a processor is emulated, each program that is
# started takes a quarter of a second.
setup_ns()
{
	local variable ns

	for variable; do
		ns=abt-$variable-$$
		ip netns add "$ns" || exit 1
		NS_LIST+=("$ns")
		ip -n "$ns" link set lo up
		ns_shell "$ns"
		printf -v "$variable" %s "$ns"
	done
}

ns_shell()
{
	local ns=$1 in=$SCRATCH/$1.in out=$SCRATCH/$1.out

	mkfifo "$in" "$out"
	(exec nsenter --net="/run/netns/$ns" bash -c "$NS_SHELL") <> "$in" 1<> "$out" &
	NS_PID[$ns]=$!
	wait_for "$ns: a shell" test "/proc/$!/ns/net" -ef "/run/netns/$ns"
}

ns_delete()
{
	local ns=$1

	kill "${NS_PID[$ns]}"
	wait "${NS_PID[$ns]}" 2> /dev/null
	rm "$SCRATCH/$ns.in" "$SCRATCH/$ns.out"
	unset "NS_PID[$ns]"
	ip netns delete "$ns"
}

# A link with a delay has a rate, so that flows without end leave an emulated
# processor time for what is tested.
readonly LINK_RATE=160mbit

# link_ns NS1 NS2 [DELAY_MS [RATE]]: 10.0.N.1 - 10.0.N.2, fd00:N::1 - fd00:N::2, N from 1
link_ns()
{
	local ns1=$1 ns2=$2 delay=${3:-0} rate=${4:-$LINK_RATE} n=$((++LINK_COUNT)) ns end

	ip link add "v$n" netns "$ns1" type veth peer name "v$n" netns "$ns2" || exit 1
	end=0
	for ns in "$ns1" "$ns2"; do
		end=$((end + 1))
		ip -n "$ns" -batch - <<-EOF
			addr add 10.0.$n.$end/24 dev v$n
			addr add fd00:$n::$end/64 dev v$n nodad
			link set v$n up
		EOF
		[ "$delay" = 0 ] || tc -n "$ns" qdisc add dev "v$n" root netem \
			delay "${delay}ms" rate "$rate" limit 20000
	done
}

# link_delay NS1 NS2 DELAY_MS RATE: of the first link, which has both, from now on
link_delay()
{
	local ns

	for ns in "$1" "$2"; do
		tc -n "$ns" qdisc change dev v1 root netem delay "${3}ms" rate "$4" limit 20000
	done
}

##############################################################################
# Traffic: ends of connections, told what to do through a pipe

# peer NAME NS listen|connect ADDRESS PORT [SETTING VALUE]...
peer()
{
	local name=$1 ns=$2; shift 2

	puppet "$name" "$ns" "$TCP_PEER" "$@"
}

# puppet NAME NS COMMAND...: says "ready", then does what it is told
puppet()
{
	local name=$1 ns=$2 pipe=$SCRATCH/$1.in fd; shift 2

	[ -p "$pipe" ] || mkfifo "$pipe"	# another of that name had it
	exec {fd}<> "$pipe"
	PEER_FD[$name]=$fd
	: > "$SCRATCH/$name"
	# exec: what is killed later is the command itself
	(exec nsenter --net="/run/netns/$ns" "$@") \
		< "$pipe" >> "$SCRATCH/$name" 2>&1 {fd}>&- &
	PEER_PID[$name]=$!
	wait_for "$name: ready" has_lines "$name" ready 1
}

tell() { echo "$2" >&"${PEER_FD[$1]}"; }

# peer_ended NAME: is it over?
peer_ended() { ! kill -0 "${PEER_PID[$1]}" 2> /dev/null; }

# peer_end NAME: whatever it is doing
peer_end()
{
	local name=$1 fd

	[ "${PEER_PID[$name]:-}" ] || return 0
	fd=${PEER_FD[$name]}
	kill "${PEER_PID[$name]}" 2> /dev/null
	wait "${PEER_PID[$name]}" 2> /dev/null
	exec {fd}>&-
	unset "PEER_PID[$name]" "PEER_FD[$name]"
}

peers_end()
{
	local name

	for name in "${!PEER_PID[@]}"; do
		peer_end "$name"
	done
}

# find_lines NAME PATTERN: what it said that is like this, in FOUND
find_lines()
{
	local line said

	mapfile -t said < "$SCRATCH/$1"
	FOUND=()
	for line in "${said[@]}"; do
		[[ ! $line =~ $2 ]] || FOUND+=("$line")
	done
}

# has_lines NAME PATTERN COUNT: did it say so many?
has_lines()
{
	find_lines "$1" "$2"
	[ "${#FOUND[@]}" -ge "$3" ]
}

# sink_and_source ADDRESS PORT [SETTING VALUE]...: connections to $server from $client, which has the settings
sink_and_source()
{
	local address=$1 port=$2; shift 2

	peer sink "$server" listen "$address" "$port"
	peer source "$client" connect "$address" "$port" "$@"
}

# absent_writer ARGUMENT...: into WROTE what absences prints; READER has the arguments of the reader
absent_writer()
{
	# shellcheck disable=SC2086 # two words, or none
	puppet reader "$server" "$ABSENCES" listen 10.0.1.1 5001 ${READER:-}
	in_ns "$client" "$ABSENCES" connect 10.0.1.1 5001 "$@" > "$SCRATCH/wrote" || fail "the writer ended"
	# shellcheck disable=SC2034 # for the tests
	read -r -a WROTE < "$SCRATCH/wrote" || fail "the writer printed nothing"
	peers_end
	in_ns "$client" ip tcp_metrics flush > /dev/null
}

readonly CHURN_BYTES=20000	# of a connection that comes and goes
readonly CHURNED=10000	# of them: more than can be opened meanwhile

# bulk_and_churn SERVER CLIENT: two streams to 10.0.1.1 5001 until they are told, and to 5002
# connections that come and go
bulk_and_churn()
{
	peer sink5001 "$1" listen 10.0.1.1 5001
	peer sink5002 "$1" listen 10.0.1.1 5002
	peer bulk "$2" connect 10.0.1.1 5001 conns 2 rate 5000000
	peer churn "$2" connect 10.0.1.1 5002 conns 8 bytes "$CHURN_BYTES" repeat "$CHURNED"
}

# received NAME COUNT [BYTES]: so many streams (of so many bytes) arrived intact
received()
{
	local name=$1 count=$2 bytes=${3:-[1-9][0-9]*} end=$((SECONDS + 4 * WAIT_SECONDS))

	until has_lines "$name" '^received' "$count" || [ "$SECONDS" -ge "$end" ]; do
		pause 0.1
	done
	find_lines "$name" "^received $bytes ok"
	check_is "${#FOUND[@]}" "$count" "streams that arrived intact at $name"
}

# from_json PYTHON: of the value `it` that stands on stdin
from_json() { python3 -c "import json, sys; it = json.load(sys.stdin); $1"; }

# stop_and_receive COUNT: "source" stops, all that it sent arrives at "sink"
stop_and_receive()
{
	tell source "rate 1000000000"
	tell source stop
	received sink "$1"
	peer_end source
	peer_end sink
}

# answer NAME WORD: the words of its answer, of which the first is WORD, into WORDS
answer()
{
	local before

	find_lines "$1" "^$2"
	before=${#FOUND[@]}
	tell "$1" "$2"
	wait_for "$1 answers to $2" has_lines "$1" "^$2" $((before + 1)) || return
	split "${FOUND[before]}"
}

# taken READER: bytes that it has taken
taken()
{
	answer "$1" moved
	echo "${WORDS[2]}"
}

# flows_move SECONDS READER...: into MOVED, bytes that each takes in that time, in this order; into LEAST, MOST and ALL, of
# one, and of all together
# shellcheck disable=SC2034 # for the tests
flows_move()
{
	local seconds=$1 taken_first=() reader; shift

	for reader; do
		taken_first+=("$(taken "$reader")")
	done
	pause "$seconds"
	MOVED=() LEAST=$((1 << 62)) MOST=0 ALL=0
	for reader; do
		MOVED+=($(($(taken "$reader") - taken_first[${#MOVED[@]}])))
		ALL=$((ALL + MOVED[-1]))
		LEAST=$((MOVED[-1] < LEAST ? MOVED[-1] : LEAST))
		MOST=$((MOVED[-1] > MOST ? MOVED[-1] : MOST))
	done
}

# tcp_pages: memory of TCP [pages], into PAGES; read without a process of its own
tcp_pages()
{
	local line

	while read -r line; do
		# shellcheck disable=SC2034 # for the tests
		[[ $line != TCP:* ]] || PAGES=${line##* }
	done < /proc/net/sockstat
}

# state NAME FIELD: sndbuf, rcvbuf, locks or clamp of its first connection, now
state()
{
	local field=$2 i

	answer "$1" state || return
	for ((i = 1; i < ${#WORDS[@]} - 1; i += 2)); do
		[ "${WORDS[i]}" != "$field" ] || echo "${WORDS[i + 1]}"
	done
}

##############################################################################
# What the module and the kernel show

declare -A FIELD=()

# split TEXT: its words, in WORDS. A here-string costs a process in time: bash reads it by the byte.
split()
{
	local -

	set -f
	# shellcheck disable=SC2206 # into words, none of which is a pattern now
	WORDS=($1)
}

# table_of FILE: its lines in ROWS, what its columns are called in TITLES
table_of()
{
	mapfile -t ROWS < "$1"
	split "${ROWS[0]}"
	TITLES=("${WORDS[@]}")
	unset "ROWS[0]"
}

# table NS FILE: the same of /proc/net/FILE there
table()
{
	local pid=self

	[ -z "$1" ] || pid=${NS_PID[$1]}
	table_of "/proc/$pid/net/$2"
}

# fields ROW: of that table, each by the name of its column, in FIELD
fields()
{
	local i

	split "$1"
	for i in "${!TITLES[@]}"; do
		FIELD[${TITLES[i]}]=${WORDS[i]}
	done
}

# rows_like TITLE PATTERN COLUMN...: of the table's rows whose TITLE is like that, the columns
rows_like()
{
	local title=$1 pattern=$2 row name values i; shift 2
	local -A at=()

	for i in "${!TITLES[@]}"; do
		at[${TITLES[i]}]=$i
	done
	for row in "${ROWS[@]}"; do
		split "$row"
		# shellcheck disable=SC2053 # a pattern
		[[ ${WORDS[${at[$title]:?no such column: $title}]} == $pattern ]] || continue
		values=()
		for name; do
			values+=("${WORDS[${at[$name]:?no such column: $name}]}")
		done
		echo "${values[*]}"
	done
}

# conns NS SIDE:PORT COLUMN...: the columns of each connection, SIDE is local or remote
conns()
{
	local ns=$1 side=${2%%:*} port=${2#*:}; shift 2

	table "$ns" tcp_abt
	rows_like "$side" "*:$port" "$@"
}

# count_conns NS SIDE:PORT: so many connections
count_conns() { conns "$@" local | wc -l; }

# ss_shows NS NAME: the number after NAME that "ss" shows of the connection there
ss_shows() { in_ns "$1" ss -tminHO state established | sed -E "s/.*[ ,(]$2([0-9]+).*/\\1/"; }

# at_server COLUMN..., at_client COLUMN...: of the connections to $server's $PORT
# shellcheck disable=SC2153 # PORT is each test's
at_server() { conns "$server" local:"$PORT" "$@"; }
at_client() { conns "$client" remote:"$PORT" "$@"; }

# pool NS send|recv host|net COLUMN
pool()
{
	local row

	table "$1" tcp_abt_pool
	for row in "${ROWS[@]}"; do
		fields "$row"
		[ "${FIELD[pool]} ${FIELD[scope]}" != "$2 $3" ] || echo "${FIELD[$4]}"
	done
}

# The connections are gone, and what they were charged for with them.
pools_are_empty()
{
	local dir

	for dir in send recv; do
		wait_is "no connection is left in the $dir pool" 0 pool "" "$dir" host conns
		check_is "$(pool "" "$dir" host charged)" 0 "charge of the $dir pool"
	done
}

# hold_sysctl NAME VALUE: of the host's net.ipv4, until the script ends; other scripts have their own
hold_sysctl()
{
	HELD[$1]=${HELD[$1]:-$(sysctl_get "" "$1")}
	sysctl_set "" "$1" "$2"
}

# uapi_number NAME: a constant of the interface
uapi_number() { awk -v name="$1" '$1 == "#define" && $2 == name { print $3 }' ../kmod/uapi/linux/tcp_abt.h; }

# host_pool send|recv PAGES: the host's pool with PAGES in tcp_mem[1], where nobody sized it
host_pool()
{
	local -A names=([send]=SEND [recv]=RECEIVE)
	local all part

	all=$(uapi_number TCP_ABT_POOL_PARTS)
	part=$(uapi_number "TCP_ABT_${names[$1]}_POOL_PARTS")
	# shellcheck disable=SC2017 # rounded as the module does
	echo $(($2 * $(getconf PAGESIZE) / all * part))
}

# What a buffer of that many bytes is when the module has set it: odd.
ours() { echo $((($1 - 1) | 1)); }

# Slab of the kernel's that nothing but its owner can give back.
unreclaimable_kb() { awk '$1 == "SUnreclaim:" { print $2 }' /proc/meminfo; }

# Losses of the kernel's that a receive buffer cut too low would cause.
readonly RENEGE_COUNTERS="TCPRcvQDrop PruneCalled RcvPruned OfoPruned TCPOFODrop
TCPZeroWindowDrop TCPRcvCollapsed"

# renege_counters NS: those that are not 0, with their values
renege_counters()
{
	# shellcheck disable=SC2086 # words
	counters "$1" $RENEGE_COUNTERS
}

# counter NS NAME: one of TCP's, 0 too
counter()
{
	in_ns "$1" awk -v name="$2" '
		$1 !~ /^Tcp(Ext)?:$/ { next }
		$1 != head { head = $1; at = 0; for (i = 2; i <= NF; i++) if ($i == name) at = i; next }
		at { print $at }' /proc/net/snmp /proc/net/netstat
}

# counters NS NAME...: those of TcpExt that are not 0, with their values
counters()
{
	local ns=$1; shift

	in_ns "$ns" awk -v want="$*" '
		BEGIN { n = split(want, name); for (i = 1; i <= n; i++) wanted[name[i]] = 1 }
		$1 == "TcpExt:" && !head { head = 1; for (i = 2; i <= NF; i++) at[i] = $i; next }
		$1 == "TcpExt:" { for (i = 2; i <= NF; i++) if (at[i] in wanted && $i) print at[i], $i }' \
		/proc/net/netstat | xargs
}
