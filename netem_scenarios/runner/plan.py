# SPDX-License-Identifier: GPL-2.0
"""Runs: every variant of every cell with every seed, where their results go, and what each will cost."""

from dataclasses import dataclass
from pathlib import Path

from .collect import INTERVAL_S
from .failure import Failure
from .scenario import SEEDS_MAX, Scenario
from .variant import Variant

# Wall time of a virtual guest, roughly; only its proportions matter once some runs have ended.
BOOT_S = 2
PACKET_S = 1.5e-6
SAMPLE_S = 2e-3
FLOW_SAMPLE_S = 2e-4


@dataclass(frozen=True, eq=False)
class Run:
    scenario: Scenario
    variant: Variant
    seed: int
    above: str = ""  # a folder for each scenario, where there are several

    @property
    def folder(self) -> Path:
        """Of its results, below that of all runs."""
        seed = f"seed-{self.seed}" if self.scenario.seeds > 1 else ""
        return Path(self.above, self.scenario.cell.slug, self.variant.name, seed)

    @property
    def cost_s(self) -> float:
        packets = self.scenario.rate_bps / 8 / self.scenario.mtu
        samples = (SAMPLE_S + FLOW_SAMPLE_S * len(self.scenario.flows)) / INTERVAL_S
        return BOOT_S + self.scenario.expect_s * (packets * PACKET_S + samples)


def plan(scenarios: list[Scenario], above: str = '') -> list[Run]:
    return [Run(scenario.without(variant.without), variant, seed, above) for scenario in scenarios for variant in scenario.variants
            for seed in range(1, scenario.seeds + 1)]


def choose(scenarios: list[Scenario], slugs: list[str] | None, names: str | None, seeds: int | None = None) -> list[Scenario]:
    """Only these cells and variants, and the claims that they decide, with so many seeds; None or empty: all, as the file has them."""
    known = [scenario.cell.slug for scenario in scenarios]
    for slug in slugs or []:
        if slug not in known:
            raise Failure(f"--cell {slug}: no such cell in size {scenarios[0].size}, expected one of {', '.join(known)}")
    scenarios = [scenario for scenario in scenarios if not slugs or scenario.cell.slug in slugs]
    for scenario in scenarios if names else []:
        choose_variants(scenario, names.split(","))
    if seeds is not None and not 1 <= seeds <= SEEDS_MAX:
        raise Failure(f"--seeds {seeds}: expected a number from 1 to {SEEDS_MAX}")
    for scenario in scenarios:
        scenario.seeds = seeds or scenario.seeds
    return scenarios


def choose_variants(scenario: Scenario, wanted: list[str]) -> None:
    known = [variant.name for variant in scenario.variants]
    for name in wanted:
        if name not in known:
            raise Failure(f"--variants {','.join(wanted)}: no variant {name}, expected some of {','.join(known)}")
    scenario.variants = [variant for variant in scenario.variants if variant.name in wanted]
    scenario.claims = [claim for claim in scenario.claims if set(claim.variants()) <= set(wanted)]
