# SPDX-License-Identifier: GPL-2.0
"""The kernel's own netlink tools: its YNL programs, and the schemas that specifications go by."""

import shutil
from pathlib import Path

import cache
import source

SERIES = "7.3"
PARTS = ("tools/net/ynl/pyynl", "Documentation/netlink")


def get() -> Path:
    """A tree with PARTS of the kernel's source, taken from its package once."""
    tree = cache.root() / "ynl" / SERIES
    with cache.lock("ynl"):
        if not tree.exists():
            unpack(tree)
    return tree


def unpack(tree: Path) -> None:
    where = tree.parent / ".source"
    shutil.rmtree(where, ignore_errors=True)
    where.mkdir(parents=True)
    try:
        source.unpack(SERIES, where, PARTS)
        with cache.staged(tree) as stage:
            for part in PARTS:
                shutil.copytree(where / part, stage / part)
    finally:
        shutil.rmtree(where, ignore_errors=True)
