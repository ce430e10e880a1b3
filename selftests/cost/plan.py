# SPDX-License-Identifier: GPL-2.0
"""What is measured: pieces of work, and the states of the module that each is done in."""

from collections.abc import Iterator
from typing import NamedTuple, TypeVar

CONNS = 8           # that stand while the work is done
ROUNDS = 7          # the medians are of so many
OFF_PERCENT = 0.2   # loaded with mode off may cost so much more
HOOK_PERCENT = 0.5  # and a driver that takes the connections on, per byte, than the same without one


class Unit(NamedTuple):
    """What the instructions of a sample are divided by."""

    name: str
    column: str  # of a sample
    digits: int  # shown after the point


BYTE = Unit("byte", "bytes", 4)
SEGMENT = Unit("segment", "segments", 1)
EXCHANGE = Unit("exchange", "count", 0)
CONNECTION = Unit("connection", "count", 0)


class Work(NamedTuple):
    """A piece of work for load.c, the network it is done on, and what it may cost more with the module on."""

    name: str
    title: str
    load: str
    count: int  # type: ignore[assignment] # instead of tuple.count()
    over: int  # so many of the standing connections, in turn
    offload: bool
    quickack: bool
    units: tuple[Unit, ...]
    percent: float | None  # None: shown, with no target
    share_bytes: int = 260 * 1024  # what a connection has of a pool that is short, if all are busy

    @property
    def pool_bytes(self) -> int:
        """Of such a pool."""
        return CONNS * self.share_bytes


# Pools that are short are more than half full, and without offload have less than the standing connections claim. They have more
# than is used: with smaller windows packets would be smaller, and it would be other work.
WORKS = (
    Work("bulk", "bulk, offload", "bulk", 2000, 1, True, True, (BYTE, SEGMENT), 0.5),
    Work("bulk8", "bulk, offload, 8 in turn", "bulk", 2000, 8, True, True, (BYTE,), None),
    Work("segments", "bulk, no offload", "bulk", 500, 1, False, True, (BYTE, SEGMENT), 2.0,
         share_bytes=120 * 1024),
    Work("request", "request and response of 1 byte", "request", 4000, 1, True, False, (EXCHANGE,), 2.0),
    Work("request8", "request and response, 8 in turn", "request", 4000, 8, True, False, (EXCHANGE,), None),
    Work("open", "open and close", "open", 1000, 1, True, False, (CONNECTION,), 3.0),
    Work("short", "open, request, response, close", "short", 1000, 1, True, False, (CONNECTION,), 3.0),
)


class State(NamedTuple):
    """The module while work is done; MODE None: not there."""

    name: str
    title: str
    mode: str | None
    short: bool = False  # of memory: in pools of the namespace's own; else the host's, which have plenty
    small: bool = False  # the administrator's limits are the shares of such pools
    adapter: bool = False  # the driver of the tests takes all connections on


Choice = TypeVar("Choice", Work, State)

ABSENT = State("absent", "absent", None)
ON = State("on", "on", "on")
SMALL = State("small", "absent, small buffers", None, small=True)
STATES = (
    ABSENT,
    State("off", "loaded, off", "off"),
    ON,
    SMALL,
    State("short", "on, short", "on", short=True),
    State("adapter", "on, adapter", "on", adapter=True),
)


def named(name: str, kind: str, choices: tuple[Choice, ...]) -> Choice:
    for choice in choices:
        if choice.name == name:
            return choice
    raise ValueError(f"{kind} '{name}': expected {', '.join(choice.name for choice in choices)}")


def order(number: int) -> tuple[State, ...]:
    """The states in round NUMBER: there, then back, so that a drift favours none."""
    return STATES if number % 2 == 0 else STATES[::-1]


def before(work: Work, state: State) -> Iterator[tuple[Work, State]]:
    """What the first round does before WORK in STATE: memory is as its samples leave it."""
    for earlier in STATES[:STATES.index(state) + 1]:
        for done in WORKS:
            if (done, earlier) == (work, state):
                return
            yield done, earlier


def without(state: State) -> State:
    """The state without the module that STATE is shown beside: its buffers are as small."""
    return SMALL if state.short else ABSENT


def base(state: State) -> State:
    """The state that STATE is held against."""
    return ON if state.adapter else without(state)


def limit(work: Work, state: State) -> float | None:
    """What WORK may cost more in STATE than in its base [percent]."""
    if work.percent is None or state.mode is None:
        return None
    if state.adapter:
        return HOOK_PERCENT if work.units[0] == BYTE else None
    return OFF_PERCENT if state.mode == "off" else work.percent
