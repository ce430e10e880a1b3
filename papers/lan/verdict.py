# SPDX-License-Identifier: GPL-2.0
"""What is claimed of a LAN, and whether it holds."""

from collections.abc import Mapping

from sdp_sweep import verdict as sweep
from sdp_sweep.cost import Cost
from sdp_sweep.cost import Key as SweepKey
from sdp_sweep.verdict import Verdict
from toe_profile.plan import ADAPTIVE, LARGEST, STOCK, STREAM, Key
from toe_profile.profile import Message

ACKS = 1.1      # of those without the module, at most
SLEEPS = 2      # the same


def judge(costs: Mapping[SweepKey, Cost], messages: Mapping[Key, Message]) -> list[Verdict]:
    stock, adaptive = (messages[Key(STREAM.name, LARGEST.name, state.name)] for state in (STOCK, ADAPTIVE))
    where = f"{STREAM.title}, {LARGEST.name}"
    return [*sweep.no_slower(costs),
            no_more(f"{where}: ACKs a MB", adaptive.acks_per_mb, stock.acks_per_mb, ACKS),
            no_more(f"{where}: sleeps of the sender a MB", adaptive.sleeps_per_mb, stock.sleeps_per_mb, SLEEPS)]


def no_more(what: str, with_module: float, without: float, factor: float) -> Verdict:
    return Verdict(with_module <= factor * without, f"{what}: {with_module:.2f} with {ADAPTIVE.title}, at most {factor:g} x the {without:.2f} without")
