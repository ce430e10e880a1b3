# SPDX-License-Identifier: GPL-2.0
"""How long questions waited for their answers: plain functions of a run's table of waits."""

from __future__ import annotations

import math
from typing import Any

from .samples import Samples

COLUMNS = ("t", "flow", "wait_ms", "answered")  # t: when it was due
NO_WAITS = Samples(COLUMNS, [])

METRICS = {
    "wait_median_ms": "median time from when a question was due, in the steady part, to its answer's last byte",
    "wait_p99_ms": "99th percentile of that; an answer that never came counts with the time that it was waited for",
    "wait_worst_ms": "the longest of them",
    "answers_per_s": "questions of the steady part that were answered, per second",
    "unanswered": "questions of the whole run that never were",
}


def percentile(values: list[float], share: float) -> float:
    """The least value that so much of all are not above; 0 of none."""
    return sorted(values)[math.ceil(share * len(values)) - 1] if values else 0.0


def rows_of(table: Samples, begin: float, end: float, flow: str | None) -> tuple[list[Any], list[Any]]:
    """All rows of one flow, or of all flows; and those that were due from begin to end."""
    rows = [row for row in table[1] if flow in (None, row[1])]
    return rows, [row for row in rows if begin <= row[0] < end]


def derive(table: Samples, begin: float, end: float, flow: str | None = None) -> dict[str, float]:
    """metric -> number, for every name in METRICS; of one flow, or of all."""
    rows, steady = rows_of(table, begin, end, flow)
    waits = [wait for _, _, wait, _ in steady]
    answered = sum(answered for _, _, _, answered in steady)
    numbers = (percentile(waits, 0.5), percentile(waits, 0.99), max(waits, default=0.0),
               answered / (end - begin) if end > begin else 0.0, sum(not answered for _, _, _, answered in rows))
    return dict(zip(METRICS, numbers, strict=True))
