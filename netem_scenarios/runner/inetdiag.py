# SPDX-License-Identifier: GPL-2.0
"""The kernel's table of TCP sockets (sock_diag), read with as little work as possible.

A dump walks the whole hash table of the kernel (milliseconds on a slow VM), so it serves to find a
connection; after that an exact request for its two addresses and ports is one look-up.
Layouts: include/uapi/linux/inet_diag.h, tcp.h (struct tcp_info grows at its end only).
"""

from __future__ import annotations

import os
import socket
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .namespace import ThisNamespace

NETLINK_SOCK_DIAG = 4
SOCK_DIAG_BY_FAMILY = 20
NLM_F_REQUEST, NLM_F_DUMP = 0x1, 0x300
NLMSG_ERROR, NLMSG_DONE = 2, 3
INET_DIAG_INFO, INET_DIAG_SKMEMINFO = 2, 7
EXTENSIONS = 1 << (INET_DIAG_INFO - 1) | 1 << (INET_DIAG_SKMEMINFO - 1)
# established, FIN_WAIT1, CLOSE_WAIT, LAST_ACK: data may still move, and struct tcp_info is there
STATES = sum(1 << state for state in (1, 4, 8, 9))
HEADER = struct.Struct("=IHHII")
REQUEST = struct.Struct("=BBBBI")        # inet_diag_req_v2, before its inet_diag_sockid
SOCKET_ID = struct.Struct("!HH4s12x4s12xIII")
ANY_SOCKET = bytes(48)
NO_COOKIE = 0xFFFFFFFF
PORTS = struct.Struct("!HH4s12x4s12x")   # inside inet_diag_msg, after its first four bytes
QUEUES = struct.Struct("=II")            # idiag_rqueue: unread; idiag_wqueue: written and not acknowledged
MESSAGE_BYTES = 72
ATTRIBUTE = struct.Struct("=HH")
SKMEM = struct.Struct("=7I")
TCP_INFO_BYTES = 152


@dataclass(slots=True, init=False, eq=False)
class Socket:
    """One connection at one moment; bytes, microseconds, segments."""
    bytes_acked: int
    bytes_received: int
    cwnd: int
    local: str
    local_port: int
    min_rtt_us: int
    mss: int
    notsent: int
    queued: int
    rcv_rtt_us: int
    rcv_ssthresh: int
    rcvbuf: int
    remote: str
    remote_port: int
    retransmissions: int
    rmem: int
    rtt_us: int
    sndbuf: int
    ssthresh: int
    state: int
    unread: int
    wmem_queued: int

    def read_info(self, data: bytes, at: int) -> None:
        self.mss, = struct.unpack_from("=I", data, at + 16)
        self.rcv_ssthresh, self.rtt_us, _, self.ssthresh, self.cwnd = struct.unpack_from("=5I", data, at + 64)
        self.rcv_rtt_us, _, self.retransmissions = struct.unpack_from("=3I", data, at + 92)
        self.bytes_acked, self.bytes_received = struct.unpack_from("=QQ", data, at + 120)
        self.notsent, self.min_rtt_us = struct.unpack_from("=II", data, at + 144)

    def read_memory(self, data: bytes, at: int) -> None:
        self.rmem, self.rcvbuf, _, self.sndbuf, _, self.wmem_queued, _ = SKMEM.unpack_from(data, at)


class DiagSocket:
    def __init__(self, namespace: ThisNamespace) -> None:
        with namespace.enter():
            self.netlink = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW | socket.SOCK_CLOEXEC, NETLINK_SOCK_DIAG)

    def close(self) -> None:
        self.netlink.close()

    def request(self, flags: int, identity: bytes) -> None:
        header = HEADER.pack(HEADER.size + REQUEST.size + len(identity), SOCK_DIAG_BY_FAMILY, NLM_F_REQUEST | flags, 1, 0)
        self.netlink.send(header + REQUEST.pack(socket.AF_INET, socket.IPPROTO_TCP, EXTENSIONS, 0, STATES) + identity)

    def dump(self) -> list[Socket]:
        """Every connection of the namespace that may still move data."""
        self.request(NLM_F_DUMP, ANY_SOCKET)
        sockets: list[Socket] = []
        while True:
            data = self.netlink.recv(65536)
            at = 0
            while at < len(data):
                length, kind, _, _, _ = HEADER.unpack_from(data, at)
                if kind == NLMSG_DONE:
                    return sockets
                sockets.append(read_message(data, at, length, kind))
                at += (length + 3) & ~3

    def find(self, local: str, local_port: int, remote: str, remote_port: int) -> Socket | None:
        """This connection, or None when it is gone or has closed."""
        identity = SOCKET_ID.pack(local_port, remote_port, socket.inet_aton(local), socket.inet_aton(remote),
                                  0, NO_COOKIE, NO_COOKIE)
        self.request(0, identity)
        data = self.netlink.recv(65536)
        length, kind, _, _, _ = HEADER.unpack_from(data, 0)
        try:
            found = read_message(data, 0, length, kind)
        except FileNotFoundError:
            return None
        return found if STATES >> found.state & 1 else None  # an exact request heeds no states


def read_message(data: bytes, at: int, length: int, kind: int) -> Socket:
    if kind == NLMSG_ERROR:
        error, = struct.unpack_from("=i", data, at + HEADER.size)
        raise OSError(-error, f"inet_diag: {os.strerror(-error)}")
    return read_socket(data, at + HEADER.size, at + length)


def read_socket(data: bytes, at: int, end: int) -> Socket:
    entry = Socket()
    entry.state = data[at + 1]
    entry.local_port, entry.remote_port, local, remote = PORTS.unpack_from(data, at + 4)
    entry.local, entry.remote = socket.inet_ntoa(local), socket.inet_ntoa(remote)
    entry.unread, entry.queued = QUEUES.unpack_from(data, at + 56)
    at += MESSAGE_BYTES
    while at + ATTRIBUTE.size <= end:
        length, kind = ATTRIBUTE.unpack_from(data, at)
        if kind == INET_DIAG_INFO and length >= TCP_INFO_BYTES:
            entry.read_info(data, at + 4)
        elif kind == INET_DIAG_SKMEMINFO:
            entry.read_memory(data, at + 4)
        at += (length + 3) & ~3
    return entry
