# SPDX-License-Identifier: GPL-2.0
"""One variant of a scenario, run: hosts and links up, settings on, traffic, samples; then all undone."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from . import answers, urgent
from .collect import INTERVAL_S, Collector
from .failure import Failure
from .processors import busy_s
from .samples import Samples

if TYPE_CHECKING:
    from .flow import Flow
    from .progress import Progress
    from .scenario import Scenario
    from .site import Site
    from .variant import Variant

TIME_LIMIT_FACTOR = 4  # a variant that takes this much longer than expected has hung
LEAVE_S = 2            # after the last flow's end: connections close within


@dataclass
class Record:
    """What a variant left behind: tables, and when its flows' data began and ended.

    Time 0 is the first byte of data that arrived: how long a slow machine takes to start programs and
    to log in over FTP belongs to nobody's buffers.
    """
    variant: str
    tables: dict[str, Samples] = field(default_factory=dict)
    started: dict[str, float] = field(default_factory=dict)
    finished: dict[str, float] = field(default_factory=dict)
    cross_wire_bytes: int = 0
    bottleneck: dict[str, dict[str, int]] = field(default_factory=dict)
    cost_s: float = 0
    busy_s: float = 0
    samples: int = 0
    records_left: int = 0  # of the module, when all connections have closed
    charged_left: int = 0  # bytes, in its pools
    machine: dict[str, Any] = field(default_factory=dict)


def shifted(record: Record, flows: list[Flow]) -> Record:
    """The record with its times counted from the first data that arrived."""
    sockets = record.tables["sockets"]
    for moment, name, received in zip(*map(sockets.column, ("t", "flow", "received")), strict=True):
        if received:
            record.started.setdefault(name, moment)
    for flow in flows:
        if flow.name not in record.started:
            if flow.size_bytes is not None:
                raise Failure(f"variant {record.variant}: flow {flow.name} moved all its data between two samples: "
                              "it needs a larger size")
            record.started[flow.name] = flow.start_s  # nothing of it arrived
    zero = min(record.started.values())
    record.started = {name: began - zero for name, began in record.started.items()}
    record.finished = {name: ended - zero for name, ended in record.finished.items()}
    record.tables = {name: Samples(head, [(round(row[0] - zero, 3), *row[1:]) for row in lines])
                     for name, (head, lines) in record.tables.items()}
    return record


class Experiment:
    """site: where the hosts are, `lab` or `hosts`."""

    def __init__(self, scenario: Scenario, variant: Variant, site: Site, progress: Progress) -> None:
        self.scenario, self.variant = scenario, variant
        self.site, self.progress = site, progress
        self.record = Record(variant.name)

    def run(self) -> Record:
        with self.site as site:
            site.call("serve", dict.fromkeys(site.ends, ()))
            site.start_cross()
            with self.collector() as collector:
                self.transfer(collector)
                self.read_each("waits", answers.COLUMNS, collector.start_s)
                self.read_each("messages", urgent.COLUMNS, collector.start_s)
                self.read_left(collector)
            self.record.machine = site.machine()
        return shifted(self.record, self.scenario.flows)

    @contextmanager
    def collector(self) -> Iterator[Collector]:
        collector = Collector(self.site, self.scenario.flows)
        try:
            yield collector
        finally:
            self.record.tables |= collector.collected()
            self.record.cost_s, self.record.samples = collector.cost_s, collector.samples

    def transfer(self, collector: Collector) -> None:
        """Start each flow at its time, sample until the last has ended."""
        waiting = sorted(self.scenario.flows, key=lambda flow: flow.start_s)
        changes = sorted(self.scenario.changes, key=lambda change: change.at_s)
        cross_before, busy_before = self.site.cross_wire_bytes(), busy_s()
        running: dict[str, Flow] = {}
        number = 0
        start_s = time.monotonic()
        limit_s = start_s + TIME_LIMIT_FACTOR * self.scenario.expect_s
        collector.start(start_s)
        while waiting or running:
            while waiting and time.monotonic() - start_s >= waiting[0].start_s:
                flow = waiting.pop(0)
                self.site.call("begin", {flow.source: (flow.name,)})
                running[flow.name] = flow
            while changes and time.monotonic() - start_s >= changes[0].at_s:
                self.site.change(changes.pop(0))
            collector.sample(running)
            self.site.sample(time.monotonic() - start_s)
            ended = self.site.call("ended", dict.fromkeys((flow.source for flow in running.values()), ()))
            for name in (name for names in ended.values() for name in names):
                self.record.finished[name] = time.monotonic() - start_s
                del running[name]
            self.progress.step(time.monotonic() - start_s, self.record)
            if time.monotonic() > limit_s:
                raise Failure(f"variant {self.variant.name}: {', '.join(running)} still running after "
                              f"{limit_s - start_s:.0f} s, expected about {self.scenario.expect_s:.0f} s")
            number = max(number + 1, int((time.monotonic() - start_s) / INTERVAL_S))
            time.sleep(max(0.0, start_s + number * INTERVAL_S - time.monotonic()))
        self.record.busy_s = busy_s() - busy_before
        self.record.cross_wire_bytes = self.site.cross_wire_bytes() - cross_before
        self.record.bottleneck = self.site.bottleneck_counters()
        self.record.tables |= self.site.tables()

    def read_each(self, table: str, columns: tuple[str, ...], start_s: float) -> None:
        """How long each question waited, or each urgent message: the end hosts' method has the table's name."""
        rows = [(self.site.conductor_s(host, due_s) - start_s, *rest)
                for host, each in self.site.call(table, dict.fromkeys(self.site.ends, ())).items() for due_s, *rest in each]
        if rows:
            self.record.tables[table] = Samples(columns, rows)

    def read_left(self, collector: Collector) -> None:
        """What the module still holds of connections that have closed."""
        if self.variant.module != "absent":
            time.sleep(LEAVE_S)
            self.record.records_left, self.record.charged_left = collector.module_state()
