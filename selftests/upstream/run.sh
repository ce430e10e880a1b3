#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Runs the kernel's own tests (`tests`) in the kernel that it is started in, without the module and with it:
#	selftests/upstream/run.sh DIRECTORY [WORD]...
# DIRECTORY is what build.py prints; WORD: only tests that have it in their command. A test that says other than
# without the module fails. KTAP, and a line a result in $ABT_OUT/upstream.tsv.
set -u

HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
: "${ABT_MODULE:?the path of tcp_abt.ko: run this by lab/lab}"
: "${ABT_OUT:?a directory for results: run this by lab/lab}"
LIMIT=900	# seconds a test
SKIPPED=4	# the status of a kselftest that could not run

dir=${1:?a directory with the tests: build.py prints it}
shift
PATH=$PATH:/usr/sbin:/sbin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -a "$dir" "$work/selftests" || exit 1	# where they may write

# results OUT: what the tests in it came to, a line each; times and process numbers left out
results()
{
	sed -nE 's/^(# )*((not )?ok) [0-9]+ (- )?/\2\t/p' "$1" | sed -E '/# SKIP/ s/^ok/skip/; s/ *# time=.*//; s/[0-9]+ ?ms//'
	tail -n 1 "$1"
}

# once OUT DIRECTORY COMMAND: ends with its status in OUT
once()
{
	(cd "$work/selftests/$2" && timeout -k 20 "$LIMIT" bash -c "$3") > "$1" 2>&1 < /dev/null
	echo "status $?" >> "$1"
}

selected()
{
	local words=("$@") where command word

	while read -r where command; do
		[[ $where && $where != '#'* ]] || continue
		for word in "${words[@]:-}"; do
			[[ $command != *"$word"* ]] || { echo "$where $command"; break; }
		done
	done < "$HERE/tests"
}

mapfile -t tests < <(selected "$@")
[ "${#tests[@]}" -gt 0 ] || { echo "run.sh: no test with '$*' in its command" >&2; exit 2; }

printf 'test\tmodule\tresult\n' > "$ABT_OUT/upstream.tsv"
echo "TAP version 13"
echo "1..${#tests[@]}"
number=0
status=0
for test in "${tests[@]}"; do
	name=${test#* ./}
	began=$SECONDS
	once "$ABT_OUT/$name.without" "${test%% *}" "${test#* }"
	insmod "$ABT_MODULE" || exit 1
	once "$ABT_OUT/$name.with" "${test%% *}" "${test#* }"
	rmmod tcp_abt || exit 1
	for module in without with; do
		results "$ABT_OUT/$name.$module" > "$work/$module"
		sed "s/^/$name\t$module\t/" "$work/$module" >> "$ABT_OUT/upstream.tsv"
	done
	number=$((number + 1))
	echo "# $name: $(grep -c '^ok' "$work/with") passed, $(grep -c '^not ok' "$work/with") failed, $(grep -c '^skip' "$work/with") skipped, $(tail -n 1 "$work/with"), $((SECONDS - began)) s"
	if grep -q "^status $SKIPPED$" "$work/without"; then
		sed 's/^/# /' "$ABT_OUT/$name.without" | tail -n 5
		echo "not ok $number $name: could not run"
		status=1
	elif difference=$(diff "$work/without" "$work/with"); then
		echo "ok $number $name"
	else
		echo "# ${difference//$'\n'/$'\n'# }"
		echo "not ok $number $name"
		status=1
	fi
done
exit "$status"
