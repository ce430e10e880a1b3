# SPDX-License-Identifier: GPL-2.0
"""Flows and the traffic beside them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .quantity import BYTES, RATE, TIME

if TYPE_CHECKING:
    from .quantity import Units
    from .table import Table

FLOW_PROGRAMS = {"ftp": ("size",), "stream": ("time", "size"), "ask": ("time",), "frames": ("time",)}  # and what may end a flow of theirs
SECONDS_MAX = 86400
BYTES_MAX = 2**30
COUNT_MAX = 256
PER_S_MAX = 100_000
CONNECTIONS_MAX = 32_768  # of one process, whose descriptors they are
QUESTION_BYTES_MIN = 8    # its head: how long it is, how long the answer
MESSAGES_PER_S_MAX = 1000
FRAME_BYTES = 16384       # of frames.c; a message is no longer
PAUSE_MAX_S = 1
CROSS_PROGRAMS = ("iperf3-udp",)


@dataclass
class Questions:
    """What a flow of short exchanges asks, beside its time."""
    per_s: int
    connections: int  # in turn; 0: a new one for each question
    request_bytes: int
    answer_bytes: int


@dataclass
class Frames:
    """What goes between the bulk frames of a flow, and how quick its writer is."""
    per_s: int
    message_bytes: int
    pause_s: float  # from the moment when the socket is writable to the next write


@dataclass
class Flow:
    name: str
    group: str  # the name of its table
    program: str
    source: str
    target: str
    start_s: float
    size_bytes: int | None  # this or that ends it
    time_s: float | None
    reads_s: float | None = None  # then its reader stops; None: never
    away_s: float | None = None   # and reads on after so long; None: it stops for good
    questions: Questions | None = None  # None: one connection, and as much as it carries
    frames: Frames | None = None  # of such a one; None: nothing is urgent

    @property
    def bulk(self) -> bool:
        return self.questions is None


@dataclass
class Cross:
    program: str
    source: str
    target: str
    rate_bps: float
    burst_bytes: float


def read_flows(table: Table, units: Units) -> list[Flow]:
    """The flows of one table: NAME, or NAME1 ... NAMEn, every so much time."""
    program = table.take_one_of("program", FLOW_PROGRAMS)
    name, count, every_s = table.take("name", str), read_number(table, "count", 1, COUNT_MAX, 1), table.take_quantity("every", units, TIME, 0.0)
    source, target = table.take("from", str), table.take("to", str)
    start_s = table.take_quantity("start", units, TIME)
    size_bytes = time_s = reads_s = away_s = questions = frames = None
    ends = FLOW_PROGRAMS[program]
    if next((key for key in ends if key in table.content), ends[0]) == "size":
        size_bytes = int(table.take_quantity("size", units, BYTES))
    else:
        time_s = read_whole_seconds(table, "time", units)
        if program == "ask":
            questions = read_questions(table, units)
        elif program == "frames":
            frames = read_frames(table, units)
    if program == "stream" and "reads" in table.content:
        reads_s, away_s = read_stop(table, units, time_s is not None)
    table.done()
    names = [name] if count == 1 else [f"{name}{number}" for number in range(1, count + 1)]
    return [Flow(one, name, program, source, target, start_s + place * every_s, size_bytes, time_s, reads_s, away_s, questions, frames)
            for place, one in enumerate(names)]


def read_stop(table: Table, units: Units, timed: bool) -> tuple[float, float | None]:
    """When a reader stops, and for how long; None: for good, which only a flow that ends by time outlives."""
    text = table.content["reads"]
    reads_s = read_whole_seconds(table, "reads", units)
    if "away" in table.content:
        return reads_s, read_whole_seconds(table, "away", units)
    if not timed:
        table.fail("reads", text, "expected away beside it, because a size is never moved to a reader that stops for good")
    return reads_s, None


def read_questions(table: Table, units: Units) -> Questions:
    return Questions(per_s=read_number(table, "per_second", 1, PER_S_MAX),
                     connections=read_number(table, "connections", 0, CONNECTIONS_MAX, 0),
                     request_bytes=read_bytes(table, "request", units, QUESTION_BYTES_MIN),
                     answer_bytes=read_bytes(table, "answer", units, 1))


def read_frames(table: Table, units: Units) -> Frames:
    return Frames(per_s=read_number(table, "per_second", 1, MESSAGES_PER_S_MAX),
                  message_bytes=read_bytes(table, "message", units, 1, FRAME_BYTES, f"{FRAME_BYTES} B"),
                  pause_s=read_pause(table, units))


def read_pause(table: Table, units: Units) -> float:
    text = table.content.get("pause")
    pause_s = table.take_quantity("pause", units, TIME, 0.0)
    if not 0 <= pause_s < PAUSE_MAX_S:
        table.fail("pause", text, f"expected from 0 s to less than {PAUSE_MAX_S} s")
    return pause_s


def read_bytes(table: Table, key: str, units: Units, least: int, most: int = BYTES_MAX, in_words: str = "1 GiB") -> int:
    text = table.content.get(key)
    count = int(table.take_quantity(key, units, BYTES))
    if not least <= count <= most:
        table.fail(key, text, f"expected from {least} B to {in_words}")
    return count


def read_number(table: Table, key: str, least: int, most: int, *default: Any) -> int:
    number = table.take(key, int, *default)
    if not least <= number <= most:
        table.fail(key, number, f"expected a number from {least} to {most}")
    return number


def read_whole_seconds(table: Table, key: str, units: Units) -> float:
    text = table.content.get(key)
    time_s = table.take_quantity(key, units, TIME)
    if time_s != int(time_s) or not 1 <= time_s <= SECONDS_MAX:
        table.fail(key, text, f"expected whole seconds, from 1 s to {SECONDS_MAX} s")
    return time_s


def read_cross(table: Table, units: Units) -> Cross:
    cross = Cross(program=table.take_one_of("program", CROSS_PROGRAMS), source=table.take("from", str),
                  target=table.take("to", str), rate_bps=table.take_quantity("rate", units, RATE),
                  burst_bytes=table.take_quantity("burst", units, BYTES))
    table.done()
    return cross
