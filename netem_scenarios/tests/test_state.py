# SPDX-License-Identifier: GPL-2.0
"""The state of the module: what changes it, and what does not."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "lab"))

import state

SOURCES = {
    "kmod/Kbuild": "obj-m := tcp_abt.o\ntcp_abt-y := pool.o # all\nobj-m += toe_hybrid.o\ntoe_hybrid-y := toe/main.o\n",
    "kmod/pool.c": '/* A pool. */\nint size = 1; // bytes\nchar *name = "/* pool */";\n',
    "kmod/toe/main.c": "int ports = 2;\n",
    "kmod/version.h": '#define ABT_VERSION "1"\n',
    "kmod/pool.mod.c": "generated\n",
}


def changed(path, before, after):
    """The names of the parts whose state is another one then."""
    text = SOURCES[path].replace(before, after)
    assert text != SOURCES[path]
    old, new = state.state(SOURCES.items()), state.state((SOURCES | {path: text}).items())
    return [part for part in state.State._fields if getattr(old, part) != getattr(new, part)]


class Changes(unittest.TestCase):
    def test_code(self):
        self.assertEqual(changed("kmod/pool.c", "size = 1", "size = 2"), ["module"])
        self.assertEqual(changed("kmod/toe/main.c", "2", "3"), ["adapter"])

    def test_what_looks_like_a_comment_inside_a_text(self):
        self.assertEqual(changed("kmod/pool.c", "/* pool */", "/* well */"), ["module"])

    def test_comments_and_blanks_change_nothing(self):
        self.assertEqual(changed("kmod/pool.c", "/* A pool. */\n", "/*\n * Many\n * pools.\n */\n\n"), [])
        self.assertEqual(changed("kmod/pool.c", " // bytes", "\t// KB"), [])

    def test_two_words_stay_two(self):
        self.assertNotEqual(state.code("int/**/size"), state.code("intsize"))

    def test_version_and_what_a_build_makes_change_nothing(self):
        self.assertEqual(changed("kmod/version.h", "1", "2"), [])
        self.assertEqual(changed("kmod/pool.mod.c", "gen", "regen"), [])

    def test_what_each_is_made_of(self):
        self.assertEqual(changed("kmod/Kbuild", "pool.o", "pool.o hist.o"), ["module"])
        self.assertEqual(changed("kmod/Kbuild", "toe/main.o", "toe/main.o toe/tap.o"), ["adapter"])
        self.assertEqual(changed("kmod/Kbuild", "# all", "# of it"), [])

    def test_a_file_that_moves(self):
        moved = {path.replace("pool.c", "pool/pool.c"): text for path, text in SOURCES.items()}
        self.assertNotEqual(state.state(moved.items()).module, state.state(SOURCES.items()).module)


class Tree(unittest.TestCase):
    def test_the_present_one_is_that_of_its_files(self):
        self.assertRegex(str(state.present()), r"^module [0-9a-f]{8}, adapter [0-9a-f]{8}$")
        self.assertEqual(state.present(), state.present())
