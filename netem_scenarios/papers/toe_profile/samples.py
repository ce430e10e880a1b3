# SPDX-License-Identifier: GPL-2.0
"""Samples and clocks, rows of two tables: what messages took, and the functions in it."""

from typing import NamedTuple


class Sample(NamedTuple):
    """What message.c printed of one run without probes."""

    round: int
    course: str
    size: str
    state: str
    messages: int
    bytes: int
    elapsed: int
    sending: int
    slept: int
    sndbuf: int
    acks: int


class Clock(NamedTuple):
    """A line of toe_clock, of a run with probes; MESSAGES that it is the sum of."""

    round: int
    course: str
    size: str
    state: str
    messages: int
    work: str
    function: str
    calls: int
    own: int
