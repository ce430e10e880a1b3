# SPDX-License-Identifier: GPL-2.0
"""Numbers from the collected tables: plain functions of rows, no kernel needed.

A flow's series is a list of (t, bytes received so far), t in seconds since the first data of all.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from . import adapter, answers, stop, urgent
from .samples import Samples

if TYPE_CHECKING:
    from .experiment import Record
    from .flow import Flow
    from .scenario import Scenario

Series = list[tuple[float, float]]  # time, bytes received by then

ETHERNET_BYTES = 14
HEADER_BYTES = 20 + 32 + ETHERNET_BYTES  # IPv4, TCP with timestamps, Ethernet: what the bottleneck carries besides payload
WINDOW_S = 1.0
STEADY_PART = 1 / 3      # the last part of the time in which all flows are active: slow start is long over
SETTLED_S = 10.0         # flows that start apart are given so long to become equal
FAIR = 0.95              # Jain's index that counts as equal
RAMP_SHARE = 0.95        # of what the bottleneck can carry
RAMP_WINDOW_MIN_S = 0.2  # two samples

METRICS = {
    "last_finish_s": "end of the last flow, seconds after the first data",
    "bound_s": "earliest possible end of the last flow",
    "goodput_mbps": "all flows' bytes over the time from first data to last end, Mbit/s",
    "jain": "Jain's index of the bytes that each flow moved while all were active",
    "jain_worst": "lowest Jain's index of all 1 s windows in which all were active",
    "jain_steady": "Jain's index in the steady part",
    "jain_settled": "Jain's index from 10 s after the last start on, while all were active",
    "fair_after_s": "time from the last start until Jain's index was last below 0.95 in a 1 s window; all of it, if it still was at the end",
    "slowest_mbps": "goodput of the slowest flow in the steady part",
    "stalled_s": "seconds of the steady part in which a flow got nothing, all flows' together",
    "common_s": "time in which all flows were active",
    "memory_peak_bytes": "most TCP memory in use at once as the kernel counts it (both ends; by 1 MB per processor)",
    "memory_steady_bytes": "mean of the TCP memory in use in the steady part",
    "mbps_per_mb": "steady_mbps over memory_steady_bytes, Mbit/s for each 10^6 bytes",
    "held_peak_bytes": "most that the queues at both ends of all flows held at once",
    "memory_limit_bytes": "tcp_mem[2]",
    "prunes": "PruneCalled + RcvPruned + OfoPruned, all hosts",
    "collapses": "TCPRcvCollapsed, all hosts",
    "receive_queue_drops": "TCPRcvQDrop + TCPOFODrop + TCPZeroWindowDrop + TCPBacklogDrop, all hosts",
    "pressures": "times that the kernel entered TCP memory pressure",
    "retransmissions": "segments sent again, all flows",
    "timeouts": "retransmission timeouts, all hosts",
    "bottleneck_drops": "packets that the bottleneck's queue refused",
    "rtt_mean_ms": "mean smoothed RTT of all flows while all were active",
    "steady_mbps": "all flows' goodput in the steady part, the last third of the common time, Mbit/s; what came before, and "
                   "a hole kept back, counts only up to what the bottlenecks can carry",
    "ramp_s": "when all flows together first reached 95 % of what the bottleneck can carry over an RTT; if never, the end",
    "rcvbuf_steady_bytes": "mean of all flows' receive buffers together in the steady part, truesize",
    "rcvbuf_steady_bdp": "the same as a multiple of the BDP",
    "rcvbuf_peak_bytes": "most that all flows' receive buffers came to together, truesize",
    "window_steady_bdp": "mean of all flows' receive windows together in the steady part, payload, as a multiple of the BDP",
    "memory_wasted_bytes": "receive buffer in the steady part beyond what windows of 2 BDP take, truesize",
    "network_wasted_mbps": "what the bottleneck could have carried beside steady_mbps",
    "sndbuf_steady_bytes": "mean of all flows' send buffers together in the steady part, truesize",
    "sndqueue_steady_bytes": "mean of what all flows' send queues hold together in the steady part, truesize",
    "sndqueue_flight": "what they hold over what of it is in flight, both in payload",
    "rtt_steady_ms": "mean smoothed RTT in the steady part",
    "rtt_steady_bases": "the same as a multiple of the RTT without a queue",
    "unread_peak_bytes": "most payload that waited for one reader",
    "jain_rcvbuf": "Jain's index of the flows' receive buffers in the steady part",
    **answers.METRICS,
    **urgent.METRICS,
    **adapter.METRICS,
    **stop.METRICS,
    "records_left": "connections that the module still knew when all had closed",
    "charged_left_bytes": "what its pools were still charged for then, truesize",
    "cross_mbps": "cross traffic that arrived, with headers, Mbit/s",
    "poller_share": "share of one processor that collecting took",
    "busy_share": "processor time that all took together while data flowed, of one processor; in virtual, where computing takes no time, next to 0",
}

# Of one flow: FLOW.METRIC in the results, flow = "FLOW" in a claim.
FLOW_METRICS = {
    "steady_mbps": "its goodput in the steady part, Mbit/s",
    "rtt_steady_ms": "its mean smoothed RTT in the steady part",
    "rcvbuf_steady_bytes": "mean of its receive buffer in the steady part, truesize",
    "sndbuf_steady_bytes": "mean of its send buffer in the steady part, truesize",
    "sndbuf_changes_per_s": "samples of the steady part that found another send buffer than the one before, per second",
    "took_s": "from its first data to its end",
    **answers.METRICS,
    **urgent.METRICS,
}

# Of the flows of a table together, if it stands for several: NAME.METRIC as well, the sum of theirs.
SUMMED_METRICS = ("steady_mbps",)

# Growths of the kernel's counters.
COUNTED = {
    "prunes": ("PruneCalled", "RcvPruned", "OfoPruned"),
    "collapses": ("TCPRcvCollapsed",),
    "receive_queue_drops": ("TCPRcvQDrop", "TCPOFODrop", "TCPZeroWindowDrop", "TCPBacklogDrop"),
    "pressures": ("TCPMemoryPressures",),
    "timeouts": ("TCPTimeouts",),
}


def jain(values: list[float]) -> float:
    """(sum x)^2 / (n sum x^2): 1 when all are equal, 1/n when one has all; 1 when nothing moved."""
    squares = sum(value * value for value in values)
    return sum(values) ** 2 / (len(values) * squares) if squares else 1.0


def bytes_at(series: Series, moment: float) -> float:
    """Bytes received by then, between two samples along a straight line."""
    at = bisect_right(series, (moment, float("inf")))
    if at == 0:
        return 0.0
    if at == len(series):
        return float(series[-1][1])
    (t0, b0), (t1, b1) = series[at - 1], series[at]
    return b0 + (b1 - b0) * (moment - t0) / (t1 - t0) if t1 > t0 else float(b1)


def flow_series(record: Record, flows: list[Flow]) -> dict[str, Series]:
    """flow name -> series, from its start (0 bytes) to its end (its size)."""
    sockets = record.tables["sockets"]
    moment, name, received = sockets.places("t", "flow", "received")
    moved = moved_bytes(record, flows)
    series: defaultdict[str, Series] = defaultdict(list)
    for flow in flows:
        series[flow.name].append((record.started[flow.name], 0))
    for row in sockets.rows:
        if record.started[row[name]] < row[moment] < record.finished[row[name]]:
            series[row[name]].append((row[moment], min(row[received], moved[row[name]])))
    for flow in flows:
        series[flow.name].append((record.finished[flow.name], moved[flow.name]))
    return dict(series)


def moved_bytes(record: Record, flows: list[Flow]) -> dict[str, int]:
    """flow name -> bytes: its size; of a flow that ends by time, the last count that was seen."""
    sockets = record.tables["sockets"]
    seen = dict(zip(sockets.column("flow"), sockets.column("received"), strict=True))
    return {flow.name: seen.get(flow.name, 0) if flow.size_bytes is None else flow.size_bytes for flow in flows}


def last_bytes(record: Record, flows: list[Flow]) -> dict[str, float]:
    """flow name -> when all its bytes were seen to be there; of a flow that ends by time, when it was last seen: what came after counts nowhere."""
    sizes = {flow.name: flow.size_bytes for flow in flows}
    sockets = record.tables["sockets"]
    moment, name, received = sockets.places("t", "flow", "received")
    ends = dict(record.finished)
    for row in sockets.rows:
        size = sizes.get(row[name])
        if size is None:
            ends[row[name]] = row[moment]
        elif row[received] >= size:
            ends[row[name]] = min(ends[row[name]], row[moment])
    return ends


def common_time(record: Record, flows: list[Flow]) -> tuple[float, float]:
    """(from, to) in which every flow had bytes to come; empty (from == to) when there is none."""
    begin = max(record.started.values())
    return begin, max(begin, min(last_bytes(record, flows).values()))


def jain_in(series: dict[str, Series], begin: float, end: float) -> float:
    return jain([bytes_at(points, end) - bytes_at(points, begin) for points in series.values()])


def jain_over_time(series: dict[str, Series], record: Record, step_s: float) -> list[tuple[float, float, int]]:
    """[(t, index, flows)] over the flows active all through the window that ends at t."""
    rows = []
    last = max(record.finished.values())
    for number in range(1, int(last / step_s) + 1):
        end = number * step_s
        begin = end - WINDOW_S
        active = {name: points for name, points in series.items()
                  if record.started[name] <= begin and record.finished[name] >= end}
        if active and begin >= 0:
            rows.append((round(end, 3), jain_in(active, begin, end), len(active)))
    return rows


def fair_after_s(windows: list[tuple[float, float]], begin: float, end: float) -> float:
    """windows: [(t, index)] while all were active."""
    if not windows or windows[-1][1] < FAIR:
        return end - begin
    return max((moment for moment, index in windows if index < FAIR), default=begin) - begin


def goodput_over_time(series: dict[str, Series], record: Record, step_s: float) -> list[tuple[float, list[float | None]]]:
    """[(t, Mbit/s of each flow or None)] over the window that ends at t."""
    rows = []
    for number in range(1, int(max(record.finished.values()) / step_s) + 2):
        end = number * step_s
        begin = max(0.0, end - WINDOW_S)
        rates = [8e-6 * (bytes_at(points, end) - bytes_at(points, begin)) / (end - begin)
                 if record.started[name] < end and begin < record.finished[name] else None
                 for name, points in series.items()]
        rows.append((round(end, 3), rates))
    return rows


def carried_bps(scenario: Scenario) -> float:
    """What all bottlenecks carry together."""
    return sum(link.forward.rate_bps or 0 for link in scenario.links)


def finish_bound(scenario: Scenario, moved: dict[str, int], started: dict[str, float], cross_bps: float, mss_bytes: int) -> float:
    """Earliest end of the last flow: the bottlenecks never idle from the first data on, nothing sent twice.

    The bytes of all flows whose data begins at or after some time cannot pass before that time plus their
    bytes with headers over the rate that the cross traffic leaves; the latest of these bounds counts.
    """
    left_bps = carried_bps(scenario) - cross_bps
    bound = 0.0
    for begin in started.values():
        data = sum(count for flow, count in moved.items() if started[flow] >= begin)
        wire = data * ((mss_bytes + HEADER_BYTES) / mss_bytes)
        bound = max(bound, begin + wire * 8 / left_bps)
    return bound


def counter_growth(table: Samples, names: Iterable[str]) -> int:
    """Growth of these counters over all hosts."""
    first: dict[str, tuple[Any, ...]] = {}
    last: dict[str, tuple[Any, ...]] = {}
    for row in table.rows:
        first.setdefault(row[1], row)
        last[row[1]] = row
    return sum(last[host][place] - first[host][place] for host in last for place in table.places(*names))


def retransmissions(table: Samples) -> int:
    flow, count = table.places("flow", "retransmissions")
    return sum({row[flow]: row[count] for row in table.rows if row[count] != ""}.values())


def steady_time(begin: float, end: float) -> tuple[float, float]:
    return end - (end - begin) * STEADY_PART, end


def goodput_mbps(series: dict[str, Series], begin: float, end: float) -> float:
    """All flows together."""
    moved = sum(bytes_at(points, end) - bytes_at(points, begin) for points in series.values())
    return moved * 8e-6 / (end - begin) if end > begin else 0.0


def stalled_s(series: dict[str, Series], begin: float, end: float) -> int:
    """Whole seconds from begin on without a byte, summed over flows."""
    return sum(bytes_at(points, begin + number + 1) == bytes_at(points, begin + number)
               for points in series.values() for number in range(int(end - begin)))


def ramp_s(series: dict[str, Series], rate_mbps: float, window_s: float, last: float) -> float:
    """The first sample at which the window that ends there moved RAMP_SHARE of this rate."""
    moments = sorted({moment for points in series.values() for moment, _ in points})
    return next((moment for moment in moments if moment >= window_s and
                 goodput_mbps(series, moment - window_s, moment) >= RAMP_SHARE * rate_mbps), last)


def mean_sum(table: Samples, name: str, begin: float, end: float) -> float:
    """A column's sum over all flows, the mean over [begin, end)."""
    place = table.place(name)
    chosen = [row for row in table.rows if begin <= row[0] < end and row[place] != ""]
    moments = len({row[0] for row in chosen})
    return sum(row[place] for row in chosen) / moments if moments else 0.0


def mean(table: Samples, name: str, begin: float, end: float) -> float:
    """A column's mean over [begin, end)."""
    chosen = [value for moment, value in zip(table.column("t"), table.column(name), strict=True) if begin <= moment < end]
    return sum(chosen) / len(chosen) if chosen else 0.0


def peak_sum(table: Samples, name: str) -> int:
    """A column's sum over all flows, where it is largest."""
    place = table.place(name)
    sums: defaultdict[float, int] = defaultdict(int)
    for row in table.rows:
        sums[row[0]] += row[place] or 0
    return max(sums.values(), default=0)


def changes_per_s(table: Samples, name: str, begin: float, end: float) -> float:
    """How often a flow's column differs from the sample before."""
    place = table.place(name)
    seen = [row[place] for row in table.rows if begin <= row[0] < end and row[place] != ""]
    return sum(one != other for one, other in pairwise(seen)) / (end - begin) if end > begin else 0.0


def mean_rtt_ms(table: Samples, begin: float, end: float) -> float:
    place = table.place("rtt_us")
    samples = [row[place] for row in table.rows if begin <= row[0] <= end and row[place] != ""]
    return sum(samples) / len(samples) / 1000 if samples else 0.0


def waste(scenario: Scenario, steady_mbps: float, payload_mbps: float, rcvbuf: float, window: float) -> dict[str, float]:
    """DRS's two wastes: of the network, and of memory; rcvbuf in truesize, the window that it makes in payload."""
    beyond = max(0.0, 1 - 2 * scenario.bdp_bytes / window) if window else 0.0
    return {"memory_wasted_bytes": rcvbuf * beyond, "network_wasted_mbps": max(0.0, payload_mbps - steady_mbps)}


def of_flows(record: Record, series: dict[str, Series], steady: tuple[float, float]) -> dict[str, float]:
    """FLOW.METRIC -> number, for every flow and every name in FLOW_METRICS."""
    sockets = record.tables["sockets"]
    flow = sockets.place("flow")
    values: dict[str, float] = {}
    for name, ended in record.finished.items():
        own = Samples(sockets.header, [row for row in sockets.rows if row[flow] == name])
        numbers = (goodput_mbps({name: series.get(name, [])}, *steady), mean_rtt_ms(own, *steady), mean_sum(own, "rcvbuf", *steady),
                   mean_sum(own, "sndbuf", *steady), changes_per_s(own, "sndbuf", *steady), ended - record.started[name],
                   *answers.derive(waits_of(record), *steady, name).values(), *urgent.derive(messages_of(record), *steady, name).values())
        values |= {f"{name}.{metric}": number for metric, number in zip(FLOW_METRICS, numbers, strict=True)}
    return values


def of_tables(flows: list[Flow], each: dict[str, float]) -> dict[str, float]:
    """NAME.METRIC -> number, for every table of several flows and every name in SUMMED_METRICS; each: of_flows()."""
    members: dict[str, list[str]] = {}
    for flow in flows:
        if flow.group != flow.name:
            members.setdefault(flow.group, []).append(flow.name)
    return {f"{group}.{metric}": sum(each[f"{name}.{metric}"] for name in names)
            for group, names in members.items() for metric in SUMMED_METRICS}


def waits_of(record: Record) -> Samples:
    return record.tables.get("waits", answers.NO_WAITS)


def messages_of(record: Record) -> Samples:
    return record.tables.get("messages", urgent.NO_MESSAGES)


def in_queue_over_flight(sockets: Samples, begin: float, end: float) -> float:
    """All flows' payload that is written and not acknowledged, over the part of it that is sent; 0 if nothing is."""
    queued, notsent = mean_sum(sockets, "queued", begin, end), mean_sum(sockets, "notsent", begin, end)
    return queued / (queued - notsent) if queued > notsent else 0.0


def derive(scenario: Scenario, record: Record) -> dict[str, float]:
    """metric -> number, for every name in METRICS, and for every flow's."""
    sockets = record.tables["sockets"]
    bulk = [flow for flow in scenario.flows if flow.bulk]
    series, moved = flow_series(record, bulk), moved_bytes(record, bulk)
    begin, end = common_time(record, scenario.flows)
    steady = steady_time(begin, end)
    last = max(record.finished.values())
    mss = max((value for value in sockets.column("mss") if value), default=scenario.mtu - HEADER_BYTES + ETHERNET_BYTES)
    cross_bps = record.cross_wire_bytes * 8 / last
    payload_mbps = scenario.rate_bps * 1e-6 * mss / (mss + HEADER_BYTES)
    rcvbuf, window = mean_sum(sockets, "rcvbuf", *steady), mean_sum(sockets, "rcv_ssthresh", *steady)
    carried_mbps = carried_bps(scenario) / scenario.rate_bps * payload_mbps
    steady_mbps = min(goodput_mbps(series, *steady), carried_mbps)
    memory = mean(record.tables["memory"], "tcp_memory_bytes", *steady)
    rtt_ms = mean_rtt_ms(sockets, *steady)
    windows = [(moment, index) for moment, index, flows in jain_over_time(series, record, WINDOW_S)
               if flows == len(series) and begin + WINDOW_S <= moment <= end]
    each = of_flows(record, series, steady)
    return {
        "last_finish_s": last,
        "bound_s": finish_bound(scenario, moved, record.started, cross_bps, mss),
        "goodput_mbps": sum(moved.values()) * 8e-6 / last,
        "jain": jain_in(series, begin, end),
        "jain_worst": min((index for _, index in windows), default=0.0),
        "jain_steady": jain_in(series, *steady),
        "jain_settled": jain_in(series, min(begin + SETTLED_S, end), end),
        "fair_after_s": fair_after_s(windows, begin, end),
        "slowest_mbps": min((each[f"{name}.steady_mbps"] for name in series), default=0.0),
        "stalled_s": stalled_s(series, *steady),
        "common_s": end - begin,
        "memory_peak_bytes": max(record.tables["memory"].column("tcp_memory_bytes")),
        "memory_steady_bytes": memory,
        "mbps_per_mb": steady_mbps / max(memory, 1) * 1e6,
        "held_peak_bytes": max(record.tables["memory"].column("held_bytes")),
        "memory_limit_bytes": scenario.tcp_mem[2],
        "retransmissions": retransmissions(sockets),
        "bottleneck_drops": sum(device["drops"] for device in record.bottleneck.values()),
        "rtt_mean_ms": mean_rtt_ms(sockets, begin, end),
        "steady_mbps": steady_mbps,
        "ramp_s": ramp_s(series, payload_mbps, max(scenario.rtt_s, RAMP_WINDOW_MIN_S), last),
        "rcvbuf_steady_bytes": rcvbuf,
        "rcvbuf_steady_bdp": rcvbuf / scenario.bdp_bytes,
        "rcvbuf_peak_bytes": peak_sum(sockets, "rcvbuf"),
        "window_steady_bdp": window / scenario.bdp_bytes,
        "sndbuf_steady_bytes": mean_sum(sockets, "sndbuf", *steady),
        "sndqueue_steady_bytes": mean_sum(sockets, "wmem", *steady),
        "sndqueue_flight": in_queue_over_flight(sockets, *steady),
        "rtt_steady_ms": rtt_ms,
        "rtt_steady_bases": rtt_ms / (scenario.rtt_s * 1000),
        "unread_peak_bytes": max(sockets.column("unread"), default=0),
        "jain_rcvbuf": jain([each[f"{name}.rcvbuf_steady_bytes"] for name in series]),
        **answers.derive(waits_of(record), *steady),
        **urgent.derive(messages_of(record), *steady),
        **adapter.derive(record.tables.get("adapter"), scenario.flows),
        **stop.derive(record.tables, scenario.flows, record.started, scenario.tcp_mem[1]),
        "records_left": record.records_left,
        "charged_left_bytes": record.charged_left,
        "cross_mbps": cross_bps * 1e-6,
        "poller_share": record.cost_s / last,
        "busy_share": record.busy_s / last,
        **{metric: counter_growth(record.tables["counters"], names) for metric, names in COUNTED.items()},
        **waste(scenario, steady_mbps, payload_mbps, rcvbuf, window),
        **each,
        **of_tables(scenario.flows, each),
    }
