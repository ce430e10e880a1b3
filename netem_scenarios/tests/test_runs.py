# SPDX-License-Identifier: GPL-2.0
"""Runs are planned, run side by side and brought together again; commands of the shell stand in for guests."""

import contextlib
import io
import tempfile
import unittest
from pathlib import Path

from runner import report
from runner.conclusion import conclude
from runner.estimate import Estimate
from runner.failure import Failure
from runner.guests import Guests
from runner.plan import choose, plan
from runner.result import Outcome, Result
from sample import EVERY_METRIC, TEXT, loaded_cells

AXES = TEXT.replace('rate = "8 Mbit/s"', 'rate = "$rate"').replace(
    "[machine]", '[[size.scaled.axis]]\nrate = ["8 Mbit/s", "1 Gbit/s"]\n[machine]').replace('title = "two"', 'title = "two"\nseeds = 2')


def result(**values):
    metrics = dict.fromkeys(EVERY_METRIC, 1.0) | values
    return Result(metrics, {"C1": 1.0, "C2": 2.0}, {"r>s": {"bytes": 1, "drops": 0}}, {"kernel": "7", "lab": "virtual"})


class Plan(unittest.TestCase):
    def test_every_variant_of_every_cell_with_every_seed(self):
        self.assertEqual([str(run.folder) for run in plan(loaded_cells(AXES))],
                         [f"{cell}/{variant}/seed-{seed}" for cell in ("8Mbit", "1Gbit") for variant in ("small", "tuned")
                          for seed in (1, 2)])
        self.assertEqual([str(run.folder) for run in plan(loaded_cells())], ["small", "tuned"])

    def test_more_packets_cost_more(self):
        slow, fast = (plan([scenario])[0].cost_s for scenario in loaded_cells(AXES))
        self.assertGreater(fast, slow)

    def test_chosen_cells_and_variants_keep_the_claims_that_they_decide(self):
        scenarios = choose(loaded_cells(AXES), ["1Gbit"], "tuned")
        self.assertEqual([str(run.folder) for run in plan(scenarios)], ["1Gbit/tuned/seed-1", "1Gbit/tuned/seed-2"])
        self.assertEqual(scenarios[0].claims, [])
        self.assertEqual(len(choose(loaded_cells(AXES), None, "tuned,small")[0].claims), 1)

    def test_unknown_names(self):
        for cells, variants, word in ((["9Mbit"], None, "9Mbit"), (None, "huge", "small,tuned")):
            with self.assertRaises(Failure) as caught:
                choose(loaded_cells(AXES), cells, variants)
            self.assertIn(word, str(caught.exception))

    def test_more_seeds_than_the_file_says(self):
        runs = plan(choose(loaded_cells(AXES), ["1Gbit"], "tuned", 3))
        self.assertEqual([run.seed for run in runs], [1, 2, 3])
        for number in (0, -1, 101):
            with self.assertRaisesRegex(Failure, f"--seeds {number}: expected a number from 1 to 100"):
                choose(loaded_cells(AXES), None, None, number)


class SideBySide(unittest.TestCase):
    def run_all(self, script, lanes=2, memory_bytes=0):
        """(failures, names in the order of their starts)"""
        started = []

        def words(run):
            started.append(str(run.folder))
            return ["sh", "-c", script, "sh", str(run.folder)]
        with tempfile.TemporaryDirectory() as out, contextlib.redirect_stderr(io.StringIO()):
            guests = Guests(plan(loaded_cells(AXES)), words, out, lambda _: memory_bytes)
            guests.lanes = lanes
            return guests.run_all(), started

    def test_the_biggest_first(self):
        failures, started = self.run_all("true")
        self.assertEqual(failures, {})
        self.assertEqual([name.split("/")[0] for name in started], ["1Gbit"] * 4 + ["8Mbit"] * 4)

    def test_a_failure_is_named_with_its_log_and_the_others_go_on(self):
        failures, started = self.run_all('echo "no luck with $1"; case $1 in 1Gbit/small*) exit 3; esac')
        self.assertEqual(len(started), 8)
        self.assertEqual(sorted(failures), ["1Gbit/small/seed-1", "1Gbit/small/seed-2"])
        self.assertRegex(failures["1Gbit/small/seed-1"], r"exit status 3, from .*run.log:\n  \| no luck with 1Gbit/small/seed-1")

    def test_guests_wait_for_memory(self):
        with tempfile.TemporaryDirectory() as out:
            guests = Guests(plan(loaded_cells(AXES)), None, out, lambda _: guests.room_bytes * 0.6)
            self.assertTrue(guests.fits(guests.waiting[0]))
            guests.running = [type("Guest", (), {"run": guests.waiting[0]})]
            self.assertFalse(guests.fits(guests.waiting[1]))


class Left(unittest.TestCase):
    def test_the_estimate_learns(self):
        estimate = Estimate(lanes=2)
        self.assertAlmostEqual(estimate.left_s([10, 10], []), 10)
        estimate.learn(1000, 2000)
        self.assertAlmostEqual(estimate.left_s([10, 10], []), 20, delta=0.2)

    def test_it_ends_no_earlier_than_the_longest_run(self):
        self.assertAlmostEqual(Estimate(lanes=4).left_s([], [(100, 10), (20, 10)]), 90)

    def test_a_run_that_overruns_is_not_about_to_end(self):
        self.assertGreater(Estimate(lanes=1).left_s([], [(10, 40)]), 5)


class Together(unittest.TestCase):
    def concluded(self, broken=None):
        """(status, what was printed, the rows of summary.tsv): small gets 1, 3; tuned 1, 2 as its last finish."""
        scenarios = loaded_cells(AXES)
        printed = io.StringIO()
        with tempfile.TemporaryDirectory() as out, contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            for run in plan(scenarios):
                folder = Path(out, run.folder)
                folder.mkdir(parents=True)
                if str(run.folder) != broken:
                    end = 10.0 * run.seed if run.variant.name == "small" else float(run.seed)
                    result(last_finish_s=end).write(folder)
            status = conclude(scenarios, Path(out), {broken: "why"} if broken else {})
            self.flows = Path(out, "flows.tsv").read_text().splitlines()
            rows = [line.split("\t") for line in Path(out, "summary.tsv").read_text().splitlines()]
        return status, printed.getvalue(), rows

    def test_medians_in_a_row_for_each_cell_and_variant(self):
        status, printed, rows = self.concluded()
        self.assertEqual(rows[0][:3], ["rate", "variant", "last_finish_s"])
        self.assertEqual([row[:3] for row in rows[1:3]], [["8 Mbit/s", "small", "15"], ["8 Mbit/s", "tuned", "1.5"]])
        self.assertEqual((status, len(rows)), (0, 5))
        self.assertIn("held in 2 of 2 cells", printed)
        self.assertEqual([line.split("\t")[:4] for line in self.flows[1:3]],
                         [["8 Mbit/s", "small", "C1", "1"], ["8 Mbit/s", "small", "C2", "1"]])

    def test_a_failed_run_fails_the_whole(self):
        status, printed, rows = self.concluded("1Gbit/small/seed-1")
        self.assertEqual((status, len(rows)), (2, 5))
        self.assertIn("FAILED: 1Gbit/small/seed-1: why\n1 of 8 runs failed", printed)

    def test_nothing_arrived(self):
        scenarios = loaded_cells(AXES)
        text = report.table_for_people(scenarios, {(scenarios[0].cell, "small"): Outcome([result(goodput_mbps=0.0, answers_per_s=0.0)])})
        self.assertRegex(text, "8 Mbit/s +small +nothing arrived\n")
