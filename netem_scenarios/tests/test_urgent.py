# SPDX-License-Identifier: GPL-2.0
"""Urgent messages: both parts of their time, those that never went, the run's own flow; and the program that sends them."""

import subprocess
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

from runner import urgent
from runner.flow import Flow, Frames
from runner.samples import Samples
from runner.traffic import FramesServer

# a hundred messages in 10 s, the n-th was written after n ms and sent after 3 n ms; the last never was
MESSAGES = Samples(urgent.COLUMNS, [(number / 10, "F", float(number), 3.0 * number, int(number < 100)) for number in range(1, 101)])


class Messages(unittest.TestCase):
    def test_of_the_steady_part(self):
        found = urgent.derive(MESSAGES, 5.0, 9.95)
        self.assertEqual([found[name] for name in ("wire_median_ms", "wire_p99_ms", "wire_worst_ms", "written_p99_ms", "behind_p99_ms")],
                         [3 * 74, 3 * 99, 3 * 99, 99, 2 * 99])

    def test_one_that_never_went_counts_and_is_told(self):
        found = urgent.derive(MESSAGES, 9.0, 10.05)
        self.assertEqual((found["wire_worst_ms"], found["unsent_messages"]), (300, 1))

    def test_one_that_never_went_before_the_steady_part_is_told(self):
        self.assertEqual(urgent.derive(MESSAGES, 11.0, 12.0)["unsent_messages"], 1)

    def test_a_stamp_before_write_returned_is_no_time_below_nothing(self):
        found = urgent.derive(Samples(urgent.COLUMNS, [(1.0, "F", 0.5, 0.4, 1)]), 0, 2)
        self.assertEqual((found["behind_p99_ms"], found["wire_p99_ms"]), (0, 0.4))

    def test_of_another_flow(self):
        self.assertEqual(set(urgent.derive(MESSAGES, 0, 20, "C1").values()), {0.0})


class Program(unittest.TestCase):
    """Its words and its file: between two processes of this machine, whose kernel stamps what goes over loopback as well."""

    @classmethod
    def setUpClass(cls):
        cls.home = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.home.cleanup)
        cls.flow = Flow("F", "F", "frames", "a", "b", 0.0, None, 1.0, frames=Frames(per_s=50, message_bytes=100, pause_s=0.002))
        cls.server = FramesServer(Path(cls.home.name), [cls.flow])
        cls.server.build()

    def run_words(self, *words):
        return subprocess.run([self.server.program, *words], capture_output=True, text=True, check=False)

    def test_each_message_was_written_and_sent(self):
        namespace = SimpleNamespace(words=lambda words: words)
        port = self.server.ports["F"]
        with subprocess.Popen([self.server.program, *self.server.server_words(port, self.flow)]) as reader:
            self.addCleanup(reader.kill)
            while self.server.client(namespace, self.flow, "127.0.0.1").process.wait(20):
                self.assertIsNone(reader.poll(), "the reader ended")
        messages = list(self.server.messages(self.flow))
        self.assertTrue(25 <= len(messages) <= 100, len(messages))
        self.assertEqual({sent for *_, sent in messages}, {1})
        self.assertEqual(messages, sorted(messages))
        self.assertTrue(all(0 <= wire < 1000 for _, _, wire, _ in messages))

    def test_bad_words(self):
        for place, word, said in ((2, "0", "PORT '0': expected a number from 1 to 65535"), (3, "x", "SECONDS 'x'"), (4, "1001", "RATE '1001': expected a number from 1 to 1000"),
                                  (5, "16385", "BYTES '16385': expected a number from 1 to 16384"), (6, "-1", "PAUSE '-1': expected a number from 0 to 999999"),
                                  (1, "here", "ADDRESS 'here': expected an IPv4 address")):
            words = ["send", "127.0.0.1", "9", "1", "50", "100", "0", "/dev/null"]
            words[place] = word
            done = self.run_words(*words)
            with self.subTest(word=word):
                self.assertEqual(done.returncode, 2)
                self.assertIn(said, done.stderr)
        self.assertIn("usage", self.run_words("send").stderr)
