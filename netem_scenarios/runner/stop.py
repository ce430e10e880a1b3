# SPDX-License-Identifier: GPL-2.0
"""What happens to memory while readers are away: plain functions of a run's tables."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING

from .samples import Samples

if TYPE_CHECKING:
    from .flow import Flow

DISTURBED = ("PruneCalled", "RcvPruned", "OfoPruned", "TCPRcvCollapsed", "TCPRcvQDrop", "TCPOFODrop", "TCPZeroWindowDrop", "TCPBacklogDrop")
GROWS = 1.01  # memory that is more than so many times what it was at most before still rises

METRICS = {
    "memory_peak_share": "memory_peak_bytes over tcp_mem[1], above which the kernel is under pressure",
    "promised_bytes": "all flows' receive buffers together in the last sample before the first reader went away, truesize; 0 if none does",
    "memory_over_s": "time of the whole run in which more than tcp_mem[1] was in use",
    "calm_s": "from when the first reader went away until memory in use had stopped to rise and nothing was pruned, collapsed or "
              "dropped at a receiver any more; all of the time away, if that was never; 0 if no reader goes away for a time",
}


def away_time(flows: list[Flow], started: dict[str, float]) -> tuple[float, float] | None:
    """(from, to) in which the first reader that goes away for a time does so."""
    return min(((started[flow.name] + flow.reads_s, started[flow.name] + flow.reads_s + flow.away_s)
                for flow in flows if flow.reads_s is not None and flow.away_s is not None), default=None)


def disturbances(counters: Samples) -> dict[float, int]:
    """moment -> all hosts' counts of DISTURBED together."""
    places = counters.places(*DISTURBED)
    found: defaultdict[float, int] = defaultdict(int)
    for row in counters.rows:
        found[row[0]] += sum(row[place] for place in places)
    return dict(found)


def calm_s(memory: Samples, counters: Samples, begin: float, end: float) -> float:
    counts = disturbances(counters)
    samples = [(moment, in_use, counts[moment]) for moment, in_use in zip(memory.column("t"), memory.column("tcp_memory_bytes"), strict=True)
               if begin <= moment < end]
    last, most = begin, max((in_use for _, in_use, _ in samples[:1]), default=0)
    for (_, _, before), (moment, in_use, count) in pairwise(samples):
        if in_use > GROWS * most or count != before:
            last = moment
        most = max(most, in_use)
    return last - begin


def promised_bytes(sockets: Samples, begin: float) -> int:
    moment, rcvbuf = sockets.places("t", "rcvbuf")
    before = max((row[moment] for row in sockets.rows if row[moment] < begin), default=None)
    return sum(row[rcvbuf] or 0 for row in sockets.rows if row[moment] == before)


def over_s(memory: Samples, limit: float) -> float:
    """From each sample that is above the limit to the next one."""
    moments, in_use = memory.column("t"), memory.column("tcp_memory_bytes")
    return sum(after - at for at, after, amount in zip(moments, moments[1:], in_use, strict=False) if amount > limit)


def derive(tables: dict[str, Samples], flows: list[Flow], started: dict[str, float], limit: float) -> dict[str, float]:
    """metric -> number, for every name in METRICS."""
    away, memory = away_time(flows, started), tables["memory"]
    return {"memory_peak_share": max(memory.column("tcp_memory_bytes")) / limit,
            "promised_bytes": promised_bytes(tables["sockets"], away[0]) if away else 0,
            "memory_over_s": over_s(memory, limit),
            "calm_s": calm_s(memory, tables["counters"], *away) if away else 0.0}
