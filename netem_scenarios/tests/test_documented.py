# SPDX-License-Identifier: GPL-2.0
"""The documentation's tables are made of a summary in the words that they have there."""

import sys
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "lab"))

import document
from runner import documented
from runner.documented import Summary, markdown
from runner.metrics import FLOW_METRICS, METRICS
from runner.scenario import load, scenario_path


def summary(*cells):
    """(axes, {variant: metrics}) each."""
    return Summary({"state": {}, "cells": [{"axes": axes, "variants": {name: {"median": metrics} for name, metrics in variants.items()}}
                                           for axes, variants in cells]})


def steady(mbps, ramp_s, rcvbuf, rtt_ms):
    return {"steady_mbps": mbps, "ramp_s": ramp_s, "last_finish_s": 30.0, "rcvbuf_steady_bytes": rcvbuf, "rtt_steady_ms": rtt_ms}


class Tables(unittest.TestCase):
    def test_a_long_fat_network(self):
        found = documented.lfn(summary(({}, {"stock": steady(134.0, 30.0, 25.2e6, 192.4), "tuned": steady(956.4, 2.2, 561.6e6, 1298.1),
                                             "tcp_abt": steady(956.4, 2.2, 70.6e6, 348.4)})))
        self.assertEqual(markdown(found), """\
| hosts | steady goodput | 95 % of line rate after | receive buffer | RTT in the end |
|---|---|---|---|---|
| stock 7.3 | 134 Mbit/s | never | 25 MB | 192 ms |
| hand-tuned, 1 GiB ceilings | 956 Mbit/s | 2.2 s | 562 MB | 1298 ms |
| tcp_abt, nothing tuned | 956 Mbit/s | 2.2 s | 71 MB | 348 ms |
""")

    def uploads(self, *jains):
        metrics = [{"last_finish_s": 26.0 - number, "goodput_mbps": 36.0 + number, "jain": jain, "held_peak_bytes": 2.1e6 if number < 3 else 1.1e6}
                   for number, jain in enumerate(jains)]
        return markdown(documented.demo(summary(({}, dict(zip(documented.UPLOADS, metrics, strict=True)))))).splitlines()

    def test_the_best_is_bold_with_as_many_digits_as_it_takes(self):
        self.assertEqual(self.uploads(0.999, 0.875, 0.879, 0.9997)[2::3], [
            "| fixed, 128 KB | 26.0 s | 36.0 Mbit/s | 0.999 | 2.1 MB |",
            "| tcp_abt, `sysctl/tbt-plr.conf`, a receive pool of 480 KB | **23.0 s** | **39.0 Mbit/s** | **0.9997** | **1.1 MB** |"])
        self.assertIn("**0.9994**", self.uploads(0.9991, 0.8, 0.8, 0.9994)[5])
        self.assertIn("| **0.950** |", self.uploads(0.9, 0.8, 0.8, 0.95)[5])

    def test_it_is_not_always_the_last_that_is_best(self):
        lines = self.uploads(0.999, 0.8, 0.8, 0.9)
        self.assertIn("| **0.999** |", lines[2])
        self.assertIn("| 0.900 |", lines[5])

    def beside(self):
        def metrics(number):
            return {"steady_mbps": 150.0 + number, "F1.steady_mbps": 50.4, "F2.steady_mbps": 190.0, "rtt_steady_ms": 218.4, "jain_steady": 0.5 + number / 10,
                    "retransmissions": 1000.0 * number, "memory_peak_bytes": 38e6, "busy_share": 0.25}
        cells = ((1, 30), (4, 30), (2, 30), (16, 1), (16, 2))
        return summary(*(({"flows": flows, "budget": budget}, {name: metrics(number) for number, name in enumerate(documented.BESIDE)})
                         for flows, budget in cells))

    def test_a_first_look_has_six_rows_beside_another_tuner(self):
        lines = markdown(documented.beside_first(self.beside())).splitlines()
        self.assertEqual(lines[0], "| | stock 6.12 | bpftune | tcp_abt |")
        self.assertEqual(lines[2], "| one flow, 200 Mbit/s x 150 ms | 150 Mbit/s | 151 Mbit/s | 152 Mbit/s |")
        self.assertEqual(lines[5], "| four flows 2 s apart: Jain's index in the end | 0.50 | 0.60 | 0.70 |")
        self.assertEqual(len(lines), 2 + 6)

    def test_all_of_it_beside_another_tuner(self):
        lines = markdown(documented.beside(self.beside())).splitlines()
        self.assertEqual(lines[2], "| 1 flow, 150 ms | stock 6.12 | 150 Mbit/s | 0.50 | 0 | 218 ms | 38.0 MB | 25 % |")
        self.assertIn("| 2 flows 15 s apart, 600 ms: each | bpftune | 50.4, 190 Mbit/s |", lines[2 + 2 * 3 + 1])
        self.assertEqual(len(lines), 2 + 5 * 3)

    def test_memory_that_is_short(self):
        def metrics(mbps, jain, again, in_use=7.4e6, pruned=0):
            return {"steady_mbps": mbps, "jain_steady": jain, "retransmissions": again, "memory_steady_bytes": in_use, "prunes": pruned}
        found = summary(({"budget": 1}, {"stock": metrics(311, 0.755, 0), "tcp_abt": metrics(751, 0.999, 0)}),
                        ({"budget": 2}, {"stock": metrics(956, 0.654, 28704, 21.4e6, 1155), "tcp_abt": metrics(956, 0.998, 0)}))
        self.assertEqual(markdown(documented.memory_in_words(found)).splitlines()[2:], [
            "| 1 BDP | 311 Mbit/s, Jain's index 0.76 | 751 Mbit/s, 1.00 |",
            "| 2 BDP | 956 Mbit/s, 0.65, 28,704 segments sent again | 956 Mbit/s, 1.00, none |"])
        self.assertEqual(markdown(documented.memory(found)).splitlines()[::4], [
            "| TCP memory an end | | goodput | Jain | in use | pruned | sent again |",
            "| 2 BDP | stock | 956 Mbit/s | 0.654 | 21.4 MB | 1,155 | 28,704 |"])

    def test_each_has_its_place_and_its_figures_in_the_documents(self):
        for one in documented.DOCUMENTED:
            text = (TOP / one.document).read_text()
            with self.subTest(table=one.mark, document=one.document):
                self.assertIn(f"<!-- made by `make {one.mark}`: begin -->", text)
                shown = {Path(item.title).stem for item in document.items(text) if item.mark}
                self.assertLessEqual(set(one.figures.values()), shown)

    def test_each_has_the_layout_that_its_document_has(self):
        for one in documented.DOCUMENTED:
            text = (TOP / one.document).read_text()
            block = text.split(f"<!-- made by `make {one.mark}`: begin -->\n")[1].split("<!-- made by")[0]
            lines = markdown(one.table(summary(*of_ones(one)))).splitlines()
            with self.subTest(table=one.mark, document=one.document):
                shown = [line for line in block.splitlines() if line.startswith("|")]
                self.assertEqual(lines[:2], shown[:2])
                self.assertEqual([line.split(" | ")[0] for line in lines], [line.split(" | ")[0] for line in shown])
                self.assertEqual({line.count(" | ") for line in lines[2:]}, {shown[2].count(" | ")})

    def test_what_there_is_nothing_of_stays_empty(self):
        found = documented.greedy_neighbour(summary(*(({"memory": "24 MB"}, {name: {
            "wait_median_ms": 20.1, "wait_p99_ms": 21.0, "steady_mbps": 0 if "without" in title else 438.6, "memory_steady_bytes": 2.15e7}
            for name, title in documented.NEIGHBOURS.items()}),)))
        self.assertEqual(markdown(found).splitlines()[2:4], ["| 24 MB | stock, without it | 20.1 ms | 21.0 ms |  |  |",
                                                             "| 24 MB | stock | 20.1 ms | 21.0 ms | 438.6 Mbit/s | 21.5 MB |"])

    def test_a_writer_of_urgent_messages_is_named_where_it_differs(self):
        found = {name: {"wire_p99_ms": 233.6, "steady_mbps": 95.6, "sndqueue_steady_bytes": 4.2e5, "sndqueue_flight": 1.806} for name in documented.WRITERS}
        cells = summary(*(({"rate": "1 Gbit/s", "rtt": "20 ms", "control": control, "pause": pause}, found)
                          for control, pause in (("cubic", "0 ms"), ("cubic", "5 ms"), ("bbr", "5 ms"))))
        lines = markdown(documented.write_to_wire(cells)).splitlines()[2:]
        self.assertEqual([line.split(" | ")[0] for line in lines], ["| 1 Gbit/s x 20 ms", "| 1 Gbit/s x 20 ms, 5 ms", "| 1 Gbit/s x 20 ms, bbr, 5 ms"])
        self.assertEqual(lines[0].split(" | ")[1], "234 ms; 95.6")
        self.assertEqual(markdown(documented.write_to_wire_memory(cells)).splitlines()[2].split(" | ")[1], "0.4 MB; 1.81")

    def test_amounts(self):
        for value, text in ((0.0534, "0.053"), (7.123, "7.12"), (35.67, "35.7"), (927.4, "927"), (9445.2, "9,445")):
            self.assertEqual(documented.amount(value), text)
        for value, text in ((65536, "66 KB"), (4.19e6, "4.19 MB"), (1.0737e9, "1,074 MB")):
            self.assertEqual(documented.size(value), text)
        for value, text in ((0, "0 %"), (0.000001, "0.0001 %"), (0.1, "10 %")):
            self.assertEqual(documented.percent(value), text)


def of_ones(one):
    """The cells of a scenario with each metric 1."""
    for scenario in load(scenario_path(one.scenario), one.size):
        names = [*METRICS, *(f"{flow.name}.{metric}" for flow in scenario.flows for metric in FLOW_METRICS)]
        yield scenario.cell.values, {variant.name: dict.fromkeys(names, 1.0) for variant in scenario.variants}
