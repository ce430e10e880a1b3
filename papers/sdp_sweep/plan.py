# SPDX-License-Identifier: GPL-2.0
"""What is measured: streams of messages of each size, moved in four ways."""

from typing import NamedTuple

ROUNDS = 5              # the medians are of so many: how messages fall on ACKs and wake-ups differs from one to the next
SIZES = tuple(1 << shift for shift in range(4, 21))  # 16 B to 1 MiB, as in the paper
SAMPLE_BYTES = 16 << 20 # a sample moves so much,
MAX_MESSAGES = 8000     # or so many messages
MTU = 1500              # of either device: RDMA cuts messages into packets of 1024 bytes for it


class Way(NamedTuple):
    """How a stream is moved; COPY is a word of sweep.c."""

    name: str
    title: str
    copy: str
    module: bool = False
    rdma: bool = False


TCP = Way("tcp", "TCP", "copy")
ADAPTIVE = Way("tcp_abt", "TCP with tcp_abt", "copy", module=True)
ZEROCOPY = Way("zerocopy", "TCP, MSG_ZEROCOPY", "zerocopy")
RDMA = Way("rsockets", "rsockets over soft-RoCE", "copy", rdma=True)
WAYS = (TCP, ADAPTIVE, ZEROCOPY, RDMA)
SAMPLES = len(WAYS) * len(SIZES)  # a round


def count(size: int) -> int:
    """Messages of a sample."""
    return min(MAX_MESSAGES, SAMPLE_BYTES // size)


def order(number: int) -> tuple[Way, ...]:
    """The ways in round NUMBER: there, then back, so that a drift favours none."""
    return WAYS if number % 2 == 0 else WAYS[::-1]
