# SPDX-License-Identifier: GPL-2.0
"""Tables and figures in a document: which module they were measured with, and how a command writes them anew.

Above each one that is measured stands a mark, and above each other one in the same documents a remark:

    <!-- measured: module 1a2b3c4d by make scenario S=lfn LAB=virtual KERNEL=7.3 -->
    <!-- measured: module 1a2b3c4d+5e6f7a8b by ... -->        parts of it with one state, parts with another
    <!-- measured: module unknown, adapter 5e6f7a8b by ... -->
    <!-- not measured -->

A table that a command writes stands between two lines that name the command; one mark at the top is for all that is between them.
"""

import re
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import cache
from state import State

MARK = re.compile(r"<!-- measured: (?P<states>[a-z0-9+, ]+) by (?P<command>\S.*?) -->")
STATE = re.compile(r"(?P<part>module|adapter) (?P<hashes>unknown|[0-9a-f]{8}(?:\+[0-9a-f]{8})*)")
NOT_MEASURED = "<!-- not measured -->"
BLOCK = re.compile(r"<!-- made by `[^`]+`: (?P<edge>begin|end) -->")
FIGURE = re.compile(r"!\[[^]]*\]\((?P<path>[^)\s]+)\)")
RULE = re.compile(r"\|(?: *:?-+:? *\|)+")
UNKNOWN = "unknown"
FIGURES = cache.REPO / "docs/figures"


class Mark(NamedTuple):
    """The states that a table or figure was measured with, by part (module, adapter), and the command."""

    states: dict[str, str]
    command: str

    def __str__(self) -> str:
        return f"<!-- measured: {', '.join(' '.join(pair) for pair in self.states.items())} by {self.command} -->"

    def is_of(self, state: State) -> bool:
        """Was all of it measured with this state?"""
        return all(hashes == getattr(state, part) for part, hashes in self.states.items())


def mark(command: str, state: State, *parts: str) -> Mark:
    """Of what the command COMMAND measured with STATE, where these parts of it matter."""
    return Mark({part: getattr(state, part) for part in parts}, command)


def read_mark(line: str) -> Mark | None:
    """The mark that this line is; ValueError if it is one that cannot be understood."""
    if not line.startswith("<!-- measured"):
        return None
    found = MARK.fullmatch(line)
    states = [STATE.fullmatch(text) for text in found["states"].split(", ")] if found else []
    if not states or not all(states):
        raise ValueError(f"{line}: expected <!-- measured: module HASH by make TARGET -->")
    return Mark({state["part"]: state["hashes"] for state in states}, found["command"])


class Item(NamedTuple):
    """A table or figure of a document."""

    line: int  # from 1 on
    title: str  # of a table its heading, of a figure its file
    mark: Mark | None
    remarked: bool  # it says that it is not measured


def items(text: str) -> Iterator[Item]:
    lines = text.splitlines()
    inside = False
    of_block: Mark | None = None
    for number, line in enumerate(lines):
        above = lines[number - 1] if number else ""
        if edge := BLOCK.fullmatch(line):
            inside, of_block = edge["edge"] == "begin", None
        elif inside and BLOCK.fullmatch(above):
            of_block = read_mark(line)
        figure = FIGURE.fullmatch(line)
        if figure or (number + 1 < len(lines) and RULE.fullmatch(lines[number + 1]) and line.startswith("|")):
            yield Item(number + 1, figure["path"] if figure else line, read_mark(above) or of_block, above == NOT_MEASURED)


def put_into(document: Path, name: str, table: str, measured: Mark) -> None:
    """Replace what stands between the two lines of the command `make NAME`."""
    begin, end = (f"<!-- made by `make {name}`: {word} -->\n" for word in ("begin", "end"))
    head, _, rest = document.read_text().partition(begin)
    _, found, tail = rest.partition(end)
    if not found:
        raise ValueError(f"{document}: expected a line {begin.strip()} and after it {end.strip()}")
    document.write_text(f"{head}{begin}{measured}\n{table}{end}{tail}")


def put_figure(documents: Iterable[Path], source: Path, name: str, measured: Mark) -> None:
    """SOURCE as the figure NAME of the documentation, with its mark in each of DOCUMENTS that shows it."""
    shutil.copyfile(source, FIGURES / name)
    shown = 0
    for document in documents:
        lines = document.read_text().splitlines(keepends=True)
        for number, line in enumerate(lines[1:], 1):
            figure = FIGURE.fullmatch(line.rstrip("\n"))
            if figure and (document.parent / figure["path"]).resolve() == FIGURES / name and read_mark(lines[number - 1].rstrip("\n")):
                lines[number - 1] = f"{measured}\n"
                shown += 1
        document.write_text("".join(lines))
    if not shown:
        raise ValueError(f"no document shows {name} with a mark above it: expected one of {', '.join(map(str, documents))}")
