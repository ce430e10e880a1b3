# SPDX-License-Identifier: GPL-2.0
"""Claims: one metric of one variant compared with a number, or with metrics of other variants, in every cell
or, over = "cells", their geometric means over all cells: for what chance decides in a single one.

    left  op  than.factor x right + than.plus        right: a value, or the metric in each of than.variants;
                                                     a bound below than.least counts as that
"""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .cells import Cell
from .failure import Failure
from .ktap import Verdict
from .metrics import FLOW_METRICS, METRICS

if TYPE_CHECKING:
    from .result import Outcomes
    from .scenario import Scenario
    from .table import Table

OPERATORS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq}
FAILURES_SHOWN = 20


@dataclass
class Claim:
    text: str
    variant: str
    metric: str
    op: str
    value: float | None
    others: list[str]
    other_metric: str
    factor: float
    plus: float
    least: float
    flow: str | None  # its metric, where not of all flows together
    where: dict[str, list[Any]]  # axis -> the values of the cells in which it is claimed
    over_cells: bool

    def concerns(self, cell: Cell) -> bool:
        return all(cell.values[axis] in values for axis, values in self.where.items())

    def variants(self) -> list[str]:
        return [self.variant, *self.others]

    def needed(self, metrics: dict[str, dict[str, float]]) -> dict[tuple[str, str], float]:
        """(variant, metric) -> number: all that it compares."""
        return {(self.variant, self.metric): metrics[self.variant][self.metric],
                **{(name, self.other_metric): metrics[name][self.other_metric] for name in self.others}}

    def check(self, metrics: dict[str, dict[str, float]]) -> Comparison:
        """The Comparison in one cell; metrics: variant -> metric -> number."""
        left = metrics[self.variant][self.metric]
        if self.value is not None:
            bounds = [(f"{self.value:g}", self.value)]
        else:
            bounds = [(f"{name} {metrics[name][self.other_metric]:g}",
                       max(metrics[name][self.other_metric] * self.factor + self.plus, self.least))
                      for name in self.others]
        margin = "".join((f", factor {self.factor:g}" if self.factor != 1 else "",
                          f", plus {self.plus:g}" if self.plus else "",
                          f", at least {self.least:g}" if self.least > -math.inf else ""))
        return Comparison(
            holds=all(OPERATORS[self.op](left, bound) for _, bound in bounds),
            slack=min(relative_slack(self.op, left, bound) for _, bound in bounds),
            text=f"{self.metric} of {self.variant}: {left:g} {self.op} {', '.join(label for label, _ in bounds)}{margin}")


@dataclass
class Comparison:
    holds: bool
    slack: float  # how far from failing, as a part of the larger number; less is worse
    text: str


Compared = tuple[Comparison, Cell, Claim]


def relative_slack(op: str, left: float, bound: float) -> float:
    distance = {"<": bound - left, ">": left - bound, "=": -abs(left - bound)}[op[0]]
    return distance / max(abs(left), abs(bound), 1e-12)


def verdicts(scenarios: list[Scenario], outcomes: Outcomes) -> list[Verdict]:
    """A Verdict of each claim over all cells; outcomes: (cell, variant) -> Outcome."""
    concerned = [[(scenario.cell, claim) for scenario, claim in zip(scenarios, same, strict=True)
                  if claim.concerns(scenario.cell)]
                 for same in zip(*(scenario.claims for scenario in scenarios), strict=True)]
    return [verdict(claimed, outcomes) for claimed in concerned if claimed]


def verdict(claimed: list[tuple[Cell, Claim]], outcomes: Outcomes) -> Verdict:
    """Cells in which nothing arrived decide nothing; they are named."""
    compared, missing, barren, found = [], [], [], []
    for cell, claim in claimed:
        measured = {name: outcomes[cell, name] for name in claim.variants() if (cell, name) in outcomes}
        if len(measured) < len(set(claim.variants())):
            missing.append(cell)
        elif all(outcome.nothing_arrived for outcome in measured.values()):
            barren.append(cell)
        else:
            metrics = {name: outcome.metrics for name, outcome in measured.items()}
            compared.append((claim.check(metrics), cell, claim))
            found.append(claim.needed(metrics))
    if claimed[0][1].over_cells:
        means = geometric_means(found)
        compared = [(claimed[0][1].check(means), Cell(), claimed[0][1])] if means else []
    compared.sort(key=lambda entry: (entry[0].holds, entry[0].slack))
    explanation = explain(compared, len(claimed) - len(barren))
    explanation += [f"{what} in {' '.join(cell.slug for cell in cells) or 'this run'}"
                    for what, cells in (("nothing arrived", barren), ("not measured", missing)) if cells]
    return Verdict(text=(compared[0] if compared else (None, None, claimed[0][1]))[2].text,
                   holds=bool(compared) and not missing and all(comparison.holds for comparison, *_ in compared),
                   explanation=explanation)


def geometric_means(found: list[dict[tuple[str, str], float]]) -> dict[str, dict[str, float]]:
    """(variant, metric) -> number of every cell, to variant -> metric -> its mean over the cells where all are above 0."""
    found = [values for values in found if min(values.values()) > 0]
    means: dict[str, dict[str, float]] = {}
    for variant, metric in found[0] if found else {}:
        logarithms = [math.log(values[variant, metric]) for values in found]
        means.setdefault(variant, {})[metric] = math.exp(math.fsum(logarithms) / len(found))
    return means


def explain(compared: list[Compared], claimed: int) -> list[str]:
    """The worst cell and its numbers; of several cells also how many, and the others that failed."""
    if not compared:
        return []
    if not compared[0][1].pairs:
        return [compared[0][0].text]
    failed = [entry for entry in compared if not entry[0].holds]
    shown = failed[:FAILURES_SHOWN] or compared[:1]
    lines = [f"held in {len(compared) - len(failed)} of {claimed} cells, the worst first:"]
    lines += [f"{cell.slug}: {comparison.text}" for comparison, cell, _ in shown]
    if len(failed) > len(shown):
        lines.append(f"and {len(failed) - len(shown)} more")
    return lines


def read_metric(table: Table, flow: str | None) -> str:
    """The metric's name in the results: of all flows together, or of one."""
    if flow is None:
        return table.take_one_of("metric", METRICS)
    return f"{flow}.{table.take_one_of('metric', FLOW_METRICS)}"


def read_claim(table: Table) -> Claim:
    flow = table.take("flow", str, None)
    claim = Claim(text=table.take("text", str), variant=table.take("variant", str), flow=flow,
                  metric=read_metric(table, flow), op=table.take_one_of("op", OPERATORS),
                  value=table.take("value", float, None), others=[], other_metric="", factor=1.0, plus=0.0, least=-math.inf,
                  where=table.take("where", dict, {}),
                  over_cells="over" in table.content and table.take_one_of("over", ("cells",)) == "cells")
    for axis, values in claim.where.items():
        if not isinstance(values, list) or not values:
            table.fail("where", claim.where, f"expected a list of values of the axis {axis}")
    if "than" in table.content:
        than = table.take_table("than")
        claim.others = than.take_texts("variants")
        claim.other_metric = read_metric(than, flow) if "metric" in than.content else claim.metric
        claim.factor = than.take_number("factor", 0, 1000, 1.0)
        claim.plus = than.take("plus", float, 0.0)
        claim.least = than.take("least", float, -math.inf)
        than.done()
    table.done()
    if (claim.value is None) == (not claim.others):
        raise Failure(f"{table.where}: expected either value or than = {{variants = [...]}}")
    return claim


def check_reach(scenarios: list[Scenario], where: str) -> None:
    """Every claim is about some cell."""
    for same in zip(*(scenario.claims for scenario in scenarios), strict=True):
        if not any(claim.concerns(scenario.cell) for scenario, claim in zip(scenarios, same, strict=True)):
            raise Failure(f"{where}: claim \"{same[0].text}\": where = {same[0].where}: no cell of this size is like that")
