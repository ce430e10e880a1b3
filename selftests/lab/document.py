# SPDX-License-Identifier: GPL-2.0
"""Tables in a document that a command writes anew, each between two marks."""

from pathlib import Path


def put_into(document: Path, name: str, table: str) -> None:
    """Replace what stands between the two marks of the command `make NAME`."""
    begin, end = (f"<!-- made by `make {name}`: {word} -->\n" for word in ("begin", "end"))
    head, _, rest = document.read_text().partition(begin)
    _, found, tail = rest.partition(end)
    if not found:
        raise ValueError(f"{document}: expected a line {begin.strip()} and after it {end.strip()}")
    document.write_text(head + begin + table + end + tail)
