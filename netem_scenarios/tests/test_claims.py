# SPDX-License-Identifier: GPL-2.0
"""Claims hold and fail where they should, and say with which numbers."""

import unittest
from dataclasses import replace

from runner import ktap
from runner.cells import Cell
from runner.claims import OPERATORS, read_claim, verdicts
from runner.result import Outcome, Result
from runner.table import Table
from sample import loaded

METRICS = {"a": {"last_finish_s": 50.0, "jain": 0.99, "prunes": 0, "memory_peak_bytes": 10, "memory_limit_bytes": 10,
                 "C1.steady_mbps": 3, "C1.rtt_steady_ms": 3},
           "b": {"last_finish_s": 60.0, "jain": 0.90, "C1.steady_mbps": 2}, "c": {"last_finish_s": 49.5, "jain": 0.99}}


def claim(**entries):
    return read_claim(Table({"text": "it holds", "variant": "a", **entries}, "test"))


class Claims(unittest.TestCase):
    def holds(self, **entries):
        return claim(**entries).check(METRICS).holds

    def test_operators_against_a_number(self):
        expected = {"<": (False, False, True), "<=": (False, True, True), ">": (True, False, False),
                    ">=": (True, True, False), "==": (False, True, False)}
        for op in OPERATORS:
            for value, result in zip((0.98, 0.99, 1.0), expected[op], strict=True):
                with self.subTest(op=op, value=value):
                    self.assertEqual(self.holds(metric="jain", op=op, value=value), result)

    def test_all_of_the_others_must_be_beaten(self):
        self.assertTrue(self.holds(metric="last_finish_s", op="<", than={"variants": ["b"]}))
        self.assertFalse(self.holds(metric="last_finish_s", op="<", than={"variants": ["b", "c"]}))

    def test_a_tolerance_is_a_factor_or_an_amount(self):
        self.assertFalse(self.holds(metric="last_finish_s", op="<=", than={"variants": ["c"]}))
        self.assertTrue(self.holds(metric="last_finish_s", op="<=", than={"variants": ["c"], "factor": 1.02}))
        self.assertTrue(self.holds(metric="last_finish_s", op="<=", than={"variants": ["c"], "plus": 0.5}))

    def test_a_bound_is_no_less_than_the_least(self):
        self.assertTrue(self.holds(metric="last_finish_s", op="<=", than={"variants": ["c"], "least": 50.0}))
        self.assertFalse(self.holds(metric="last_finish_s", op="<=", than={"variants": ["c"], "least": 49.7}))
        self.assertTrue(self.holds(metric="last_finish_s", op="<=", than={"variants": ["b"], "least": 1.0}))

    def test_another_metric(self):
        own = {"variants": ["a"], "metric": "memory_limit_bytes"}
        self.assertTrue(self.holds(metric="memory_peak_bytes", op="<=", than=own))
        self.assertFalse(self.holds(metric="memory_peak_bytes", op="<", than=own))

    def test_of_one_flow(self):
        faster = {"flow": "C1", "metric": "steady_mbps", "op": ">"}
        self.assertTrue(self.holds(**faster, than={"variants": ["b"]}))
        self.assertFalse(self.holds(**faster, than={"variants": ["b"], "factor": 1.5}))
        self.assertTrue(self.holds(**faster | {"op": "=="}, than={"variants": ["a"], "metric": "rtt_steady_ms"}))

    def test_explanation_names_numbers_and_tolerance(self):
        text = claim(metric="last_finish_s", op="<=", than={"variants": ["c"], "factor": 1.02}).check(METRICS).text
        for word in ("last_finish_s of a: 50", "<= c 49.5", "factor 1.02"):
            self.assertIn(word, text)


def outcomes(**cells):
    """{"small": {"a": jain, "b": jain}} as (cell, variant) -> Outcome."""
    return {(cell(name), variant): Outcome([Result({"jain": value, "goodput_mbps": value}, {}, {}, {})])
            for name, values in cells.items() for variant, value in values.items()}


def cell(name):
    return Cell((("size", name),))


def judged(found, *names, **entries):
    claims = [claim(metric="jain", op=">=", than={"variants": ["b"]}, **entries) for _ in names]
    scenarios = [replace(loaded(), cell=cell(name), claims=[own]) for name, own in zip(names, claims, strict=True)]
    return verdicts(scenarios, found)


class OverCells(unittest.TestCase):
    found = outcomes(small={"a": 0.9, "b": 0.8}, large={"a": 0.7, "b": 0.8}, huge={"a": 0.5, "b": 0.9})

    def test_every_cell_has_to_agree_and_the_worst_comes_first(self):
        verdict, = judged(self.found, "small", "large", "huge")
        self.assertFalse(verdict.holds)
        self.assertEqual(verdict.explanation, ["held in 1 of 3 cells, the worst first:", "huge: jain of a: 0.5 >= b 0.9",
                                               "large: jain of a: 0.7 >= b 0.8"])

    def test_where_restricts_the_cells(self):
        verdict, = judged(self.found, "small", "large", where={"size": ["small"]})
        self.assertTrue(verdict.holds)
        self.assertEqual(verdict.explanation[1:], ["small: jain of a: 0.9 >= b 0.8"])

    def test_a_cell_that_was_not_measured_fails(self):
        verdict, = judged({key: value for key, value in self.found.items() if key != (cell("large"), "b")}, "small", "large")
        self.assertFalse(verdict.holds)
        self.assertEqual(verdict.explanation[-1], "not measured in large")

    def test_over_cells_the_geometric_means_are_compared(self):
        found = outcomes(small={"a": 8, "b": 2}, large={"a": 1, "b": 2}, none={"a": 0, "b": 5})
        verdict, = judged(found, "small", "large", "none", over="cells")
        self.assertTrue(verdict.holds)
        self.assertEqual(verdict.explanation, ["jain of a: 2.82843 >= b 2"])
        verdict, = judged(found, "none", over="cells")
        self.assertFalse(verdict.holds)

    def test_cells_in_which_nothing_arrived_decide_nothing(self):
        found = self.found | outcomes(dead={"a": 0.0, "b": 0.0}, starved={"a": 0.0, "b": 0.1})
        verdict, = judged(found, "small", "dead")
        self.assertTrue(verdict.holds)
        self.assertEqual(verdict.explanation[0], "held in 1 of 1 cells, the worst first:")
        self.assertEqual(verdict.explanation[-1], "nothing arrived in dead")
        self.assertFalse(judged(found, "dead")[0].holds)
        self.assertFalse(judged(found, "small", "starved")[0].holds)

    def test_seeds_count_by_their_median(self):
        values = [{"jain": 0.1}, {"jain": 0.9}, {"jain": 0.8}]
        outcome = Outcome([Result(value, {}, {}, {}) for value in values])
        self.assertEqual(outcome.metrics, {"jain": 0.8})
        self.assertEqual((outcome.over_seeds(min), outcome.over_seeds(max)), ({"jain": 0.1}, {"jain": 0.9}))


class Ktap(unittest.TestCase):
    def test_lines_and_verdict(self):
        text, good = ktap.lines([ktap.Verdict(True, "it holds", ["1 < 2"]), ktap.Verdict(False, "this too")])
        self.assertEqual(text.splitlines(), ["KTAP version 1", "1..2", "ok 1 it holds", "# 1 < 2", "not ok 2 this too"])
        self.assertFalse(good)
