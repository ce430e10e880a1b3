# SPDX-License-Identifier: GPL-2.0
"""What became of the claims of many scenarios: one table for people, TSV and KTAP for programs."""

import itertools
from pathlib import Path
from typing import NamedTuple

from . import ktap
from .ktap import Verdict
from .quantity import human_time

SEEN_LINES = 4  # of the cells in which a claim fails
HEADER = ("scenario", "claim", "result", "seconds", "text", "seen")


class Row(NamedTuple):
    """A claim of a scenario, or what kept one from being looked at."""

    scenario: str
    seconds: float  # wall time of all its scenario's runs
    verdict: Verdict


def brief(complaint: str) -> str:
    """Of why a run failed: how it ended and the last words of its log."""
    first, *log = complaint.splitlines()
    said = [line.strip(" |") for line in log if line.strip(" |")]
    return f"{first} {said[-1]}" if said else first


def by_scenario(rows: list[Row]) -> dict[str, list[Row]]:
    return {name: list(group) for name, group in itertools.groupby(rows, key=lambda row: row.scenario)}


def seen(verdict: Verdict) -> list[str]:
    """With which numbers it fails."""
    lines = [line for line in verdict.explanation if not line.endswith("the worst first:")]
    more = len(lines) - SEEN_LINES
    return lines[:SEEN_LINES] + ([f"and {more} more"] if more > 0 else [])


def table(rows: list[Row], measured: str, seconds: float) -> str:
    """A line a scenario; below it the claims of it that do not hold."""
    groups = by_scenario(rows)
    width = max(map(len, ["scenario", *groups]))
    lines = [f"{'scenario':{width}}  claims  held  what does not hold, and what was seen"]
    for name, group in groups.items():
        held = sum(row.verdict.holds for row in group)
        failed = [(number, row.verdict) for number, row in enumerate(group, 1) if not row.verdict.holds]
        texts = [text for number, verdict in failed
                 for text in (f"{number}: {verdict.text}", *(f"   {line}" for line in seen(verdict)))]
        lines.append(f"{name:{width}}  {len(group):6}  {held:4}  {texts[0] if texts else ''}".rstrip())
        lines += [f"{'':{width}}  {'':6}  {'':4}  {text}" for text in texts[1:]]
    held, whole = sum(row.verdict.holds for row in rows), sum(all(row.verdict.holds for row in group) for group in groups.values())
    lines.append(f"{held} of {len(rows)} claims hold, all of them in {whole} of {len(groups)} scenarios; {measured}; {human_time(seconds)}")
    return "\n".join(lines)


def write(out: Path, rows: list[Row], measured: str) -> None:
    (out / "claims.tsv").write_text(tsv(rows))
    (out / "claims.ktap").write_text(nested_ktap(rows, measured))


def tsv(rows: list[Row]) -> str:
    lines = ["\t".join(HEADER)]
    for name, group in by_scenario(rows).items():
        for number, row in enumerate(group, 1):
            lines.append("\t".join((name, str(number), "ok" if row.verdict.holds else "not ok", f"{row.seconds:.0f}",
                                    row.verdict.text, "; ".join(row.verdict.explanation))))
    return "\n".join(lines) + "\n"


def nested_ktap(rows: list[Row], measured: str) -> str:
    """A test for each scenario, whose claims are its subtests."""
    groups = by_scenario(rows)
    lines = ["KTAP version 1", f"# measured: {measured}", f"1..{len(groups)}"]
    for number, (name, group) in enumerate(groups.items(), 1):
        text, good = ktap.lines([row.verdict for row in group])
        lines += [*(f"    {line}" for line in text.splitlines()), f"{'ok' if good else 'not ok'} {number} {name}"]
    return "\n".join(lines) + "\n"
