# SPDX-License-Identifier: GPL-2.0
"""Claims hold and fail where they should, and say with which numbers."""

import unittest

from runner import ktap
from runner.claims import OPERATORS, read_claim
from runner.table import Table

METRICS = {"a": {"last_finish_s": 50.0, "jain": 0.99, "prunes": 0, "memory_peak_bytes": 10, "memory_limit_bytes": 10},
           "b": {"last_finish_s": 60.0, "jain": 0.90}, "c": {"last_finish_s": 49.5, "jain": 0.99}}


def claim(**entries):
    return read_claim(Table({"text": "it holds", "variant": "a", **entries}, "test"))


class Claims(unittest.TestCase):
    def holds(self, **entries):
        return claim(**entries).check(METRICS)[0]

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

    def test_another_metric(self):
        own = {"variants": ["a"], "metric": "memory_limit_bytes"}
        self.assertTrue(self.holds(metric="memory_peak_bytes", op="<=", than=own))
        self.assertFalse(self.holds(metric="memory_peak_bytes", op="<", than=own))

    def test_explanation_names_numbers_and_tolerance(self):
        text = claim(metric="last_finish_s", op="<=", than={"variants": ["c"], "factor": 1.02}).check(METRICS)[1]
        for word in ("last_finish_s of a: 50", "<= c 49.5", "factor 1.02"):
            self.assertIn(word, text)


class Ktap(unittest.TestCase):
    def test_lines_and_verdict(self):
        good = claim(metric="prunes", op="==", value=0)
        bad = claim(metric="jain", op=">", value=1)
        text, verdict = ktap.lines([good, bad], METRICS)
        self.assertEqual([line for line in text.splitlines() if not line.startswith("#")],
                         ["KTAP version 1", "1..2", "ok 1 it holds", "not ok 2 it holds"])
        self.assertFalse(verdict)
        self.assertTrue(ktap.lines([good], METRICS)[1])
