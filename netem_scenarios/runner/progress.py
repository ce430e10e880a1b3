# SPDX-License-Identifier: GPL-2.0
"""How far the run is and how long it will still take, on standard error."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from .quantity import human_time

if TYPE_CHECKING:
    from .experiment import Record
    from .plan import Run

EVERY_S = 5
SETUP_S = 4  # hosts, links and servers of a run, on a slow VM


class Progress:
    """Of runs in one boot, one after another."""

    def __init__(self, runs: list[Run]) -> None:
        self.runs = runs
        self.number = 0
        self.next_s = 0.0

    def total_s(self) -> float:
        return expected_s(self.runs)

    def say(self, text: str) -> None:
        print(f"[{self.runs[0].scenario.name}] {text}", file=sys.stderr, flush=True)

    def begin(self, run: Run) -> None:
        self.run = run
        self.number += 1
        self.next_s = 0.0

    def step(self, elapsed_s: float, record: Record) -> None:
        if elapsed_s < self.next_s:
            return
        self.next_s = elapsed_s + EVERY_S
        left_s = max(0.0, self.run.scenario.expect_s - elapsed_s) + expected_s(self.runs[self.number:])
        self.say(f"run {self.number} of {len(self.runs)}, {self.run.folder}: {human_time(elapsed_s)}, "
                 f"{len(record.finished)} of {len(self.run.scenario.flows)} flows done; about {human_time(left_s)} left in all")


def expected_s(runs: list[Run]) -> float:
    """Time as the scenarios tell it, not wall time where time is virtual."""
    return sum(run.scenario.expect_s + SETUP_S for run in runs)
