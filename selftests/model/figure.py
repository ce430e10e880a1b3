# SPDX-License-Identifier: GPL-2.0
"""What scale, threads, lines, recent and np_sched have in common: the tools that they need, their program, and the figure of what it printed."""

import csv
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

MODEL = Path(__file__).resolve().parent
TOP = MODEL.parent.parent
sys.path[:0] = [str(TOP / "netem_scenarios"), str(TOP / "lab")]

from document import Mark, put_figure

COMPILER = {"gcc": "gcc", "make": "make"}
TOOLS = {"gnuplot": "gnuplot-nox", **COMPILER}


def run(*command: str | Path | int) -> str:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{Path(sys.argv[0]).name}: {command[0]} failed with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def prepare(name: str, tools: Mapping[str, str]) -> Path:
    """Build the program NAME. Return where the results go, which the command line says."""
    if len(sys.argv) != 2:
        sys.exit(f"usage: {name} DIR, such as out/{name}")
    for tool, package in tools.items():
        if not shutil.which(tool):
            sys.exit(f"{name}: missing: {tool}; install with: apt-get install {package}")
    run("make", "-s", "-C", MODEL, f"build/{name}")
    return Path(sys.argv[1])


def write_rows(path: Path, rows: Sequence[Mapping[str, str]]) -> None:
    """A table with a heading."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0], delimiter="\t", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def save(name: str, lines: Iterable[str], where: Path, document: Path, measured: Mark) -> None:
    """The table, and its figure in the document."""
    where.mkdir(parents=True, exist_ok=True)
    (where / f"{name}.tsv").write_text("\n".join(lines) + "\n")
    (where / "figures.tsv").write_text(f"figure\n{name}\n")
    (where / "measured.txt").write_text(f"{measured}\n")
    print(f"# {where}/{name}.tsv, {measured}", flush=True)
    print(f"# {run(TOP / 'plots/plot', where).strip()}")
    put_figure([document], where / f"plots/{name}.png", f"{name}.png", measured)
