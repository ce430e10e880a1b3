# SPDX-License-Identifier: GPL-2.0
"""The emulated adapter: what a variant may say of it, and what its counters come to."""

import unittest

from runner import adapter
from runner.flow import Questions
from runner.samples import Samples
from sample import TEXT, loaded

ADAPTER = 'module = "on"\n[variant.adapter]\nhost = "s"\nknobs = { memory = 4096, fixed = 65536 }'
MODES = ("bcopy", "read_zcopy", "write_zcopy", "transaction")
NAMES = ("conns.now", "memory.granted", "memory.peak", "states.waits", "states.stalls", "core.send.longest_ns", "core.receive.longest_ns",
         *(f"mode.{mode}.bytes" for mode in MODES), *(f"function.{name}.{kind}" for name in adapter.FUNCTIONS for kind in ("ns", "host_cycles")))


def row(moment, **values):
    return (moment, *(values.get(name.replace(".", "_"), 0) for name in NAMES))


class Variants(unittest.TestCase):
    def test_host_and_knobs(self):
        wanted = loaded(TEXT.replace('module = "on"', ADAPTER)).variants[1].adapter
        self.assertEqual((wanted.host, wanted.knobs), ("s", {"memory": 4096, "fixed": 65536}))

    def test_others_have_none(self):
        self.assertIsNone(loaded().variants[1].adapter)


class Counters(unittest.TestCase):
    def setUp(self):
        self.flows = loaded().flows
        self.table = Samples(("t", *NAMES), [
            row(0.1, conns_now=1, memory_granted=500),
            row(0.2, conns_now=2, memory_granted=900, memory_peak=700, states_stalls=3, core_send_longest_ns=4000),
            row(0.3, conns_now=0, memory_peak=800, states_waits=5, states_stalls=3, core_send_longest_ns=4000, mode_bcopy_bytes=1024,
                mode_read_zcopy_bytes=3072, function_alloc_ns=400, function_alloc_host_cycles=8000, function_ack_host_cycles=2000,
                function_wait_host_cycles=3_600_000_000)])

    def test_most_at_once(self):
        found = adapter.derive(self.table, self.flows)
        self.assertEqual([found[f"adapter_{name}"] for name in ("conns", "refused", "granted_bytes", "peak_bytes")], [2, 0, 900, 800])

    def test_what_was_counted_in_the_end(self):
        found = adapter.derive(self.table, self.flows)
        self.assertEqual([found[f"adapter_{name}"] for name in ("waits", "stalls", "ns_per_kb", "core_wait_us")], [5, 3, 100, 4])

    def test_the_wait_is_no_work(self):
        found = adapter.derive(self.table, self.flows)
        self.assertEqual((found["saved_alloc_per_kb"], found["saved_per_kb"], found["saved_wait_s"]), (2000, 2500, 2))

    def test_questions_have_connections_of_their_own(self):
        self.flows[0].questions = Questions(10, 9, 8, 1000)
        self.assertEqual(adapter.derive(self.table, self.flows)["adapter_refused"], 8)

    def test_every_metric_has_a_number(self):
        self.assertEqual(adapter.derive(self.table, self.flows).keys(), adapter.METRICS.keys())
        self.assertEqual(set(adapter.derive(None, self.flows).values()), {0.0})
