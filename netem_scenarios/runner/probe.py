# SPDX-License-Identifier: GPL-2.0
"""What the kernel says of one end host: sockets, TCP memory, drop counters, the module's tables.

It reads through sockets and files that it opened there once: no fork and no namespace change per reading.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .inetdiag import DiagSocket
from .system import kernel_part

if TYPE_CHECKING:
    from .inetdiag import Socket
    from .namespace import ThisNamespace

Receiving = tuple[str, Sequence[int], str, int | None]  # local address, ports that may be used, remote address, remote port
Seen = tuple[tuple[int, int], tuple[int, ...]]  # (local port, remote port), RECEIVER_COLUMNS

RECEIVER_COLUMNS = ("received", "unread", "rcvbuf", "rmem", "rcv_ssthresh", "rcv_rtt_us")
SENDER_COLUMNS = ("sndbuf", "wmem", "cwnd", "ssthresh", "rtt_us", "min_rtt_us", "mss", "retransmissions", "queued", "notsent")
COUNTERS = ("PruneCalled", "RcvPruned", "OfoPruned", "TCPRcvCollapsed", "TCPRcvQDrop", "TCPOFODrop",
            "TCPZeroWindowDrop", "TCPBacklogDrop", "TCPMemoryPressures", "TCPTimeouts", "TCPToZeroWindowAdv")
MODULE_TABLES = ("tcp_abt", "tcp_abt_pool")


def receiver_columns(end: Socket) -> tuple[int, ...]:
    return end.bytes_received, end.unread, end.rcvbuf, end.rmem, end.rcv_ssthresh, end.rcv_rtt_us


def sender_columns(end: Socket) -> tuple[int, ...]:
    return (end.sndbuf, end.wmem_queued, end.cwnd, end.ssthresh, end.rtt_us, end.min_rtt_us, end.mss,
            end.retransmissions, end.queued, end.notsent)


class ProcFile:
    """A /proc/net file of a namespace, read again and again through one descriptor."""

    def __init__(self, namespace: ThisNamespace, name: str) -> None:
        self.descriptor = namespace.open_proc(name)

    def read(self) -> str:
        parts, at = [], 0
        while part := os.pread(self.descriptor, 1 << 16, at):
            parts.append(part)
            at += len(part)
        return b"".join(parts).decode()

    def close(self) -> None:
        os.close(self.descriptor)


class Netstat(ProcFile):
    """The TcpExt counters of a namespace, in the order of COUNTERS."""

    def __init__(self, namespace: ThisNamespace) -> None:
        super().__init__(namespace, "netstat")
        names = self.lines()[0].split()
        self.places = [names.index(name) if name in names else None for name in COUNTERS]

    def lines(self) -> list[str]:
        return [line for line in self.read().split("\n", 2)[:2] if line.startswith("TcpExt:")]

    def values(self) -> list[int]:
        words = self.lines()[1].split()
        return [int(words[place]) if place is not None else 0 for place in self.places]


class Probe:
    def __init__(self, namespace: ThisNamespace) -> None:
        self.diag = DiagSocket(namespace)
        with kernel_part("tcp_diag"):
            self.diag.dump()
        self.sockstat, self.netstat = ProcFile(namespace, "sockstat"), Netstat(namespace)
        tables = {name: ProcFile(namespace, name) for name in MODULE_TABLES}
        self.tables = {name: file for name, file in tables.items() if file.descriptor is not None}

    def read(self, receiving: dict[str, Receiving]) -> dict[str, Any]:
        """All of it at one moment; receiving: see receivers."""
        return {"at": time.monotonic(),
                "receivers": self.receivers(receiving),
                "tcp_memory_bytes": self.tcp_memory_bytes(),
                "counters": self.netstat.values(),
                "tables": self.module_tables()}

    def receivers(self, receiving: dict[str, Receiving]) -> dict[str, Seen]:
        """flow -> its (local port, remote port) and RECEIVER_COLUMNS, of those that are there.

        receiving: flow -> (local address, ports that it may use, remote address, remote port, None while nobody has seen it).
        """
        dump, found = None, {}
        for flow, (local, ports, remote, remote_port) in receiving.items():
            if remote_port is None:
                dump = self.diag.dump() if dump is None else dump
                end = next((end for end in dump if end.remote == remote and end.local_port in ports), None)
            else:
                end = self.diag.find(local, ports[0], remote, remote_port)
            if end is not None:
                found[flow] = (end.local_port, end.remote_port), receiver_columns(end)
        return found

    def senders(self, sending: dict[str, tuple[str, int, str, int]]) -> dict[str, tuple[int, ...]]:
        """flow -> SENDER_COLUMNS; sending: flow -> (local address, local port, remote address, remote port)."""
        found = {flow: self.diag.find(*connection) for flow, connection in sending.items()}
        return {flow: sender_columns(end) for flow, end in found.items() if end is not None}

    def tcp_memory_bytes(self) -> int:
        words = self.sockstat.read().split("TCP:")[1].split("\n")[0].split()
        return int(words[words.index("mem") + 1]) * os.sysconf("SC_PAGE_SIZE")

    def module_tables(self) -> dict[str, str]:
        return {name: file.read() for name, file in self.tables.items()}

    def close(self) -> None:
        readers: tuple[DiagSocket | ProcFile, ...] = (self.diag, self.sockstat, self.netstat, *self.tables.values())
        for reader in readers:
            reader.close()
