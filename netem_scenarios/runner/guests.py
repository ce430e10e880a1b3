# SPDX-License-Identifier: GPL-2.0
"""Runs in guests of their own, as many side by side as there are processors, the biggest first."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from .child import Child
from .estimate import Estimate
from .quantity import human_time

if TYPE_CHECKING:
    from .plan import Run

LOG = "run.log"
POLL_S = 0.1
SAY_S = 10
TAIL_LINES = 12
NAMES_SHOWN = 4


class Guest:
    """A run under way."""

    def __init__(self, run: Run, words: list[str], folder: Path) -> None:
        self.run = run
        self.log = folder / LOG
        self.began = time.monotonic()
        self.child = Child(words, self.log)

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.began

    def complaint(self, status: int) -> str:
        tail = self.log.read_text(errors="replace").splitlines()[-TAIL_LINES:]
        return "\n".join([f"exit status {status}, from {self.log}:", *(f"  | {line}" for line in tail)])


class Guests:
    def __init__(self, runs: list[Run], words_of: Callable[[Run], list[str]], out: Path, memory_of: Callable[[Run], float]) -> None:
        """words_of(run): the command that runs it in a lab; memory_of(run): bytes that it may take."""
        self.waiting = sorted(runs, key=lambda run: -run.cost_s)
        self.words_of, self.out, self.memory_of = words_of, out, memory_of
        self.lanes = len(os.sched_getaffinity(0))
        self.room_bytes = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        self.running: list[Guest] = []
        self.failures: dict[str, str] = {}
        self.seconds: dict[Run, float] = {}  # wall time that it took
        self.total, self.done = len(runs), 0
        self.estimate = Estimate(self.lanes)
        self.said = 0.0

    def run_all(self) -> dict[str, str]:
        """name of a run -> why, of those that failed."""
        with ExitStack() as stack:
            stack.callback(self.stop)
            while self.waiting or self.running:
                news = self.reap()
                self.start_some()
                if news or time.monotonic() - self.said >= SAY_S:
                    self.say(news)
                time.sleep(POLL_S)
        return self.failures

    def start_some(self) -> None:
        while self.waiting and len(self.running) < self.lanes and self.fits(self.waiting[0]):
            run = self.waiting.pop(0)
            folder = Path(self.out, run.folder)
            folder.mkdir(parents=True, exist_ok=True)
            self.running.append(Guest(run, self.words_of(run), folder))

    def fits(self, run: Run) -> bool:
        taken = sum(self.memory_of(guest.run) for guest in self.running)
        return not self.running or taken + self.memory_of(run) <= self.room_bytes

    def reap(self) -> str:
        """What to say of the runs that have ended since."""
        news = ""
        for guest in list(self.running):
            status = guest.child.process.poll()
            if status is None:
                continue
            self.running.remove(guest)
            self.done += 1
            self.estimate.learn(guest.run.cost_s, guest.seconds)
            self.seconds[guest.run] = guest.seconds
            if status:
                self.failures[str(guest.run.folder)] = guest.complaint(status)
            news += f"{guest.run.folder} {'FAILED' if status else 'done'} in {guest.seconds:.0f} s; "
        return news

    def say(self, news: str) -> None:
        self.said = time.monotonic()
        left_s = self.estimate.left_s([run.cost_s for run in self.waiting],
                                      [(guest.run.cost_s, guest.seconds) for guest in self.running])
        names = ", ".join(str(guest.run.folder) for guest in self.running[:NAMES_SHOWN])
        more = f" and {len(self.running) - NAMES_SHOWN} more" if len(self.running) > NAMES_SHOWN else ""
        rest = f"; {names}{more} under way; about {human_time(left_s)} left, until " \
               f"{time.strftime('%H:%M:%S', time.localtime(time.time() + left_s))}" if self.running or self.waiting else ""
        print(f"[{self.done}/{self.total}] {news}{len(self.failures)} failed{rest}", file=sys.stderr, flush=True)

    def stop(self) -> None:
        for guest in self.running:
            guest.child.ask_to_stop()
        for guest in self.running:
            guest.child.stop()
