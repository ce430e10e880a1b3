#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Cache lines of the records and the pools, by pahole: does a field that is read at every event share one with a field that is
written as often?

A line that one processor writes has to be fetched again by each of the others. LAYOUT names the fields. Those of a structure
that are not named are cold, or may stand anywhere because their owner alone uses them.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

sys.dont_write_bytecode = True

import cache
import labs
import module

LAB, SERIES = "vm", "6.12"  # 64-bit, with the locks of several processors
LINE = 64


class Fields(NamedTuple):
    """Of a structure: read at each event or step and seldom written; written at events or steps, by group."""

    read: str
    written: tuple[str, ...]


LAYOUT = {
    # A quiet segment compares these. A copy writes the others, maybe on another processor.
    "abt_conn": Fields("node sk an bounds snd_least snd_span generation recharge_above snd_locks minds_offer minds_writer comes_down",
                       ("copied_at epoch_copied_seq epoch_segs arriving", "receiver", "path")),
    # Growth writes one group, demands the other: they have locks of their own, and do not wait for each other. Steps read
    # two fields that are written: charged, and the number of members in hist, which changes at ticks.
    "abt_pool": Fields("size level slope_q16 left rounding part_keep part_far pressed hungry tight called_in share parts_shift parts parent",
                       ("lock charged grants shrinks refused", "levels told_charged told_at told told_slope_q16 retry_ms stale hist", "tick", "retry kept")),
    "abt_pool_part": Fields("", ("lock reserve side grants shrinks refused moved",)),
    "abt_net": Fields("mode epoch_min_us generation shrinks config pool", ("told", "follow", "lock", "records writers")),
    "abt_host": Fields("generation live tcp_mem_seen", ("pool", "reclaim")),
}
# Groups of different processors: no two share a line, and an array of the structure begins each element on a line of its own
APART = {"abt_pool": ("charged", "levels"), "abt_net": ("told", "records")}
ALIGNED = ("abt_pool", "abt_pool_part", "abt_net", "abt_conn")

MEMBER = re.compile(r"(?P<name>\w+)(?:\[\d+\])*(?::\d+)?(?:\s+__attribute__.*?)?;\s*/\*\s*(?P<offset>\d+)(?::\s*\d+)?\s+(?P<size>\d+)\s*\*/")
SIZE = re.compile(r"/\* size: (\d+)")


class Structure(NamedTuple):
    """What pahole says of it: the lines that each field is in, and its size [bytes]."""

    lines: dict[str, range]
    size: int


def read_structure(text: str) -> Structure:
    """A union that is used by one name at a time counts with each of its fields."""
    lines = {}
    for found in MEMBER.finditer(text):
        offset, size = int(found["offset"]), int(found["size"])
        lines[found["name"]] = range(offset // LINE, (offset + max(size, 1) - 1) // LINE + 1)
    whole = SIZE.search(text)
    return Structure(lines, int(whole[1]) if whole else 0)


def pahole(name: str, file: Path) -> Structure:
    done = subprocess.run(["pahole", "-C", name, str(file)], capture_output=True, text=True, check=False)
    if done.returncode or not done.stdout.strip():
        raise cache.LabError(f"pahole shows no struct {name} of {file}: {done.stderr.strip()}")
    return read_structure(done.stdout)


def meet(one: range, other: range) -> bool:
    return bool(set(one) & set(other))


def shared(structure: Structure, fields: Fields) -> Iterator[str]:
    for written in " ".join(fields.written).split():
        if beside := [read for read in fields.read.split() if meet(structure.lines[read], structure.lines[written])]:
            yield f"{written} is written in a line where {' '.join(beside)} are read"


def complaints(name: str, structure: Structure) -> Iterator[str]:
    fields = LAYOUT[name]
    missing = [field for field in f"{fields.read} {' '.join(fields.written)}".split() if field not in structure.lines]
    if missing:
        yield f"no field {', '.join(missing)}: renamed, name it in {Path(__file__).name} as well"
        return
    yield from shared(structure, fields)
    if name in APART:
        one, other = (structure.lines[field] for field in APART[name])
        if meet(one, other):
            yield f"{' and '.join(APART[name])} share a line"
    if name in ALIGNED and structure.size % LINE:
        yield f"{structure.size} bytes are no multiple of a line"


def main() -> int:
    file = module.build(labs.LABS[LAB].get(SERIES), module.PRODUCTS["module"])
    print(f"KTAP version 1\n1..{len(LAYOUT)}")
    failed = False
    for number, name in enumerate(LAYOUT, 1):
        found = list(complaints(name, pahole(name, file)))
        failed |= bool(found)
        print("".join(f"# struct {name}: {complaint}\n" for complaint in found), end="")
        print(f"{'not ok' if found else 'ok'} {number} struct {name}")
    return int(failed)


if __name__ == "__main__":
    cache.program(main)
