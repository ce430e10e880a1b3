# SPDX-License-Identifier: GPL-2.0
"""What one run came to, kept beside its tables; and what several runs of a variant come to together."""

import json
import statistics
from dataclasses import asdict, dataclass

FILE = "result.json"


@dataclass
class Result:
    metrics: dict
    finish_s: dict     # flow -> end
    bottleneck: dict   # device -> bytes and drops
    machine: dict      # kernel and lab

    def write(self, folder):
        (folder / FILE).write_text(json.dumps(asdict(self), indent=1) + "\n")


def read_result(folder):
    """The Result of this folder, or None where a run did not get that far."""
    try:
        return Result(**json.loads((folder / FILE).read_text()))
    except FileNotFoundError:
        return None


def forget_result(folder):
    (folder / FILE).unlink(missing_ok=True)


@dataclass
class Outcome:
    """A variant in a cell: the results of its seeds, at least one."""
    results: list

    @property
    def metrics(self):
        return self.over_seeds(statistics.median)

    @property
    def finish_s(self):
        return {flow: statistics.median(result.finish_s[flow] for result in self.results) for flow in self.results[0].finish_s}

    @property
    def nothing_arrived(self):
        metrics = self.metrics
        return not any(metrics.get(name) for name in ("goodput_mbps", "answers_per_s"))

    def over_seeds(self, choose):
        return {name: choose([result.metrics[name] for result in self.results]) for name in self.results[0].metrics}
