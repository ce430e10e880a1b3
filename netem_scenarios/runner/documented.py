# SPDX-License-Identifier: GPL-2.0
"""Tables and figures of the documentation that are made of a scenario's results: which, where, and in which words."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

HOSTS = {"stock": "stock 7.3", "tuned": "hand-tuned, 1 GiB ceilings", "tcp_abt": "tcp_abt, nothing tuned"}
UPLOADS = {"fixed-small": "fixed, 128 KB", "fixed-large": "fixed, 1028 KB", "stock": "the kernel's own tuning",
           "tbt-plr": "tcp_abt, `sysctl/tbt-plr.conf`, a receive pool of 480 KB"}


class Summary:
    """A scenario's summary.json."""

    def __init__(self, content: Mapping[str, Any]) -> None:
        self.content = content

    @property
    def states(self) -> dict[str, str]:
        return self.content["state"]

    def metrics(self, variant: str, **axes: Any) -> dict[str, float]:
        """Medians, in the cell with these values of its axes."""
        cell, = (cell for cell in self.content["cells"] if axes.items() <= cell["axes"].items())
        return cell["variants"][variant]["median"]

    def values(self, axis: str) -> list[Any]:
        return list(dict.fromkeys(cell["axes"][axis] for cell in self.content["cells"]))


class Documented(NamedTuple):
    """A table in a document, by a scenario in the size SIZE; the figures that stand beside it, by their names in plots/."""

    scenario: str
    size: str
    document: str
    table: Callable[[Summary], list[list[str]]]  # rows, the heading first
    figures: Mapping[str, str] = {}


def lfn(summary: Summary) -> list[list[str]]:
    rows = [["hosts", "steady goodput", "95 % of line rate after", "receive buffer", "RTT in the end"]]
    for variant, title in HOSTS.items():
        found = summary.metrics(variant)
        rows.append([title, mbps(found["steady_mbps"]), ramp(found), f"{found['rcvbuf_steady_bytes'] / 1e6:.0f} MB",
                     f"{found['rtt_steady_ms']:.0f} ms"])
    return rows


def demo(summary: Summary) -> list[list[str]]:
    """Bold: better than all others."""
    columns = (("last_finish_s", min, "{:.1f} s".format), ("goodput_mbps", max, "{:.1f} Mbit/s".format),
               ("jain", max, "{:.3f}".format), ("memory_peak_bytes", min, lambda value: f"{value / 1e6:.1f} MB"))
    found = {variant: summary.metrics(variant) for variant in UPLOADS}
    rows = [[title] for title in UPLOADS.values()]
    for metric, better, form in columns:
        values = [metrics[metric] for metrics in found.values()]
        texts = [form(value) for value in values]
        best = values.index(better(values))
        if metric == "jain" and (texts.count(texts[best]) > 1 or texts[best] == "1.000"):
            texts[best] = f"{values[best]:.4f}"
        if texts.count(texts[best]) == 1:
            texts[best] = f"**{texts[best]}**"
        for row, text in zip(rows, texts, strict=True):
            row.append(text)
    return [["buffers", "last flow ends", "goodput", "Jain's index", "memory held, at most"], *rows]


def memory_in_words(summary: Summary) -> list[list[str]]:
    """What Jain's index is stands in the first row; segments sent again in rows where there are some."""
    rows = [["TCP memory an end", "stock 7.3", "tcp_abt, nothing tuned"]]
    for number, budget in enumerate(summary.values("budget")):
        found = [summary.metrics(variant, budget=budget) for variant in ("stock", "tcp_abt")]
        again = [metrics["retransmissions"] for metrics in found]
        row = [f"{budget} BDP"]
        for place, metrics in enumerate(found):
            index = "" if number or place else "Jain's index "
            words = [mbps(metrics["steady_mbps"]), f"{index}{metrics['jain_steady']:.2f}"]
            if any(again):
                words.append(f"{again[place]:,.0f}{'' if place else ' segments sent again'}" if again[place] else "none")
            row.append(", ".join(words))
        rows.append(row)
    return rows


def memory(summary: Summary) -> list[list[str]]:
    rows = [["TCP memory an end", "", "goodput", "Jain", "in use", "pruned", "sent again"]]
    for budget in summary.values("budget"):
        for variant in ("stock", "tcp_abt"):
            found = summary.metrics(variant, budget=budget)
            rows.append([f"{budget} BDP", variant, mbps(found["steady_mbps"]), f"{found['jain_steady']:.3f}",
                         f"{found['memory_steady_bytes'] / 1e6:.1f} MB", f"{found['prunes']:,.0f}", f"{found['retransmissions']:,.0f}"])
    return rows


def mbps(value: float) -> str:
    return f"{value:.0f} Mbit/s"


def ramp(found: Mapping[str, float]) -> str:
    return f"{found['ramp_s']:.1f} s" if found["ramp_s"] < found["last_finish_s"] else "never"


def markdown(rows: list[list[str]]) -> str:
    lines = [f"| {' | '.join(row)} |".replace("|  |", "| |") for row in rows]
    return "\n".join([lines[0], "|---" * len(rows[0]) + "|", *lines[1:]]) + "\n"


DOCUMENTED = (
    Documented("ftp_fairness", "scaled", "README.md", demo, {"goodput": "ftp_fairness"}),
    Documented("lfn", "scaled", "README.md", lfn),
    Documented("memory_budget", "scaled", "README.md", memory_in_words),
    Documented("memory_budget", "scaled", "docs/results.md", memory),
)
