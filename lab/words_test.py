#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The count of clauses without a concrete subject: does it find them, and nothing in code?"""

import sys
import unittest

sys.dont_write_bytecode = True

import words


class Words(unittest.TestCase):
    def count(self, name: str, source: str) -> int:
        return len(words.nominal(name, source)[0])

    def test_finds_each_kind_of_subject(self) -> None:
        for clause in ("Who moved less gets less.", "Nobody waits for it.", "Of those that answer most are idle.",
                       "It waits, and what is queued stays.", "One that ends is freed."):
            self.assertEqual(self.count("a.md", clause), 1, clause)

    def test_passes_a_concrete_subject(self) -> None:
        self.assertEqual(self.count("a.md", "A socket that moved less gets less, because it asks for less."), 0)

    def test_reads_what_follows_a_code_block(self) -> None:
        self.assertEqual(self.count("a.md", "Text is here.\n\n    what code says\n\nWhat stands here counts.\n"), 1)
        self.assertEqual(self.count("a.md", "```\nwhat code says\n```\n`what code says`\n"), 0)

    def test_reads_comments_alone_of_c(self) -> None:
        self.assertEqual(self.count("a.c", '/* Who asks for it,\n * waits. */\nchar *s = "// who is not there";\n'), 1)

    def test_reads_cells_and_items(self) -> None:
        self.assertEqual(self.count("a.md", "| a | what is left over |\n\n- who comes first wins\n"), 2)


if __name__ == "__main__":
    unittest.main()
