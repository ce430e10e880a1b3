# SPDX-License-Identifier: GPL-2.0
"""Counts by address -> counts by function -> what a state of the module adds, and where."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from rows import parse

MODULE = "tcp_abt"
CODE = "tTwW"       # kinds of symbols that are functions, as in nm
SHOWN_LEAST = 1.0   # instructions: a function that no state changes by so much is not shown


class Times(NamedTuple):
    """A row of by_address.c's table."""

    address: str
    times: int


class Function(NamedTuple):
    """A function of the kernel or of a module, as /proc/kallsyms names it."""

    name: str
    module: str


class Line(NamedTuple):
    """A function, and its instructions for a unit of work in each state, the state without the module first."""

    function: Function
    instructions: tuple[float, ...]

    @property
    def added(self) -> float:
        """The most that a state adds, or takes away."""
        first, *others = self.instructions
        return max((now - first for now in others), key=abs)


def functions(kallsyms: Iterable[str]) -> list[tuple[int, Function]]:
    """Where each function begins, in ascending order."""
    found = []
    for line in kallsyms:
        address, kind, name, *module = line.split()
        if kind in CODE:
            found.append((int(address, 16), Function(name, module[0].strip("[]") if module else "")))
    return sorted(found)


def by_function(counts: Iterable[str], begins: list[tuple[int, Function]]) -> Counter[Function]:
    """Instructions run in each function. COUNTS are rows of by_address.c's table, without the first."""
    addresses = [address for address, _ in begins]
    found: Counter[Function] = Counter()
    for row in counts:
        counted = parse(row.split("\t"), Times)
        before = bisect_right(addresses, int(counted.address, 16))
        if before:
            found[begins[before - 1][1]] += counted.times
    return found


def lines(states: Sequence[Mapping[Function, int]], units: int) -> list[Line]:
    """What a state changes, the largest change first."""
    every = {function for state in states for function in state}
    found = [Line(function, tuple(state.get(function, 0) / units for state in states)) for function in every]
    return sorted((line for line in found if abs(line.added) >= SHOWN_LEAST), key=lambda line: (-abs(line.added), line.function))


def totals(states: Sequence[Mapping[Function, int]], units: int) -> list[tuple[str, tuple[float, ...]]]:
    """Of all instructions: how many of them are the module's, how many the kernel's."""
    module = tuple(sum(times for function, times in state.items() if function.module == MODULE) / units for state in states)
    whole = tuple(sum(state.values()) / units for state in states)
    return [("the module", module), ("the kernel", tuple(every - own for every, own in zip(whole, module, strict=True))), ("all", whole)]
