# SPDX-License-Identifier: GPL-2.0
"""What is there for a block of code: built when it begins, undone when it ends."""

from contextlib import ExitStack


class Built:
    """`build` makes it, and registers with `undo` how each part goes again; a failure half way undoes what is there."""

    def __init__(self):
        self.undo = ExitStack()

    def __enter__(self):
        with self.undo:
            self.build()
            self.undo = self.undo.pop_all()
        return self

    def __exit__(self, *_):
        self.undo.close()
