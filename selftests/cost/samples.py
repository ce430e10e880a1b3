# SPDX-License-Identifier: GPL-2.0
"""A sample: what one piece of work came to. Samples are rows of a table."""

from typing import NamedTuple


class Sample(NamedTuple):
    """A row; the figures are those that load.c prints."""

    round: int
    state: str
    work: str
    count: int  # type: ignore[assignment] # instead of tuple.count()
    instructions: int
    bytes: int
    segments: int
    packets: int
    waits: int
