# SPDX-License-Identifier: GPL-2.0
"""The tables that heat maps and series are drawn of, made from a summary over cells."""

import json
import subprocess
import tempfile
import unittest
from pathlib import Path

PLOTS = Path(__file__).resolve().parents[2] / "plots"
CELLS = PLOTS / "cells"


def variant(goodput, least=None):
    return {"median": {"goodput_mbps": goodput}, "min": {"goodput_mbps": goodput if least is None else least},
            "max": {"goodput_mbps": goodput}}


def cell(rate, rtt, flows, ours, stock):
    return {"axes": {"rate": rate, "rtt": rtt, "flows": flows, "time": "10 s" if rtt == "10 ms" else "60 s"}, "rate_bps": 1e9,
            "variants": {"stock": variant(stock), "ours": variant(ours, ours / 2)}}


SUMMARY = {"scenario": "made-up", "metrics": {"goodput_mbps": ""},
           "cells": [cell("1 Gbit/s", "600 ms", 1, 800, 100), cell("1 Gbit/s", "10 ms", 1, 900, 900),
                     cell("1 Gbit/s", "10 ms", 8, 50, 100), cell("10 Mbit/s", "10 ms", 8, 0, 5)]}


def table(*words):
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "summary.json").write_text(json.dumps(SUMMARY))
        return subprocess.run([CELLS, folder, *words], check=False, capture_output=True, text=True)


def rows(*words):
    header, *lines = [line.split("\t") for line in table(*words).stdout.splitlines()]
    return [dict(zip(header, line, strict=True)) for line in lines]


class Heat(unittest.TestCase):
    def test_panels_are_the_axes_that_nothing_decides(self):
        self.assertEqual([row["title"] for row in rows("heat")], ["flows 1", "flows 1", "flows 8", "flows 8"])

    def test_places_follow_the_size_of_the_values(self):
        self.assertEqual([(row["x"], row["y"], row["column"], row["row"]) for row in rows("heat")],
                         [("1", "1", "600 ms", "1 Gbit/s"), ("0", "1", "10 ms", "1 Gbit/s"),
                          ("0", "1", "10 ms", "1 Gbit/s"), ("0", "0", "10 ms", "10 Mbit/s")])

    def test_ratios_and_what_has_none(self):
        self.assertEqual([(row["log2"], row["text"]) for row in rows("heat", "goodput_mbps", "ours", "stock")],
                         [("3", "8.00"), ("0", "1.00"), ("-1", "0.50"), ("none", "0")])

    def test_where_the_path_yields_little_a_mark_says_so(self):
        marked = [row["text"] for row in rows("heat", "goodput_mbps", "stock", "stock")]
        self.assertEqual(marked, ["1.00", "1.00", "1.00", "1.00*"])


class Series(unittest.TestCase):
    def test_a_panel_needs_two_values(self):
        found = rows("series", "goodput_mbps", "rtt")
        self.assertEqual([(row["title"], row["value"], row["variant"], row["median"], row["min"]) for row in found],
                         [("rate 1 Gbit/s, flows 1", "10 ms", "stock", "900", "900"), ("rate 1 Gbit/s, flows 1", "600 ms", "stock", "100", "100"),
                          ("rate 1 Gbit/s, flows 1", "10 ms", "ours", "900", "450"), ("rate 1 Gbit/s, flows 1", "600 ms", "ours", "800", "400")])


class Goodput(unittest.TestCase):
    def drawn(self, flows):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "ours").mkdir()
            for path, lines in (("figures.tsv", ["figure", "goodput"]), ("where.txt", ["made up"]),
                                ("summary.tsv", ["variant\tlast_finish_s", "ours\t2"]), ("summary.json", [' "title": "Flows",']),
                                ("ours/goodput.tsv", ["\t".join(["t", *flows]), *("\t".join([t] + ["5"] * len(flows)) for t in "012")])):
                (folder / path).write_text("".join(f"{line}\n" for line in lines))
            done = subprocess.run([PLOTS / "plot", folder], check=False, capture_output=True, text=True)
            picture = folder / "plots/goodput.svg"
            return done.returncode, done.stderr, picture.read_text() if picture.exists() else ""

    def test_few_flows_are_named(self):
        status, errors, picture = self.drawn(["C1", "C2"])
        self.assertEqual((status, errors), (0, ""))
        self.assertIn(">C1<", picture)
        self.assertIn(">C2<", picture)

    def test_more_flows_than_colours_are_named_together(self):
        status, errors, picture = self.drawn([f"{name}{number}" for name in "AB" for number in range(1, 9)])
        self.assertEqual((status, errors), (0, ""))
        self.assertIn(">A<", picture)
        self.assertIn(">B<", picture)
        self.assertNotIn(">A2<", picture)


class Cells(unittest.TestCase):
    def test_each_has_a_figure(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            rows = ["rtt\tflows\tvariant\tlast_finish_s", *(f"{rtt} ms\t1\tours\t{rtt}" for rtt in (3, 5))]
            files = [("figures.tsv", ["figure", "goodput"]), ("where.txt", ["2 cells; made up"]), ("summary.tsv", rows),
                     ("summary.json", [' "title": "Flows",'])]
            for rtt in (3, 5):
                (folder / f"{rtt}ms-1/ours").mkdir(parents=True)
                files.append((f"{rtt}ms-1/ours/goodput.tsv", ["t\tC1", *(f"{t}\t5" for t in range(rtt))]))
            for path, lines in files:
                (folder / path).write_text("".join(f"{line}\n" for line in lines))
            done = subprocess.run([PLOTS / "plot", folder], check=False, capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            for rtt in (3, 5):
                self.assertIn(f"{rtt}ms-1; made up", (folder / f"plots/goodput-{rtt}ms-1.svg").read_text())


class Refused(unittest.TestCase):
    def test_unknown_names(self):
        for words, word in ((["heat", "speed"], "no metric speed"), (["heat", "goodput_mbps", "x"], "no variant x"),
                            (["series", "goodput_mbps", "mtu"], "no axis mtu in made-up, expected one of rate, rtt")):
            done = table(*words)
            self.assertEqual(done.returncode, 2)
            self.assertIn(word, done.stderr)
