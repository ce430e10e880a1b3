# SPDX-License-Identifier: GPL-2.0
"""Samples -> figures -> verdicts: what each work costs in each state, and whether that holds."""

import statistics
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import plan
from runner.ktap import Verdict
from samples import Sample

Key = tuple[str, str]  # names of a work and a state


class Figure(NamedTuple):
    """Instructions for one unit of work, over the rounds."""

    median: float
    least: float
    most: float

    @property
    def spread_percent(self) -> float:
        """How far the samples are apart, of the median."""
        return 100 * (self.most - self.least) / self.median


def grouped(samples: Iterable[Sample]) -> dict[Key, list[Sample]]:
    found: dict[Key, list[Sample]] = {(work.name, state.name): [] for work in plan.WORKS for state in plan.STATES}
    for sample in samples:
        found[sample.work, sample.state].append(sample)
    return found


def figure(samples: Iterable[Sample], unit: plan.Unit) -> Figure:
    costs = [sample.instructions / getattr(sample, unit.column) for sample in samples]
    return Figure(statistics.median(costs), min(costs), max(costs))


def added_percent(figure: Figure, base: Figure) -> float:
    return 100 * (figure.median / base.median - 1)


def judge(samples: Mapping[Key, list[Sample]]) -> list[Verdict]:
    """One verdict a work and state that has a target; by its first unit."""
    verdicts = []
    for work in plan.WORKS:
        for state in plan.STATES:
            limit = plan.limit(work, state)
            if limit is not None:
                base, now = (figure(samples[work.name, which.name], work.units[0]) for which in (plan.base(state), state))
                verdicts.append(compare(work, state, base, now, limit))
    return verdicts


def compare(work: plan.Work, state: plan.State, base: Figure, now: Figure, limit: float) -> Verdict:
    added = added_percent(now, base)
    without = plan.base(state).title
    return Verdict(added <= limit, f"{work.title}, {state.title}: {added:+.2f} % instructions, at most {limit:+g} %",
                   (f"{now.median:.6g} per {work.units[0].name} where {base.median:.6g} with it {without}",
                    f"spread of the samples {now.spread_percent:.2f} %, with it {without} {base.spread_percent:.2f} %"))
