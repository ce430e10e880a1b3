# SPDX-License-Identifier: GPL-2.0
"""A sample: what one piece of work came to. Samples are rows of a table."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple


class Sample(NamedTuple):
    """A row; the figures are those that load.c prints."""

    round: int
    state: str
    work: str
    count: int  # type: ignore[assignment] # instead of tuple.count()
    instructions: int
    bytes: int
    segments: int
    packets: int
    waits: int

    def row(self) -> str:
        return "\t".join(map(str, self))


HEADER = "\t".join(Sample._fields)


def read(path: Path) -> list[Sample]:
    header, *rows = path.read_text(encoding="ascii").splitlines()
    if header != HEADER:
        raise ValueError(f"{path}: the first line is '{header}', expected '{HEADER}'")
    return [parse(row.split("\t")) for row in rows]


def parse(fields: Iterable[str]) -> Sample:
    number, state, work, *figures = fields
    return Sample(int(number), state, work, *map(int, figures))
