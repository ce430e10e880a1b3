# SPDX-License-Identifier: GPL-2.0
"""What one end host does in a run: servers, clients, and what its kernel says.

Whoever conducts the run calls these methods, in the same process or from another machine: arguments and results are numbers,
texts, lists and dicts. Times are those of this host's monotonic clock [s].
"""

from .probe import Probe
from .traffic import programs


class EndHost:
    """addresses: host -> where the others reach it; folder: for what its programs need and leave."""

    def __init__(self, scenario, name, namespace, addresses, folder):
        self.name, self.namespace, self.addresses = name, namespace, addresses
        self.flows = {flow.name: flow for flow in scenario.flows}
        self.programs = programs(scenario.flows, name, folder)
        self.clients = {}
        self.probe = None

    def program(self, flow):
        return self.programs[flow.program, flow.target]

    def serve(self):
        """Start what waits for the flows to here, and open what will be read."""
        for (_, target), program in self.programs.items():
            if target == self.name:
                program.serve(self.namespace)
        self.probe = Probe(self.namespace)

    def begin(self, name):
        """A flow from here."""
        flow = self.flows[name]
        self.clients[name] = self.program(flow).client(self.namespace, flow, self.addresses[flow.target])

    def ended(self):
        """Names of the flows from here that have ended since this was asked last."""
        names = [name for name, client in self.clients.items() if client.finished()]
        for name in names:
            del self.clients[name]
        return names

    def read(self, receiving):
        """What the kernel says; receiving: flow -> (port here, port there), None while these are not known."""
        return self.probe.read({name: self.receiver(self.flows[name], ports) for name, ports in receiving.items()})

    def receiver(self, flow, ports):
        local, remote = self.addresses[self.name], self.addresses[flow.source]
        if ports is None:
            return local, self.program(flow).ports_of(flow), remote, None
        return local, (ports[0],), remote, ports[1]

    def senders(self, sending):
        """What it says of the flows from here; sending: flow -> (port there, port here)."""
        return self.probe.senders({name: (self.addresses[self.name], ports[1], self.addresses[self.flows[name].target], ports[0])
                                   for name, ports in sending.items()})

    def module_tables(self):
        return self.probe.module_tables()

    def waits(self):
        """Of each question that was asked from here: when it was due [s], its flow, its wait [ms], was it answered?"""
        return [(due_s, flow.name, wait_ms, answered) for flow in self.flows.values()
                if flow.source == self.name and not flow.bulk for due_s, wait_ms, answered in self.program(flow).waits(flow)]

    def close(self):
        for running in (*self.clients.values(), *self.programs.values()):
            running.stop()
        if self.probe:
            self.probe.close()
