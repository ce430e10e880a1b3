#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What tests of the runner's ends have in common: results as KTAP, and a folder that goes in the end.

# shellcheck disable=SC2034 # for the tests
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
# shellcheck disable=SC2034
failed=0 number=0

check() { # what, command...
	number=$((number + 1))
	local what=$1
	shift
	if "$@"; then echo "ok $number $what"; else echo "not ok $number $what"; failed=1; fi
}
