#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The state of the module: a hash of the sources that a figure was measured with.

    lab/state.py [COMMIT]...     prints the states of the working tree, or of these commits

Comments and blanks do not count: they change no figure. An installed program is not asked, the sources are, so a
figure is of a state if it was measured with a module that was built from them.
"""

import hashlib
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

sys.dont_write_bytecode = True

import cache

DIGITS = 8
FILE = "state.txt"  # what a lab calls the file in its folder of results that tells it
SOURCES = (".c", ".h")
KBUILD = "kmod/Kbuild"
ADAPTER = "kmod/toe/"
VERSION = "kmod/version.h"  # a number that changes no figure
# One of the two, or a text: in a text, /* begins no comment.
COMMENT_OR_TEXT = re.compile(r"//[^\n]*|/\*.*?\*/|'(?:\\.|[^\\'\n])*'|\"(?:\\.|[^\\\"\n])*\"", re.DOTALL)


class State(NamedTuple):
    """Of tcp_abt.ko, and of toe_hybrid.ko beside it."""

    module: str
    adapter: str

    def __str__(self) -> str:
        return f"module {self.module}, adapter {self.adapter}"


def code(text: str) -> str:
    """Without comments, and with one blank where there were several."""
    bare = COMMENT_OR_TEXT.sub(lambda found: " " if found[0].startswith("/") else found[0], text)
    return " ".join(bare.split())


def objects(kbuild: str, of_adapter: bool) -> str:
    """The lines of Kbuild that are about one of the two modules."""
    lines = (line.split("#")[0] for line in kbuild.splitlines())
    return " ".join(" ".join(line.split()) for line in lines if ("toe" in line) == of_adapter)


def state(sources: Iterable[tuple[str, str]]) -> State:
    """Of (path, text): all files below kmod/ that a module is built from."""
    module, adapter = hashlib.sha256(), hashlib.sha256()
    for path, text in sorted(sources):
        if path == KBUILD:
            module.update(objects(text, of_adapter=False).encode())
            adapter.update(objects(text, of_adapter=True).encode())
        elif is_source(path):
            (adapter if path.startswith(ADAPTER) else module).update(f"{path}\0{code(text)}\0".encode())
    return State(module.hexdigest()[:DIGITS], adapter.hexdigest()[:DIGITS])


def is_source(path: str) -> bool:
    return path == KBUILD or (path.endswith(SOURCES) and not path.endswith(".mod.c") and path != VERSION)


def present(tree: Path = cache.REPO) -> State:
    """Of the working tree."""
    paths = {str(path.relative_to(tree)): path for path in (tree / "kmod").rglob("*")}
    return state((name, path.read_text()) for name, path in paths.items() if is_source(name))


def at(commit: str) -> State:
    names = git("ls-tree", "-r", "--name-only", commit, "kmod").split()
    return state((name, git("show", f"{commit}:{name}")) for name in names if is_source(name))


def git(*words: str) -> str:
    done = subprocess.run(["git", *words], cwd=cache.REPO, capture_output=True, text=True, check=False)
    if done.returncode:
        raise cache.LabError(f"git {' '.join(words)}: {done.stderr.strip()}")
    return done.stdout


def main() -> int:
    for commit in sys.argv[1:]:
        print(f"{commit}: {at(commit)}")
    if len(sys.argv) == 1:
        print(present())
    return 0


if __name__ == "__main__":
    cache.program(main, "state")
