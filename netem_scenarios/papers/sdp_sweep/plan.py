# SPDX-License-Identifier: GPL-2.0
"""What is measured: streams of messages of each size, moved in four ways; or some of them, by two."""

from typing import NamedTuple

SIZES = tuple(1 << shift for shift in range(4, 21))  # 16 B to 1 MiB, as in the paper
MTU = 1500              # of either device: RDMA cuts messages into packets of 1024 bytes for it
SAMPLE_BYTES = 16 << 20 # a sample moves so much,
MAX_MESSAGES = 8000     # or so many messages
FIRST_BYTES = 331       # more of them go first in each round
RESTLESS_TIMES = 3      # samples in a round of a size whose rounds differ most


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


class Plan(NamedTuple):
    """Rounds of samples, each of every way at every size."""

    rounds: int         # the medians are of so many: how messages fall on ACKs and wake-ups differs from one to the next
    ways: tuple[Way, ...]
    sizes: tuple[int, ...]
    turns: bool = False # both ends have one real-time priority: neither preempts the other; and slow start ends by no chance
    restless: tuple[int, ...] = ()  # sizes of which a round has RESTLESS_TIMES samples each

    @property
    def samples(self) -> int:
        """Of a round."""
        return len(self.ways) * len(self.in_turn())

    def in_turn(self) -> list[tuple[int, int]]:
        """The samples of one way in a round: each size, and which of its samples."""
        return [(size, turn) for size in self.sizes for turn in range(RESTLESS_TIMES if size in self.restless else 1)]

    def order(self, number: int) -> tuple[Way, ...]:
        """The ways in round NUMBER: there, then back, so that a drift favours none."""
        return self.ways if number % 2 == 0 else self.ways[::-1]


FULL = Plan(5, WAYS, SIZES)
# With nine rounds the worst size and the mean of the ACKs crossed their bounds in one run of two, each another one.
# Where rounds differ by more than a tenth, messages fall on ACKs in one of several patterns; with fifteen samples 8 KiB had 1.011 and 0.971 of stock's.
PAIR = Plan(15, (TCP, ADAPTIVE), SIZES, turns=True, restless=(32, 256, 512, 1 << 10, 8 << 10, 32 << 10))
SHORT = PAIR._replace(rounds=5, restless=(), sizes=(512, 2 << 10, 8 << 10, 16 << 10, 32 << 10, 1 << 20))
PLANS = {"full": FULL, "short": SHORT, "pair": PAIR}


def count(size: int) -> int:
    """Messages of a sample."""
    return min(MAX_MESSAGES, SAMPLE_BYTES // size)


def first(number: int, turn: int) -> int:
    """Bytes before all messages, in a size's sample TURN of round NUMBER: how messages fall on segments and ACKs differs with them."""
    return 1 + FIRST_BYTES * (number + PAIR.rounds * turn)
