# SPDX-License-Identifier: GPL-2.0
"""The arithmetic of make cost: medians, what is added, verdicts, and its tables."""

import sys
import tempfile
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TOP / "selftests/cost"), str(TOP / "netem_scenarios/papers"), str(TOP / "lab")]

import by_function
import plan
import report
import rows
import verdict
from by_function import Function, Line
from samples import Sample


def taken(work, state, *instructions):
    return [Sample(number, state, work, 10, cost, 1000, 5, 4, 0) for number, cost in enumerate(instructions)]


def rounds(**costs):
    """Three rounds in which each work costs 1000 without the module, and so much in the states named."""
    return verdict.grouped(sample for work in plan.WORKS for state in plan.STATES
                           for sample in taken(work.name, state.name, *[costs.get(state.name, 1000)] * 3))


class Figures(unittest.TestCase):
    def test_median_least_and_most_of_a_unit(self):
        figure = verdict.figure(taken("bulk", "on", 3000, 1000, 1100), plan.BYTE)
        self.assertEqual(figure, verdict.Figure(1.1, 1.0, 3.0))
        self.assertAlmostEqual(figure.spread_percent, 100 * 2.0 / 1.1)

    def test_each_unit_divides_by_its_own_column(self):
        found = [verdict.figure(taken("x", "on", 1000), unit).median for unit in (plan.BYTE, plan.SEGMENT, plan.EXCHANGE)]
        self.assertEqual(found, [1.0, 200.0, 100.0])


class Plans(unittest.TestCase):
    def test_a_single_sample_comes_after_those_before_it_in_the_first_round(self):
        self.assertEqual(list(plan.before(plan.WORKS[0], plan.STATES[0])), [])
        found = list(plan.before(plan.WORKS[1], plan.STATES[2]))
        self.assertEqual(len(found), 2 * len(plan.WORKS) + 1)
        self.assertEqual(found[-1], (plan.WORKS[0], plan.STATES[2]))


KALLSYMS = ("ffffffff81000000 T first", "ffffffff81000100 t second", "ffffffff81000180 d data", "ffffffffc0000000 t hook\t[tcp_abt]")
FIRST, SECOND, HOOK = Function("first", ""), Function("second", ""), Function("hook", "tcp_abt")


class Functions(unittest.TestCase):
    def counted(self, *rows):
        return by_function.by_function(rows, by_function.functions(KALLSYMS))

    def test_an_instruction_is_of_the_function_that_begins_last_before_it(self):
        found = self.counted("ffffffff81000000\t3", "ffffffff810000ff\t4", "ffffffff81000100\t5", "ffffffffc0000010\t6")
        self.assertEqual(found, {FIRST: 7, SECOND: 5, HOOK: 6})

    def test_data_begins_no_function_and_what_is_before_all_is_of_none(self):
        self.assertEqual(self.counted("ffffffff81000190\t1", "ffffffff80000000\t9"), {SECOND: 1})

    def test_the_largest_change_is_first_and_small_ones_are_left_out(self):
        states = [{FIRST: 100, SECOND: 50}, {FIRST: 104, SECOND: 90, HOOK: 10}, {FIRST: 104, SECOND: 20, HOOK: 60}]
        self.assertEqual(by_function.lines(states, 10), [Line(HOOK, (0, 1, 6)), Line(SECOND, (5, 9, 2))])

    def test_totals_tell_the_module_from_the_kernel(self):
        states = [{FIRST: 100}, {FIRST: 110, HOOK: 10}]
        self.assertEqual(by_function.totals(states, 10), [("the module", (0, 1)), ("the kernel", (10, 11)), ("all", (10, 12))])


class Verdicts(unittest.TestCase):
    def failed(self, **costs):
        return [found.text.split(":")[0] for found in verdict.judge(rounds(**costs)) if not found.holds]

    def test_nothing_added_holds(self):
        self.assertEqual(self.failed(), [])

    def test_off_is_held_to_its_own_limit_in_every_work(self):
        self.assertEqual(self.failed(off=1001), [])
        self.assertEqual(len(self.failed(off=1003)), sum(work.percent is not None for work in plan.WORKS))

    def test_on_is_held_to_the_limit_of_the_work(self):
        self.assertEqual(self.failed(on=1010), ["bulk, offload, on"])
        self.assertEqual(self.failed(short=1025), ["bulk, offload, on, short", "bulk, no offload, on, short",
                                                       "request and response of 1 byte, on, short"])

    def test_an_adapter_is_held_against_on_per_byte(self):
        self.assertEqual(self.failed(on=1004, adapter=1008), [])
        self.assertEqual(self.failed(on=1004, adapter=1010), ["bulk, offload, on, adapter", "bulk, no offload, on, adapter"])

    def test_less_is_no_failure(self):
        self.assertEqual(self.failed(off=900, on=900, short=900, adapter=900), [])


class Order(unittest.TestCase):
    def test_there_and_back(self):
        self.assertEqual(plan.order(1), plan.order(0)[::-1])


class Tables(unittest.TestCase):
    def test_samples_are_read_as_written(self):
        row = taken("bulk", "on", 7)[0]
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "samples.tsv")
            path.write_text(f"{rows.header(Sample)}\n{rows.text(row)}\n")
            self.assertEqual(rows.read(path, Sample), [row])

    def test_what_is_added_stands_in_the_row(self):
        table = report.markdown(report.rows(rounds(on=1010)), "6.12", 3)
        self.assertIn("| bulk, offload, per byte | 1.0000 | +0.0000 (+0.00 %) | +0.0100 (+1.00 %) |", table)

    def test_short_stands_beside_buffers_as_small(self):
        table = report.markdown(report.rows(rounds(small=1010, short=1020)), "6.12", 3)
        self.assertIn("| +0.0000 (+0.00 %) | +0.0100 (+1.00 %) | +0.0100 (+0.99 %) |", table)
