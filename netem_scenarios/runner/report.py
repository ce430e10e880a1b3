# SPDX-License-Identifier: GPL-2.0
"""Results: TSV tables and JSON for programs, one table for people.

    OUT/summary.tsv summary.json     a row per cell and variant: the axes, then a column per metric (median of the seeds)
    OUT/finish.tsv                   a row per cell and variant: end of each flow, and the bound
    OUT/flows.tsv                    a row per cell, variant and flow: what each flow came to
    OUT/figures.tsv where.txt        the figures that plots/plot draws of this folder, and their subtitle
    OUT/[CELL/]VARIANT[/seed-N]/     of one run: sockets.tsv ..., what the kernel said every 100 ms; goodput.tsv and
                                     jain.tsv over 1 s windows; result.json, what the tables above are made of
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import metrics
from .metrics import FLOW_METRICS, METRICS
from .quantity import human_bytes

if TYPE_CHECKING:
    from .experiment import Record
    from .flow import Flow
    from .result import Outcome, Outcomes
    from .scenario import Scenario

Show = Callable[["Outcome"], str]

STEP_S = 0.5
ROWS_SHOWN = 60     # more are for programs
ENDS_SHOWN = 8


def write_table(path: Path, header: Iterable[str], rows: Iterable[Sequence[Any]]) -> None:
    with open(path, "w") as file:
        file.write("\t".join(header) + "\n")
        file.writelines("\t".join(cell(value) for value in row) + "\n" for row in rows)


def cell(value: Any) -> str:
    if value is None or value == "":
        return "?"  # gnuplot's missing value
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def write_collected(folder: Path, record: Record) -> None:
    """The kernel's tables as they are, of a run that failed as well."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, (header, rows) in record.tables.items():
        write_table(folder / f"{name}.tsv", header, rows)


def write_derived(folder: Path, scenario: Scenario, record: Record) -> None:
    series = metrics.flow_series(record, [flow for flow in scenario.flows if flow.bulk])
    write_table(folder / "goodput.tsv", ("t", *series),
                [(moment, *rates) for moment, rates in metrics.goodput_over_time(series, record, STEP_S)])
    write_table(folder / "jain.tsv", ("t", "jain", "flows"), metrics.jain_over_time(series, record, STEP_S))


def write_summary(out: Path, scenarios: list[Scenario], outcomes: Outcomes, states: dict[str, str]) -> None:
    """outcomes: (cell, variant) -> Outcome, in the order of the rows; states: of the module, by part."""
    axes = list(scenarios[0].cell.values)
    write_table(out / "summary.tsv", (*axes, "variant", *METRICS),
                [(*cell.values.values(), variant, *(outcome.metrics[metric] for metric in METRICS))
                 for (cell, variant), outcome in outcomes.items()])
    flows = list(dict.fromkeys(flow.name for scenario in scenarios for flow in scenario.flows))
    write_table(out / "finish.tsv", (*axes, "variant", *flows, "bound"),
                [(*cell.values.values(), variant, *(outcome.finish_s.get(flow) for flow in flows), outcome.metrics["bound_s"])
                 for (cell, variant), outcome in outcomes.items()])
    write_table(out / "flows.tsv", (*axes, "variant", "flow", *FLOW_METRICS),
                [(*cell.values.values(), variant, flow, *(outcome.metrics[f"{flow}.{metric}"] for metric in FLOW_METRICS))
                 for (cell, variant), outcome in outcomes.items() for flow in flows if flow in outcome.finish_s])
    write_table(out / "figures.tsv", ("figure",), [(name,) for name in scenarios[0].plots])
    machine = next(iter(outcomes.values())).results[0].machine
    (out / "where.txt").write_text(f"{path_text(scenarios)}; Linux {machine['kernel']}, {scenarios[0].size} size\n")
    summary = {"scenario": scenarios[0].name, "title": title_of(scenarios), "size": scenarios[0].size, **machine,
               "state": states, "metrics": METRICS,
               "cells": [cell_summary(scenario, outcomes) for scenario in scenarios]}
    (out / "summary.json").write_text(json.dumps(summary, indent=1) + "\n")


def title_of(scenarios: list[Scenario]) -> str:
    """The title that all cells share, else the name."""
    titles = {scenario.title for scenario in scenarios}
    return titles.pop() if len(titles) == 1 else scenarios[0].name


def path_text(scenarios: list[Scenario]) -> str:
    paths = {(scenario.rate_bps, scenario.rtt_s) for scenario in scenarios}
    if len(paths) > 1:
        return f"{len(scenarios)} cells"
    scenario = scenarios[0]
    return (f"{scenario.rate_bps / 1e6:g} Mbit/s, RTT {scenario.rtt_s * 1e3:g} ms, "
            f"BDP {human_bytes(scenario.bdp_bytes)}")


def cell_summary(scenario: Scenario, outcomes: Outcomes) -> dict[str, Any]:
    of_cell = {variant: outcome for (cell, variant), outcome in outcomes.items() if cell == scenario.cell}
    return {"axes": scenario.cell.values, "rate_bps": scenario.rate_bps, "rtt_s": scenario.rtt_s,
            "bdp_bytes": scenario.bdp_bytes, "seeds": scenario.seeds,
            "variants": {variant: {"median": outcome.metrics, "min": outcome.over_seeds(min), "max": outcome.over_seeds(max),
                                   "finish_s": outcome.finish_s, "bottleneck": outcome.results[0].bottleneck}
                         for variant, outcome in of_cell.items()}}


def print_table(out: Path, scenarios: list[Scenario], outcomes: Outcomes) -> None:
    if len(outcomes) > ROWS_SHOWN:
        print(f"{len(outcomes)} rows of results: {out}/summary.tsv")
    else:
        print(table_for_people(scenarios, outcomes))


def table_for_people(scenarios: list[Scenario], outcomes: Outcomes) -> str:
    flows = [flow for scenario in scenarios for flow in scenario.flows]
    timed = any(flow.time_s is not None for flow in flows)
    columns, notes = steady_columns() if timed else transfer_columns(flows)
    if not all(flow.bulk for flow in flows):
        columns |= waits_columns()
    if any(flow.frames for flow in flows):
        columns |= messages_columns()
    axes = list(scenarios[0].cell.values)
    rows = [[*axes, "variant", *columns]]
    for (cell, variant), outcome in outcomes.items():
        words = ["nothing arrived"] if outcome.nothing_arrived else [show(outcome) for show in columns.values()]
        rows.append([*map(str, cell.values.values()), variant, *words, *[""] * (len(columns) - len(words))])
    return "\n".join([*aligned(rows, len(axes) + 1), *notes])


def aligned(rows: list[list[str]], left: int) -> list[str]:
    """Lines of text; the first so many columns flush left, the others right."""
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    return ["  ".join(text.ljust(width) if place < left else text.rjust(width)
                      for place, (text, width) in enumerate(zip(row, widths, strict=True))).rstrip() for row in rows]


def metric(name: str, form: Callable[[float], str]) -> Show:
    """The text of this metric of an Outcome."""
    return lambda outcome: form(outcome.metrics[name])


def end_of(flow: str) -> Show:
    return lambda outcome: f"{outcome.finish_s[flow]:.1f} s" if flow in outcome.finish_s else ""


def transfer_columns(flows: list[Flow]) -> tuple[dict[str, Show], list[str]]:
    """Flows that move a size: when they end. Header -> text of an Outcome; then notes."""
    names = list(dict.fromkeys(flow.name for flow in flows))
    columns = {"goodput": metric("goodput_mbps", "{:.2f} Mbit/s".format)}
    columns |= {f"{name} ends": end_of(name) for name in names} if len(names) <= ENDS_SHOWN else {
        "last ends": metric("last_finish_s", "{:.1f} s".format)}
    columns |= {
        "bound": metric("bound_s", "{:.1f} s".format),
        "Jain": metric("jain", "{:.4f}".format),
        "held at most": lambda outcome: f"{human_bytes(outcome.metrics['held_peak_bytes'])} "
                                        f"({outcome.metrics['held_peak_bytes'] / outcome.metrics['memory_limit_bytes']:.0%})",
        "retrans": metric("retransmissions", "{:g}".format),
        "drops": drops}
    return columns, [
        "bound: no end can be earlier; held at most: by the queues of both ends, and its share of tcp_mem's max;",
        "drops: prunes + collapses + receive-queue drops in the hosts (the bottleneck's are in summary.tsv)"]


def steady_columns() -> tuple[dict[str, Show], list[str]]:
    """Flows that last for a time: what they come to."""
    columns = {
        "steady": metric("steady_mbps", "{:.1f} Mbit/s".format),
        "95 % at": lambda outcome: f"{outcome.metrics['ramp_s']:.1f} s" if reached(outcome) else "never",
        "rcvbuf": metric("rcvbuf_steady_bytes", human_bytes),
        "of BDP": metric("rcvbuf_steady_bdp", "{:.2f}".format),
        "sndbuf": metric("sndbuf_steady_bytes", human_bytes),
        "RTT": metric("rtt_steady_ms", "{:.1f} ms".format),
        "retrans": metric("retransmissions", "{:g}".format),
        "drops": drops}
    return columns, [
        "steady: the last third of the time; 95 %: of what the bottleneck can carry; buffers: truesize, all flows together;",
        "drops: prunes + collapses + receive-queue drops in the hosts (the bottleneck's are in summary.tsv)"]


def waits_columns() -> dict[str, Show]:
    """Questions and answers."""
    return {"wait p50": metric("wait_median_ms", "{:.1f} ms".format), "p99": metric("wait_p99_ms", "{:.1f} ms".format),
            "answers": metric("answers_per_s", "{:.0f}/s".format), "never": metric("unanswered", "{:g}".format)}


def messages_columns() -> dict[str, Show]:
    """Urgent messages, and what stands before them."""
    return {"wire p50": metric("wire_median_ms", "{:.2f} ms".format), "p99": metric("wire_p99_ms", "{:.2f} ms".format),
            "to write": metric("written_p99_ms", "{:.2f} ms".format), "behind": metric("behind_p99_ms", "{:.2f} ms".format),
            "queue/flight": metric("sndqueue_flight", "{:.2f}".format), "never": metric("unsent_messages", "{:g}".format)}


def reached(outcome: Outcome) -> bool:
    return outcome.metrics["ramp_s"] < outcome.metrics["last_finish_s"]


def drops(outcome: Outcome) -> str:
    return f"{sum(outcome.metrics[name] for name in ('prunes', 'collapses', 'receive_queue_drops')):g}"
