#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""How many timestamps of sent data are kept:  stamps.py SERVER_NS CLIENT_NS ADDRESS PORT

The server's end asks for two of each message (SO_TIMESTAMPING: when the device has it, and when it is acknowledged), and reads
the socket's error queue when all messages were acknowledged. Prints how many it had kept.
"""

import ctypes
import socket
import sys
import time

CLONE_NEWNET = 0x40000000
SO_TIMESTAMPING = 37
# linux/net_tstamp.h: TX_SOFTWARE, SOFTWARE, OPT_ID, TX_ACK, OPT_TSONLY
FLAGS = 1 << 1 | 1 << 4 | 1 << 7 | 1 << 9 | 1 << 11
MESSAGES = 40
BYTES = 100
EXCHANGES = 20  # the connection is known to the module, and its next step was made
ACKNOWLEDGED_S = 0.4


def enter(namespace: str) -> None:
    with open(f"/run/netns/{namespace}", encoding="ascii") as file:
        if ctypes.CDLL(None).setns(file.fileno(), CLONE_NEWNET):
            sys.exit(f"stamps: cannot enter {namespace}")


def pair(server: str, client: str, address: tuple[str, int]) -> tuple[socket.socket, socket.socket]:
    enter(server)
    with socket.create_server(address) as listener:
        enter(client)
        connected = socket.create_connection(address)
        accepted, _ = listener.accept()
    return accepted, connected


def send(source: socket.socket, sink: socket.socket, size: int) -> None:
    source.sendall(bytes(size))
    while size:
        size -= len(sink.recv(size))


def exchange(accepted: socket.socket, connected: socket.socket) -> None:
    for _ in range(EXCHANGES):
        send(connected, accepted, 1400)
        send(accepted, connected, BYTES)


def kept(sock: socket.socket) -> int:
    """Messages in its error queue."""
    count = 0
    while True:
        try:
            sock.recvmsg(1, 1000, socket.MSG_ERRQUEUE | socket.MSG_DONTWAIT)
        except BlockingIOError:
            return count
        count += 1


def main() -> None:
    server, client, address, port = sys.argv[1:]
    accepted, connected = pair(server, client, (address, int(port)))
    exchange(accepted, connected)
    accepted.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPING, FLAGS)
    exchange(accepted, connected)
    time.sleep(ACKNOWLEDGED_S)
    kept(accepted)
    for _ in range(MESSAGES):
        send(accepted, connected, BYTES)
    time.sleep(ACKNOWLEDGED_S)
    print(min(kept(accepted), 2 * MESSAGES))  # one of before may be late


if __name__ == "__main__":
    main()
