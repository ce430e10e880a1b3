# SPDX-License-Identifier: GPL-2.0
"""Quantities as scenario files write them: "0.5 bdp", "128 KiB", "50 Mbit/s", "40 ms".

A unit belongs to one dimension. A scenario adds units of its own (bdp, rtt, and whatever a size
defines, e.g. transfer), so that buffers and times can be multiples of the path.
"""

import re
from dataclasses import dataclass

from .failure import Failure

BYTES, RATE, TIME = "bytes", "bit/s", "seconds"

BUILT_IN = {
    "B": (BYTES, 1), "KB": (BYTES, 10**3), "MB": (BYTES, 10**6), "GB": (BYTES, 10**9),
    "KiB": (BYTES, 2**10), "MiB": (BYTES, 2**20), "GiB": (BYTES, 2**30),
    "bit/s": (RATE, 1), "kbit/s": (RATE, 10**3), "Mbit/s": (RATE, 10**6), "Gbit/s": (RATE, 10**9),
    "us": (TIME, 1e-6), "ms": (TIME, 1e-3), "s": (TIME, 1), "min": (TIME, 60),
}

FORM = re.compile(r"(\d+(?:\.\d+)?)\s+(\S+)")


@dataclass(frozen=True)
class Quantity:
    dimension: str
    value: float


class Units:
    """The built-in units and those that a scenario defines."""

    def __init__(self) -> None:
        self.known = dict(BUILT_IN)

    def define(self, name: str, quantity: Quantity) -> None:
        if name in self.known:
            raise Failure(f'unit "{name}" is already defined')
        self.known[name] = (quantity.dimension, quantity.value)

    def parse(self, text: str, dimension: str | None = None) -> Quantity:
        """A Quantity, of the dimension asked for, or Failure saying what was expected."""
        units = sorted(u for u, (d, _) in self.known.items() if dimension in (None, d))
        expected = f"a number, a blank and a unit ({', '.join(units)})"
        match = FORM.fullmatch(text) if isinstance(text, str) else None
        if match is None:
            raise Failure(f"expected {expected}")
        number, unit = match.groups()
        if unit not in units:
            raise Failure(f'unknown unit "{unit}" here, expected {expected}')
        own_dimension, factor = self.known[unit]
        return Quantity(own_dimension, float(number) * factor)


def human_bytes(count: float) -> str:
    for unit, factor in (("MB", 1e6), ("KB", 1e3)):
        if abs(count) >= factor:
            return f"{count / factor:.4g} {unit}"
    return f"{count:.0f} B"


def human_time(seconds: float) -> str:
    whole = round(seconds)
    return f"{whole // 60} min {whole % 60:02d} s" if whole >= 60 else f"{whole} s"
