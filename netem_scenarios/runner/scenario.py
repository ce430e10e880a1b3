# SPDX-License-Identifier: GPL-2.0
"""A scenario file: loaded, checked, and turned into plain records.

Every error names the file, the table, the key, its value and what was expected.
"""

import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

from .claims import read_claim
from .failure import Failure
from .quantity import BYTES, RATE, TIME, Quantity, Units
from .table import Table

NAME = re.compile(r"[a-z][a-z0-9_-]{0,19}")
HOST = re.compile(r"[a-z][a-z0-9]{0,7}")
SYSCTL = re.compile(r"net\.[a-z0-9_]+(\.[a-z0-9_]+)+")
FLOW_PROGRAMS = {"ftp": "size", "stream": "time"}  # and what ends a flow of theirs
SECONDS_MAX = 86400
CROSS_PROGRAMS = ("iperf3-udp",)
MODULE_STATES = ("absent", "off", "observe", "on")


@dataclass
class Shape:
    """What one direction of a link does to packets; None and 0 do nothing."""
    rate_bps: float | None = None
    queue_bytes: float | None = None
    delay_s: float = 0
    loss: float = 0


@dataclass
class Link:
    near: str
    far: str
    forward: Shape
    back: Shape


@dataclass
class Flow:
    name: str
    program: str
    source: str
    target: str
    start_s: float
    size_bytes: int | None  # this or that ends it
    time_s: float | None


@dataclass
class Cross:
    program: str
    source: str
    target: str
    rate_bps: float
    burst_bytes: float


@dataclass
class Variant:
    name: str
    module: str
    profile: Path | None
    sysctls: dict


@dataclass
class Scenario:
    name: str
    title: str
    claim: str
    size: str
    rate_bps: float
    rtt_s: float
    expect_s: float
    mtu: int
    tcp_mem: list
    sysctls: dict
    links: list
    flows: list
    cross: list
    variants: list
    claims: list
    plots: list
    hosts: list = field(default_factory=list)

    @property
    def bdp_bytes(self):
        return self.rate_bps * self.rtt_s / 8


def load(path, size_name, repository):
    """The Scenario of this file in this size."""
    try:
        content = tomllib.loads(path.read_text())
    except FileNotFoundError as missing:
        known = ", ".join(sorted(entry.stem for entry in path.parent.glob("*.toml")))
        raise Failure(f"no scenario {path.stem}: expected one of {known}") from missing
    except tomllib.TOMLDecodeError as error:
        raise Failure(f"{path.name}: not a TOML file: {error}") from error
    table = Table(content, path.name)
    units = Units()
    size = read_size(table, size_name, units)
    scenario = Scenario(
        name=path.stem, title=table.take("title", str), claim=table.take("claim", str), size=size_name, **size,
        **read_machine(table.take_table("machine"), units), **read_hosts(table.take_table("hosts"), units),
        links=[link for entry in table.take_tables("link") for link in read_links(entry, units)],
        flows=[read_flow(entry, units) for entry in table.take_tables("flow")],
        cross=[read_cross(entry, units) for entry in table.take_tables("cross")] if "cross" in content else [],
        variants=[read_variant(entry, units, repository) for entry in table.take_tables("variant")],
        claims=[read_claim(entry) for entry in table.take_tables("expect")],
        plots=table.take_texts("plots"))
    table.done()
    check_names(scenario, path.name)
    return scenario


def read_size(table, size_name, units):
    """The path in this size; its other quantities become units of the file."""
    sizes = table.take_table("size")
    if size_name not in sizes.content:
        raise Failure(f"{table.where}: no size {size_name}, expected one of {', '.join(sizes.content)}")
    entry = sizes.take_table(size_name)
    rate_bps = entry.take_quantity("rate", units, RATE)
    rtt_s = entry.take_quantity("rtt", units, TIME)
    expect_s = entry.take_quantity("expect", units, TIME)
    units.define("rate", Quantity(RATE, rate_bps))
    units.define("rtt", Quantity(TIME, rtt_s))
    units.define("bdp", Quantity(BYTES, rate_bps * rtt_s / 8))
    for name, text in entry.content.items():
        try:
            units.define(name, units.parse(text))
        except Failure as failure:
            entry.fail(name, text, failure)
    return {"rate_bps": rate_bps, "rtt_s": rtt_s, "expect_s": expect_s}


def read_machine(table, units):
    """Settings that the whole kernel shares."""
    memory = table.take("tcp_mem", list)
    if len(memory) != 3:
        table.fail("tcp_mem", memory, "expected three amounts: min, pressure, max")
    entry = Table({f"tcp_mem[{place}]": text for place, text in enumerate(memory)}, table.where)
    amounts = [entry.take_quantity(f"tcp_mem[{place}]", units, BYTES) for place in range(3)]
    if amounts != sorted(amounts):
        table.fail("tcp_mem", memory, "expected min <= pressure <= max")
    table.done()
    return {"tcp_mem": amounts}


def read_hosts(table, units):
    """Settings of every namespace that plays a host."""
    mtu = int(table.take_number("mtu", 576, 65535, 1500))
    sysctls = read_sysctls(table.take_table("sysctl"), units)
    table.done()
    return {"mtu": mtu, "sysctls": sysctls}


def read_shape(table, units):
    shape = Shape(rate_bps=table.take_quantity("rate", units, RATE, None),
                  queue_bytes=table.take_quantity("queue", units, BYTES, None),
                  delay_s=table.take_quantity("delay", units, TIME, 0.0),
                  loss=table.take_number("loss", 0, 1, 0.0))
    table.done()
    if (shape.rate_bps is None) != (shape.queue_bytes is None):
        raise Failure(f"{table.where}: rate and queue belong together, one is missing")
    if shape.rate_bps is not None and (shape.delay_s or shape.loss):
        raise Failure(f"{table.where}: delay and loss need another link than rate and queue: "
                      "netem counts its queue in skbs, the bottleneck's has to count in bytes")
    return shape


def read_links(table, units):
    near, far = table.take_texts("from"), table.take("to", str)
    forward = read_shape(table.take_table("forward"), units)
    back = read_shape(table.take_table("back"), units)
    table.done()
    for host in [*near, far]:
        if not HOST.fullmatch(host):
            table.fail("from/to", host, "expected a host name of up to 8 small letters and digits")
    return [Link(host, far, forward, back) for host in near]


def read_flow(table, units):
    program = table.take_one_of("program", FLOW_PROGRAMS)
    flow = Flow(name=table.take("name", str), program=program,
                source=table.take("from", str), target=table.take("to", str),
                start_s=table.take_quantity("start", units, TIME), size_bytes=None, time_s=None)
    if FLOW_PROGRAMS[program] == "size":
        flow.size_bytes = int(table.take_quantity("size", units, BYTES))
    else:
        flow.time_s = read_whole_seconds(table, units)
    table.done()
    return flow


def read_whole_seconds(table, units):
    text = table.content.get("time")
    time_s = table.take_quantity("time", units, TIME)
    if time_s != int(time_s) or not 1 <= time_s <= SECONDS_MAX:
        table.fail("time", text, f"expected whole seconds, from 1 s to {SECONDS_MAX} s")
    return time_s


def read_cross(table, units):
    cross = Cross(program=table.take_one_of("program", CROSS_PROGRAMS), source=table.take("from", str),
                  target=table.take("to", str), rate_bps=table.take_quantity("rate", units, RATE),
                  burst_bytes=table.take_quantity("burst", units, BYTES))
    table.done()
    return cross


def read_variant(table, units, repository):
    name = table.take("name", str)
    if not NAME.fullmatch(name):
        table.fail("name", name, "expected up to 20 small letters, digits, - and _")
    module = table.take_one_of("module", MODULE_STATES)
    profile = table.take("profile", str, None)
    path = None
    if profile is not None:
        path = repository / "sysctl" / f"{profile}.conf"
        if module == "absent":
            table.fail("profile", profile, "a profile sets the module's knobs, but module = \"absent\"")
        if not path.exists():
            table.fail("profile", profile, f"no file sysctl/{profile}.conf")
    sysctls = read_sysctls(table.take_table("sysctl"), units)
    table.done()
    return Variant(name, module, path, sysctls)


def read_sysctls(table, units):
    """Values as the kernel reads them; amounts ("0.5 bdp") become bytes, lists are joined."""
    return {check_sysctl(table, key): " ".join(sysctl_word(table, key, word, units)
                                               for word in (value if isinstance(value, list) else [value]))
            for key, value in table.content.items()}


def check_sysctl(table, key):
    if not SYSCTL.fullmatch(key):
        table.fail(key, table.content[key], 'expected a quoted key such as "net.ipv4.tcp_rmem"')
    return key


def sysctl_word(table, key, word, units):
    if isinstance(word, int) and not isinstance(word, bool):
        return str(word)
    if isinstance(word, str) and not word[:1].isdigit():
        return word
    try:
        return str(int(units.parse(word, BYTES).value))
    except Failure as failure:
        return table.fail(key, word, failure)


def check_names(scenario, where):
    """Names are unique, and everything that is named exists."""
    scenario.hosts = list(dict.fromkeys(host for link in scenario.links for host in (link.near, link.far)))
    for kind, names in (("flow", [flow.name for flow in scenario.flows]),
                        ("variant", [variant.name for variant in scenario.variants]),
                        ("link", [f"{link.near}-{link.far}" for link in scenario.links])):
        for name in names:
            if names.count(name) > 1:
                raise Failure(f"{where}: two {kind}s are named {name}, expected different names")
    for entry in [*scenario.flows, *scenario.cross]:
        for host in (entry.source, entry.target):
            if host not in scenario.hosts:
                raise Failure(f"{where}: host {host} of a flow has no link, expected one of {', '.join(scenario.hosts)}")
    pairs = [(flow.program, flow.source, flow.target) for flow in scenario.flows if flow.program == "ftp"]
    for program, source, target in pairs:
        if pairs.count((program, source, target)) > 1:
            raise Failure(f"{where}: two {program} flows from {source} to {target} cannot be told apart in the "
                          "kernel's tables, expected another host for one of them")
    variants = [variant.name for variant in scenario.variants]
    for claim in scenario.claims:
        for name in claim.variants():
            if name not in variants:
                raise Failure(f"{where}: claim \"{claim.text}\": no variant {name}, expected one of {', '.join(variants)}")
