# SPDX-License-Identifier: GPL-2.0
"""Results: TSV tables and JSON for programs, one table for people.

    OUT/summary.tsv summary.json     a row per variant, a column per metric
    OUT/finish.tsv                   a row per variant: end of each flow, and the bound
    OUT/figures.tsv where.txt        the figures that plots/plot draws of this folder, and their subtitle
    OUT/VARIANT/sockets.tsv ...      what the kernel said every 100 ms
    OUT/VARIANT/goodput.tsv jain.tsv over 1 s windows
"""

import json

from . import metrics
from .metrics import METRICS
from .quantity import human_bytes

STEP_S = 0.5


def write_table(path, header, rows):
    with open(path, "w") as file:
        file.write("\t".join(header) + "\n")
        file.writelines("\t".join(cell(value) for value in row) + "\n" for row in rows)


def cell(value):
    if value is None or value == "":
        return "?"  # gnuplot's missing value
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def write_collected(out, record):
    """The kernel's tables as they are, of a run that failed as well."""
    folder = out / record.variant
    folder.mkdir(parents=True, exist_ok=True)
    for name, (header, rows) in record.tables.items():
        write_table(folder / f"{name}.tsv", header, rows)


def write_derived(out, scenario, record):
    folder = out / record.variant
    series = metrics.flow_series(record, scenario.flows)
    write_table(folder / "goodput.tsv", ("t", *series),
                [(moment, *rates) for moment, rates in metrics.goodput_over_time(series, record, STEP_S)])
    write_table(folder / "jain.tsv", ("t", "jain", "flows"), metrics.jain_over_time(series, record, STEP_S))


def write_summary(out, scenario, records, results, machine):
    write_table(out / "summary.tsv", ("variant", *METRICS),
                [(name, *(values[metric] for metric in METRICS)) for name, values in results.items()])
    flows = [flow.name for flow in scenario.flows]
    write_table(out / "finish.tsv", ("variant", *flows, "bound"),
                [(record.variant, *(record.finished[flow] for flow in flows), results[record.variant]["bound_s"])
                 for record in records])
    write_table(out / "figures.tsv", ("figure",), [(name,) for name in scenario.plots])
    (out / "where.txt").write_text(
        f"{scenario.rate_bps / 1e6:g} Mbit/s, RTT {scenario.rtt_s * 1e3:g} ms, BDP {human_bytes(scenario.bdp_bytes)}; "
        f"Linux {machine['kernel']}, {scenario.size} size\n")
    summary = {"scenario": scenario.name, "title": scenario.title, "size": scenario.size, **machine,
               "rate_bps": scenario.rate_bps, "rtt_s": scenario.rtt_s, "bdp_bytes": scenario.bdp_bytes,
               "metrics": METRICS, "variants": results,
               "finish_s": {record.variant: record.finished for record in records},
               "bottleneck": {record.variant: record.bottleneck for record in records}}
    (out / "summary.json").write_text(json.dumps(summary, indent=1) + "\n")


def table_for_people(scenario, records, results):
    timed = any(flow.time_s is not None for flow in scenario.flows)
    columns, notes = steady_columns() if timed else transfer_columns(scenario)
    rows = [["variant", *columns]]
    rows += [[record.variant, *(show(record, results[record.variant]) for show in columns.values())]
             for record in records]
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    lines = ["  ".join(text.ljust(width) if place == 0 else text.rjust(width)
                       for place, (text, width) in enumerate(zip(row, widths, strict=True))) for row in rows]
    return "\n".join([*lines, *notes])


def transfer_columns(scenario):
    """Flows that move a size: when they end. Header -> text of a record and its metrics; then notes."""
    columns = {"goodput": lambda _, values: f"{values['goodput_mbps']:.2f} Mbit/s"}
    columns |= {f"{flow.name} ends": lambda record, _, name=flow.name: f"{record.finished[name]:.1f} s"
                for flow in scenario.flows}
    columns |= {
        "bound": lambda _, values: f"{values['bound_s']:.1f} s",
        "Jain": lambda _, values: f"{values['jain']:.4f}",
        "peak memory": lambda _, values: f"{human_bytes(values['memory_peak_bytes'])} "
                                         f"({values['memory_peak_bytes'] / values['memory_limit_bytes']:.0%})",
        "retrans": lambda _, values: f"{values['retransmissions']}",
        "drops": lambda _, values: f"{drops(values)}"}
    return columns, [
        "bound: no end can be earlier; peak memory: TCP memory of both ends, and its share of tcp_mem's max;",
        "drops: prunes + collapses + receive-queue drops in the hosts (the bottleneck's are in summary.tsv)"]


def steady_columns():
    """Flows that last for a time: what they come to."""
    columns = {
        "steady": lambda _, values: f"{values['steady_mbps']:.1f} Mbit/s",
        "95 % at": lambda record, values: f"{values['ramp_s']:.1f} s" if reached(record, values) else "never",
        "rcvbuf": lambda _, values: human_bytes(values["rcvbuf_steady_bytes"]),
        "of BDP": lambda _, values: f"{values['rcvbuf_steady_bdp']:.2f}",
        "sndbuf": lambda _, values: human_bytes(values["sndbuf_steady_bytes"]),
        "RTT": lambda _, values: f"{values['rtt_steady_ms']:.1f} ms",
        "retrans": lambda _, values: f"{values['retransmissions']}",
        "drops": lambda _, values: f"{drops(values)}"}
    return columns, [
        "steady: the last third of the time; 95 %: of what the bottleneck can carry; buffers: truesize, all flows together;",
        "drops: prunes + collapses + receive-queue drops in the hosts (the bottleneck's are in summary.tsv)"]


def reached(record, values):
    return values["ramp_s"] < max(record.finished.values())


def drops(values):
    return values["prunes"] + values["collapses"] + values["receive_queue_drops"]
