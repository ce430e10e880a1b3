#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The table of docs/kernel-contract.md against the source of each kernel: has it all readers, and no others?

--list KERNEL: what the scanner finds there, one place a line, before the exceptions of contract-elsewhere.tsv.
"""

import argparse
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

sys.dont_write_bytecode = True

import cache
import readers
import sockets
from readers import Place
from series import ALL

KERNELS = tuple(one.name for one in ALL if one.audited)
TABLE = cache.REPO / "docs/kernel-contract.md"
ELSEWHERE = Path(__file__).with_name("contract-elsewhere.tsv")

FIELD = re.compile(r"#+ `([^`]+)`")
FILE = re.compile(r"`([^`]+\.[ch])`:([^;]*)")
CASE = re.compile(r"`(\w+)`: (\w+(?:, \w+_\w+)*)")
WHERE, IN, DOES, _, SHOWN = range(5)
SAID = {"r": "reads", "w": "writes", "&": "passes on the address of", "rw": "reads and writes",
        "r&": "reads and passes on the address of", "w&": "writes and passes on the address of",
        "rw&": "reads, writes and passes on the address of"}


class Row(NamedTuple):
    """What the table says of one place."""

    kernels: tuple[str, ...]
    does: str
    shown: str
    line: int


class Rule(NamedTuple):
    """Sockets that are none of TCP's: a directory, a file or one of its functions."""

    path: str
    function: str
    reason: str

    def takes(self, place: Place) -> bool:
        here = place.file.startswith(self.path) if self.path.endswith("/") else place.file == self.path
        return here and self.function in {"*", place.function}


def rules(text: str) -> list[Rule]:
    return [Rule(*line.split("\t")) for line in text.splitlines()[1:]]


def rows(text: str) -> Iterator[tuple[Place, Row]]:
    """Of a table below a heading with the name of a field: `file`: `function`, `function`; `file`: ... | kernels | does."""
    field = ""
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("#"):
            heading = FIELD.match(line)
            field = heading[1] if heading else ""
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not (field and line.startswith("| `") and len(cells) > SHOWN):
            continue
        kernels = KERNELS if cells[IN] == "all" else tuple(cells[IN].split(", "))
        for file, functions in FILE.findall(cells[WHERE]):
            for function in re.findall(r"`(\w+)`", functions):
                yield Place(field, file, function), Row(kernels, cells[DOES], cells[SHOWN], number)


def compare(found: Mapping[str, Mapping[Place, str]], told: Iterable[tuple[Place, Row]]) -> list[str]:
    """What the table lacks, and what it has too much of; FOUND by kernel."""
    places: dict[Place, list[Row]] = defaultdict(list)
    for place, row in told:
        places[place].append(row)
    faults = []
    for kernel, there in found.items():
        for place, does in sorted(there.items()):
            if not any(kernel in row.kernels for row in places[place]):
                faults.append(f"{kernel}: {place.file}: {place.function}() {SAID[does]} {place.field}, and the table has no such row")
    for place, several in sorted(places.items()):
        for row in several:
            lacking = [kernel for kernel in row.kernels if kernel in found and place not in found[kernel]]
            done = {how for kernel in row.kernels for how in found.get(kernel, {}).get(place, "")}
            if lacking:
                faults.append(f"line {row.line}: {', '.join(lacking)}: {place.function}() of {place.file} does not touch {place.field}")
            elif done != set(row.does):
                now = "".join(how for how in "rw&" if how in done)
                faults.append(f"line {row.line}: {place.function}() of {place.file}: says {row.does} of {place.field}, and it is {now}")
    return faults


def no_such_tests(told: Iterable[tuple[Place, Row]]) -> list[str]:
    """Tests that the table names, and the repository does not have."""
    faults = set()
    for _, row in told:
        for name, cases in CASE.findall(row.shown):
            test = next((cache.REPO / "selftests").glob(f"*/{name}.sh"), None)
            run = test.read_text().partition("\ntests_run ")[2].split() if test else []
            faults |= {f"line {row.line}: {name}: {case}: no such test" for case in cases.split(", ") if case not in (run and [*run, "all"])}
    return sorted(faults)


def stale(exceptions: Iterable[Rule], taken: set[Rule]) -> list[str]:
    """Exceptions that are not needed."""
    return [f"{ELSEWHERE.name}: {rule.path} {rule.function}: no kernel has such a place" for rule in exceptions if rule not in taken]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--list", metavar="KERNEL")
    if kernel := parser.parse_args().list:
        for place, does in sorted(readers.scan(sockets.get(kernel), lambda place: False).items()):
            print(*place, does, sep="\t")
        return 0

    exceptions = rules(ELSEWHERE.read_text())
    taken: set[Rule] = set()

    def elsewhere(place: Place) -> bool:
        fit = {rule for rule in exceptions if rule.takes(place)}
        taken.update(fit)
        return bool(fit)

    found = {kernel: readers.scan(sockets.get(kernel), elsewhere) for kernel in KERNELS}
    told = list(rows(TABLE.read_text()))
    faults = compare(found, told) + no_such_tests(told) + stale(exceptions, taken)
    counts = ", ".join(f"{len(there)} in {kernel}" for kernel, there in found.items())
    print("\n".join(faults) or f"contract: {counts}: the table has them all")
    if faults:
        print(f"contract: {len(faults)} to mend in {TABLE.relative_to(cache.REPO)}")
    return 1 if faults else 0


if __name__ == "__main__":
    cache.program(main)
