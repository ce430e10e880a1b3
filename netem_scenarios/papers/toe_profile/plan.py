# SPDX-License-Identifier: GPL-2.0
"""What is measured: messages of four sizes, on paths, with send buffers sized in three ways; or some of them."""

from typing import NamedTuple

RATE = "1gbit"      # the paper's Gigabit Ethernet
FIXED_BYTES = 65536  # SO_SNDBUF of the paper; the kernel keeps twice that of truesize


class Size(NamedTuple):
    """Of a message, and how many of them make a sample."""

    name: str
    bytes: int
    count: int  # type: ignore[assignment] # instead of tuple.count()


SIZES = (Size("1.4 KB", 1_400, 100), Size("14 KB", 14_000, 50), Size("140 KB", 140_000, 20), Size("1 MB", 1_000_000, 5))
LARGEST = SIZES[-1]


class State(NamedTuple):
    """Who sizes the send buffer; SNDBUF 0: not the application."""

    name: str
    title: str
    sndbuf: int
    module: bool


FIXED = State("fixed", "fixed 64 KB", FIXED_BYTES, False)
ADAPTIVE = State("tcp_abt", "tcp_abt", 0, True)
STOCK = State("stock", "stock", 0, False)
STATES = (FIXED, STOCK, ADAPTIVE)


class Course(NamedTuple):
    """A path (delay each way) and how messages follow each other on it."""

    name: str
    title: str
    delay_us: int
    pattern: str  # of message.c
    sizes: tuple[Size, ...]
    warm_up_mib: int = 8  # that go before: slow start is over


# The paper's: two hosts on one Ethernet, a message at a time.
LAN = Course("lan", "LAN, spaced", 50, "spaced", SIZES)
STREAM = Course("lan-stream", "LAN, back to back", 50, "back-to-back", SIZES[2:])
COURSES = (LAN, STREAM,
           Course("long", "20 ms, spaced", 10_000, "spaced", SIZES[-1:]),
           Course("long-stream", "20 ms, back to back", 10_000, "back-to-back", SIZES[-1:]))


class Key(NamedTuple):
    """One combination, by names."""

    course: str
    size: str
    state: str


class Plan(NamedTuple):
    """Rounds of samples: in each state, messages on each course. PROBED: each twice, the second time with probes."""

    rounds: int  # the medians are of so many
    states: tuple[State, ...]
    courses: tuple[Course, ...]
    probed: bool

    @property
    def samples(self) -> int:
        """Of a round, without probes."""
        return len(self.states) * sum(len(course.sizes) for course in self.courses)

    def order(self, number: int) -> tuple[State, ...]:
        """The states in round NUMBER: there, then back, so that a drift favours none."""
        return self.states if number % 2 == 0 else self.states[::-1]


FULL = Plan(3, STATES, COURSES, probed=True)

# Two streams of the largest messages: when buffers are at rest, and a connection from its first byte on, in which they grow to the kernel's limits.
REST = STREAM._replace(sizes=(LARGEST._replace(count=20),), warm_up_mib=64)
START = REST._replace(name="lan-stream-start", title="LAN, back to back, from the start", sizes=(LARGEST._replace(count=64),), warm_up_mib=0)
SHORT = Plan(3, (STOCK, ADAPTIVE), (REST, START), probed=False)
PLANS = {"full": FULL, "short": SHORT}
