# SPDX-License-Identifier: GPL-2.0
"""How long urgent messages took until the device had them: plain functions of a run's table of messages."""

from __future__ import annotations

from .answers import percentile, rows_of
from .samples import Samples

COLUMNS = ("t", "flow", "written_ms", "wire_ms", "sent")  # t: when it was due; both times count from then
NO_MESSAGES = Samples(COLUMNS, [])

METRICS = {
    "wire_median_ms": "median time from when an urgent message was due, in the steady part, until the device had its last byte",
    "wire_p99_ms": "99th percentile of that; a message that the device never had counts with the time that it was waited for",
    "wire_worst_ms": "the longest of them",
    "written_p99_ms": "99th percentile of its first part, the time until the writer could write the message",
    "behind_p99_ms": "99th percentile of the rest, the time that the message stood in the send queue",
    "unsent_messages": "urgent messages of the whole run that the device never had",
}


def derive(table: Samples, begin: float, end: float, flow: str | None = None) -> dict[str, float]:
    """metric -> number, for every name in METRICS; of one flow, or of all."""
    rows, steady = rows_of(table, begin, end, flow)
    written, wire = [row[2] for row in steady], [row[3] for row in steady]
    # the device may have the byte before write() returns
    behind = [max(0.0, on_wire - by_writer) for by_writer, on_wire in zip(written, wire, strict=True)]
    numbers = (percentile(wire, 0.5), percentile(wire, 0.99), max(wire, default=0.0), percentile(written, 0.99), percentile(behind, 0.99),
               sum(not row[4] for row in rows))
    return dict(zip(METRICS, numbers, strict=True))
