# SPDX-License-Identifier: GPL-2.0
"""Tables whose rows are named tuples, with a line of their names on top."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple, TypeVar

Row = TypeVar("Row", bound=NamedTuple)


def text(row: NamedTuple) -> str:
    return "\t".join(map(str, row))


def header(kind: type[Row]) -> str:
    return "\t".join(kind._fields)


def read(path: Path, kind: type[Row]) -> list[Row]:
    first, *rows = path.read_text(encoding="ascii").splitlines()
    if first != header(kind):
        raise ValueError(f"{path}: the first line is '{first}', expected '{header(kind)}'")
    return [parse(row.split("\t"), kind) for row in rows]


def parse(fields: Iterable[str], kind: type[Row]) -> Row:
    return kind(*(kind.__annotations__[name](field) for name, field in zip(kind._fields, fields, strict=True)))
