# SPDX-License-Identifier: GPL-2.0
"""The tables: Markdown for people, TSV for programs and the figure."""

from collections.abc import Mapping
from pathlib import Path

from .cost import Cost, Key
from .plan import ADAPTIVE, SIZES, TCP, WAYS

DIGITS = 3  # that a throughput is shown with


def write(path: Path, costs: Mapping[Key, Cost]) -> None:
    rows = ["\t".join(["way", "size", *Cost._fields])]
    rows += ["\t".join([way, str(size), *(f"{figure:.5g}" for figure in found)]) for (way, size), found in costs.items()]
    path.write_text("\n".join(rows) + "\n")


def rounded(figure: float) -> str:
    return f"{float(f'{figure:.{DIGITS}g}'):,g}"


def markdown(costs: Mapping[Key, Cost], kernel: str, rounds: int, copied: float) -> str:
    head = (f"Linux {kernel}, medians of {rounds}; Mbit/s, CPU of the hosts [%], and Mbit/s per 1 % of it. Of the messages with MSG_ZEROCOPY "
            f"{copied:.0f} % were copied after all.")
    lines = [head, "", "| message | " + " | ".join(way.title for way in WAYS) + " |", "|---" * (len(WAYS) + 1) + "|"]
    for size in SIZES:
        found = [costs[way.name, size] for way in WAYS]
        cells = [f"{rounded(c.mbit_s)}, {c.cpu_percent:.0f}, {rounded(c.mbit_s_a_percent)}" for c in found]
        lines.append(f"| {named(size)} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def pair(costs: Mapping[Key, Cost], rounds: int) -> str:
    """Stock and the module where the two ends take turns."""
    lines = [f"{TCP.title} and {ADAPTIVE.title} where the two ends take turns, medians of {rounds}: "
             "throughput and how far samples differ [%], ACKs a MB and their mean, and sleeps of the sender a MB.", "",
             f"| message | {TCP.title} [Mbit/s] | {ADAPTIVE.title} | of {TCP.title}'s | samples differ by | ACKs | their mean | sleeps |", "|---" * 8 + "|"]
    for size in SIZES:
        stock, module = costs[TCP.name, size], costs[ADAPTIVE.name, size]
        lines.append(f"| {named(size)} | {rounded(stock.mbit_s)} | {rounded(module.mbit_s)} | {module.mbit_s / stock.mbit_s:.3f} | "
                     f"{stock.spread_percent:.1f}, {module.spread_percent:.1f} | {stock.acks_a_mb:.1f}, {module.acks_a_mb:.1f} | "
                     f"{stock.mean_acks_a_mb:.1f}, {module.mean_acks_a_mb:.1f} | "
                     f"{stock.sleeps_a_mb:.2f}, {module.sleeps_a_mb:.2f} |")
    return "\n".join(lines) + "\n"


def named(size: int) -> str:
    for unit in ("B", "KiB"):
        if size < 1024:
            return f"{size} {unit}"
        size //= 1024
    return f"{size} MiB"
