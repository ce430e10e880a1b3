# SPDX-License-Identifier: GPL-2.0
"""A scenario file: loaded, checked, and turned into plain records.

Every error names the file, the table, the key, its value and what was expected.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from .cells import Cell, cells, in_cell
from .claims import Claim, check_reach, read_claim
from .failure import Failure
from .flow import Cross, Flow, read_cross, read_flows
from .link import Change, Link, read_change, read_links
from .metrics import SUMMED_METRICS
from .quantity import BYTES, RATE, TIME, Quantity, Units
from .table import Table
from .variant import Variant, read_sysctls, read_variant

SEEDS_MAX = 100
HOME = Path(__file__).resolve().parents[1]


@dataclass
class Scenario:
    """A scenario in one of its cells."""
    name: str
    title: str
    claim: str
    size: str
    cell: Cell
    seeds: int
    rate_bps: float
    rtt_s: float
    expect_s: float
    memory_bytes: float | None
    mtu: int
    tso: bool
    tcp_mem: list[float]
    sysctls: dict[str, str]
    links: list[Link]
    changes: list[Change]
    flows: list[Flow]
    cross: list[Cross]
    variants: list[Variant]
    claims: list[Claim]
    plots: list[str]
    hosts: list[str] = field(default_factory=list)

    @property
    def bdp_bytes(self) -> float:
        return self.rate_bps * self.rtt_s / 8

    def without(self, groups: Collection[str]) -> Scenario:
        """The same without these tables' flows."""
        return replace(self, flows=[flow for flow in self.flows if flow.group not in groups]) if groups else self

    def degree(self, host: str) -> int:
        """How many links it has: 1 at an end host."""
        return sum(host in (link.near, link.far) for link in self.links)


def scenario_path(name: str) -> Path:
    """A scenario by its name, or by its path."""
    return Path(name) if name.endswith(".toml") else HOME / f"{name}.toml"


def load(path: Path, size_name: str, repository: Path = HOME.parent) -> list[Scenario]:
    """The Scenarios of this file in this size, one for each cell."""
    content = read_file(path)
    sizes = content.get("size")
    if not isinstance(sizes, dict) or not isinstance(sizes.get(size_name), dict):
        known = ", ".join(sizes) if isinstance(sizes, dict) else "[size.NAME] tables"
        raise Failure(f"{path.name}: no size {size_name}, expected one of {known}")
    scenarios = [read_scenario(path, in_cell(content, size_name, cell, path.name), size_name, cell, repository)
                 for cell in cells(content, size_name, path.name)]
    check_reach(scenarios, path.name)
    return scenarios


def read_file(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text())
    except FileNotFoundError as missing:
        known = ", ".join(sorted(entry.stem for entry in path.parent.glob("*.toml")))
        raise Failure(f"no scenario {path.stem}: expected one of {known}") from missing
    except tomllib.TOMLDecodeError as error:
        raise Failure(f"{path.name}: not a TOML file: {error}") from error


def read_scenario(path: Path, content: dict[str, Any], size_name: str, cell: Cell, repository: Path) -> Scenario:
    table = Table(content, path.name)
    units = Units()
    seeds = read_seeds(table, 1)
    size = read_size(table.take_table("size").take_table(size_name), units, seeds)
    links = [link for entry in table.take_tables("link") for link in read_links(entry, units)]
    scenario = Scenario(
        name=path.stem, title=table.take("title", str), claim=table.take("claim", str), size=size_name, cell=cell, **size,
        **read_machine(table.take_table("machine"), units), **read_hosts(table.take_table("hosts"), units), links=links,
        changes=[read_change(entry, units, links) for entry in table.take_tables("change", [])],
        flows=[flow for entry in table.take_tables("flow") for flow in read_flows(entry, units)],
        cross=[read_cross(entry, units) for entry in table.take_tables("cross", [])],
        variants=[read_variant(entry, units, repository) for entry in table.take_tables("variant")],
        claims=[read_claim(entry) for entry in table.take_tables("expect")],
        plots=table.take_texts("plots"))
    table.done()
    check_names(scenario, path.name)
    return scenario


def read_seeds(table: Table, default: int) -> int:
    seeds = table.take("seeds", int, default)
    if not 1 <= seeds <= SEEDS_MAX:
        table.fail("seeds", seeds, f"expected a number from 1 to {SEEDS_MAX}")
    return seeds


def read_size(entry: Table, units: Units, seeds: int) -> dict[str, Any]:
    """The path in this size, and how it is run; its other quantities become units of the file."""
    seeds = read_seeds(entry, seeds)
    rate_bps = entry.take_quantity("rate", units, RATE)
    rtt_s = entry.take_quantity("rtt", units, TIME)
    expect_s = entry.take_quantity("expect", units, TIME)
    memory_bytes = entry.take_quantity("memory", units, BYTES, None)
    units.define("rate", Quantity(RATE, rate_bps))
    units.define("rtt", Quantity(TIME, rtt_s))
    units.define("bdp", Quantity(BYTES, rate_bps * rtt_s / 8))
    for name, text in entry.content.items():
        try:
            units.define(name, units.parse(text))
        except Failure as failure:
            entry.fail(name, text, failure)
    return {"rate_bps": rate_bps, "rtt_s": rtt_s, "expect_s": expect_s, "memory_bytes": memory_bytes, "seeds": seeds}


def read_machine(table: Table, units: Units) -> dict[str, Any]:
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


def read_hosts(table: Table, units: Units) -> dict[str, Any]:
    """Settings of every namespace that plays a host."""
    mtu = int(table.take_number("mtu", 576, 65535, 1500))
    tso = table.take("tso", bool, False)
    sysctls = read_sysctls(table.take_table("sysctl"), units)
    table.done()
    return {"mtu": mtu, "tso": tso, "sysctls": sysctls}


def check_names(scenario: Scenario, where: str) -> None:
    """Names are unique, and everything that is named exists."""
    scenario.hosts = list(dict.fromkeys(host for link in scenario.links for host in (link.near, link.far)))
    for kind, names in (("flow", [flow.name for flow in scenario.flows]),
                        ("variant", [variant.name for variant in scenario.variants]),
                        ("link", [f"{link.near}-{link.far}" for link in scenario.links])):
        for name in names:
            if names.count(name) > 1:
                raise Failure(f"{where}: two {kind}s are named {name}, expected different names")
    moving: list[Flow | Cross] = [*scenario.flows, *scenario.cross]
    for entry in moving:
        for host in (entry.source, entry.target):
            if host not in scenario.hosts:
                raise Failure(f"{where}: host {host} of a flow has no link, expected one of {', '.join(scenario.hosts)}")
    check_ends(scenario, where)
    check_left_out(scenario, where)
    pairs = [(flow.program, flow.source, flow.target) for flow in scenario.flows if flow.program == "ftp"]
    for program, source, target in pairs:
        if pairs.count((program, source, target)) > 1:
            raise Failure(f"{where}: two {program} flows from {source} to {target} cannot be told apart in the "
                          "kernel's tables, expected another host for one of them")
    check_claims(scenario, where)


def check_ends(scenario: Scenario, where: str) -> None:
    """Flows are between end hosts, and a variant sets end hosts, nothing else."""
    ends = [host for host in scenario.hosts if scenario.degree(host) == 1]
    for flow in scenario.flows:
        for host in (flow.source, flow.target):
            if host not in ends:
                raise Failure(f"{where}: flow {flow.name}: {host} is no end host, expected one of {', '.join(ends)}")
    for variant in scenario.variants:
        for host in variant.hosts():
            if host not in ends:
                raise Failure(f"{where}: variant {variant.name}: {host} is no end host, expected one of {', '.join(ends)}")


def check_left_out(scenario: Scenario, where: str) -> None:
    groups = list(dict.fromkeys(flow.group for flow in scenario.flows))
    for variant in scenario.variants:
        for group in variant.without:
            if group not in groups:
                raise Failure(f"{where}: variant {variant.name}: without: no [[flow]] {group}, expected some of {', '.join(groups)}")
        if len(set(variant.without)) == len(groups):
            raise Failure(f"{where}: variant {variant.name}: without: expected to leave a [[flow]]")


def check_table_of_flows(scenario: Scenario, claim: Claim, where: str) -> None:
    """The claim names no flow: is it a table's name, and a metric that is known of its flows together?"""
    if claim.flow not in [flow.group for flow in scenario.flows]:
        flows = ", ".join(flow.name for flow in scenario.flows)
        raise Failure(f"{where}: claim \"{claim.text}\": no flow {claim.flow}, expected one of {flows}")
    for name in (claim.metric, claim.other_metric):
        metric = name.removeprefix(f"{claim.flow}.")
        if name and metric not in SUMMED_METRICS:
            raise Failure(f"{where}: claim \"{claim.text}\": {metric} of all flows {claim.flow}, "
                          f"expected {' or '.join(SUMMED_METRICS)}")


def check_claims(scenario: Scenario, where: str) -> None:
    variants = {variant.name: variant for variant in scenario.variants}
    flows = [flow.name for flow in scenario.flows]
    for claim in scenario.claims:
        if claim.flow is not None and claim.flow not in flows:
            check_table_of_flows(scenario, claim, where)
        for name in claim.variants():
            if name not in variants:
                raise Failure(f"{where}: claim \"{claim.text}\": no variant {name}, expected one of {', '.join(variants)}")
            left = scenario.without(variants[name].without).flows
            if claim.flow and claim.flow not in [word for flow in left for word in (flow.name, flow.group)]:
                raise Failure(f"{where}: claim \"{claim.text}\": variant {name} leaves out flow {claim.flow}")
        for axis in claim.where:
            if axis not in scenario.cell.values:
                raise Failure(f"{where}: claim \"{claim.text}\": where: no axis {axis} in this size, "
                              f"expected some of {', '.join(scenario.cell.values) or 'none'}")
