#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""What the ACKs of a receiver echo in their timestamps, seen on its link.

    echoes.py PORT

RFC 7323, 4.3: TSecr is the timestamp of the segment that holds the byte after the last ACK that was
sent, so of the first that a delayed ACK acknowledges. Prints "ready"; a line on stdin ends it with
"acks N late N most MS": ACKs that moved on, those that echo a later segment, by how much at most.
"""

import bisect
import selectors
import socket
import struct
import sys

ETH_P_ALL, ETH_HEADER = 3, 14
TIMESTAMPS = 8
ACK = 0x10


def timestamps(options: bytes) -> tuple[int, int] | None:
    at = 0
    while at < len(options) and options[at]:
        if options[at] == 1:
            at += 1
        elif options[at] == TIMESTAMPS:
            return struct.unpack_from("!II", options, at + 2)
        else:
            at += options[at + 1]
    return None


class Receiver:
    """One connection's, in sequence numbers from its first byte seen."""

    def __init__(self) -> None:
        self.first: int | None = None
        self.starts: list[int] = []
        self.values: list[int] = []
        self.acked = self.acks = self.late = self.most = 0

    def data(self, seq: int, value: int) -> None:
        if self.first is None:
            self.first = seq
        start = seq - self.first & 0xffffffff
        if not self.starts or start > self.starts[-1]:
            self.starts.append(start)
            self.values.append(value)

    def ack(self, seq: int, echo: int) -> None:
        if self.first is None:
            return
        ack = seq - self.first & 0xffffffff
        if not self.acked < ack < 1 << 31:
            return
        oldest = self.values[bisect.bisect_right(self.starts, self.acked) - 1]
        later = echo - oldest & 0xffffffff
        self.acks += 1
        if 0 < later < 1 << 31:
            self.late += 1
            self.most = max(self.most, later)
        self.acked = ack


def see(packet: bytes, port: int, receiver: Receiver) -> None:
    ip = packet[ETH_HEADER:]
    if packet[12:14] != b"\x08\x00" or ip[9] != socket.IPPROTO_TCP:
        return
    tcp = ip[(ip[0] & 15) * 4:]
    source, target, seq, ack = struct.unpack_from("!HHII", tcp)
    header = (tcp[12] >> 4) * 4
    stamps = timestamps(tcp[20:header])
    if not stamps:
        return
    if target == port and struct.unpack_from("!H", ip, 2)[0] > (ip[0] & 15) * 4 + header:
        receiver.data(seq, stamps[0])
    elif source == port and tcp[13] & ACK:
        receiver.ack(ack, stamps[1])


def main() -> None:
    port, receiver = int(sys.argv[1]), Receiver()
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL)) as link, \
            selectors.DefaultSelector() as ready:
        link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8 << 20)
        ready.register(link, selectors.EVENT_READ)
        ready.register(sys.stdin, selectors.EVENT_READ)
        print("ready", flush=True)
        while True:
            for key, _ in ready.select():
                if key.fileobj is sys.stdin:
                    print("acks", receiver.acks, "late", receiver.late, "most", receiver.most, flush=True)
                    return
                see(link.recv(128), port, receiver)


if __name__ == "__main__":
    main()
