# SPDX-License-Identifier: GPL-2.0
"""What measurements inside a lab kernel have in common."""

import contextlib
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

MADE = Path(__file__).resolve().parents[2] / "out/programs"


def run(*command: str | Path) -> None:
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        sys.exit(f"guest: {shlex.join(map(str, command))}: {done.stdout.strip()}")


@contextlib.contextmanager
def inserted(module: str | Path, *parameters: str) -> Iterator[None]:
    run("insmod", module, *parameters)
    try:
        yield
    finally:
        run("rmmod", Path(module).stem)


def made(name: str) -> Path:
    """A program that bench.py had made before the boot: an emulated processor takes 20 s to compile it."""
    return MADE / name


def build(source: Path, program: Path) -> None:
    run("cc", "-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-o", program, source)
