#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A real Prometheus and a real node_exporter watch a host for an hour and a half: no alert
# while all is well, each when what it is for has come, none when it has gone, and the
# dashboard's queries have answers. For a kernel in virtual time: elsewhere it takes as long
# as it says. With KEEP_DATA set, what Prometheus has gathered stays in $ABT_OUT/prometheus.
#
#	client -- v1, 10.0.1.0/24, RTT 400 ms -- server; adapters at both ends
. ./offload/lib.sh

readonly MONITORING=$PWD/../deploy/monitoring
readonly URL=http://127.0.0.1:9090
# s between two scrapes, and two of the files that are scraped: twice the timer's, and four or more in each time that an alert looks at
readonly INTERVAL=30
readonly DELAY_MS=200		# one way: little traffic in much time
readonly POOL=65536		# bytes: less than the floors of the connections
readonly CONNS=20
readonly MINUTE=60

minutes() { pause $(($1 * MINUTE)); }

asked() { in_ns "$server" "$MONITORING/asked" "$URL" "$1"; }

fires() { check_is "$(asked firing)" "$1" "the alerts that fire"; }

long_path()
{
	local ns

	for ns in "$server" "$client"; do
		tc -n "$ns" qdisc change dev v1 root netem delay "${DELAY_MS}ms" rate "$LINK_RATE" limit 20000
	done
}

# What the timer does, of a namespace; that of init is where the host's own metrics are told.
writer() # NAME NETNS
{
	# shellcheck disable=SC2016 # for the inner shell
	puppet "writer-$1" "$server" nsenter --net="$2" sh -c '
		echo ready
		while "$1" metrics to "$2/tcp_abt.prom"; do sleep "$3"; done' sh "$ABT_TOOL" "$SCRATCH/$1" "$INTERVAL"
}

exporter() # NAME PORT
{
	# shellcheck disable=SC2016 # for the inner shell
	puppet "exporter-$1" "$server" sh -c 'echo ready; exec prometheus-node-exporter \
		--web.listen-address="127.0.0.1:$2" --collector.disable-defaults \
		--collector.textfile --collector.textfile.directory="$1"' sh "$SCRATCH/$1" "$2"
}

watch_begins()
{
	mkdir "$SCRATCH/host" "$SCRATCH/server" "$SCRATCH/client" "$SCRATCH/data"
	writer host /proc/1/ns/net
	writer server "/run/netns/$server"
	writer client "/run/netns/$client"
	exporter host 9100
	exporter server 9101
	exporter client 9102
	cat > "$SCRATCH/prometheus.yml" <<-EOF
		global:
		  scrape_interval: ${INTERVAL}s
		  evaluation_interval: ${INTERVAL}s
		rule_files: ["$MONITORING/alerts.yml"]
		scrape_configs:
		  - job_name: node
		    static_configs:
		      - {targets: ["127.0.0.1:9100"], labels: {instance: host}}
		      - {targets: ["127.0.0.1:9101"], labels: {instance: server}}
		      - {targets: ["127.0.0.1:9102"], labels: {instance: client}}
	EOF
	# shellcheck disable=SC2016 # for the inner shell
	puppet prometheus "$server" sh -c 'echo ready; exec prometheus --config.file="$1/prometheus.yml" \
		--storage.tsdb.path="$1/data" --web.listen-address=127.0.0.1:9090' sh "$SCRATCH"
	wait_for "Prometheus answers" eval 'asked firing > /dev/null 2>&1' || cat "$SCRATCH/prometheus"
}

nothing_fires_while_all_is_well()
{
	long_path
	setup bytes=40000 floor_bytes=2500
	watch_begins
	sink_and_source 10.0.1.1 5001 conns 2 rate 20000
	minutes 5
	fires ""
}

# Too small a pool, too many connections, too small an adapter; then the kernel runs short.
each_fires_for_what_it_is_for()
{
	local mem

	mem=$(sysctl_get "" tcp_mem)
	knobs "$server" recv_pool "$POOL"
	provider "$server" attach v1	# with room for fewer than there are
	provider_set bytes 200000
	provider "$client" attach v1	# with less than they ask for
	peer crowd "$client" connect 10.0.1.1 5001 conns "$CONNS"
	peer churn "$client" connect 10.0.1.1 5001 conns 8 bytes 100000 repeat "$CHURNED"
	minutes 31
	fires "TcpAbtAdapterRefuses TcpAbtAdapterShort TcpAbtFloorsOnly TcpAbtPoolNearFull TcpAbtShort"
	sysctl_set "" tcp_mem "1 2 ${mem##*[[:space:]]}"
	minutes 4
	check "and one for the kernel's own" eval '[[ $(asked firing) == *TcpAbtMemoryPressure* ]]'
	sysctl_set "" tcp_mem "$mem"
}

none_when_it_is_mended()
{
	provider "$client" detach v1
	provider "$server" detach v1
	knobs "$server" recv_pool 0
	peer_end churn
	peer_end crowd
	minutes 12
	fires ""
}

# An answer within the time, that is: the adapter's and the level's are of when there was trouble.
the_dashboard_has_answers() { check_is "$(asked unanswered)" "" "queries without an answer"; }

a_host_without_the_module_is_told_of()
{
	peer_end source
	peer_end sink
	provider_remove
	module_remove
	minutes 11
	fires TcpAbtNotLoaded
	module_insert
	minutes 2
	fires ""
	module_remove
}

# For a picture of the dashboard; Prometheus has to end first, it writes what it knows then.
the_data_are_kept()
{
	peer_end prometheus
	rm -rf "$ABT_OUT/prometheus"
	check "a copy of the data" cp -r "$SCRATCH/data" "$ABT_OUT/prometheus"
}

tests_run nothing_fires_while_all_is_well each_fires_for_what_it_is_for none_when_it_is_mended \
	the_dashboard_has_answers a_host_without_the_module_is_told_of ${KEEP_DATA:+the_data_are_kept}
