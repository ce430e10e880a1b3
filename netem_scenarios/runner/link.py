# SPDX-License-Identifier: GPL-2.0
"""Links, what they do to packets, and how that changes while traffic flows."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .failure import Failure
from .quantity import BYTES, RATE, TIME

if TYPE_CHECKING:
    from .quantity import Units
    from .table import Table

HOST = re.compile(r"[a-z][a-z0-9]{0,7}")


@dataclass
class Shape:
    """What one direction of a link does to packets; None and 0 do nothing."""
    rate_bps: float | None = None
    queue_bytes: float | None = None
    bucket_bytes: float | None = None  # what it lets through at once; None: enough for a lab with late timers
    fair: bool = False                 # the queue serves flows in turn (fq_codel), instead of first come, first served
    delay_s: float = 0
    loss: float = 0
    reorder: float = 0

    @property
    def kind(self) -> str | None:
        """The qdisc that does it."""
        if self.rate_bps is not None:
            return "tbf"
        return "netem" if self.delay_s or self.loss else None


@dataclass
class Link:
    near: str
    far: str
    forward: Shape
    back: Shape


@dataclass
class Change:
    """What a link does from a time on; a direction that is None stays as it is."""
    at_s: float
    near: str
    far: str
    forward: Shape | None
    back: Shape | None


def read_shape(table: Table, units: Units) -> Shape:
    shape = Shape(rate_bps=table.take_quantity("rate", units, RATE, None),
                  queue_bytes=table.take_quantity("queue", units, BYTES, None),
                  bucket_bytes=table.take_quantity("bucket", units, BYTES, None),
                  fair=table.take("fair", bool, False),
                  delay_s=table.take_quantity("delay", units, TIME, 0.0),
                  loss=table.take_number("loss", 0, 1, 0.0),
                  reorder=table.take_number("reorder", 0, 1, 0.0))
    table.done()
    if (shape.rate_bps is None) != (shape.queue_bytes is None):
        raise Failure(f"{table.where}: rate and queue belong together, one is missing")
    if (shape.bucket_bytes is not None or shape.fair) and shape.rate_bps is None:
        raise Failure(f"{table.where}: bucket and fair belong to a rate, which is missing")
    if shape.rate_bps is not None and (shape.delay_s or shape.loss or shape.reorder):
        raise Failure(f"{table.where}: delay, loss and reorder need another link than rate and queue: "
                      "netem counts its queue in skbs, the bottleneck's has to count in bytes")
    if shape.reorder and not shape.delay_s:
        table.fail("reorder", shape.reorder, "expected a delay beside it, whose queue these packets skip")
    return shape


def read_links(table: Table, units: Units) -> list[Link]:
    near, far = table.take_texts("from"), table.take("to", str)
    forward = read_shape(table.take_table("forward"), units)
    back = read_shape(table.take_table("back"), units)
    table.done()
    for host in [*near, far]:
        if not HOST.fullmatch(host):
            table.fail("from/to", host, "expected a host name of up to 8 small letters and digits")
    return [Link(host, far, forward, back) for host in near]


def read_change(table: Table, units: Units, links: list[Link]) -> Change:
    at_s = table.take_quantity("at", units, TIME)
    ends = table.take_texts("link")
    link = next((link for link in links if [link.near, link.far] == ends), None)
    if link is None:
        known = ", ".join(f'["{link.near}", "{link.far}"]' for link in links)
        table.fail("link", ends, f"expected one of {known}")
    directions = {name: read_shape(table.take_table(name), units) if name in table.content else None
                  for name in ("forward", "back")}
    table.done()
    if not any(directions.values()):
        raise Failure(f"{table.where}: expected forward or back, what the link does from then on")
    for name, shape in directions.items():
        if shape and (shape.kind is None or shape.kind != getattr(link, name).kind):
            raise Failure(f"{table.where}.{name}: expected what the link does there from the start, rate and queue, "
                          "or delay and the rest, with other values")
    return Change(at_s, link.near, link.far, **directions)
