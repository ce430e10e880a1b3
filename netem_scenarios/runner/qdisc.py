# SPDX-License-Identifier: GPL-2.0
"""The words of tc that do what a Shape says, and what tc says of it afterwards."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .link import Shape

BUCKET_S = 0.004        # the token bucket holds this much time: more than a late timer of a slow VM
NETEM_LIMIT = 1_000_000  # skbs: netem is the delay and never the queue
FAIR_LIMIT = 1_000_000   # packets: its bytes are what limits a fair queue
FAIR_FLOWS = 65_536      # the most that it knows: of 500 flows, 4 would share one of its default 1,024 with one of 8 others


def qdisc_words(shape: Shape, mtu: int) -> list[str]:
    """[] for nothing."""
    if shape.kind == "tbf":
        wanted = shape.rate_bps / 8 * BUCKET_S if shape.bucket_bytes is None else shape.bucket_bytes
        bucket = max(2 * (mtu + 14), math.ceil(wanted))
        return ["tbf", "rate", f"{shape.rate_bps:.0f}bit", "burst", str(bucket), "limit", f"{shape.queue_bytes:.0f}"]
    if shape.kind is None:
        return []
    loss = ["loss", f"{shape.loss * 100:g}%"] if shape.loss else []
    reorder = ["reorder", f"{shape.reorder * 100:g}%"] if shape.reorder else []
    return ["netem", "limit", str(NETEM_LIMIT), "delay", f"{shape.delay_s * 1e6:.0f}us", *reorder, *loss]


def fair_words(shape: Shape, new: bool = True) -> list[str]:
    """Flows in turn, in a queue of as many bytes, whose longest loses when it is full; no other limit."""
    flows = ["flows", str(FAIR_FLOWS)] if new else []   # which an existing one cannot change
    return ["fq_codel", "limit", str(FAIR_LIMIT), *flows, "memory_limit", f"{shape.queue_bytes:.0f}", "noecn"]


def tbf_counters(shown: str) -> dict[str, int]:
    """Bytes sent and packets dropped by the tbf of a device, from what `tc -s -j qdisc show dev DEVICE` says."""
    tbf = next(qdisc for qdisc in json.loads(shown) if qdisc["kind"] == "tbf")
    return {"bytes": tbf["bytes"], "drops": tbf["drops"]}
