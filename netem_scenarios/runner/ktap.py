# SPDX-License-Identifier: GPL-2.0
"""Claims as KTAP lines (Documentation/dev-tools/ktap.rst)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Verdict(NamedTuple):
    """One line, and the comment lines below it."""

    holds: bool
    text: str
    explanation: Sequence[str] = ()


def lines(verdicts: Sequence[Verdict]) -> tuple[str, bool]:
    """The KTAP text, and whether every claim holds."""
    text = ["KTAP version 1", f"1..{len(verdicts)}"]
    for number, verdict in enumerate(verdicts, 1):
        text.append(f"{'ok' if verdict.holds else 'not ok'} {number} {verdict.text}")
        text += [f"# {line}" for line in verdict.explanation]
    return "\n".join(text) + "\n", all(verdict.holds for verdict in verdicts)
