# SPDX-License-Identifier: GPL-2.0
"""Claims: one metric of one variant compared with a number, or with metrics of other variants.

    left  op  than.factor x right + than.plus        right: a value, or the metric in each of than.variants
"""

import operator
from dataclasses import dataclass

from .failure import Failure
from .metrics import METRICS

OPERATORS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq}


@dataclass
class Claim:
    text: str
    variant: str
    metric: str
    op: str
    value: float | None
    others: list
    other_metric: str
    factor: float
    plus: float
    where: dict  # axis -> the values of the cells in which it is claimed

    def concerns(self, cell):
        return all(cell.values[axis] in values for axis, values in self.where.items())

    def variants(self):
        return [self.variant, *self.others]

    def check(self, metrics):
        """(holds, explanation); metrics: variant -> metric -> number."""
        left = metrics[self.variant][self.metric]
        if self.value is not None:
            bounds = [(f"{self.value:g}", self.value)]
        else:
            bounds = [(f"{name} {metrics[name][self.other_metric]:g}",
                       metrics[name][self.other_metric] * self.factor + self.plus) for name in self.others]
        holds = all(OPERATORS[self.op](left, bound) for _, bound in bounds)
        margin = "".join((f", factor {self.factor:g}" if self.factor != 1 else "",
                          f", plus {self.plus:g}" if self.plus else ""))
        return holds, f"{self.metric} of {self.variant}: {left:g} {self.op} {', '.join(label for label, _ in bounds)}{margin}"


def read_claim(table):
    claim = Claim(text=table.take("text", str), variant=table.take("variant", str),
                  metric=table.take_one_of("metric", METRICS), op=table.take_one_of("op", OPERATORS),
                  value=table.take("value", float, None), others=[], other_metric="", factor=1.0, plus=0.0, where=table.take("where", dict, {}))
    for axis, values in claim.where.items():
        if not isinstance(values, list) or not values:
            table.fail("where", claim.where, f"expected a list of values of the axis {axis}")
    if "than" in table.content:
        than = table.take_table("than")
        claim.others = than.take_texts("variants")
        claim.other_metric = than.take_one_of("metric", METRICS, claim.metric)
        claim.factor = than.take_number("factor", 0, 1000, 1.0)
        claim.plus = than.take("plus", float, 0.0)
        than.done()
    table.done()
    if (claim.value is None) == (not claim.others):
        raise Failure(f"{table.where}: expected either value or than = {{variants = [...]}}")
    return claim
