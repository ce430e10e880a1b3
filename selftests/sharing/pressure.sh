#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# When TCP's memory comes under pressure (tcp_mem), the kernel lowers send buffers and receive windows
# until it is not. So it does with the module, whatever size the pools have: no more memory is in use
# than without it, and nothing goes up again while the pressure lasts.
#
#	server ---- 10.0.1.0/24, 400 Mbit/s, 20 ms each way ---- client
. ./lib.sh

FLOWS=16
READ=4000		# bytes every 10 ms that a reader takes: a fifth of what comes
POOL=$((1 << 30))	# more than TCP may have
PRESSURE_ENDS=600	# pages, beside what others left behind: 2.4 MB
PRESSURE_BEGINS=900	# 3.6 MB
DROPS=20000
SAMPLES=12
SAMPLE_S=0.2
KEPT=400		# pages: a processor keeps some back
MORE_MEMORY=125		# percent of what is in use without the module
# The same where an administrator gave the pools more than tcp_mem has: what they promised
# before the pressure came arrives after it. By when it comes, up to 162 on 7.3
MORE_OVERSIZED=180

# pages
in_use() { tcp_pages && echo "$PAGES"; }

setup_ns server client
link_ns "$server" "$client" 20 400mbit
LEFT=$(in_use)
hold_sysctl tcp_mem "$((LEFT + PRESSURE_ENDS)) $((LEFT + PRESSURE_BEGINS)) $((LEFT + DROPS))"
PORT=5001

# charged NS...: bytes that sockets there are charged. in_use() is no measure of them: each processor
# keeps up to a MB back, which is a quarter of what is in use here.
charged()
{
	local ns

	for ns; do
		in_ns "$ns" ss -tnmHO state established
	done | awk '
		{
			for (i = 1; i <= NF; i++) {
				if ($i !~ /^skmem:/) continue
				gsub(/[^0-9,]/, "", $i)
				split($i, at, ",")	# r, rb, t, tb, f, w, ...
				sum += at[1] + at[5] + at[6]
			}
		}
		END { print sum + 0 }'
}

# pressure NS...: times that TCP came under it there, and milliseconds that it lasted
pressure()
{
	local ns

	for ns; do
		in_ns "$ns" awk '
			$1 == "TcpExt:" && !head { head = 1; for (i = 2; i <= NF; i++) at[$i] = i; next }
			$1 == "TcpExt:" { print $at["TCPMemoryPressures"], $at["TCPMemoryPressuresChrono"] }' \
			/proc/net/netstat
	done | awk '{ times += $1; ms += $2 } END { print times, ms }'
}

# Is TCP under memory pressure, by the kernel's own word?
under_pressure() { awk '$1 == "TCP" { print $5 }' /proc/net/protocols; }

# sockets NS: a line each: local and remote address, rcv_ssthresh, send buffer
sockets()
{
	in_ns "$1" ss -tinmHO state established | awk '
		{
			threshold = buffer = 0
			for (i = 1; i <= NF; i++) {
				if ($i ~ /^rcv_ssthresh:/) threshold = substr($i, 14)
				if (match($i, /,tb[0-9]+/)) buffer = substr($i, RSTART + 3, RLENGTH - 3)
			}
			print $3, $4, threshold, buffer
		}'
}

# watch_pressure NAME: UP_THRESHOLD and UP_BUFFER times one was above what it was a sample before,
# both under the same pressure, which came TIMES times and lasted MS; the most that sockets are charged [KB] is MOST
watch_pressure()
{
	local i before='' now kb times ms entered last=''

	peer sink "$server" listen 10.0.1.1 "$PORT" read "$READ"
	peer source "$client" connect 10.0.1.1 "$PORT" conns "$FLOWS"
	read -r times ms < <(pressure "$server" "$client")
	: > "$SCRATCH/$1.seen"
	MOST=0
	for ((i = 0; i < SAMPLES; i++)); do
		pause "$SAMPLE_S"
		now=$(under_pressure)
		if [ "$now" = yes ]; then
			# it may have paused since the last sample
			read -r entered _ < <(pressure "$server" "$client")
			{ echo "sample $([ "$before $last" = "yes $entered" ] && echo next || echo first)"
			  sockets "$client"; sockets "$server"; } >> "$SCRATCH/$1.seen"
			last=$entered
		fi
		before=$now
		kb=$(($(charged "$server" "$client") / 1000))
		MOST=$((kb > MOST ? kb : MOST))
	done
	read -r UP_THRESHOLD UP_BUFFER < <(awk '
		$1 == "sample" { if ($2 == "first") split("", threshold); next }
		{
			key = $1 " " $2
			if (key in threshold) {
				up_threshold += $3 > threshold[key]
				up_buffer += $4 > buffer[key]
			}
			threshold[key] = $3; buffer[key] = $4
		}
		END { print up_threshold + 0, up_buffer + 0 }' "$SCRATCH/$1.seen")
	read -r TIMES MS < <(pressure "$server" "$client")
	TIMES=$((TIMES - times)) MS=$((MS - ms))
	say "$1: at most $MOST KB; $TIMES times under pressure, $MS ms in all; meanwhile rcv_ssthresh went up $UP_THRESHOLD times, a send buffer $UP_BUFFER times"
	peers_end
	wait_num "pages that TCP still has" -le $((LEFT + KEPT)) in_use
	PORT=$((PORT + 1))
}

without_the_module()
{
	watch_pressure "without the module"
	check_num "$TIMES" -ge 1 "times under pressure"
	STOCK_THRESHOLD=$UP_THRESHOLD
	STOCK_BUFFER=$UP_BUFFER
	STOCK_MOST=$MOST
}

no_worse_than_without()
{
	check_num "$UP_THRESHOLD" -le "$STOCK_THRESHOLD" "times that rcv_ssthresh went up"
	check_num "$UP_BUFFER" -le "$STOCK_BUFFER" "times that a send buffer went up"
	check_num $((MOST * 100)) -le $((STOCK_MOST * $1)) "KB that sockets are charged, in hundredths"
}

pools_of_tcp_mem()
{
	module_insert
	watch_pressure "with pools of tcp_mem"
	no_worse_than_without "$MORE_MEMORY"
}

pools_beyond_tcp_mem()
{
	knobs "" recv_pool "$POOL" send_pool "$POOL"
	watch_pressure "with pools of 1 GiB"
	no_worse_than_without "$MORE_OVERSIZED"
}

tests_run without_the_module pools_of_tcp_mem pools_beyond_tcp_mem
