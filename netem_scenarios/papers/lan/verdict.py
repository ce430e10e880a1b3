# SPDX-License-Identifier: GPL-2.0
"""What is claimed of a LAN, and whether it holds."""

from collections.abc import Mapping

from runner.ktap import Verdict
from sdp_sweep import verdict as sweep
from sdp_sweep.cost import Cost
from sdp_sweep.cost import Key as SweepKey
from toe_profile.plan import ADAPTIVE, LARGEST, REST, START, STOCK, Key
from toe_profile.profile import Message

ACKS = {REST: 1.1, START: 1.3}  # of those without the module, at most
SLEEPS = 2      # the same


def judge(costs: Mapping[SweepKey, Cost], messages: Mapping[Key, Message]) -> list[Verdict]:
    verdicts = sweep.no_slower(costs)
    for course in (REST, START):
        stock, adaptive = (messages[Key(course.name, LARGEST.name, state.name)] for state in (STOCK, ADAPTIVE))
        verdicts += [no_more(f"{course.title}, {LARGEST.name}: ACKs a MB", adaptive.acks_per_mb, stock.acks_per_mb, ACKS[course]),
                     no_more(f"{course.title}, {LARGEST.name}: sleeps of the sender a MB", adaptive.sleeps_per_mb, stock.sleeps_per_mb, SLEEPS)]
    return verdicts


def no_more(what: str, with_module: float, without: float, factor: float) -> Verdict:
    return Verdict(with_module <= factor * without, f"{what}: {with_module:.2f} with {ADAPTIVE.title}, at most {factor:g} x the {without:.2f} without")
