# SPDX-License-Identifier: GPL-2.0
"""What one end host does in a run: servers, clients, and what its kernel says.

Whoever conducts the run calls these methods, in the same process or from another machine: arguments and results are numbers,
texts, lists and dicts. Times are those of this host's monotonic clock [s].
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from .probe import Probe
from .traffic import AskServer, FramesServer, programs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .flow import Flow
    from .namespace import ThisNamespace
    from .probe import Receiving
    from .scenario import Scenario
    from .traffic import FtpServer, OwnServer, Running

Kind = TypeVar("Kind", AskServer, FramesServer)


class EndHost:
    """addresses: host -> where the others reach it; folder: for what its programs need and leave."""

    def __init__(self, scenario: Scenario, name: str, namespace: ThisNamespace, addresses: dict[str, str], folder: Path) -> None:
        self.name, self.namespace, self.addresses = name, namespace, addresses
        self.flows = {flow.name: flow for flow in scenario.flows}
        self.programs = programs(scenario.flows, name, folder)
        self.clients: dict[str, Running] = {}
        self.probe: Probe | None = None

    def program(self, flow: Flow) -> FtpServer | OwnServer:
        return self.programs[flow.program, flow.target]

    def serve(self) -> None:
        """Start what waits for the flows to here, and open what will be read."""
        for (_, target), program in self.programs.items():
            if target == self.name:
                program.serve(self.namespace)
        self.probe = Probe(self.namespace)

    def begin(self, name: str) -> None:
        """A flow from here."""
        flow = self.flows[name]
        self.clients[name] = self.program(flow).client(self.namespace, flow, self.addresses[flow.target])

    def ended(self) -> list[str]:
        """Names of the flows from here that have ended since this was asked last."""
        names = [name for name, client in self.clients.items() if client.finished()]
        for name in names:
            del self.clients[name]
        return names

    def read(self, receiving: dict[str, tuple[int, int] | None]) -> dict[str, Any]:
        """What the kernel says; receiving: flow -> (port here, port there), None while these are not known."""
        return self.probe.read({name: self.receiver(self.flows[name], ports) for name, ports in receiving.items()})

    def receiver(self, flow: Flow, ports: tuple[int, int] | None) -> Receiving:
        local, remote = self.addresses[self.name], self.addresses[flow.source]
        if ports is None:
            return local, self.program(flow).ports_of(flow), remote, None
        return local, (ports[0],), remote, ports[1]

    def senders(self, sending: dict[str, tuple[int, int]]) -> dict[str, tuple[int, ...]]:
        """What it says of the flows from here; sending: flow -> (port there, port here)."""
        return self.probe.senders({name: (self.addresses[self.name], ports[1], self.addresses[self.flows[name].target], ports[0])
                                   for name, ports in sending.items()})

    def module_tables(self) -> dict[str, str]:
        return self.probe.module_tables()

    def waits(self) -> list[tuple[float, str, float, int]]:
        """Of each question that was asked from here: when it was due [s], its flow, its wait [ms], was it answered?"""
        return [(due_s, flow.name, wait_ms, answered)
                for flow, program in self.from_here(AskServer) for due_s, wait_ms, answered in program.waits(flow)]

    def messages(self) -> list[tuple[float, str, float, float, int]]:
        """Of each urgent message from here: when it was due [s], its flow, until it was written and on the wire [ms], was it ever?"""
        return [(due_s, flow.name, written_ms, wire_ms, sent)
                for flow, program in self.from_here(FramesServer) for due_s, written_ms, wire_ms, sent in program.messages(flow)]

    def from_here(self, kind: type[Kind]) -> Iterator[tuple[Flow, Kind]]:
        """The flows that a program of this kind sends from here."""
        for flow in self.flows.values():
            if flow.source == self.name and isinstance(program := self.program(flow), kind):
                yield flow, program

    def close(self) -> None:
        for running in (*self.clients.values(), *self.programs.values()):
            running.stop()
        if self.probe:
            self.probe.close()
