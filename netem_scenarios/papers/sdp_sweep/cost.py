# SPDX-License-Identifier: GPL-2.0
"""Samples -> throughput, processor time of the hosts, and what is got for it."""

import statistics
from collections.abc import Iterable
from typing import NamedTuple

from .samples import Sample

Key = tuple[str, int]  # a way and a size
MB = 1_000_000


class Cost(NamedTuple):
    """Of one way at one size; medians of the rounds, but for one. The processor does an instruction a nanosecond."""

    mbit_s: float           # of payload
    cpu_percent: float      # of the processor, by the two processes and what the kernel does in their time
    mbit_s_a_percent: float
    message: float          # instructions of the hosts a message
    byte: float             # the same a byte
    rest_byte: float        # instructions a byte by others: the emulated adapter's threads, or idle
    spread_percent: float   # of the throughput
    acks_a_mb: float        # that the sender got
    sleeps_a_mb: float      # of the sender
    mean_acks_a_mb: float   # of the rounds: each falls into one of several patterns, and the median into the one that has a round more


def cost(samples: list[Sample]) -> Cost:
    speeds = [8000 * s.bytes / s.elapsed for s in samples]
    hosts = [s.sender_ns + s.receiver_ns for s in samples]
    shares = [100 * host / s.elapsed for host, s in zip(hosts, samples, strict=True)]
    return Cost(statistics.median(speeds), statistics.median(shares),
                statistics.median(speed / share for speed, share in zip(speeds, shares, strict=True)),
                statistics.median(host / s.messages for host, s in zip(hosts, samples, strict=True)),
                statistics.median(host / s.bytes for host, s in zip(hosts, samples, strict=True)),
                statistics.median((s.elapsed - host) / s.bytes for host, s in zip(hosts, samples, strict=True)),
                100 * (max(speeds) - min(speeds)) / statistics.median(speeds),
                statistics.median(s.acks * MB / s.bytes for s in samples),
                statistics.median(s.sleeps * MB / s.bytes for s in samples),
                statistics.mean(s.acks * MB / s.bytes for s in samples))


def costs(samples: Iterable[Sample]) -> dict[Key, Cost]:
    groups: dict[Key, list[Sample]] = {}
    for sample in samples:
        groups.setdefault((sample.way, sample.size), []).append(sample)
    return {key: cost(group) for key, group in groups.items()}


def copied_percent(samples: Iterable[Sample]) -> float:
    """Of the messages sent with MSG_ZEROCOPY, those that were copied after all."""
    sent = [(sample.completions, sample.copied) for sample in samples if sample.completions]
    return 100 * sum(copied for _, copied in sent) / sum(completions for completions, _ in sent)
