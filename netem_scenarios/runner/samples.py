# SPDX-License-Identifier: GPL-2.0
"""A table of samples: the names of its columns, and its rows."""

from collections.abc import Sequence
from typing import Any, NamedTuple


class Samples(NamedTuple):
    header: Sequence[str]
    rows: list[tuple[Any, ...]]

    def place(self, name: str) -> int:
        """The position of this column in each row."""
        return self.header.index(name)

    def places(self, *names: str) -> tuple[int, ...]:
        return tuple(self.place(name) for name in names)

    def column(self, name: str) -> list[Any]:
        place = self.place(name)
        return [row[place] for row in self.rows]
