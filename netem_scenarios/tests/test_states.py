# SPDX-License-Identifier: GPL-2.0
"""Results tell which module they are of, and those of another one are no results of the present one."""

import json
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "lab"))

from runner.conclusion import judge, read_outcomes
from runner.plan import plan
from runner.result import Result, is_there, joined_states
from sample import EVERY_METRIC, loaded_cells
from state import State

PRESENT = State("1a2b3c4d", "5e6f7a8b")
OLD = "module 00000000, adapter 5e6f7a8b\n"


class States(unittest.TestCase):
    def setUp(self):
        self.out = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.scenarios = loaded_cells()
        self.runs = plan(self.scenarios)  # small, without the module, and tuned

    def ran(self, run, state):
        folder = self.out / run.folder
        folder.mkdir(parents=True, exist_ok=True)
        Result(dict.fromkeys(EVERY_METRIC, 1.0), {"C1": 1.0, "C2": 2.0}, {}, {"kernel": "7", "lab": "virtual"}).write(folder)
        if state:
            (folder / "state.txt").write_text(state)

    def test_a_result_of_another_module_is_not_there(self):
        small, tuned = self.runs
        self.assertFalse(is_there(tuned, self.out, PRESENT, "virtual", "7"))
        for state, there in ((OLD, False), ("", False), (f"{PRESENT}\n", True)):
            self.ran(tuned, state)
            self.assertEqual(is_there(tuned, self.out, PRESENT, "virtual", "7"), there)
        self.ran(small, OLD)
        self.assertTrue(is_there(small, self.out, PRESENT, "virtual", "7"))

    def test_a_result_of_another_lab_or_kernel_is_not_there(self):
        small = self.runs[0]
        self.ran(small, OLD)
        for lab, kernel in (("packaged", "7"), ("virtual", "6.12")):
            self.assertFalse(is_there(small, self.out, PRESENT, lab, kernel))

    def test_a_result_without_a_metric_of_today_is_not_there(self):
        small = self.runs[0]
        self.ran(small, OLD)
        file = self.out / small.folder / "result.json"
        content = json.loads(file.read_text())
        del content["metrics"]["busy_share"]
        file.write_text(json.dumps(content))
        self.assertFalse(is_there(small, self.out, PRESENT, "virtual", "7"))

    def test_the_summary_tells_the_states_of_the_runs_with_the_module(self):
        for run in self.runs:
            self.ran(run, OLD if run.variant.name == "small" else f"{PRESENT}\n")
        judge(self.scenarios, self.out, read_outcomes(self.scenarios, self.out))
        self.assertEqual(json.loads((self.out / "summary.json").read_text())["state"], {"module": "1a2b3c4d"})

    def test_several_runs_several_states(self):
        tuned = self.runs[1]
        self.ran(tuned, f"{PRESENT}\n")
        self.assertEqual(joined_states(self.runs, self.out), {"module": "1a2b3c4d"})
        other = plan(self.scenarios, "other")[1]
        self.ran(other, OLD)
        self.assertEqual(joined_states([tuned, other], self.out), {"module": "00000000+1a2b3c4d"})
        (self.out / other.folder / "state.txt").unlink()
        self.assertEqual(joined_states([tuned, other], self.out), {"module": "unknown"})

    def test_one_boot_one_state(self):
        (self.out / "state.txt").write_text(f"{PRESENT}\n")
        self.ran(self.runs[1], "")
        self.assertEqual(joined_states(self.runs, self.out), {"module": "1a2b3c4d"})
