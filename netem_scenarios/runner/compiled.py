# SPDX-License-Identifier: GPL-2.0
"""Programs of ours, netem_scenarios/NAME.c: compiled where they run, or brought along by the lab to where no compiler is (`make programs`)."""

from __future__ import annotations

import shutil
from pathlib import Path

from .system import command

HOME = Path(__file__).resolve().parents[1]
BROUGHT = HOME.parent / "out/programs"


def brought(name: str) -> bool:
    return (BROUGHT / name).exists() and shutil.which("cc") is None


def tools(name: str) -> tuple[str, ...]:
    """What the machine has to have."""
    return () if brought(name) else ("cc",)


def compiled(name: str, program: Path) -> None:
    """The program NAME, as PROGRAM."""
    if brought(name):
        shutil.copy(BROUGHT / name, program)
    else:
        command("cc", "-O2", "-o", str(program), str(HOME / f"{name}.c"))
