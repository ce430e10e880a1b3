# SPDX-License-Identifier: GPL-2.0
"""What the kernel says every 100 ms: sockets, TCP memory, drop counters, the module's tables.

One process reads all namespaces through sockets and files that it opened there once: no fork and
no namespace change per sample. It measures its own processor time.
"""

import os
import time

from .inetdiag import DiagSocket
from .system import kernel_part

INTERVAL_S = 0.1
SOCKET_COLUMNS = ("received", "unread", "rcvbuf", "rmem", "rcv_ssthresh", "rcv_rtt_us", "sndbuf", "wmem", "cwnd",
                  "ssthresh", "rtt_us", "min_rtt_us", "mss", "retransmissions", "queued")
COUNTERS = ("PruneCalled", "RcvPruned", "OfoPruned", "TCPRcvCollapsed", "TCPRcvQDrop", "TCPOFODrop",
            "TCPZeroWindowDrop", "TCPBacklogDrop", "TCPMemoryPressures", "TCPTimeouts", "TCPToZeroWindowAdv")
MODULE_TABLES = ("tcp_abt", "tcp_abt_pool")


NO_SENDER = ("",) * 9


def receiver_columns(end):
    return end.bytes_received, end.unread, end.rcvbuf, end.rmem, end.rcv_ssthresh, end.rcv_rtt_us


def sender_columns(end):
    return (end.sndbuf, end.wmem_queued, end.cwnd, end.ssthresh, end.rtt_us, end.min_rtt_us, end.mss,
            end.retransmissions, end.queued)


class ProcFile:
    """A /proc/net file of a namespace, read again and again through one descriptor."""

    def __init__(self, namespace, name):
        self.descriptor = namespace.open_proc(name)

    def read(self):
        parts, at = [], 0
        while part := os.pread(self.descriptor, 1 << 16, at):
            parts.append(part)
            at += len(part)
        return b"".join(parts).decode()

    def close(self):
        os.close(self.descriptor)


class Netstat(ProcFile):
    """The TcpExt counters of a namespace, in the order of COUNTERS."""

    def __init__(self, namespace):
        super().__init__(namespace, "netstat")
        names = self.lines()[0].split()
        self.places = [names.index(name) if name in names else None for name in COUNTERS]

    def lines(self):
        return [line for line in self.read().split("\n", 2)[:2] if line.startswith("TcpExt:")]

    def values(self):
        words = self.lines()[1].split()
        return [int(words[place]) if place is not None else 0 for place in self.places]


class Collector:
    """Rows of one variant's tables; t is in seconds since start()."""

    def __init__(self, topology, flows, ports):
        ends = [host for host in topology.hosts if topology.scenario.degree(host) == 1]
        spaces = {host: topology.hosts[host] for host in ends}
        self.topology = topology
        self.flows = {flow.name: flow for flow in flows if flow.bulk}  # of the others nobody wants each connection
        self.ports = ports          # flow name -> ports that its data connection may use at the target
        self.connections = {}       # flow name -> (target's port, source's port)
        self.diags = {host: DiagSocket(spaces[host]) for host in ends}
        with kernel_part("tcp_diag"):
            self.diags[ends[0]].dump()
        self.sockstat = ProcFile(spaces[ends[0]], "sockstat")
        self.netstats = {host: Netstat(spaces[host]) for host in ends}
        self.tables = {(name, host): ProcFile(spaces[host], name) for name in MODULE_TABLES for host in ends}
        self.tables = {key: file for key, file in self.tables.items() if file.descriptor is not None}
        self.page_bytes = os.sysconf("SC_PAGE_SIZE")
        self.socket_rows, self.memory_rows, self.counter_rows = [], [], []
        self.table_rows = {name: [] for name in MODULE_TABLES}
        self.table_header = {}
        self.cost_s = 0.0
        self.samples = 0
        self.start_s = 0.0

    def start(self, now_s):
        self.start_s = now_s

    def sample(self, active):
        """Read everything once; active: names of the flows that are under way."""
        before = time.process_time()
        moment = round(time.monotonic() - self.start_s, 3)
        held = self.sample_sockets(moment, active)
        memory = self.sockstat.read().split("TCP:")[1].split("\n")[0].split()
        self.memory_rows.append((moment, int(memory[memory.index("mem") + 1]) * self.page_bytes, held))
        for host, netstat in self.netstats.items():
            self.counter_rows.append((moment, host, *netstat.values()))
        for (name, host), file in self.tables.items():
            self.sample_table(moment, name, host, file.read())
        self.samples += 1
        self.cost_s += time.process_time() - before

    def sample_sockets(self, moment, active):
        """Both ends of each bulk flow's data connection in one row: the receiver's columns, then the sender's.

        Returns what the queues at both ends of all of them hold [bytes of truesize].
        """
        held, dumps = 0, {}
        for name in (name for name in active if name in self.flows):
            receiver, sender = self.ends_of(name, dumps)
            if receiver is None:
                self.connections.pop(name, None)
                continue
            self.socket_rows.append((moment, name, *receiver_columns(receiver),
                                     *(sender_columns(sender) if sender else NO_SENDER)))
            held += receiver.rmem + (sender.wmem_queued if sender else 0)
        return held

    def ends_of(self, name, dumps):
        """Its receiver's and its sender's socket; dumps: host -> all its sockets, for flows that are new."""
        flow = self.flows[name]
        here, there = self.topology.address[flow.target], self.topology.address[flow.source]
        known = self.connections.get(name)
        if known is None:
            if flow.target not in dumps:
                dumps[flow.target] = self.diags[flow.target].dump()
            receiver = next((found for found in dumps[flow.target]
                             if found.remote == there and found.local_port in self.ports[name]), None)
            if receiver is None:
                return None, None
            self.connections[name] = (receiver.local_port, receiver.remote_port)
        else:
            receiver = self.diags[flow.target].find(here, known[0], there, known[1])
        port, far_port = self.connections[name]
        return receiver, self.diags[flow.source].find(there, far_port, here, port)

    def sample_table(self, moment, name, host, text):
        lines = text.splitlines()
        self.table_header[name] = ("t", "host", *lines[0].split())
        self.table_rows[name].extend((moment, host, *line.split()) for line in lines[1:])

    def module_state(self):
        """(connections that the module has a record of, bytes charged in its pools) at the end hosts."""
        records = sum(len(file.read().splitlines()) - 1 for (name, _), file in self.tables.items() if name == "tcp_abt")
        charged = {}
        for (name, host), file in self.tables.items():
            for pool, scope, _, bytes_charged, *_ in map(str.split, file.read().splitlines()[1:] if name == "tcp_abt_pool" else ()):
                charged[pool, host if scope == "net" else scope] = int(bytes_charged)
        return records, sum(charged.values())

    def close(self):
        for reader in (*self.diags.values(), *self.netstats.values(), *self.tables.values(), self.sockstat):
            reader.close()

    def collected(self):
        """table name -> (header, rows)"""
        tables = {"sockets": (("t", "flow", *SOCKET_COLUMNS), self.socket_rows),
                  "memory": (("t", "tcp_memory_bytes", "held_bytes"), self.memory_rows),
                  "counters": (("t", "host", *COUNTERS), self.counter_rows)}
        tables.update({name: (self.table_header[name], rows) for name, rows in self.table_rows.items() if rows})
        return tables
