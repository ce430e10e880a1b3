# SPDX-License-Identifier: GPL-2.0
"""Waits for answers: percentiles, what was never answered, and variants in which nobody else sends."""

import unittest

from runner import answers, metrics
from runner.collect import COUNTERS, SOCKET_COLUMNS
from runner.experiment import Record, shifted
from runner.flow import Questions
from runner.samples import Samples
from sample import EVERY_METRIC, loaded

# a hundred questions in 10 s, the n-th waited n ms; the last was never answered
WAITS = (answers.COLUMNS, [(number / 10, "C2", float(number), int(number < 100)) for number in range(1, 101)])


class Percentiles(unittest.TestCase):
    def test_known_values(self):
        for values, share, found in (([4, 1, 3, 2], 0.5, 2), ([4, 1, 3, 2], 0.99, 4), ([7], 0.5, 7), (range(1, 101), 0.99, 99), ([], 0.5, 0)):
            self.assertEqual(answers.percentile(values, share), found)


class Waits(unittest.TestCase):
    def test_of_the_steady_part(self):
        found = answers.derive(WAITS, 5.0, 9.95)
        self.assertEqual((found["wait_median_ms"], found["wait_p99_ms"], found["wait_worst_ms"], found["unanswered"]), (74, 99, 99, 1))
        self.assertAlmostEqual(found["answers_per_s"], 50 / 4.95)

    def test_what_never_came_counts_with_its_wait(self):
        found = answers.derive(WAITS, 9.0, 10.05)
        self.assertEqual((found["wait_worst_ms"], round(found["answers_per_s"] * 1.05)), (100, 10))

    def test_of_another_flow(self):
        self.assertEqual(set(answers.derive(WAITS, 0, 20, "C1").values()), {0.0})


class NobodySends(unittest.TestCase):
    """C1 is left out, and C2 asks."""

    def setUp(self):
        scenario = loaded().without(["C1"])
        flow, = scenario.flows
        flow.size_bytes, flow.time_s, flow.questions = None, 10.0, Questions(10, 0, 8, 1000)
        record = Record("small", finished={"C2": 12.0}, bottleneck={}, records_left=2, charged_left=300)
        record.tables = {"sockets": Samples(("t", "flow", *SOCKET_COLUMNS), []), "counters": Samples(("t", "host", *COUNTERS), [(0.0, "s", *(0,) * len(COUNTERS))]),
                         "memory": Samples(("t", "tcp_memory_bytes", "held_bytes"), [(0.0, 4096, 1)]), "waits": WAITS}
        self.values = metrics.derive(scenario, shifted(record, scenario.flows))

    def test_every_metric_but_those_of_the_other_has_a_number(self):
        self.assertEqual(set(self.values), {name for name in EVERY_METRIC if not name.startswith("C1.")})

    def test_what_was_waited(self):
        self.assertGreater(self.values["wait_p99_ms"], 0)
        self.assertEqual(self.values["C2.wait_p99_ms"], self.values["wait_p99_ms"])
        self.assertEqual(self.values["goodput_mbps"], 0)

    def test_what_the_module_still_holds(self):
        self.assertEqual((self.values["records_left"], self.values["charged_left_bytes"]), (2, 300))
