# SPDX-License-Identifier: GPL-2.0
"""A program that runs beside a variant's traffic, such as another tuner."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from .failure import Failure
from .namespace import ThisNamespace
from .traffic import Running

if TYPE_CHECKING:
    from .variant import Daemon

LOG = "daemon.log"
READY_S = 120   # loading all of a tuner's BPF programs takes 30 s of an emulated processor
REST_S = 3      # it has loaded them when it takes no processor for so long
POLL_S = 0.1


def program(name: str) -> str:
    """By PATH, or brought along by the lab, in ABT_NAME (lab/lab --NAME)."""
    brought = os.environ.get(f"ABT_{name.upper()}")
    found = f"{brought}/run" if brought else shutil.which(name)
    if not found:
        raise Failure(f"no program {name} here, expected it in the lab (lab/lab --{name}) or in PATH")
    return found


@contextmanager
def running(daemon: Daemon, folder: Path) -> Iterator[None]:
    """It runs, and was ready, while the block runs; what it says goes to FOLDER."""
    process = Running(ThisNamespace("daemon"), [program(daemon.words[0]), *daemon.words[1:]], folder / LOG)
    try:
        wait_ready(process, daemon)
        yield
        process.need_alive()
    finally:
        process.stop()


def wait_ready(process: Running, daemon: Daemon) -> None:
    began = rests_since = time.monotonic()
    taken = 0.0
    while daemon.ready not in process.log.read_text(errors="replace") or time.monotonic() - rests_since < REST_S:
        process.need_alive()
        if time.monotonic() - began > READY_S:
            raise Failure(f"{' '.join(process.words)}: did not say {daemon.ready!r} and rest for {REST_S} s in {READY_S} s: {process.tail()}")
        time.sleep(POLL_S)
        if (now := processor_s(process.process.pid)) > taken:
            taken, rests_since = now, time.monotonic()


def processor_s(pid: int) -> float:
    """That a process has taken so far; our child has a line there until it is waited for."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
