#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The module's C through checkpatch.pl --strict, of the newest kernel that the lab knows.

Debian's header packages do not carry checkpatch.pl; the tree kept of a kernel
built from source does.
"""

import subprocess
import sys

sys.dont_write_bytecode = True

import built
import cache

SERIES = "7.3"
# Advice that cannot be taken in a module for 6.1 and later whose model compiles
# in user space: newer allocators, const tables of sysctls, BIT().
NOT_FOR_US = {"ALLOC_WITH_SIZEOF", "CONST_STRUCT", "BIT_MACRO"}
RULES = ("checkpatch.pl", "spelling.txt", "const_structs.checkpatch")
# What a directory is for goes against some more.
NOT_IN = {
    "kmod/compat": {"LINUX_VERSION_CODE", "CONSTANT_COMPARISON", "NEW_TYPEDEFS"},
    "kmod/trace": {"PARENTHESIS_ALIGNMENT", "OPEN_ENDED_LINE"},
}


def sources(*pathspecs: str) -> list[str]:
    found = subprocess.run(["git", "ls-files", *pathspecs], cwd=cache.REPO,
                           capture_output=True, text=True, check=True)
    return [name for name in found.stdout.split() if name.endswith((".c", ".h"))]


def check(files: list[str], ignored: set[str]) -> bool:
    """A file as it was when nothing was found in it is not looked at again: each takes half a second."""
    scripts = built.uml(SERIES).build / "scripts"
    words = ["--no-tree", "--strict", "--terse", "--no-summary", "--show-types", f"--ignore={','.join(sorted(ignored))}"]
    rules = [(scripts / name).read_bytes() for name in RULES]
    marks = {name: cache.mark("checkpatch", name, (cache.REPO / name).read_bytes(), *words, *rules) for name in files}
    unknown = [name for name in files if not marks[name].exists()]
    if unknown and subprocess.run(["perl", str(scripts / "checkpatch.pl"), *words, "-f", *unknown], cwd=cache.REPO, check=False).returncode:
        return False
    for mark in marks.values():
        mark.touch()
    return True


def main() -> int:
    good = check(sources("kmod", "selftests/offload", "selftests/model/kunit.c", "netem_scenarios/papers/toe_profile/toe_clock.c",
                         *(f":!{place}" for place in NOT_IN)), NOT_FOR_US)
    for place, types in NOT_IN.items():
        good &= check(sources(place), NOT_FOR_US | types)
    return 0 if good else 1


if __name__ == "__main__":
    cache.program(main)
