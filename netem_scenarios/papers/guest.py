# SPDX-License-Identifier: GPL-2.0
"""What measurements inside a lab kernel have in common."""

import contextlib
import shlex
import shutil
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


def build(source: Path, program: Path) -> None:
    """As bench.py made it before the boot; other programs are compiled here, which takes an emulated processor 20 s."""
    made = MADE / source.stem
    if made.exists() and made.stat().st_mtime >= max(path.stat().st_mtime for path in (source, *source.parents[1].glob("*.h"))):
        shutil.copy(made, program)
        return
    run("cc", "-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-o", program, source)
