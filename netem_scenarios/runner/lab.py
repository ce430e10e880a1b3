# SPDX-License-Identifier: GPL-2.0
"""A site: all hosts of a run in namespaces of this machine, whose settings are the run's while it lasts."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import daemon, system
from .adapter import EmulatedAdapter, emulated_adapter
from .built import Built
from .endhost import EndHost
from .samples import Samples
from .topology import Topology
from .traffic import CROSS_TRAFFIC, UdpCross, datagrams

if TYPE_CHECKING:
    from .link import Change
    from .scenario import Scenario
    from .variant import Variant


class Lab(Built):
    def __init__(self, scenario: Scenario, variant: Variant, module_path: str | None, results: Path) -> None:
        super().__init__()
        self.scenario, self.variant, self.module_path, self.results = scenario, variant, module_path, results
        self.ends = [host for host in scenario.hosts if scenario.degree(host) == 1]
        self.machines = self.ends[:1]
        self.adapter: EmulatedAdapter | None = None

    def build(self) -> None:
        self.undo.enter_context(system.settings(self.scenario, self.variant))
        self.topology = self.undo.enter_context(Topology(self.scenario))
        self.addresses = {host: self.topology.address[host] for host in self.ends}
        if self.variant.module != "absent":
            self.undo.enter_context(system.inserted_module(self.module_path, self.variant.module))
        system.set_sysctls("the first namespace", self.variant.knobs)
        for host in self.ends:
            self.topology.hosts[host].set_sysctls(self.variant.sysctls_of(host))
        self.attach_adapter()
        if self.variant.daemon:
            self.undo.enter_context(daemon.running(self.variant.daemon, self.results))
        self.folder = Path(self.undo.enter_context(tempfile.TemporaryDirectory(prefix="tcp_abt-")))
        self.folder.chmod(0o755)
        self.hosts = {host: self.end_host(host) for host in self.ends}

    def end_host(self, host: str) -> EndHost:
        found = EndHost(self.scenario, host, self.topology.hosts[host], self.addresses, self.folder)
        self.undo.callback(found.close)
        return found

    def attach_adapter(self) -> None:
        if wanted := self.variant.adapter:
            self.adapter = self.undo.enter_context(emulated_adapter(
                self.module_path, wanted, self.topology.hosts[wanted.host], self.topology.device(wanted.host)))

    def call(self, method: str, arguments: dict[str, tuple[Any, ...]]) -> dict[str, Any]:
        return {host: getattr(self.hosts[host], method)(*theirs) for host, theirs in arguments.items()}

    def conductor_s(self, _: str, at_s: float) -> float:
        return at_s  # one clock

    def machine_of(self, _: str) -> str:
        return self.machines[0]

    def start_cross(self) -> None:
        for number, cross in enumerate(self.scenario.cross):
            home = self.folder / f"cross-{number}"
            home.mkdir()
            traffic = CROSS_TRAFFIC[cross.program](home)
            self.undo.callback(traffic.stop)
            traffic.start(cross, self.topology)

    def cross_wire_bytes(self) -> int:
        """That have arrived, of all cross traffic."""
        return UdpCross.wire_bytes * sum(datagrams(self.topology.hosts[host]) for host in {cross.target for cross in self.scenario.cross})

    def change(self, change: Change) -> None:
        self.topology.change(change)

    def bottleneck_counters(self) -> dict[str, dict[str, int]]:
        return self.topology.bottleneck_counters()

    def sample(self, moment: float) -> None:
        if self.adapter:
            self.adapter.sample(moment)

    def tables(self) -> dict[str, Samples]:
        return {"adapter": self.adapter.table()} if self.adapter else {}

    def machine(self) -> dict[str, Any]:
        return {"kernel": os.uname().release, "lab": os.environ.get("ABT_LAB", "host")}
