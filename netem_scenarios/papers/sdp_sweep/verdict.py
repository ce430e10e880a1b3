# SPDX-License-Identifier: GPL-2.0
"""What is claimed, and whether it holds."""

import statistics
from collections.abc import Mapping

from runner.ktap import Verdict

from .cost import Cost, Key
from .plan import ADAPTIVE, RDMA, SIZES, TCP

SAME = 0.995    # of TCP's throughput, mean over the sizes,
LEAST = 0.98    # and at any one of them
ACKS = 1.1      # of TCP's ACKs a MB at most, mean over the sizes
SLEEPS = 2.0    # of the sender's sleeps a MB at most, at any size


def judge(full: Mapping[Key, Cost], pair: Mapping[Key, Cost]) -> list[Verdict]:
    return [*no_slower(pair), no_more_acks(pair), no_more_sleeps(pair), ahead_at_both_ends(full)]


def of_tcp(costs: Mapping[Key, Cost], figure: str) -> dict[int, float]:
    """size -> the module's figure in parts of TCP's; without those of which TCP has none."""
    sizes = sorted({size for _, size in costs})
    both = {size: (getattr(costs[ADAPTIVE.name, size], figure), getattr(costs[TCP.name, size], figure)) for size in sizes}
    return {size: module / stock for size, (module, stock) in both.items() if stock}


def no_slower(costs: Mapping[Key, Cost]) -> list[Verdict]:
    """Over all sizes that were measured, and at each."""
    ratios = of_tcp(costs, "mbit_s")
    mean, worst = statistics.geometric_mean(ratios.values()), min(ratios, key=ratios.get)
    spread = max(costs[way.name, worst].spread_percent for way in (TCP, ADAPTIVE))
    each = tuple(f"{size} B: {ratio:.3f} of {costs[TCP.name, size].mbit_s:,.0f} Mbit/s" for size, ratio in ratios.items())
    return [Verdict(mean >= SAME, f"{ADAPTIVE.title}: {mean:.3f} of TCP's throughput, mean over the sizes, at least {SAME}", each),
            Verdict(ratios[worst] >= LEAST, f"{ratios[worst]:.3f} of it at {worst} B, where it is least: at least {LEAST}",
                    (f"rounds differ there by up to {spread:.0f} %",))]


def no_more_acks(costs: Mapping[Key, Cost]) -> Verdict:
    """By the mean of the rounds."""
    ratios = of_tcp(costs, "mean_acks_a_mb")
    mean = statistics.geometric_mean(ratios.values())
    each = tuple(f"{size} B: {ratio:.2f} of TCP's {costs[TCP.name, size].mean_acks_a_mb:.1f}" for size, ratio in ratios.items())
    return Verdict(mean <= ACKS, f"{ADAPTIVE.title}: {mean:.2f} of TCP's ACKs a MB, mean over the sizes, at most {ACKS}", each)


def no_more_sleeps(costs: Mapping[Key, Cost]) -> Verdict:
    ratios = of_tcp(costs, "sleeps_a_mb")
    worst = max(ratios, key=ratios.get)
    return Verdict(ratios[worst] <= SLEEPS, f"{ratios[worst]:.2f} of the sender's sleeps a MB at {worst} B, where they are most: at most {SLEEPS:g}")


def ahead_at_both_ends(costs: Mapping[Key, Cost]) -> Verdict:
    """SDP, figure 7: plain sockets give most for the processor's time."""
    ratios = {size: costs[TCP.name, size].mbit_s_a_percent / costs[RDMA.name, size].mbit_s_a_percent for size in SIZES}
    first, last = SIZES[0], SIZES[-1]
    behind = ", ".join(f"{size} B ({ratio:.2f})" for size, ratio in ratios.items() if ratio < 1)
    claim = (f"throughput per 1 % CPU of the hosts: TCP has {ratios[first]:.2f} x that of {RDMA.title} at {first} B "
             f"and {ratios[last]:.2f} x at {last} B, more than 1 at both, as in SDP")
    return Verdict(min(ratios[first], ratios[last]) > 1, claim, (f"it has less at {behind}",) if behind else ())
