# SPDX-License-Identifier: GPL-2.0
"""The commands that run parts of a scenario in a lab, as words."""

from __future__ import annotations

import math
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from .child import Child
from .failure import Failure

if TYPE_CHECKING:
    from .plan import Run
    from .scenario import Scenario
    from .variant import Variant

HERE = Path(__file__).resolve().parents[1]
TOP = HERE.parent

IN_GUESTS = ("virtual", "packaged")     # labs in which each run has a guest of its own
SEEDED = "virtual"                      # a lab in which a seed decides what is random
BOOT_S = 120               # boot and shut down, in vm
SLOWER_THAN_EXPECTED = 200  # a run that takes this many times as long has hung; a stock sender that loses a window of 200 MB takes 100
CHECKED_IS_SLOWER = 10     # a kernel that checks itself: KASAN, KCSAN
GUEST_BYTES = 3 * 2**30    # the labs' own choice


@dataclass(frozen=True)
class Commands:
    path: Path  # of the scenario's file
    size: str
    lab: str
    kernel: str

    @property
    def patience(self) -> int:
        return CHECKED_IS_SLOWER if self.kernel.endswith(("-debug", "-kcsan")) else 1

    def lab_words(self, seconds: float, scenario: Scenario, folder: Path | str) -> list[str]:
        memory = [] if scenario.memory_bytes is None else ["--mem", f"{math.ceil(scenario.memory_bytes / 2**20)}M"]
        tuners = sorted({f"--{variant.daemon.words[0]}" for variant in scenario.variants if variant.daemon})
        return [str(TOP / "lab/lab"), "--lab", self.lab, "--kernel", self.kernel,
                "--timeout", f"{seconds:.0f}", *memory, *tuners, "--out", str(folder)]

    def run_words(self, scenarios: list[Scenario], variants: list[Variant], out: Path) -> list[str]:
        cells = [word for scenario in scenarios if scenario.cell.pairs for word in ("--cell", scenario.cell.slug)]
        numbers = {scenario.seeds for scenario in scenarios}
        seeds = ["--seeds", str(numbers.pop())] if len(numbers) == 1 else []  # else as the file has them
        return [str(HERE / "run"), str(self.path.resolve()), "--size", self.size, *cells, *seeds,
                "--variants", ",".join(variant.name for variant in variants), "--out", str(out)]

    def guest_words(self, run: Run, folder: Path) -> list[str]:
        """Of a run in a guest of its own; FOLDER is all that the guest can write to."""
        seconds = BOOT_S + self.patience * SLOWER_THAN_EXPECTED * run.cost_s
        seed = ["--seed", str(run.seed)]
        return [*self.lab_words(seconds, run.scenario, folder), *(seed if self.lab == SEEDED else []), "--",
                *self.run_words([run.scenario], [run.variant], folder), "--one-run", *seed]

    def need_lab(self, scenario: Scenario) -> None:
        """Failure where its kernel does not run; the first time that builds it, which takes minutes."""
        with (tempfile.TemporaryDirectory(prefix="tcp_abt-") as folder,
              Child([*self.lab_words(BOOT_S, scenario, folder), "--", "true"]) as child):
            if child.wait():
                raise Failure(f"kernel {self.kernel} does not run in the lab {self.lab}: see above")


def memory_bytes(run: Run) -> float:
    """Of its guest."""
    return run.scenario.memory_bytes or GUEST_BYTES
