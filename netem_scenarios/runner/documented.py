# SPDX-License-Identifier: GPL-2.0
"""Tables and figures of the documentation that are made of a scenario's results: which, where, and in which words."""

import statistics
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

Metrics = Mapping[str, float]
Rows = list[list[str]]  # the heading first

HOSTS = {"stock": "stock 7.3", "tuned": "hand-tuned, 1 GiB ceilings", "tcp_abt": "tcp_abt, nothing tuned"}
UPLOADS = {"fixed-small": "fixed, 128 KB", "fixed-large": "fixed, 1028 KB", "stock": "the kernel's own tuning",
           "tbt-plr": "tcp_abt, `sysctl/tbt-plr.conf`, a receive pool of 480 KB"}
ENDS = {"stock": ("stock", "stock"), "sender": ("tcp_abt", "stock"), "receiver": ("stock", "tcp_abt"), "both": ("tcp_abt", "tcp_abt"),
        "tuned": ("tuned", "tuned"), "tuned-receiver": ("tcp_abt", "tuned"), "tuned-sender": ("tuned", "tcp_abt")}
TUNINGS = {"stock": "stock 7.3", "drs": "`drs`", "tcp_abt": "tcp_abt"}
PATHS = {"fixed-64k": "fixed 64 KB", "stock": "stock 7.3", "drs": "`sysctl/drs.conf`", "tcp_abt": "tcp_abt"}
APART = {"stock": "stock, 6 and 4 MB", "tuned": "hand-tuned to 1 GiB", "apart": "tcp_abt, `path_headroom` = 0", "tcp_abt": "tcp_abt",
         "budget": "tcp_abt, both pools 2 BDP"}
BESIDE = {"stock": "stock 6.12", "bpftune": "bpftune", "tcp_abt": "tcp_abt"}
WRITERS = {"stock": "stock", "tuned": "hand-tuned", "tcp_abt": "tcp_abt", "tuned-lowat": "hand-tuned, 128 KiB", "tcp_abt-lowat": "tcp_abt, 128 KiB"}
NEIGHBOURS = {"stock-alone": "stock, without it", "stock": "stock", "alone": "tcp_abt, without it", "tcp_abt": "tcp_abt"}


class Summary:
    """A scenario's summary.json."""

    def __init__(self, content: Mapping[str, Any]) -> None:
        self.content = content

    @property
    def states(self) -> dict[str, str]:
        return self.content["state"]

    def cells(self) -> list[dict[str, Any]]:
        """The values of the axes in each cell."""
        return [cell["axes"] for cell in self.content["cells"]]

    def metrics(self, variant: str, **axes: Any) -> Metrics:
        """Medians, in the cell with these values of its axes."""
        cell, = (cell for cell in self.content["cells"] if axes.items() <= cell["axes"].items())
        return cell["variants"][variant]["median"]

    def values(self, axis: str) -> list[Any]:
        return list(dict.fromkeys(axes[axis] for axes in self.cells()))

    def variants(self) -> list[str]:
        return list(dict.fromkeys(name for cell in self.content["cells"] for name in cell["variants"]))


class Lab(NamedTuple):
    """Where a scenario is run for the documents."""

    name: str
    kernel: str


VIRTUAL = Lab("virtual", "7.3")
PACKAGED = Lab("packaged", "6.12")


class Documented(NamedTuple):
    """A table in a document, by a scenario in a size; the figures that stand beside it, by their names in plots/."""

    scenario: str
    size: str
    document: str
    table: Callable[[Summary], Rows]
    figures: Mapping[str, str] = {}
    place: str = ""  # of one table among several of the scenario in this document
    lab: Lab = VIRTUAL

    @property
    def long(self) -> bool:
        """A larger size, or an emulated kernel."""
        return self.size != "scaled" or self.lab != VIRTUAL

    @property
    def name(self) -> str:
        """As it is asked for: by the scenario, and the size where that is not `scaled`."""
        return self.scenario if self.size == "scaled" else f"{self.scenario}:{self.size}"

    @property
    def command(self) -> str:
        return f"tables S={self.name}"

    @property
    def mark(self) -> str:
        """What the two lines around the table call it."""
        return f"{self.command} # {self.place}" if self.place else self.command


def demo(summary: Summary) -> Rows:
    """Bold: better than all others."""
    columns = (("last_finish_s", min, "{:.1f} s".format), ("goodput_mbps", max, "{:.1f} Mbit/s".format),
               ("jain", max, "{:.3f}".format), ("held_peak_bytes", min, lambda value: f"{value / 1e6:.1f} MB"))
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


def lfn(summary: Summary) -> Rows:
    rows = [["hosts", "steady goodput", "95 % of line rate after", "receive buffer", "RTT in the end"]]
    for variant, title in HOSTS.items():
        found = summary.metrics(variant)
        rows.append([title, mbps(found["steady_mbps"]), ramp(found), f"{found['rcvbuf_steady_bytes'] / 1e6:.0f} MB",
                     f"{found['rtt_steady_ms']:.0f} ms"])
    return rows


def memory_in_words(summary: Summary) -> Rows:
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


def memory(summary: Summary) -> Rows:
    rows = [["TCP memory an end", "", "goodput", "Jain", "in use", "pruned", "sent again"]]
    for budget in summary.values("budget"):
        for variant in ("stock", "tcp_abt"):
            found = summary.metrics(variant, budget=budget)
            rows.append([f"{budget} BDP", variant, mbps(found["steady_mbps"]), f"{found['jain_steady']:.3f}",
                         f"{found['memory_steady_bytes'] / 1e6:.1f} MB", count(found["prunes"]), count(found["retransmissions"])])
    return rows


def lfn_ends(summary: Summary) -> Rows:
    rows = [["sender", "receiver", "steady", "95 % after", "receive buffer", "send buffer", "RTT"]]
    for variant, ends in ENDS.items():
        found = summary.metrics(variant)
        rows.append([*ends, amount(found["steady_mbps"]), ramp(found), size(found["rcvbuf_steady_bytes"]), size(found["sndbuf_steady_bytes"]),
                     f"{found['rtt_steady_ms']:,.0f} ms"])
    return rows


def lfn_window(summary: Summary) -> Rows:
    variants = summary.variants()
    return [["streams", *variants],
            *([str(streams), *(amount(summary.metrics(variant, streams=streams)["steady_mbps"]) for variant in variants)]
              for streams in summary.values("streams"))]


def lfn_window_memory(summary: Summary) -> Rows:
    variants = ("fixed-512m", "fixed-1g", "tuned", "tcp_abt")

    def cell(found: Metrics) -> str:
        return f"{found['rcvbuf_steady_bytes'] / 1e6:,.0f} MB, {found['rtt_steady_ms']:.0f} ms"
    return [["streams", *variants],
            *([str(streams), *(cell(summary.metrics(variant, streams=streams)) for variant in variants)] for streams in summary.values("streams"))]


def drs_paths(summary: Summary) -> Rows:
    def cell(found: Metrics) -> str:
        wasted = f", {size(found['memory_wasted_bytes'])} wasted" if found["memory_wasted_bytes"] >= 1e3 else ""
        return f"{amount(found['steady_mbps'])}; {size(found['rcvbuf_steady_bytes'])}{wasted}"
    return [["path", *PATHS.values()],
            *([f"{axes['rate']} x {axes['rtt']}", *(cell(summary.metrics(variant, **axes)) for variant in PATHS)] for axes in summary.cells())]


def drs_change(summary: Summary) -> Rows:
    metrics = {"goodput over all 90 s": ("goodput_mbps", amount), "receive buffer, at most": ("rcvbuf_peak_bytes", size),
               "receive buffer, last 30 s": ("rcvbuf_steady_bytes", size), "RTT, last 30 s": ("rtt_steady_ms", "{:.0f} ms".format),
               "segments sent again": ("retransmissions", count)}
    return [["", *TUNINGS.values()],
            *([title, *(form(summary.metrics(variant)[metric]) for variant in TUNINGS)] for title, (metric, form) in metrics.items())]


def drs_reorder(summary: Summary) -> Rows:
    def cell(found: Metrics) -> str:
        return f"{amount(found['goodput_mbps'])}; {size(found['rcvbuf_steady_bytes'])}"
    return [["reordered", "lost", *TUNINGS.values()],
            *([percent(axes["reorder"]), percent(axes["loss"]), *(cell(summary.metrics(variant, **axes)) for variant in TUNINGS)]
              for axes in summary.cells())]


def atbt_mix(summary: Summary) -> Rows:
    variants = summary.variants()

    def cell(found: Metrics, path: str) -> str:
        return f"{amount(found[f'{path}.steady_mbps'])}; {size(found[f'{path}.sndbuf_steady_bytes'])}"
    return [["path", *variants], *([path, *(cell(summary.metrics(variant), path) for variant in variants)]
                                   for path in ("modem", "isdn", "dsl", "t3", "lan", "wan", "fast"))]


def few_packets(summary: Summary) -> Rows:
    """Of the round trips near a path's own together."""
    paths = (("1 Mbit/s", 1, (49, 57), "1 Mbit/s x 49 to 57 ms", "one packet"), ("1 Mbit/s", 1, (168, 200), "1 Mbit/s x 168 to 200 ms", "four packets"),
             ("10 Mbit/s", 1, (46, 54), "10 Mbit/s x 46 to 54 ms", "ten packets"),
             ("10 Mbit/s", 8, (9.2, 10.8), "10 Mbit/s x 9.2 to 10.8 ms, eight flows", "two packets"))
    rows = [["path", "queue", "hand-tuned", "tcp_abt"]]
    for rate, flows, (least, most), *titles in paths:
        near = [axes for axes in summary.cells()
                if (axes["rate"], axes["flows"]) == (rate, flows) and least <= float(axes["rtt"].split()[0]) <= most]
        rows.append([*titles, *(spread([summary.metrics(variant, **axes)["goodput_mbps"] / summary.metrics("stock", **axes)["goodput_mbps"]
                                        for axes in near]) for variant in ("tuned", "tcp_abt"))])
    return rows


def uploads(summary: Summary) -> Rows:
    rows = [["", "goodput", "last flow ends", "Jain while all run", "TCP memory, at most", "sent again"]]
    for variant in UPLOADS:
        found = summary.metrics(variant)
        jain = f"{found['jain']:.3f}"
        rows.append([variant, f"{found['goodput_mbps']:.1f} Mbit/s", f"{found['last_finish_s']:.1f} s", jain if jain != "1.000" else f"{found['jain']:.4f}",
                     f"{found['memory_peak_bytes'] / 1e6:.2f} MB", count(found["retransmissions"])])
    return rows


def twice_the_connections(summary: Summary) -> Rows:
    def cell(found: Metrics) -> str:
        return f"{amount(found['steady_mbps'])}; {found['slowest_mbps']:.2f}; {count(found['prunes'])}"
    return [["connections", "stock", "tcp_abt"],
            *([str(flows), *(cell(summary.metrics(variant, flows=flows)) for variant in ("stock", "tcp_abt"))]
              for flows in summary.values("flows") if flows > 32)]


def greedy_neighbour(summary: Summary) -> Rows:
    rows = [["`tcp_mem[1]`", "", "median", "99th percentile", "greedy one", "in use"]]
    for total in summary.values("memory"):
        for variant, title in NEIGHBOURS.items():
            found = summary.metrics(variant, memory=total)
            its = [f"{found['steady_mbps']:.1f} Mbit/s", f"{found['memory_steady_bytes'] / 1e6:.1f} MB"] if found["steady_mbps"] else ["", ""]
            rows.append([total, title, f"{found['wait_median_ms']:.1f} ms", f"{found['wait_p99_ms']:.1f} ms", *its])
    return rows


def churn(summary: Summary) -> Rows:
    def cell(found: Metrics, flow: str) -> str:
        return f"{found[f'{flow}.wait_median_ms']:,.0f}, {found[f'{flow}.wait_p99_ms']:,.0f} ms"
    return [["`tcp_mem[1]`", "", "pages: median, 99th percentile", "pictures: median, 99th percentile"],
            *([total, variant, *(cell(summary.metrics(variant, memory=total), flow) for flow in ("page", "picture"))]
              for total in summary.values("memory") for variant in ("stock", "tcp_abt"))]


def writers(summary: Summary, cell: Callable[[Metrics], str]) -> Rows:
    return [["path", *WRITERS.values()],
            *([writer(axes), *(cell(summary.metrics(variant, **axes)) for variant in WRITERS)] for axes in summary.cells())]


def write_to_wire(summary: Summary) -> Rows:
    return writers(summary, lambda found: f"{amount(found['wire_p99_ms'])} ms; {amount(found['steady_mbps'])}")


def write_to_wire_memory(summary: Summary) -> Rows:
    return writers(summary, lambda found: f"{found['sndqueue_steady_bytes'] / 1e6:.1f} MB; {found['sndqueue_flight']:.2f}")


def all_stop(summary: Summary) -> Rows:
    rows = [["`tcp_mem[1]`", "", "promised", "in use, at most", "above `tcp_mem[1]`", "pruned", "dropped", "calm after", "timeouts", "last flow ends"]]
    for total in summary.values("memory"):
        for variant in ("stock", "tcp_abt"):
            found = summary.metrics(variant, memory=total)
            rows.append([total, variant, f"{found['promised_bytes'] / 1e6:.0f} MB", f"{found['memory_peak_share']:.2f}", f"{found['memory_over_s']:.1f} s",
                         count(found["prunes"]), count(found["receive_queue_drops"]), f"{found['calm_s']:.1f} s", count(found["timeouts"]),
                         f"{found['last_finish_s']:.1f} s"])
    return rows


def writer(axes: Mapping[str, Any]) -> str:
    """A path, and how its writer and its sender differ from the plain ones."""
    return ", ".join([f"{axes['rate']} x {axes['rtt']}", *([axes["control"]] if axes["control"] != "cubic" else []),
                      *([axes["pause"]] if axes["pause"] != "0 ms" else [])])


def share_policies(summary: Summary) -> Rows:
    rows = [["receiver", "share", "receive buffer: near, mid, long", "goodput [Mbit/s]", "transfers took [s]", "Jain of buffers, of goodput"]]
    for axes in summary.cells():
        for variant in ("maxmin", "proportional", "fcfs"):
            found = summary.metrics(variant, **axes)

            def all_three(metric: str, form: str, found: Metrics = found) -> str:
                return ", ".join(form.format(found[f"{flow}.{metric}"]) for flow in ("near", "mid", "long"))
            buffers = ", ".join(f"{found[f'{flow}.rcvbuf_steady_bytes'] / 1e3:.0f}" for flow in ("near", "mid", "long"))
            rows.append([str(next(iter(axes.values()))), variant, f"{buffers} KB", all_three("steady_mbps", "{:.1f}"), all_three("took_s", "{:.1f}"),
                         f"{found['jain_rcvbuf']:.3f}, {found['jain_steady']:.3f}"])
    return rows


def flows_apart(summary: Summary) -> Rows:
    rows = [["hosts", "Jain's index in the end", "all flows", "RTT in the end", "memory of both ends", "segments sent again"]]
    for variant, title in HOSTS.items():
        found = summary.metrics(variant)
        rows.append([title, f"{found['jain_steady']:.3f}", mbps(found["steady_mbps"]), f"{found['rtt_steady_ms']:.0f} ms",
                     f"{found['memory_steady_bytes'] / 1e6:.0f} MB", count(found["retransmissions"])])
    return rows


def flows_apart_trips(summary: Summary) -> Rows:
    trips = summary.values("rtt")

    def cell(found: Metrics) -> str:
        fair = f"{found['fair_after_s']:.0f} s" if found["fair_after_s"] < found["last_finish_s"] else "never"
        return (f"{found['jain_steady']:.3f}; {fair}; {found['rtt_steady_ms']:.0f} ms; "
                f"{found['memory_steady_bytes'] / 1e6:.0f} MB; {count(found['retransmissions'])}")
    return [["", *trips], *([title, *(cell(summary.metrics(variant, rtt=trip)) for trip in trips)] for variant, title in APART.items())]


class Case(NamedTuple):
    """A question to the scenario beside: a cell, a metric of it, and how it is written."""

    title: str
    cell: Mapping[str, Any]
    metric: str
    form: Callable[[float], str]


def beside_first(summary: Summary) -> Rows:
    """Six rows for a first look."""
    alone, later, four = {"flows": 1}, {"flows": 2}, {"flows": 4}
    short = {"flows": 16, "budget": 1}
    cases = (
        Case("one flow, 200 Mbit/s x 150 ms", alone, "steady_mbps", mbps),
        Case("two flows over 600 ms, the first one", later, "F1.steady_mbps", mbps),
        Case("the second one, opened 15 s later", later, "F2.steady_mbps", mbps),
        Case("four flows 2 s apart: Jain's index in the end", four, "jain_steady", "{:.2f}".format),
        Case("their segments sent again", four, "retransmissions", count),
        Case("16 flows, TCP memory of 1 BDP an end", short, "steady_mbps", mbps))
    return [["", *BESIDE.values()],
            *([case.title, *(case.form(summary.metrics(variant, **case.cell)[case.metric]) for variant in BESIDE)] for case in cases)]


def beside(summary: Summary) -> Rows:
    """All cells, all that can be compared."""
    rows = [["case", "", "goodput", "Jain", "sent again", "RTT in the end", "both ends' TCP memory, at most", "processor"]]
    titles = {(1, 30): "1 flow, 150 ms", (4, 30): "4 flows 2 s apart, 150 ms", (2, 30): "2 flows 15 s apart, 600 ms: each",
              (16, 1): "16 flows, 150 ms, 1 BDP an end", (16, 2): "16 flows, 150 ms, 2 BDP an end"}
    for axes in summary.cells():
        for variant, title in BESIDE.items():
            found = summary.metrics(variant, **axes)
            goodput = ", ".join(amount(found[f"{flow}.steady_mbps"]) for flow in ("F1", "F2")) if axes["flows"] == 2 else amount(found["steady_mbps"])
            rows.append([titles[axes["flows"], axes["budget"]], title, f"{goodput} Mbit/s", f"{found['jain_steady']:.2f}", count(found["retransmissions"]),
                         f"{found['rtt_steady_ms']:.0f} ms", size(found["memory_peak_bytes"]), f"{100 * found['busy_share']:.0f} %"])
    return rows


def mbps(value: float) -> str:
    return f"{value:.0f} Mbit/s"


def amount(value: float) -> str:
    """Three digits, or all before the point."""
    for least, digits in ((100, 0), (10, 1), (1, 2)):
        if value >= least:
            return f"{value:,.{digits}f}"
    return f"{value:.3f}"


def size(value: float) -> str:
    return f"{amount(value / 1e6)} MB" if value >= 1e6 else f"{value / 1e3:.0f} KB"


def count(value: float) -> str:
    return f"{value:,.0f}"


def percent(value: float) -> str:
    return f"{100 * value:.10f}".rstrip("0").rstrip(".") + " %"


def spread(values: Iterable[float]) -> str:
    found = list(values)
    return f"{statistics.fmean(found):.3f}; {min(found):.3f} to {max(found):.3f}"


def ramp(found: Metrics) -> str:
    return f"{found['ramp_s']:.1f} s" if found["ramp_s"] < found["last_finish_s"] else "never"


def markdown(rows: Rows) -> str:
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([lines[0].replace("|  |", "| |"), "|---" * len(rows[0]) + "|", *lines[1:]]) + "\n"


RESULTS = "docs/results.md"
DOCUMENTED = (
    Documented("ftp_fairness", "scaled", "README.md", demo, {"goodput": "ftp_fairness"}),
    Documented("lfn", "scaled", "README.md", lfn),
    Documented("fair_lfn", "scaled", "README.md", flows_apart, {"flows": "fair_lfn"}),
    Documented("fair_lfn", "trips", RESULTS, flows_apart_trips),
    Documented("beside", "scaled", "README.md", beside_first, lab=PACKAGED),
    Documented("beside", "scaled", "docs/comparison.md", beside, lab=PACKAGED),
    Documented("memory_budget", "scaled", "README.md", memory_in_words),
    Documented("memory_budget", "scaled", RESULTS, memory),
    Documented("lfn_ends", "scaled", RESULTS, lfn_ends),
    Documented("drs_change", "scaled", RESULTS, drs_change, {"change": "drs_change"}),
    Documented("atbt_mix", "scaled", RESULTS, atbt_mix, {"band": "atbt_mix"}),
    Documented("greedy_neighbour", "scaled", RESULTS, greedy_neighbour),
    Documented("churn", "scaled", RESULTS, churn),
    Documented("write_to_wire", "scaled", RESULTS, write_to_wire),
    Documented("write_to_wire", "scaled", RESULTS, write_to_wire_memory, place="memory"),
    Documented("all_stop", "scaled", RESULTS, all_stop),
    Documented("share_policies", "scaled", RESULTS, share_policies, {"shares-fixed": "share_policies"}),
    Documented("twice_the_connections", "scaled", RESULTS, twice_the_connections),
    Documented("few_packets", "scaled", RESULTS, few_packets),
    Documented("drs_reorder", "scaled", RESULTS, drs_reorder),
    Documented("ftp_fairness", "paper", RESULTS, uploads),
    Documented("drs_paths", "paper", RESULTS, drs_paths, {"waste": "drs_paths"}),
    Documented("lfn_window", "paper", RESULTS, lfn_window, {"series-steady_mbps-streams": "lfn_window"}),
    Documented("lfn_window", "paper", RESULTS, lfn_window_memory, place="memory"),
)
