# SPDX-License-Identifier: GPL-2.0
"""What is there for a block of code: built when it begins, undone when it ends."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Self


class Built:
    """`build` makes it, and registers with `undo` how each part goes again; a failure half way undoes what is there."""

    def __init__(self) -> None:
        self.undo = ExitStack()

    def build(self) -> None:
        raise NotImplementedError

    def __enter__(self) -> Self:
        with self.undo:
            self.build()
            self.undo = self.undo.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self.undo.close()
