# SPDX-License-Identifier: GPL-2.0
"""From the results of all runs to the tables, the claims and the exit status."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from . import ktap, report
from .claims import verdicts
from .plan import plan
from .result import Outcome, joined_states, read_result

if TYPE_CHECKING:
    from .ktap import Verdict
    from .plan import Run
    from .result import Outcomes
    from .scenario import Scenario


def conclude(scenarios: list[Scenario], out: Path, failures: Mapping[str, object]) -> int:
    """0 all claims hold, 1 one does not, 2 a run failed; failures: its name -> why."""
    out.mkdir(parents=True, exist_ok=True)
    outcomes = read_outcomes(scenarios, out)
    if outcomes:
        report.print_table(out, scenarios, outcomes)
        states = joined_states(measured(scenarios, outcomes), out)
        print(f"measured with: {', '.join(' '.join(pair) for pair in states.items()) or 'no module'}")
    text, good = ktap.lines(judge(scenarios, out, outcomes))
    print(text, end="", flush=True)
    for name, reason in failures.items():
        print(f"FAILED: {name}: {reason}", file=sys.stderr)
    if failures:
        print(f"{len(failures)} of {len(plan(scenarios))} runs failed", file=sys.stderr)
        return 2
    return 0 if good else 1


def judge(scenarios: list[Scenario], out: Path, outcomes: Outcomes) -> list[Verdict]:
    """Write the tables and what became of the claims; a Verdict of each claim."""
    if outcomes:
        report.write_summary(out, scenarios, outcomes, joined_states(measured(scenarios, outcomes), out))
    found = verdicts(scenarios, outcomes)
    (out / "claims.ktap").write_text(ktap.lines(found)[0])
    return found


def measured(scenarios: list[Scenario], outcomes: Outcomes) -> list[Run]:
    """The runs that have a part in these outcomes."""
    return [run for run in plan(scenarios) if (run.scenario.cell, run.variant.name) in outcomes]


def read_outcomes(scenarios: list[Scenario], out: Path) -> Outcomes:
    """(cell, variant's name) -> Outcome, where there is one."""
    found: Outcomes = {}
    for run in plan(scenarios):
        result = read_result(out / run.folder)
        if result is not None:
            found.setdefault((run.scenario.cell, run.variant.name), Outcome([])).results.append(result)
    return found
