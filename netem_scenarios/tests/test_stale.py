# SPDX-License-Identifier: GPL-2.0
"""make stale: how long commands take, and which of them it runs."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "lab"))

from sample import program


class Stale(unittest.TestCase):
    stale = program("lab/stale")

    def seconds(self, command):
        return self.stale.Work(command, []).seconds

    def test_how_long_a_command_takes(self):
        self.assertGreater(self.seconds("make scenario S=lfn SIZE=paper LAB=virtual KERNEL=7.3"), self.seconds("make scenario S=lfn LAB=virtual KERNEL=7.3"))
        self.assertEqual(self.seconds("make tables S=lfn"), self.seconds("make scenario S=lfn LAB=virtual KERNEL=7.3"))
        self.assertEqual(self.seconds("make torture T=7.3-debug"), self.stale.SECONDS["torture"])
        cell = "netem_scenarios/launch grid full virtual 7.3 out/one --cell 1Gbit-50ms-0.0001-0.25-8"
        self.assertGreater(self.seconds(f"{cell} --seeds 9"), self.seconds(f"{cell} --seeds 3"))
        self.assertIsNone(self.seconds("make something"))

    def test_what_is_not_known_is_not_cheap(self):
        for command, cheap in (("make something", False), ("make tables S=lfn", True), ("make cost", False)):
            self.assertEqual(self.stale.Work(command, []).is_cheap, cheap)

    def test_a_claim_that_fails_is_no_failed_run(self):
        statuses = {"make scenario S=lfn": (2,), "netem_scenarios/launch lfn scaled virtual 7.3 out/lfn": (1,), "make tables S=lfn": ()}
        for command, expected in statuses.items():
            self.assertEqual(self.stale.Work(command, []).claims_fail, expected)
