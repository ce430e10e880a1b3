# SPDX-License-Identifier: GPL-2.0
"""What one run came to, kept beside its tables; and what several runs of a variant come to together."""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .cells import Cell
from .metrics import METRICS

if TYPE_CHECKING:
    from .plan import Run

FILE = "result.json"
STATE = "state.txt"  # a lab's, see lab/state.py
UNKNOWN = "unknown"


@dataclass
class Result:
    metrics: dict[str, float]
    finish_s: dict[str, float]  # flow -> end
    bottleneck: dict[str, dict[str, int]]  # device -> bytes and drops
    machine: dict[str, Any]  # kernel and lab

    def write(self, folder: Path) -> None:
        (folder / FILE).write_text(json.dumps(asdict(self), indent=1) + "\n")


def read_result(folder: Path) -> Result | None:
    """The Result of this folder, or None where a run did not get that far."""
    try:
        return Result(**json.loads((folder / FILE).read_text()))
    except FileNotFoundError:
        return None


def states_of(run: Run, out: Path) -> dict[str, str]:
    """part -> state: of the modules that took part in it, by the lab that it ran in; beside it, or beside all runs of one boot."""
    for folder in (out / run.folder, out):
        if (folder / STATE).exists():
            known = dict(words.split() for words in (folder / STATE).read_text().split(", "))
            return {part: known.get(part, UNKNOWN) for part in run.variant.parts()}
    return dict.fromkeys(run.variant.parts(), UNKNOWN)


def is_there(run: Run, out: Path, present: Any, lab: str, kernel: str) -> bool:
    """Has OUT a result of this run in this lab's kernel, with all metrics of today, measured with the present module, if with it at all?"""
    result = read_result(out / run.folder)
    if result is None or not METRICS.keys() <= result.metrics.keys():
        return False
    return result.machine["lab"] == lab and result.machine["kernel"].startswith(kernel.partition("-")[0]) and all(
        state == getattr(present, part) for part, state in states_of(run, out).items())


def joined_states(runs: list[Run], out: Path) -> dict[str, str]:
    """part -> state that all these runs were measured with, or states, joined by +."""
    found: dict[str, set[str]] = {}
    for run in runs:
        for part, state in states_of(run, out).items():
            found.setdefault(part, set()).add(state)
    return {part: UNKNOWN if UNKNOWN in states else "+".join(sorted(states)) for part, states in found.items()}


def forget_result(folder: Path) -> None:
    (folder / FILE).unlink(missing_ok=True)


@dataclass
class Outcome:
    """A variant in a cell: the results of its seeds, at least one."""
    results: list[Result]

    @property
    def metrics(self) -> dict[str, float]:
        return self.over_seeds(statistics.median)

    @property
    def finish_s(self) -> dict[str, float]:
        return {flow: statistics.median(result.finish_s[flow] for result in self.results) for flow in self.results[0].finish_s}

    @property
    def nothing_arrived(self) -> bool:
        metrics = self.metrics
        return not any(metrics.get(name) for name in ("goodput_mbps", "answers_per_s"))

    def over_seeds(self, choose: Callable[[list[float]], float]) -> dict[str, float]:
        return {name: choose([result.metrics[name] for result in self.results]) for name in self.results[0].metrics}


Outcomes = dict[tuple[Cell, str], Outcome]  # (cell, variant's name) -> what it came to
