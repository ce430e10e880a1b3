# SPDX-License-Identifier: GPL-2.0
"""Axes become cells, and a cell's values stand wherever the file names them."""

import unittest

from runner.cells import Cell
from runner.failure import Failure
from sample import TEXT, loaded_cells

AXES = '[size.scaled]\nrate = "$rate"'
BLOCK = '\n[[size.scaled.axis]]\nrate = ["8 Mbit/s", "1 Gbit/s"]\nloss = [0, 0.01]\n[machine]'
LOSSY = TEXT.replace('[size.scaled]\nrate = "8 Mbit/s"', AXES).replace("delay = \"1 rtt\"", 'delay = "1 rtt", loss = "$loss"')


def text_with(axes):
    return LOSSY.replace("\n[machine]", axes)


class Cells(unittest.TestCase):
    def test_all_combinations_in_the_files_order(self):
        self.assertEqual([scenario.cell.slug for scenario in loaded_cells(text_with(BLOCK))],
                         ["8Mbit-0", "8Mbit-0.01", "1Gbit-0", "1Gbit-0.01"])

    def test_a_value_keeps_its_type_and_makes_units(self):
        scenario = loaded_cells(text_with(BLOCK))[3]
        self.assertEqual(scenario.links[0].back.loss, 0.01)
        self.assertEqual((scenario.rate_bps, scenario.bdp_bytes), (1e9, 12_500_000))

    def test_inside_a_text(self):
        scenario = loaded_cells(text_with(BLOCK).replace('title = "two"', 'title = "two at $rate, lost $loss"'))[1]
        self.assertEqual(scenario.title, "two at 8 Mbit/s, lost 0.01")

    def test_blocks_are_a_union(self):
        more = '\n[[size.scaled.axis]]\nloss = [0.01, 0.5]\nrate = ["1 Gbit/s"]' + BLOCK
        self.assertEqual([dict(scenario.cell.values) for scenario in loaded_cells(text_with(more))][:3],
                         [{"loss": 0.01, "rate": "1 Gbit/s"}, {"loss": 0.5, "rate": "1 Gbit/s"},
                          {"loss": 0, "rate": "8 Mbit/s"}])
        self.assertEqual(len(loaded_cells(text_with(more))), 5)

    def test_what_follows_from_the_axes(self):
        more = ('\n[[size.scaled.given]]\nword = "any"\n[[size.scaled.given]]\nwhen = { loss = [0.01] }\nword = "lossy"' + BLOCK)
        cells = loaded_cells(text_with(more).replace('title = "two"', 'title = "$word"'))
        self.assertEqual([(scenario.title, scenario.cell.slug) for scenario in cells],
                         [("any", "8Mbit-0"), ("lossy", "8Mbit-0.01"), ("any", "1Gbit-0"), ("lossy", "1Gbit-0.01")])

    def test_cells_differ_in_seeds(self):
        more = ('\n[[size.scaled.given]]\nruns = 1\n[[size.scaled.given]]\nwhen = { loss = [0.01] }\nruns = 3' + BLOCK)
        cells = loaded_cells(text_with(more).replace("[size.scaled]", '[size.scaled]\nseeds = "$runs"'))
        self.assertEqual([scenario.seeds for scenario in cells], [1, 3, 1, 3])

    def test_without_axes_there_is_one_nameless_cell(self):
        self.assertEqual([scenario.cell for scenario in loaded_cells()], [Cell()])
        self.assertEqual(Cell().slug, "")

    def test_a_claim_of_some_cells(self):
        text = text_with(BLOCK).replace('op = "<"', 'op = "<"\nwhere = { loss = [0.01], rate = ["1 Gbit/s"] }')
        self.assertEqual([scenario.claims[0].concerns(scenario.cell) for scenario in loaded_cells(text)],
                         [False, False, False, True])


class Refused(unittest.TestCase):
    def check(self, text, *words):
        with self.assertRaises(Failure) as caught:
            loaded_cells(text)
        for word in ("two.toml", *words):
            self.assertIn(word, str(caught.exception))

    def test_an_unknown_axis(self):
        self.check(LOSSY, "size.scaled.rate", "'$rate'", "nothing is named rate", "none")

    def test_an_axis_that_nothing_uses(self):
        self.check(text_with(BLOCK.replace("loss =", "flows = [1]\nloss =")), "flows is never used", "$flows")

    def test_what_follows_from_no_axis(self):
        self.check(text_with('\n[[size.scaled.given]]\nwhen = { hue = ["red"] }\nword = "x"' + BLOCK), "hue = ['red']", "rate, loss")
        self.check(text_with('\n[[size.scaled.given]]\nloss = 1' + BLOCK), "loss = 1", "no axis has")

    def test_an_axis_without_values(self):
        self.check(text_with(BLOCK.replace("[0, 0.01]", "[]")), "loss = []", "a list")

    def test_blocks_with_different_axes(self):
        self.check(text_with('\n[[size.scaled.axis]]\nrate = ["1 Gbit/s"]' + BLOCK), "axes differ", "expected rate")

    def test_cells_of_one_name(self):
        self.check(text_with(BLOCK.replace('"1 Gbit/s"', '"8  Mbit/s"')), "both named 8Mbit-0")
