# SPDX-License-Identifier: GPL-2.0
import os
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory

from runner.processors import busy_s


class Busy(unittest.TestCase):
    def test_all_but_idle_time_and_guests_which_count_as_user(self):
        with TemporaryDirectory() as folder:
            stat = Path(folder) / "stat"
            stat.write_text("cpu  1 2 4 1000 2000 8 16 32 64 128\ncpu0 1 2 4 1000 2000 8 16 32 64 128\n")
            self.assertAlmostEqual(busy_s(stat) * os.sysconf("SC_CLK_TCK"), 1 + 2 + 4 + 8 + 16 + 32)

    def test_this_machine(self):
        self.assertGreater(busy_s(), 0)
