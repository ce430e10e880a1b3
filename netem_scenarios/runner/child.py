# SPDX-License-Identifier: GPL-2.0
"""A command of ours: a process group of its own, so that a Ctrl-C reaches it once, from us."""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Self

STOP_S = 60  # a lab undoes what it made


class Child:
    def __init__(self, words: list[str], log: Path | None = None) -> None:
        """Output goes to the file LOG, or where ours goes."""
        with open(log, "wb") if log else nullcontext() as output:
            self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=output,
                                            stderr=subprocess.STDOUT if log else None, start_new_session=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.ask_to_stop()
        self.stop()

    def wait(self) -> int:
        return self.process.wait()

    def ask_to_stop(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()

    def stop(self) -> None:
        """Wait for the end that was asked for."""
        try:
            self.process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
