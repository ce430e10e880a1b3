# SPDX-License-Identifier: GPL-2.0
"""A small scenario for tests: two flows over one bottleneck; and a program's functions."""

import importlib.util
import sys
import tempfile
from importlib.machinery import SourceFileLoader
from pathlib import Path

from runner.metrics import FLOW_METRICS, METRICS
from runner.scenario import load

TEXT = """
title = "two"
claim = "they share"
plots = ["goodput"]
[size.scaled]
rate = "8 Mbit/s"
rtt = "100 ms"
expect = "10 s"
transfer = "1 MB"
apart = "2 s"
[machine]
tcp_mem = ["1 bdp", "2 bdp", "3 bdp"]
[hosts.sysctl]
"net.ipv4.tcp_congestion_control" = "cubic"
[[link]]
from = ["c1", "c2"]
to = "r"
back = { delay = "1 rtt" }
[[link]]
from = ["r"]
to = "s"
forward = { rate = "1 rate", queue = "0.5 bdp" }
[[flow]]
name = "C1"
program = "ftp"
from = "c1"
to = "s"
start = "0 s"
size = "1 transfer"
[[flow]]
name = "C2"
program = "ftp"
from = "c2"
to = "s"
start = "1 apart"
size = "2 transfer"
[[variant]]
name = "small"
module = "absent"
sysctl = { "net.ipv4.tcp_rmem" = ["4096 B", "128 KiB", "0.5 bdp"], "net.ipv4.tcp_moderate_rcvbuf" = 0 }
[[variant]]
name = "tuned"
module = "on"
[[expect]]
text = "tuned ends first"
variant = "tuned"
metric = "last_finish_s"
op = "<"
than = { variants = ["small"], factor = 0.5 }
"""

EVERY_METRIC = [*METRICS, *(f"{flow}.{metric}" for flow in ("C1", "C2") for metric in FLOW_METRICS)]


def loaded(text=TEXT, size="scaled"):
    """The first cell."""
    return loaded_cells(text, size)[0]


def loaded_cells(text=TEXT, size="scaled"):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "two.toml")
        path.write_text(text)
        return load(path, size, Path(folder))


def program(path):
    """A program of the repository as a module."""
    name = Path(path).name
    loader = SourceFileLoader(name, str(Path(__file__).resolve().parents[2] / path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    sys.modules[name] = module  # dataclasses look there
    loader.exec_module(module)
    return module
