# SPDX-License-Identifier: GPL-2.0
"""make claims: one table of all scenarios, and its TSV and KTAP."""

import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

LAB = Path(__file__).resolve().parents[2] / "lab"
sys.path.insert(0, str(LAB))

import ktap
from runner import overview
from runner.ktap import Verdict
from runner.overview import Row
from runner.plan import plan
from sample import loaded_cells, program

ROWS = [
    Row("churn", 61, Verdict(True, "pages are quick", ["wait_p99_ms of tcp_abt: 100 <= 200"])),
    Row("churn", 61, Verdict(False, "so are pictures", ["held in 0 of 9 cells, the worst first:",
                                                        *(f"{cell}MB: wait_p99_ms of tcp_abt: 1350 <= stock 353" for cell in range(1, 7))])),
    Row("lfn", 40, Verdict(True, "it fills the path")),
    Row("broken", 0, Verdict(False, "the scenario can be read", ["broken.toml: not a TOML file"])),
]


class Table(unittest.TestCase):
    lines = overview.table(ROWS, "module 1a2b3c4d, adapter 5e6f7a8b", 100).splitlines()

    def test_a_line_for_each_scenario(self):
        self.assertRegex(self.lines[1], r"^churn +2 +1  2: so are pictures$")
        self.assertRegex("\n".join(self.lines), r"(?m)^lfn +1 +1$")
        self.assertRegex("\n".join(self.lines), r"(?m)^broken +1 +0  1: the scenario can be read$")

    def test_what_was_seen_stands_below_shortened(self):
        seen = [line.strip() for line in self.lines[2:7]]
        self.assertEqual(seen, [*(f"{cell}MB: wait_p99_ms of tcp_abt: 1350 <= stock 353" for cell in range(1, 5)), "and 2 more"])

    def test_the_sum_and_the_module(self):
        self.assertEqual(self.lines[-1], "2 of 4 claims hold, all of them in 1 of 3 scenarios; module 1a2b3c4d, adapter 5e6f7a8b; 1 min 40 s")


class ForPrograms(unittest.TestCase):
    def test_tsv(self):
        rows = [line.split("\t") for line in overview.tsv(ROWS).splitlines()]
        self.assertEqual(rows[0], list(overview.HEADER))
        self.assertEqual([row[:4] for row in rows[1:3]], [["churn", "1", "ok", "61"], ["churn", "2", "not ok", "61"]])
        self.assertTrue(all(len(row) == len(overview.HEADER) for row in rows))

    def test_ktap_counts_each_claim_once(self):
        counter = ktap.Counter()
        for line in overview.nested_ktap(ROWS, "module 1a2b3c4d").splitlines():
            counter.feed(line)
        counter.finish()
        self.assertEqual((counter.passed, counter.failures), (2, ["so are pictures", "the scenario can be read"]))


class Runs(unittest.TestCase):
    def test_why_one_died_in_a_line(self):
        self.assertEqual(overview.brief("exit status 3, from /out/run.log:\n  | one\n  | no luck\n  | "), "exit status 3, from /out/run.log: no luck")
        self.assertEqual(overview.brief("exit status 3, from /out/run.log:"), "exit status 3, from /out/run.log:")

    def test_each_scenario_has_a_folder_above_its_runs(self):
        self.assertEqual([str(run.folder) for run in plan(loaded_cells(), "two")], ["two/small", "two/tuned"])

    def test_one_that_died_is_a_claim_that_does_not_hold(self):
        claims, scenarios = program("netem_scenarios/claims"), loaded_cells()
        one = claims.Chosen("two", None, scenarios, plan(scenarios, "two"))
        guests = mock.Mock(failures={"two/small": "exit status 124, from run.log:\n  | no end"}, seconds={}, lanes=2)
        with tempfile.TemporaryDirectory() as out:
            rows = claims.conclude(one, Path(out), guests)
        self.assertEqual([(row.scenario, row.verdict.text, row.verdict.holds) for row in rows],
                         [("two", "tuned ends first", False), ("two", "the run two/small ends", False)])
        self.assertEqual(rows[-1].verdict.explanation, ["exit status 124, from run.log: no end"])

    def test_a_file_that_cannot_be_read_too(self):
        claims = program("netem_scenarios/claims")
        row, = claims.conclude(claims.choose("nothing"), Path("/nowhere"), None)
        self.assertFalse(row.verdict.holds)

    def test_scaled_or_the_first_size_of_the_file(self):
        claims = program("netem_scenarios/claims")
        for name, size in (("lfn", "scaled"), ("grid", "reduced")):
            self.assertEqual(claims.choose(name).commands.size, size)
        self.assertIn("no scenario nothing", claims.choose("nothing").complaint)
