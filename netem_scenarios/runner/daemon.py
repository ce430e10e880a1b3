# SPDX-License-Identifier: GPL-2.0
"""A program that runs beside a variant's traffic, such as another tuner."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from .failure import Failure

if TYPE_CHECKING:
    from .table import Table

LOG = "daemon.log"
READY_S = 120   # loading all of a tuner's BPF programs takes 30 s of an emulated processor
REST_S = 3      # it has loaded them when it takes no processor for so long
STOP_S = 10
POLL_S = 0.1
TAIL_LINES = 12


@dataclass
class Daemon:
    words: list[str]
    ready: str  # text in its log; and then it has to rest for a while


def read_daemon(table: Table) -> Daemon | None:
    if "daemon" not in table.content:
        return None
    daemon = table.take_table("daemon")
    command, ready = daemon.take("command", str), daemon.take("ready", str)
    daemon.done()
    return Daemon(shlex.split(command), ready)


def program(name: str) -> str:
    """By PATH, or brought along by the lab as ABT_NAME (lab/lab --NAME)."""
    found = os.environ.get(f"ABT_{name.upper()}") or shutil.which(name)
    if not found:
        raise Failure(f"no program {name} here, expected it in the lab (lab/lab --{name}) or in PATH")
    return found


@contextmanager
def running(daemon: Daemon, folder: Path) -> Iterator[None]:
    """It runs, and was ready, while the block runs; what it says goes to FOLDER."""
    log = folder / LOG
    with log.open("wb") as output:
        process = subprocess.Popen([program(daemon.words[0]), *daemon.words[1:]], stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                                   start_new_session=True)
    try:
        wait_ready(process, daemon, log)
        yield
        if process.poll() is not None:
            raise Failure(complaint(daemon, log, f"ended by itself with status {process.returncode}"))
    finally:
        stop(process)


def wait_ready(process: subprocess.Popen, daemon: Daemon, log: Path) -> None:
    began = rests_since = time.monotonic()
    taken = 0.0
    while daemon.ready not in log.read_text(errors="replace") or time.monotonic() - rests_since < REST_S:
        if process.poll() is not None:
            raise Failure(complaint(daemon, log, f"ended with status {process.returncode} before it was ready"))
        if time.monotonic() - began > READY_S:
            raise Failure(complaint(daemon, log, f"did not say {daemon.ready!r} and rest for {REST_S} s in {READY_S} s"))
        time.sleep(POLL_S)
        if (now := processor_s(process)) > taken:
            taken, rests_since = now, time.monotonic()


def processor_s(process: subprocess.Popen) -> float:
    """That it has taken so far."""
    try:
        fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    except FileNotFoundError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def complaint(daemon: Daemon, log: Path, what: str) -> str:
    tail = log.read_text(errors="replace").splitlines()[-TAIL_LINES:]
    return "\n".join([f"{shlex.join(daemon.words)} {what}:", *(f"  | {line}" for line in tail)])


def stop(process: subprocess.Popen) -> None:
    for number in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with suppress(subprocess.TimeoutExpired):
            process.wait(STOP_S)
