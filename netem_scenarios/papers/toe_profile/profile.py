# SPDX-License-Identifier: GPL-2.0
"""Samples and clocks -> what a message takes, and each function's share of it."""

import statistics
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from .paper import SIDES, Part, Side
from .plan import Key
from .samples import Clock, Sample

MB = 1_000_000
Sums = Mapping[tuple[str, str], float]  # instructions a message, by work and function


class Message(NamedTuple):
    """What a message took without probes; medians of the rounds."""

    sending_k: float  # in the send call, thousands of instructions
    elapsed_k: float  # until the next one could be sent
    sleeps_per_mb: float
    sndbuf: float
    acks_per_mb: float  # that the sender got


class Profile(NamedTuple):
    """Thousands of instructions a message, for one side."""

    parts: dict[int, float]
    tcp: float
    ip: float

    def share(self, part: Part) -> float:
        """Of TCP's time [percent]."""
        return 100 * self.parts[part.number] / self.tcp


def key(row: Sample | Clock) -> Key:
    return Key(row.course, row.size, row.state)


def messages(samples: Iterable[Sample]) -> dict[Key, Message]:
    groups: dict[Key, list[Sample]] = {}
    for sample in samples:
        groups.setdefault(key(sample), []).append(sample)
    return {which: Message(
        statistics.median(s.sending / s.messages / 1000 for s in group), statistics.median(s.elapsed / s.messages / 1000 for s in group),
        statistics.median(s.slept * MB / s.bytes for s in group), statistics.median(s.sndbuf for s in group),
        statistics.median(s.acks * MB / s.bytes for s in group))
        for which, group in groups.items()}


def profiles(clocks: Iterable[Clock]) -> dict[tuple[Key, str], Profile]:
    """By combination and side."""
    groups: dict[Key, dict[int, dict[tuple[str, str], float]]] = {}
    for clock in clocks:
        sums = groups.setdefault(key(clock), {}).setdefault(clock.round, {})
        sums[clock.work, clock.function] = clock.own / clock.messages
    return {(which, side.name): median([one(sums, side) for sums in rounds.values()])
            for which, rounds in groups.items() for side in SIDES}


def one(sums: Sums, side: Side) -> Profile:
    tcp = sum(own for (work, function), own in sums.items() if work in side.works and function not in side.outside)
    ip = sum(own for (work, function), own in sums.items() if work in side.works and function in side.ip_today)
    parts = {part.number: sum(sums.get(name, 0) for name in part.today) / 1000 for part in side.parts}
    return Profile(parts, tcp / 1000, ip / 1000)


def median(found: list[Profile]) -> Profile:
    """Of the rounds; each figure on its own."""
    return Profile({number: statistics.median(profile.parts[number] for profile in found) for number in found[0].parts},
                   statistics.median(profile.tcp for profile in found), statistics.median(profile.ip for profile in found))


def in_paper(side: Side, index: int) -> Profile:
    """The paper's column for message size number INDEX."""
    return Profile({part.number: part.kiloclocks[index] for part in side.parts}, side.tcp[index], side.ip[index])
