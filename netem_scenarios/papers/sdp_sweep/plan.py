# SPDX-License-Identifier: GPL-2.0
"""What is measured: streams of messages of each size, moved in four ways; or some of them, by two."""

from typing import NamedTuple

SIZES = tuple(1 << shift for shift in range(4, 21))  # 16 B to 1 MiB, as in the paper
MTU = 1500              # of either device: RDMA cuts messages into packets of 1024 bytes for it
SAMPLE_BYTES = 16 << 20 # a sample moves so much,
MAX_MESSAGES = 8000     # or so many messages
FIRST_MOST = 1 << 16    # bytes that go before all messages, at most
FIRST_APART = 40503     # so many more in each round, and around: FIRST_MOST by the golden ratio, so they are evenly spread, of however many rounds
OPENING = 1024          # messages of sweep.c that open the windows


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

    @property
    def samples(self) -> int:
        """Of a round."""
        return len(self.ways) * len(self.sizes)

    def order(self, number: int) -> tuple[Way, ...]:
        """The ways in round NUMBER: there, then back, so that a drift favours none."""
        return self.ways if number % 2 == 0 else self.ways[::-1]


FULL = Plan(5, WAYS, SIZES)
# Each size falls into another pattern of ACKs in a few rounds, so there are enough for a median that does not.
PAIR = Plan(15, (TCP, ADAPTIVE), SIZES, turns=True)
SHORT = PAIR._replace(rounds=5, sizes=SIZES[::3])
PLANS = {"full": FULL, "short": SHORT, "pair": PAIR}


def count(size: int) -> int:
    """Messages of a sample."""
    return min(MAX_MESSAGES, SAMPLE_BYTES // size)


def first(number: int) -> int:
    """Bytes before all messages of round NUMBER: how messages fall on segments and ACKs differs with them."""
    return 1 + FIRST_APART * number % FIRST_MOST


def opening(way: Way) -> int:
    """Messages that open the windows of TCP; RDMA has none."""
    return 0 if way.rdma else OPENING
