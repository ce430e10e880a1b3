# SPDX-License-Identifier: GPL-2.0
"""The tables: Markdown for people, TSV and JSON for programs."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

import plan
from runner.ktap import Verdict
from samples import Sample
from verdict import Figure, Key, added_percent, figure

Row = tuple[plan.Work, plan.Unit, list[Figure]]  # a figure for each state


def rows(samples: Mapping[Key, list[Sample]]) -> list[Row]:
    return [(work, unit, [figure(samples[work.name, state.name], unit) for state in plan.STATES])
            for work in plan.WORKS for unit in work.units]


def added(figures: list[Figure]) -> list[tuple[Figure, Figure]]:
    """Each state's figure, and that of the state without the module beside it."""
    return [(now, figures[plan.STATES.index(plan.without(state))]) for state, now in zip(plan.STATES, figures, strict=True)]


def write_tsv(path: Path, table: Iterable[Row]) -> None:
    lines = ["work\tunit\tstate\tmedian\tmin\tmax\tadded_percent\tspread_percent"]
    lines += [f"{work.name}\t{unit.name}\t{state.name}\t{now.median:.6g}\t{now.least:.6g}\t{now.most:.6g}\t"
              f"{added_percent(now, base):.3f}\t{now.spread_percent:.3f}"
              for work, unit, figures in table for state, (now, base) in zip(plan.STATES, added(figures), strict=True)]
    path.write_text("\n".join(lines) + "\n")


def write_json(path: Path, kernel: str, table: Iterable[Row], verdicts: Iterable[Verdict], samples: Iterable[Sample]) -> None:
    figures = {f"{work.name}, {unit.name}": {state.name: now._asdict() for state, now in zip(plan.STATES, figures, strict=True)}
               for work, unit, figures in table}
    content = {"kernel": kernel, "figures": figures, "verdicts": [verdict._asdict() for verdict in verdicts],
               "samples": [sample._asdict() for sample in samples]}
    path.write_text(json.dumps(content, indent=1) + "\n")


def markdown(table: Iterable[Row], kernel: str, rounds: int) -> str:
    """Medians, and what each state adds to the one without the module."""
    first, *others = plan.STATES
    lines = [f"Linux {kernel}, medians of {rounds}; instructions:", "",
             "| | " + " | ".join([first.title, *(state.title for state in others), "target, on", "spread"]) + " |",
             "|---" * (len(plan.STATES) + 3) + "|"]
    lines += [markdown_row(*row) for row in table]
    return "\n".join(lines) + "\n"


def markdown_row(work: plan.Work, unit: plan.Unit, figures: list[Figure]) -> str:
    (absent, _), *others = added(figures)
    cells = [f"{work.title}, per {unit.name}", f"{absent.median:,.{unit.digits}f}"]
    cells += [f"{now.median - base.median:+,.{unit.digits}f} ({added_percent(now, base):+.2f} %)" for now, base in others]
    cells += ["" if work.percent is None else f"{work.percent:g} %", f"{max(now.spread_percent for now in figures):.2f} %"]
    return "| " + " | ".join(cells) + " |"
