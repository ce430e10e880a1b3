#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The layers of the module: does any file include what is above it, do files include each other in a circle?

    lab/layers.py            the check; KTAP
    lab/layers.py --draw     the layers as the code has them, for docs/design.md

kmod/layers names the folders, the lowest first, in one line; folders that stand between two "<" are of one layer and do
not include each other. "module" is what stands in kmod/ itself. A call needs a declaration, and declarations are in
headers alone (W=1 asks for that), so what includes nothing above calls nothing above.
"""

import argparse
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

sys.dont_write_bytecode = True

import cache

KMOD = cache.REPO / "kmod"
LAYERS = "layers"
TOP = "module"              # kmod/ itself
APART = ("toe",)            # a module of its own
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
DESIGN = cache.REPO / "docs/design.md"


class Edge(NamedTuple):
    """A file includes another, both below kmod/."""

    source: str
    target: str


def folder(path: str) -> str:
    return path.split("/")[0] if "/" in path else TOP


def read_layers(text: str) -> list[list[str]]:
    return [layer.split() for layer in text.strip().split("<")]


def sources(kmod: Path) -> Iterator[Path]:
    for path in sorted(kmod.rglob("*.[ch]")):
        if path.relative_to(kmod).parts[0] not in APART and not path.name.endswith(".mod.c"):
            yield path


def edges(kmod: Path) -> list[Edge]:
    """Of files that exist: a header of the kernel's is none of ours."""
    found = []
    for path in sources(kmod):
        for name in INCLUDE.findall(path.read_text(encoding="utf-8")):
            if (kmod / name).exists():
                found.append(Edge(str(path.relative_to(kmod)), name))
    return found


def upward(found: Iterable[Edge], layers: list[list[str]]) -> list[str]:
    """Includes of a layer above, or of a folder beside."""
    height = {name: number for number, layer in enumerate(layers) for name in layer}
    complaints = []
    for edge in found:
        ours, theirs = folder(edge.source), folder(edge.target)
        unknown = [name for name in (ours, theirs) if name not in height]
        if unknown:
            complaints.append(f"kmod/{edge.source}: {unknown[0]}/ is in no layer of kmod/{LAYERS}")
        elif ours != theirs and height[theirs] >= height[ours]:
            complaints.append(f"kmod/{edge.source} includes {edge.target}: {theirs} is not below {ours}")
    return complaints


def circle(found: Iterable[Edge]) -> list[str]:
    """Headers that include each other, the first circle that there is."""
    targets: dict[str, list[str]] = {}
    for edge in found:
        targets.setdefault(edge.source, []).append(edge.target)
    done: set[str] = set()

    def visit(name: str, way: list[str]) -> list[str]:
        if name in way:
            return [*way[way.index(name):], name]
        if name in done:
            return []
        for target in targets.get(name, ()):
            if around := visit(target, [*way, name]):
                return around
        done.add(name)
        return []

    for name in sorted(targets):
        if around := visit(name, []):
            return around
    return []


def draw(found: Iterable[Edge], layers: list[list[str]], kmod: Path) -> str:
    """A line a layer, the highest first: its files, and the folders below that it includes."""
    below: dict[str, set[str]] = {}
    for edge in found:
        if folder(edge.source) != folder(edge.target):
            below.setdefault(folder(edge.source), set()).add(folder(edge.target))
    files: dict[str, set[str]] = {}
    for path in sources(kmod):
        name = str(path.relative_to(kmod))
        files.setdefault(folder(name), set()).add(path.stem)
    lines = []
    for layer in reversed(layers):
        for name in layer:
            order = [other for each in reversed(layers) for other in each if other in below.get(name, ())]
            lines.append(f"{name:<8} {' '.join(sorted(files.get(name, ())))}".rstrip())
            lines.append(f"    uses {', '.join(order) or 'nothing below'}")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draw", action="store_true", help="print the layers as the code has them")
    args = parser.parse_args()
    text = (KMOD / LAYERS).read_text(encoding="utf-8")
    line = " ".join(each for each in text.splitlines() if not each.startswith("#"))
    layers, found = read_layers(line), edges(KMOD)
    if args.draw:
        print(draw(found, layers, KMOD))
        return 0
    design = DESIGN.read_text(encoding="utf-8")
    around = circle(found)
    results = [("no include points up", upward(found, layers)),
               ("no circle of includes", [" -> ".join(around)] if around else []),
               ("docs/design.md quotes the layers", [] if line in design else [f"it lacks: {line}"]),
               ("docs/design.md has the drawing of the code", [] if draw(found, layers, KMOD) in design
                else ["it differs from lab/layers.py --draw"])]
    print(f"KTAP version 1\n1..{len(results)}")
    for number, (what, complaints) in enumerate(results, 1):
        for complaint in complaints:
            print(f"# {complaint}")
        print(f"{'not ok' if complaints else 'ok'} {number} {what}")
    return int(any(complaints for _, complaints in results))


if __name__ == "__main__":
    sys.exit(main())
