# SPDX-License-Identifier: GPL-2.0
"""One variant of a scenario, run: hosts and links up, settings on, traffic, samples; then all undone."""

import tempfile
import time
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from . import answers, system
from .adapter import emulated_adapter
from .collect import INTERVAL_S, Collector
from .failure import Failure
from .topology import Topology
from .traffic import CROSS_TRAFFIC, FLOW_SERVERS, UdpCross, datagrams

CONGESTION_CONTROL = "net.ipv4.tcp_congestion_control"
TIME_LIMIT_FACTOR = 4  # a variant that takes this much longer than expected has hung
LEAVE_S = 2            # after the last flow's end: connections close within


@dataclass
class Record:
    """What a variant left behind: tables, and when its flows' data began and ended.

    Time 0 is the first byte of data that arrived: how long a slow machine takes to start programs and
    to log in over FTP belongs to nobody's buffers.
    """
    variant: str
    tables: dict = field(default_factory=dict)
    started: dict = field(default_factory=dict)
    finished: dict = field(default_factory=dict)
    cross_wire_bytes: int = 0
    bottleneck: dict = field(default_factory=dict)
    cost_s: float = 0
    samples: int = 0
    records_left: int = 0  # of the module, when all connections have closed
    charged_left: int = 0  # bytes, in its pools


def read_profile(path):
    """A sysctl.d file: key = value lines, # and ; comments."""
    values = {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        line = line.strip()
        if not line or line[0] in "#;":
            continue
        key, equals, value = line.partition("=")
        if not equals:
            raise Failure(f"{path.name}:{number}: {line!r}: expected key = value")
        values[key.strip().removeprefix("-")] = value.strip()
    return values


def shifted(record, flows):
    """The record with its times counted from the first data that arrived."""
    header, rows = record.tables["sockets"]
    moment, flow, received = (header.index(name) for name in ("t", "flow", "received"))
    for row in rows:
        if row[received]:
            record.started.setdefault(row[flow], row[moment])
    for flow in flows:
        if flow.name not in record.started:
            if flow.size_bytes is not None:
                raise Failure(f"variant {record.variant}: flow {flow.name} moved all its data between two samples: "
                              "it needs a larger size")
            record.started[flow.name] = flow.start_s  # nothing of it arrived
    zero = min(record.started.values())
    record.started = {name: began - zero for name, began in record.started.items()}
    record.finished = {name: ended - zero for name, ended in record.finished.items()}
    record.tables = {name: (head, [(round(row[0] - zero, 3), *row[1:]) for row in lines])
                     for name, (head, lines) in record.tables.items()}
    return record


class Experiment:
    def __init__(self, scenario, variant, module_path, progress):
        self.scenario, self.variant = scenario, variant
        self.module_path, self.progress = module_path, progress
        self.record = Record(variant.name)
        self.adapter = None

    def run(self):
        with ExitStack() as undo:
            undo.enter_context(system.tcp_memory_limit(self.scenario.tcp_mem))
            undo.enter_context(system.no_backlog_limit())
            undo.enter_context(system.allowed_congestion_controls(self.congestion_controls()))
            topology = undo.enter_context(Topology(self.scenario))
            if self.variant.module != "absent":
                undo.enter_context(system.inserted_module(self.module_path, self.variant.module))
            self.set_sysctls(topology)
            self.attach_adapter(topology, undo)
            folder = Path(undo.enter_context(tempfile.TemporaryDirectory(prefix="tcp_abt-")))
            folder.chmod(0o755)
            servers = self.start_servers(topology, folder, undo)
            self.start_cross(topology, folder, undo)
            ports = {flow.name: servers[flow.name].ports_of(flow) for flow in self.scenario.flows}
            collector = undo.enter_context(self.collector(topology, ports))
            self.transfer(topology, servers, collector)
            self.read_waits(servers, collector.start_s)
            self.read_left(collector)
        return shifted(self.record, self.scenario.flows)

    def congestion_controls(self):
        """All that this variant's hosts are told to use."""
        settings = (self.scenario.sysctls, self.variant.sysctls, *self.variant.host_sysctls.values())
        return sorted({values[CONGESTION_CONTROL] for values in settings if CONGESTION_CONTROL in values})

    def set_sysctls(self, topology):
        system.set_sysctls("the first namespace", self.variant.knobs)
        profile = read_profile(self.variant.profile) if self.variant.profile else {}
        for host, namespace in topology.hosts.items():
            if self.scenario.degree(host) == 1:
                namespace.set_sysctls(profile | self.variant.sysctls_of(host))

    def attach_adapter(self, topology, undo):
        if wanted := self.variant.adapter:
            self.adapter = undo.enter_context(emulated_adapter(
                self.module_path, wanted, topology.hosts[wanted.host], topology.device(wanted.host)))

    def start_servers(self, topology, folder, undo):
        """flow name -> its server."""
        servers, of_flow = {}, {}
        for flow in self.scenario.flows:
            key = (flow.program, flow.target)
            if key not in servers:
                home = folder / "-".join(key)
                home.mkdir()
                servers[key] = FLOW_SERVERS[flow.program](home)
                undo.callback(servers[key].stop)
                servers[key].start(topology.hosts[flow.target],
                                   [other for other in self.scenario.flows if (other.program, other.target) == key])
            of_flow[flow.name] = servers[key]
        return of_flow

    def start_cross(self, topology, folder, undo):
        for number, cross in enumerate(self.scenario.cross):
            home = folder / f"cross-{number}"
            home.mkdir()
            traffic = CROSS_TRAFFIC[cross.program](home)
            undo.callback(traffic.stop)
            traffic.start(cross, topology)

    @contextmanager
    def collector(self, topology, ports):
        collector = Collector(topology, self.scenario.flows, ports)
        try:
            yield collector
        finally:
            self.record.tables |= collector.collected()
            self.record.cost_s, self.record.samples = collector.cost_s, collector.samples
            collector.close()

    def transfer(self, topology, servers, collector):
        """Start each flow at its time, sample until the last has ended."""
        waiting = sorted(self.scenario.flows, key=lambda flow: flow.start_s)
        changes = sorted(self.scenario.changes, key=lambda change: change.at_s)
        cross_targets = {cross.target for cross in self.scenario.cross}
        datagrams_before = sum(datagrams(topology.hosts[host]) for host in cross_targets)
        running, number = {}, 0
        start_s = time.monotonic()
        limit_s = start_s + TIME_LIMIT_FACTOR * self.scenario.expect_s
        collector.start(start_s)
        try:
            while waiting or running:
                while waiting and time.monotonic() - start_s >= waiting[0].start_s:
                    flow = waiting.pop(0)
                    running[flow.name] = servers[flow.name].client(topology.hosts[flow.source], flow,
                                                                   topology.address[flow.target])
                while changes and time.monotonic() - start_s >= changes[0].at_s:
                    topology.change(changes.pop(0))
                collector.sample(running)
                if self.adapter:
                    self.adapter.sample(time.monotonic() - start_s)
                for name in [name for name, client in running.items() if client.finished()]:
                    self.record.finished[name] = time.monotonic() - start_s
                    del running[name]
                self.progress.step(time.monotonic() - start_s, self.record)
                if time.monotonic() > limit_s:
                    raise Failure(f"variant {self.variant.name}: {', '.join(running)} still running after "
                                  f"{limit_s - start_s:.0f} s, expected about {self.scenario.expect_s:.0f} s")
                number = max(number + 1, int((time.monotonic() - start_s) / INTERVAL_S))
                time.sleep(max(0.0, start_s + number * INTERVAL_S - time.monotonic()))
        finally:
            for client in running.values():
                client.stop()
        self.record.cross_wire_bytes = UdpCross.wire_bytes * (
            sum(datagrams(topology.hosts[host]) for host in cross_targets) - datagrams_before)
        self.record.bottleneck = topology.bottleneck_counters()
        if self.adapter:
            self.record.tables["adapter"] = self.adapter.table()

    def read_waits(self, servers, start_s):
        """How long each question waited."""
        rows = [(due_s - start_s, flow.name, wait_ms, answered) for flow in self.scenario.flows if not flow.bulk
                for due_s, wait_ms, answered in servers[flow.name].waits(flow)]
        if rows:
            self.record.tables["waits"] = (answers.COLUMNS, rows)

    def read_left(self, collector):
        """What the module still holds of connections that have closed."""
        if self.variant.module != "absent":
            time.sleep(LEAVE_S)
            self.record.records_left, self.record.charged_left = collector.module_state()
