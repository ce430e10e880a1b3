# SPDX-License-Identifier: GPL-2.0
"""The kernel's own netlink tools: its YNL programs, and the schemas that specifications go by."""

import shutil
from pathlib import Path

import source

SERIES = "7.3"
PARTS = ("tools/net/ynl/pyynl", "Documentation/netlink")


def get() -> Path:
    """A tree with PARTS of the kernel's source, taken from its package once."""
    return source.kept("ynl", SERIES, PARTS, fill)


def fill(where: Path, stage: Path) -> None:
    for part in PARTS:
        shutil.copytree(where / part, stage / part)
