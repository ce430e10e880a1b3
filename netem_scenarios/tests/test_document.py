# SPDX-License-Identifier: GPL-2.0
"""Marks above tables and figures: read, missed, and written anew by commands."""

import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "lab"))

import document
from document import NOT_MEASURED, Mark
from sample import program
from state import State

PRESENT = State("1a2b3c4d", "5e6f7a8b")
MARK = "<!-- measured: module 1a2b3c4d by make scenario S=lfn -->"
TABLE = "| a | b |\n|---|---|\n| 1 | 2 |\n"


def only(text):
    item, = document.items(text)
    return item


class Marks(unittest.TestCase):
    def test_read_as_written(self):
        for states in ({"module": "1a2b3c4d"}, {"module": "unknown", "adapter": "5e6f7a8b"}, {"adapter": "5e6f7a8b+1a2b3c4d"}):
            mark = Mark(states, "make cost")
            self.assertEqual(document.read_mark(str(mark)), mark)

    def test_only_the_present_state_is_present(self):
        expected = {"module 1a2b3c4d": True, "module 1a2b3c4d, adapter 5e6f7a8b": True, "module 1a2b3c4d, adapter 1a2b3c4d": False,
                    "module unknown": False, "module 1a2b3c4d+5e6f7a8b": False, "adapter 5e6f7a8b": True}
        for states, result in expected.items():
            with self.subTest(states=states):
                self.assertEqual(document.read_mark(f"<!-- measured: {states} by make cost -->").is_of(PRESENT), result)

    def test_one_that_cannot_be_understood(self):
        for line in ("<!-- measured: yesterday by make cost -->", "<!-- measured: module 1a2b by make cost -->",
                     "<!-- measured: module 1a2b3c4d -->", "<!-- measured -->"):
            with self.subTest(line=line), self.assertRaisesRegex(ValueError, "expected <!-- measured: module HASH by"):
                document.read_mark(line)

    def test_another_comment_is_none(self):
        self.assertIsNone(document.read_mark("<!-- SPDX-License-Identifier: GPL-2.0 -->"))

    def test_the_parts_that_matter(self):
        self.assertEqual(document.mark("make np-sched", PRESENT, "adapter").states, {"adapter": "5e6f7a8b"})


class Items(unittest.TestCase):
    def test_a_mark_right_above(self):
        self.assertEqual(only(f"text\n\n{MARK}\n{TABLE}"), (4, "| a | b |", document.read_mark(MARK), False))
        self.assertEqual(only(f"{MARK}\n![what](figures/it.png)\n")[:2], (2, "figures/it.png"))

    def test_none(self):
        for above in ("", f"{MARK}\n\n", "text\n"):
            with self.subTest(above=above):
                self.assertEqual(only(above + TABLE)[2:], (None, False))

    def test_a_remark(self):
        self.assertTrue(only(f"{NOT_MEASURED}\n{TABLE}").remarked)

    def test_one_mark_is_for_all_between_the_two_lines_of_a_command(self):
        begin, end = (f"<!-- made by `make cost`: {edge} -->\n" for edge in ("begin", "end"))
        found = list(document.items(f"{begin}{MARK}\nwords\n\n{TABLE}\n{TABLE}{end}\n{TABLE}"))
        self.assertEqual([item.mark is not None for item in found], [True, True, False])
        self.assertEqual([item.mark for item in document.items(f"{begin}{TABLE}{end}")], [None])

    def test_a_row_is_no_table(self):
        self.assertEqual(list(document.items("| a | b |\ntext\n")), [])


class Written(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.page = self.folder / "page.md"

    def test_only_what_is_between_the_two_lines_is_replaced(self):
        begin, end = (f"<!-- made by `make cost`: {word} -->\n" for word in ("begin", "end"))
        self.page.write_text(f"before\n{begin}old\n{end}after\n")
        for _ in range(2):
            document.put_into(self.page, "cost", "new\n", document.read_mark(MARK))
            self.assertEqual(self.page.read_text(), f"before\n{begin}{MARK}\nnew\n{end}after\n")
        self.page.write_text("no marks\n")
        with self.assertRaisesRegex(ValueError, "expected a line"):
            document.put_into(self.page, "cost", "new\n", document.read_mark(MARK))

    def test_a_figure_and_the_mark_above_it(self):
        old = "<!-- measured: module unknown by make demo -->"
        drawn = self.folder / "drawn.png"
        drawn.write_text("pixels")
        self.page.write_text(f"{old}\n![it](figures/it.png)\n{old}\n![other](figures/other.png)\n")
        (self.folder / "figures").mkdir()
        with mock.patch.object(document, "FIGURES", self.folder.resolve() / "figures"):
            document.put_figure([self.page], drawn, "it.png", document.read_mark(MARK))
            self.assertEqual(self.page.read_text(), f"{MARK}\n![it](figures/it.png)\n{old}\n![other](figures/other.png)\n")
            self.assertEqual((self.folder / "figures/it.png").read_text(), "pixels")
            with self.assertRaisesRegex(ValueError, "no document shows third.png"):
                document.put_figure([self.page], drawn, "third.png", document.read_mark(MARK))


class Check(unittest.TestCase):
    """docs/check fails where a mark is missing, and only there."""

    check = program("docs/check")

    def faults(self, name, text):
        return list(self.check.unmarked(self.check.Page(self.check.REPO / name, text)))

    def test_a_table_or_figure_without_a_mark(self):
        for name in ("README.md", "docs/results.md", "docs/new.md"):
            self.assertEqual(len(self.faults(name, f"{TABLE}\n![it](figures/it.png)\n")), 2)
            self.assertEqual(self.faults(name, f"{MARK}\n{TABLE}\n{NOT_MEASURED}\n{TABLE}"), [])

    def test_pages_that_tell_how_things_are(self):
        for name in ("docs/netlink.md", "sysctl/README.md"):
            self.assertEqual(self.faults(name, TABLE), [])

    def test_a_mark_that_cannot_be_understood_fails_everywhere(self):
        fault, = self.faults("docs/netlink.md", f"<!-- measured: today -->\n{TABLE}")
        self.assertIn("expected <!-- measured: module HASH by", fault)
