# SPDX-License-Identifier: GPL-2.0
"""Which lines of the module ran, from the counters that guests have left."""

import itertools
import json
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import cache

OURS = "kmod/"
GENERATED = "__probestub_"  # by the kernel's macros, for a prober that is never called


class Line(NamedTuple):
    """A line that code was made of; a header's counts once, wherever it is included."""

    file: str
    number: int


class Share(NamedTuple):
    """How much of a file ran."""

    lines: int
    covered: int

    @property
    def percent(self) -> float:
        return 100 * self.covered / self.lines


class Counts:
    """How often lines and functions ran, added up over guests and units of compilation."""

    def __init__(self) -> None:
        self.lines: Counter[Line] = Counter()
        self.functions: Counter[tuple[Line, str]] = Counter()
        self.function_of: dict[Line, str] = {}

    def add(self, counters: Path) -> None:
        """What one guest has left below COUNTERS."""
        for file in (file for unit in documents(counters) for file in unit["files"]):
            if file["file"].startswith(OURS):
                self.add_file(file)

    def add_file(self, file: dict) -> None:
        for function in file["functions"]:
            place = Line(file["file"], function["start_line"])
            self.functions[place, function["name"]] += function["execution_count"]
        for line in file["lines"]:
            place = Line(file["file"], line["line_number"])
            self.lines[place] += line["count"]
            self.function_of[place] = line.get("function_name", "")

    def shares(self) -> dict[str, Share]:
        """Of each file, and of all as `total`."""
        by_file = {file: [self.lines[line] > 0 for line in lines]
                   for file, lines in itertools.groupby(sorted(self.lines), key=lambda line: line.file)}
        by_file["total"] = [ran for file in by_file.values() for ran in file]
        return {file: Share(len(ran), sum(ran)) for file, ran in by_file.items()}

    def never_called(self) -> list[tuple[Line, str]]:
        return sorted((place, name) for (place, name), count in self.functions.items()
                      if not count and not name.startswith(GENERATED))

    def missed(self) -> list[tuple[Line, str]]:
        """Lines that never ran, each with the function that it stands in."""
        return [(line, self.function_of[line]) for line in sorted(self.lines) if not self.lines[line]]


def documents(counters: Path) -> Iterator[dict]:
    """What gcov says of each unit of compilation."""
    gcov = shutil.which("gcov")
    if not gcov:
        raise cache.LabError("gcov is not installed: apt-get install gcc")
    units = sorted(str(path) for path in counters.rglob("*.gcda"))
    if not units:
        raise cache.LabError(f"no counters in {counters}: the module was never inserted")
    done = subprocess.run([gcov, "--json-format", "--stdout", *units],
                          capture_output=True, text=True, check=False)
    if done.returncode:
        raise cache.LabError(f"gcov failed on {counters}:\n{done.stderr}")
    return (json.loads(line) for line in done.stdout.splitlines() if line)


def table(rows: Iterable[Iterable[object]]) -> str:
    return "".join("\t".join(map(str, row)) + "\n" for row in rows)
