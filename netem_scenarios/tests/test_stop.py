# SPDX-License-Identifier: GPL-2.0
"""Readers that go away for a time: until when memory is restless, how long too much of it is in use, and the reader itself."""

import socket
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from runner import stop
from runner.flow import Flow
from runner.probe import COUNTERS
from runner.samples import Samples
from runner.traffic import StreamServer


def memory(*in_use):
    """A sample a second."""
    return Samples(("t", "tcp_memory_bytes", "held_bytes"), [(float(moment), amount, 0) for moment, amount in enumerate(in_use)])


def counters(*prunes):
    return Samples(("t", "host", *COUNTERS), [(float(moment), host, *(count if host == "s" and name == "RcvPruned" else 0 for name in COUNTERS))
                                              for moment, count in enumerate(prunes) for host in ("s", "c")])


def tables(memory, counters, *sockets):
    return {"memory": memory, "counters": counters, "sockets": Samples(("t", "flow", "rcvbuf"), list(sockets))}


def flow(name="F", reads_s=2.0, away_s=5.0):
    return Flow(name, name, "stream", "c", "s", 0.0, 1000, None, reads_s, away_s)


class Calm(unittest.TestCase):
    def calm_s(self, in_use, prunes):
        return stop.calm_s(memory(*in_use), counters(*prunes), 2.0, 7.0)

    def test_memory_rises_and_then_stands(self):
        self.assertEqual(self.calm_s([10, 10, 10, 30, 50, 50, 50, 90], [0] * 8), 2)

    def test_next_to_nothing_more_is_no_rise(self):
        self.assertEqual(self.calm_s([1000, 1000, 1000, 1009, 1009, 1000, 1009, 1000], [0] * 8), 0)

    def test_to_rise_again_up_to_what_it_was_is_no_rise(self):
        self.assertEqual(self.calm_s([10, 10, 50, 20, 50, 20, 50, 90], [0] * 8), 0)

    def test_as_long_as_something_is_pruned_it_is_not_calm(self):
        self.assertEqual(self.calm_s([10] * 8, [0, 0, 0, 0, 1, 7, 7, 7]), 3)

    def test_earlier_and_later_prunes_do_not_count(self):
        self.assertEqual(self.calm_s([10] * 8, [0, 1, 4, 4, 4, 4, 4, 9]), 0)


class Away(unittest.TestCase):
    def test_the_first_that_goes_decides(self):
        flows = [flow("F", 4.0), flow("G", 3.0), flow("H", None, None), flow("I", 1.0, None)]
        self.assertEqual(stop.away_time(flows, {"F": 0.0, "G": 0.5, "H": 0.0, "I": 0.0}), (3.5, 8.5))

    def test_a_run_without_one(self):
        found = stop.derive(tables(memory(10, 30), counters(0, 5)), [flow("F", None, None)], {"F": 0.0}, 20)
        self.assertEqual((found["calm_s"], found["promised_bytes"], found["memory_peak_share"]), (0, 0, 1.5))

    def test_what_all_receivers_were_promised_just_before(self):
        found = stop.derive(tables(memory(10, 10, 10), counters(0, 0, 0), (0.0, "F", 7), (1.9, "F", 30), (1.9, "G", 12), (2.0, "F", 90)), [flow()], {"F": 0.0}, 20)
        self.assertEqual(found["promised_bytes"], 42)

    def test_time_with_more_than_the_limit(self):
        self.assertEqual(stop.over_s(memory(10, 30, 20, 30, 30, 10), 20), 1 + 2)
        self.assertEqual(set(stop.derive(tables(memory(10), counters(0)), [flow()], {"F": 0.0}, 20)), set(stop.METRICS))


class Reader(unittest.TestCase):
    """Over loopback: 64 MB are more than both buffers hold, so a reader that is away holds the writer up until it is back."""

    def test_one_that_goes_away_reads_on_to_the_end(self):
        with tempfile.TemporaryDirectory() as home:
            server = StreamServer(Path(home), [flow("F", 1.0, 1.0)])
            server.build()
            with subprocess.Popen([server.program, *server.server_words(server.ports["F"], server.flows[0])]) as reader:
                self.addCleanup(reader.kill)
                with connected(server.ports["F"]) as writer:
                    time.sleep(1.2)
                    began = time.monotonic()
                    writer.sendall(bytes(64 << 20))
                    self.assertGreater(time.monotonic() - began, 0.5)
                self.assertEqual(reader.wait(10), 0)


def connected(port):
    for _ in range(100):
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=10)
        except ConnectionRefusedError:
            time.sleep(0.05)
    raise AssertionError(f"nobody listens on port {port}")
