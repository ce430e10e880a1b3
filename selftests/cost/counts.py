#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""What the module did, from what gcov says of it on standard input: `counts.py SOURCES`, the folder that the module was built in.

A line each: a name and how often. Calls are counted by function. Locks, and calls that the compiler puts into their caller,
are counted by the line of the source; where all code of a line is another function's, by the next line.
"""

import json
import re
import sys
from collections import Counter
from pathlib import Path

FUNCTIONS = {
    "segments": "abt_on_segment",
    "copies": "abt_on_copy",
    "full_steps": "abt_steer",
    "news_looks": "abt_news_of_levels_concerns",
    "sender_steps": "abt_steer_snd",
    "receiver_steps": "abt_steer_rcv",
    "queue_steps": "abt_steer_queue",
    "epochs": "abt_steer_epoch",
    "away": "abt_conn_recent",
}
LINES = {
    "misses": r"c = abt_conn_look\(sk\);",
    "told": r"^\tabt_pool_news\(pool->generation, ",
    "ticks": r"^\tabt_parts_reopen\(pool\);",
    "refused": r"pool->refused\+\+;",
    "pool_locks": r"spin_lock(_bh)?\(&pool->(lock|levels)\);",
    "part_locks": r"spin_lock(_bh)?\(&part->lock\);",
    "path_locks": r"spin_lock_bh\(&(m->)?path->lock\);",
}
SITES = ("pool_locks", "misses", "refused")  # shown by the function as well


def counted(lines: list[dict]) -> dict[int, tuple[str, int]]:
    """By the number of a line: a function that it stands in, and how often it ran."""
    found: dict[int, tuple[str, int]] = {}
    for line in lines:
        function, count = found.get(line["line_number"], ("", 0))
        found[line["line_number"]] = (line.get("function_name", function), count + line["count"])
    return found


def main() -> None:
    built = Path(sys.argv[1])
    counts = Counter(dict.fromkeys((*FUNCTIONS, *LINES), 0))
    sites: Counter[str] = Counter()
    for file in (file for line in sys.stdin if line.strip() for file in json.loads(line)["files"]):
        source = built / file["file"]
        if source.suffix != ".c" or not source.is_relative_to(built / "kmod"):
            continue
        for function in file["functions"]:
            for name, wanted in FUNCTIONS.items():
                counts[name] += function["execution_count"] * (function["name"] == wanted)
        lines = counted(file["lines"])
        for number, text in enumerate(source.read_text(encoding="utf-8").splitlines(), 1):
            for name in (name for name, pattern in LINES.items() if re.search(pattern, text)):
                function, count = lines[min(other for other in lines if other >= number)]
                counts[name] += count
                if name in SITES and count:
                    sites[f"{name}:{function}"] += count
    for name, count in (*counts.items(), *sites.items()):
        print(name, count)


if __name__ == "__main__":
    main()
