# SPDX-License-Identifier: GPL-2.0
"""A sample: what one stream took. Samples are rows of a table."""

from typing import NamedTuple


class Sample(NamedTuple):
    """A row; the figures are those that sweep.c prints, and the adapter's packets."""

    round: int
    way: str
    size: int
    messages: int
    bytes: int
    elapsed: int
    sender_ns: int
    receiver_ns: int
    acks: int
    sleeps: int
    completions: int
    copied: int
    packets: int
