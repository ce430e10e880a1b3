# SPDX-License-Identifier: GPL-2.0
"""What the kernels say every 100 ms, of both ends of each flow together: tables with rows in time.

It measures its own processor time.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from .probe import COUNTERS, MODULE_TABLES, RECEIVER_COLUMNS, SENDER_COLUMNS
from .samples import Samples

if TYPE_CHECKING:
    from .flow import Flow
    from .site import Site

INTERVAL_S = 0.1
SOCKET_COLUMNS = (*RECEIVER_COLUMNS, *SENDER_COLUMNS)
RMEM, WMEM = RECEIVER_COLUMNS.index("rmem"), SENDER_COLUMNS.index("wmem")
NO_SENDER = ("",) * len(SENDER_COLUMNS)


class Collector:
    """Rows of one variant's tables; t is in seconds since start()."""

    def __init__(self, site: Site, flows: list[Flow]) -> None:
        self.site = site
        self.flows = {flow.name: flow for flow in flows if flow.bulk}  # of the others nobody wants each connection
        self.connections: dict[str, tuple[int, int]] = {}       # flow name -> [target's port, source's port]
        self.socket_rows: list[tuple[Any, ...]] = []
        self.memory_rows: list[tuple[Any, ...]] = []
        self.counter_rows: list[tuple[Any, ...]] = []
        self.table_rows: dict[str, list[tuple[Any, ...]]] = {name: [] for name in MODULE_TABLES}
        self.table_header: dict[str, tuple[str, ...]] = {}
        self.cost_s = 0.0
        self.samples = 0
        self.start_s = 0.0

    def start(self, now_s: float) -> None:
        self.start_s = now_s

    def sample(self, active: Iterable[str]) -> None:
        """Read everything once; active: names of the flows that are under way."""
        before = time.process_time()
        flows = [self.flows[name] for name in active if name in self.flows]
        readings = self.site.call("read", {
            host: ({flow.name: self.connections.get(flow.name) for flow in flows if flow.target == host},) for host in self.site.ends})
        moment = self.moment(readings)
        held = self.sample_sockets(moment, flows, readings)
        memory = sum(readings[host]["tcp_memory_bytes"] for host in self.site.machines)
        self.memory_rows.append((moment, memory, held))
        for host, reading in readings.items():
            self.counter_rows.append((moment, host, *reading["counters"]))
            for name, text in reading["tables"].items():
                self.sample_table(moment, name, host, text)
        self.samples += 1
        self.cost_s += time.process_time() - before

    def moment(self, readings: dict[str, Any]) -> float:
        """When the first flow's receiver was read, of whose rows goodput is made; the others were at nearly the same time."""
        host = next((flow.target for flow in self.flows.values()), self.site.ends[0])
        return round(self.site.conductor_s(host, readings[host]["at"]) - self.start_s, 3)

    def sample_sockets(self, moment: float, flows: list[Flow], readings: dict[str, Any]) -> int:
        """Both ends of each bulk flow's data connection in one row: the receiver's columns, then the sender's.

        Returns what the queues at both ends of all of them hold [bytes of truesize].
        """
        receivers = {}
        for flow in flows:
            if found := readings[flow.target]["receivers"].get(flow.name):
                self.connections[flow.name], receivers[flow.name] = found
            else:
                self.connections.pop(flow.name, None)
        sending: dict[str, dict[str, tuple[int, int]]] = {}
        for flow in flows:
            if flow.name in receivers:
                sending.setdefault(flow.source, {})[flow.name] = self.connections[flow.name]
        found = self.site.call("senders", {host: (theirs,) for host, theirs in sending.items()})
        senders = {name: columns for theirs in found.values() for name, columns in theirs.items()}
        for name, columns in receivers.items():
            self.socket_rows.append((moment, name, *columns, *senders.get(name, NO_SENDER)))
        return sum(columns[RMEM] for columns in receivers.values()) + sum(columns[WMEM] for columns in senders.values())

    def sample_table(self, moment: float, name: str, host: str, text: str) -> None:
        lines = text.splitlines()
        self.table_header[name] = ("t", "host", *lines[0].split())
        self.table_rows[name].extend((moment, host, *line.split()) for line in lines[1:])

    def module_state(self) -> tuple[int, int]:
        """(connections between the end hosts that the module has a record of, bytes charged in its pools) there."""
        tables = self.site.call("module_tables", dict.fromkeys(self.site.ends, ()))
        records, charged = 0, {}
        for host, texts in tables.items():
            remotes = [line.split()[1].rpartition(":")[0] for line in texts["tcp_abt"].splitlines()[1:]]
            records += sum(remote in self.site.addresses.values() for remote in remotes)
            for pool, scope, _, bytes_charged, *_ in map(str.split, texts["tcp_abt_pool"].splitlines()[1:]):
                owner = host if scope == "net" else self.site.machine_of(host)
                charged[pool, scope, owner] = int(bytes_charged)
        return records, sum(charged.values())

    def collected(self) -> dict[str, Samples]:
        """table name -> (header, rows)"""
        tables = {"sockets": Samples(("t", "flow", *SOCKET_COLUMNS), self.socket_rows),
                  "memory": Samples(("t", "tcp_memory_bytes", "held_bytes"), self.memory_rows),
                  "counters": Samples(("t", "host", *COUNTERS), self.counter_rows)}
        tables.update({name: Samples(self.table_header[name], rows) for name, rows in self.table_rows.items() if rows})
        return tables
