#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Count clauses with a nominal or indefinite subject ("who ...", "nobody ...", "those that ...") and hold them to a limit.

    lab/words.py             the check; KTAP
    lab/words.py FILE...     each counted clause of these files, to rewrite it

Comments of C files and Markdown are read. Code blocks, inline code, link targets, HTML comments and
tables that a program writes ("made by ...: begin" to "end") are not. A table's cell is a clause of its own.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

sys.dont_write_bytecode = True

import cache

# Place, and the largest share [%] that passes.
LIMITS = (("kmod", 0.5), ("abt", 0.5), ("docs", 0.5), ("README.md", 0.5))
LEAST_WORDS = 3
INTRODUCED = r"(?:(?:and|but|so|or|where|when|while|for|that|then|also)\s+)*"
SUBJECT = r"(?:who|whoever|whose|what|whatever|nobody|somebody|someone|anybody|everybody|neither of"
SUBJECT += r"|those (?:that|who|of)|of (?:those|such|these)|one (?:that|of|with|which))\b"
NOMINAL = re.compile(INTRODUCED + SUBJECT, re.IGNORECASE)
GENERATED = r"<!-- made by [^\n]*: begin -->.*?<!-- made by [^\n]*: end -->"
NOT_PROSE = re.compile(GENERATED + r"|^```.*?^```[^\n]*$|<!--.*?-->", re.DOTALL | re.MULTILINE)
INDENTED = re.compile(r"(?:\A|(?<=\n\n))(?:(?: {4}|\t)[^\n]*(?:\n|\Z))+")
COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|/\*(.*?)\*/|//([^\n]*)', re.DOTALL)
BETWEEN = re.compile(r"[.;:,?!]\s+|[.;:,?!]?\n\s*\n|\s*\|\s*")


def prose(name: str, source: str) -> str:
    if name.endswith(".md"):
        text = INDENTED.sub("\n", NOT_PROSE.sub("\n\n", source))
        text = re.sub(r"\]\([^)]*\)", "]", re.sub(r"`[^`\n]*`", "X", text))
        return re.sub(r"\n\s*(?:[-*#]+|\d+\.) ", "\n\n", text)
    found = (match[1] or match[2] or "" for match in COMMENT.finditer(source))
    return "\n\n".join(re.sub(r"\n[ \t]*\*+", "\n", comment) for comment in found)


def clauses(name: str, source: str) -> list[str]:
    each = (" ".join(part.strip(" \n\t*#>[(").split()) for part in BETWEEN.split(prose(name, source)))
    return [clause for clause in each if len(clause.split()) >= LEAST_WORDS]


def nominal(name: str, source: str) -> tuple[list[str], int]:
    """The counted clauses, and the number of all clauses."""
    found = clauses(name, source)
    return [clause for clause in found if NOMINAL.match(clause)], len(found)


def files(place: Path) -> Iterator[Path]:
    if place.is_file():
        yield place
    else:
        yield from sorted(path for path in place.rglob("*") if path.suffix in (".c", ".h", ".md"))


def measure(place: Path) -> tuple[int, int]:
    counts = [nominal(path.name, path.read_text(encoding="utf-8")) for path in files(place)]
    return sum(len(bad) for bad, _ in counts), sum(number for _, number in counts)


def main() -> int:
    if sys.argv[1:]:
        for path in map(Path, sys.argv[1:]):
            for clause in nominal(path.name, path.read_text(encoding="utf-8"))[0]:
                print(f"{path}: {clause}")
        return 0
    print(f"KTAP version 1\n1..{len(LIMITS)}")
    failed = False
    for number, (name, limit) in enumerate(LIMITS, 1):
        bad, total = measure(cache.REPO / name)
        share = 100 * bad / max(total, 1)
        good = total > 0 and share <= limit
        failed |= not good
        print(f"{'ok' if good else 'not ok'} {number} {name}: {share:.2f} % ({bad} of {total}), limit {limit} %")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
