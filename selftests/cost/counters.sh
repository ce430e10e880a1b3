# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Counts of a module that was built to count (lab/lab --build coverage): a test sources this after lib.sh.

GCOV=/sys/kernel/debug/gcov
BUILT=${ABT_MODULE%/kmod/*}

count_from_now() { echo 1 > "$GCOV/reset"; }

the_module_counts()
{
	check "built with --build coverage" test -n "$(find "$GCOV" -path '*/kmod/conn/steer.gcda')"
}

# gcov_of UNIT...: what gcov says of kmod/UNIT.c since then, a JSON document a line
gcov_of()
{
	local unit counters dir=$SCRATCH/counters

	rm -rf "$dir"
	for unit; do
		mkdir -p "$dir/$(dirname "$unit")"
		counters=$(find "$GCOV" -path "*/kmod/$unit.gcda" | head -n 1)
		cat "$counters" > "$dir/$unit.gcda"
		cat "$BUILT/kmod/$unit.gcno" > "$dir/$unit.gcno"
	done
	# it says of each header that the kernel's tree was copied after it
	(cd "$dir" && gcov --json-format --stdout "${@/%/.gcda}") 2> /dev/null
}

# counted UNIT:FUNCTION: calls since then
counted()
{
	gcov_of "${1%:*}" |
		from_json "print(sum(f['execution_count'] for file in it['files'] for f in file['functions'] if f['name'] == '${1#*:}'))"
}
