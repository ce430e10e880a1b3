# SPDX-License-Identifier: GPL-2.0
"""What the model of the emulated adapter (kmod/toe/model/dma.c) says of the same sizes, in user space."""

import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

from .report import named

HERE = Path(__file__).resolve().parent
REPO = HERE.parents[2]
CROSSING = "crossing"


class Model(NamedTuple):
    """What model.c prints: its table, and from which size on each zero copy is no slower than Bcopy [bytes]."""

    table: str
    read_bytes: int
    write_bytes: int


def run() -> Model:
    with tempfile.TemporaryDirectory() as name:
        program = Path(name, "model")
        for command in (["cc", "-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", f"-I{REPO}/kmod", f"-I{REPO}/selftests/model/shim",
                         "-o", str(program), str(HERE / "model.c"), str(REPO / "kmod/toe/model/dma.c")], [str(program)]):
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                raise ValueError(f"{command[0]} failed with status {done.returncode}: {done.stderr.strip()}")
    return parse(done.stdout)


def parse(output: str) -> Model:
    *rows, last = output.splitlines()
    word, read_bytes, write_bytes = last.split("\t")
    if word != CROSSING:
        raise ValueError(f"model.c ended with '{last}', expected '{CROSSING}' and two sizes")
    return Model("\n".join(rows) + "\n", int(read_bytes), int(write_bytes))


def markdown(model: Model) -> str:
    return (f"Model of the adapter: Read Zcopy is no slower than Bcopy from {named(model.read_bytes)} on, "
            f"Write Zcopy from {named(model.write_bytes)} on.\n")
