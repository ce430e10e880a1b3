#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The module through the semantic patches of the kernel's coccicheck: whatever one of them reports is a failure.

But for two that are written in OCaml, about constants of one driver and about pointers compared with 0.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True

import built
import cache

SERIES = "7.3"
DIRECTORIES = ("kmod", "selftests/offload")
MODE = "report"
OPTIONS = "// Options:"
# What spatch says of a semantic patch, not of ours
ABOUT_ITSELF = "warning: line "


def options(rule: str) -> list[str]:
    """What a semantic patch asks to be run with."""
    return [word for line in rule.splitlines() if line.startswith(OPTIONS) for word in line.removeprefix(OPTIONS).split()]


def report(path: Path, directory: Path) -> list[str]:
    done = subprocess.run(["spatch", "-D", MODE, "--no-show-diff", "--very-quiet", "--cocci-file", str(path), *options(path.read_text()),
                           "--dir", ".", "-I", "kmod"], cwd=directory, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    lines = [line for line in done.stdout.splitlines() if line and not line.startswith(ABOUT_ITSELF)]
    return lines or ([f"{path}: spatch ended with {done.returncode}"] if done.returncode else [])


def main() -> int:
    rules = [path for path in sorted((built.uml(SERIES).build / "scripts/coccinelle").rglob("*.cocci"))
             if f"virtual {MODE}" in path.read_text() and "script:ocaml" not in path.read_text()]
    if not rules:
        raise cache.LabError(f"no semantic patches with a mode {MODE} in the tree of {SERIES}")
    files = [path for directory in DIRECTORIES for path in sorted((cache.REPO / directory).rglob("*.[ch]"))]
    mark = cache.mark("coccicheck", cache.version("spatch"), Path(__file__).read_bytes(), *(path.read_bytes() for path in rules),
                      *(part for path in files for part in (str(path.relative_to(cache.REPO)), path.read_bytes())))
    if mark.exists():
        print(f"coccicheck: {len(rules)} semantic patches, nothing found in these sources before")
        return 0
    # All in one directory: a start of spatch takes longer than it then looks at the files
    with tempfile.TemporaryDirectory(prefix="tcp_abt-coccicheck-") as together:
        for directory in DIRECTORIES:
            shutil.copytree(cache.REPO / directory, Path(together, directory))
        found = [line for path in rules for line in report(path, Path(together))]
    print("\n".join(found) or f"coccicheck: {len(rules)} semantic patches, nothing found")
    if not found:
        mark.touch()
    return 1 if found else 0


if __name__ == "__main__":
    cache.program(main)
