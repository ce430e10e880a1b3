# SPDX-License-Identifier: GPL-2.0
"""Flows and the traffic beside them."""

from dataclasses import dataclass

from .quantity import BYTES, RATE, TIME

FLOW_PROGRAMS = {"ftp": "size", "stream": "time"}  # and what ends a flow of theirs
SECONDS_MAX = 86400
COUNT_MAX = 256
CROSS_PROGRAMS = ("iperf3-udp",)


@dataclass
class Flow:
    name: str
    program: str
    source: str
    target: str
    start_s: float
    size_bytes: int | None  # this or that ends it
    time_s: float | None
    reads_s: float | None = None  # then its reader stops; None: never


@dataclass
class Cross:
    program: str
    source: str
    target: str
    rate_bps: float
    burst_bytes: float


def read_flows(table, units):
    """The flows of one table: NAME, or NAME1 ... NAMEn, every so much time."""
    program = table.take_one_of("program", FLOW_PROGRAMS)
    name, count, every_s = table.take("name", str), read_count(table), table.take_quantity("every", units, TIME, 0.0)
    source, target = table.take("from", str), table.take("to", str)
    start_s = table.take_quantity("start", units, TIME)
    size_bytes = time_s = reads_s = None
    if FLOW_PROGRAMS[program] == "size":
        size_bytes = int(table.take_quantity("size", units, BYTES))
    else:
        time_s = read_whole_seconds(table, "time", units)
        reads_s = read_whole_seconds(table, "reads", units) if "reads" in table.content else None
    table.done()
    names = [name] if count == 1 else [f"{name}{number}" for number in range(1, count + 1)]
    return [Flow(one, program, source, target, start_s + place * every_s, size_bytes, time_s, reads_s)
            for place, one in enumerate(names)]


def read_count(table):
    count = table.take("count", int, 1)
    if not 1 <= count <= COUNT_MAX:
        table.fail("count", count, f"expected a number from 1 to {COUNT_MAX}")
    return count


def read_whole_seconds(table, key, units):
    text = table.content.get(key)
    time_s = table.take_quantity(key, units, TIME)
    if time_s != int(time_s) or not 1 <= time_s <= SECONDS_MAX:
        table.fail(key, text, f"expected whole seconds, from 1 s to {SECONDS_MAX} s")
    return time_s


def read_cross(table, units):
    cross = Cross(program=table.take_one_of("program", CROSS_PROGRAMS), source=table.take("from", str),
                  target=table.take("to", str), rate_bps=table.take_quantity("rate", units, RATE),
                  burst_bytes=table.take_quantity("burst", units, BYTES))
    table.done()
    return cross
