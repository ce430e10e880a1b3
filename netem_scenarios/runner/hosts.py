# SPDX-License-Identifier: GPL-2.0
"""Two machines with a path between them, and perhaps a router on it that does what the scenario's links do.

    [sender]
    ssh = "root@dtn1.example"       # as for ssh; options may stand before it. sudo = true for somebody else than root
    address = "192.0.2.1"           # where the other reaches it, over the path

    [receiver]
    ssh = "root@dtn2.example"
    address = "198.51.100.1"

    [router]                        # without it, the path is what it is
    ssh = "root@router.example"
    forward = "eth2"                # its device towards the receiver
    back = "eth1"                   # and the one towards the sender

    module = "/root/tcp_abt.ko"     # at the top, where both have it; without it modprobe tcp_abt. Where it is loaded it stays, and is set

`command` in place of `ssh` runs a program there in some other way: "ip netns exec NAME", "ssh a ssh b". A site, like `lab`.
"""

from __future__ import annotations

import ipaddress
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .built import Built
from .distant import Distant, packed
from .failure import Failure
from .samples import Samples
from .table import Table

if TYPE_CHECKING:
    from .distant import Way
    from .link import Change
    from .scenario import Scenario
    from .variant import Variant

HEARD_EVERY_S = 60


@dataclass
class Machines:
    """What a file of hosts says."""
    ways: dict[str, Way]     # sender, receiver, router -> how it is reached
    addresses: dict[str, str]  # sender, receiver -> over the path
    devices: dict[str, str]  # forward, back -> of the router
    module: str | None


def read_hosts(path: Path) -> Machines:
    try:
        table = Table(tomllib.loads(path.read_text()), path.name)
    except FileNotFoundError as missing:
        raise Failure(f"{path}: no such file; expected one that names two hosts (netem_scenarios/README.md)") from missing
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Failure(f"{path}: not a TOML file: {error}") from error
    found = Machines({}, {}, {}, table.take("module", str, None))
    for name in ("sender", "receiver"):
        end = table.take_table(name)
        found.ways[name], found.addresses[name] = read_way(end), read_address(end)
        end.done()
    if "router" in table.content:
        router = table.take_table("router")
        found.ways["router"] = read_way(router)
        found.devices = {key: router.take(key, str) for key in ("forward", "back")}
        router.done()
    table.done()
    return found


def read_way(table: Table) -> Way:
    if "command" in table.content:
        return "command", table.take("command", str)
    if "ssh" not in table.content:
        raise Failure(f"{table.where}: ssh is missing, expected where it is reached, such as \"root@host.example\"")
    return "ssh", table.take("ssh", str), table.take("sudo", bool, False)


def read_address(table: Table) -> str:
    address = table.take("address", str)
    try:
        return str(ipaddress.IPv4Address(address))
    except ValueError:
        return table.fail("address", address, "expected an IPv4 address that the other host reaches")


class Hosts(Built):
    """file: the scenario's; machines: what a file of hosts says."""

    def __init__(self, scenario: Scenario, file: Path, variant: Variant, machines: Machines) -> None:
        super().__init__()
        self.scenario, self.file, self.variant, self.named = scenario, file, variant, machines
        flow = scenario.flows[0]
        self.ends = [flow.source, flow.target]
        self.machines = self.ends
        self.addresses = dict(zip(self.ends, (machines.addresses["sender"], machines.addresses["receiver"]), strict=True))
        self.distant: dict[str, Distant] = {}
        self.router: Distant | None = None
        self.heard_s = 0.0
        self.kernels: dict[str, str] = {}
        self.need_two()

    def need_two(self) -> None:
        others = [host for host in self.scenario.hosts if self.scenario.degree(host) == 1 and host not in self.ends]
        if others:
            raise Failure(f"{self.scenario.name} has {len(others) + 2} end hosts ({', '.join(others)} beside {' and '.join(self.ends)}), "
                          "expected two: run it in a lab (make scenario)")
        for wanted, what in ((self.scenario.cross, "cross traffic"), (self.variant.adapter, "an emulated adapter"), (self.variant.daemon, "another tuner")):
            if wanted:
                raise Failure(f"{self.scenario.name}: {what} is for hosts that the runner made: run it in a lab (make scenario)")

    def build(self) -> None:
        machines, archive = self.named, packed(self.file)
        part = {"scenario": self.file.name, "size": self.scenario.size, "cell": self.scenario.cell.slug, "variant": self.variant.name}
        if "router" in machines.ways:
            self.router = self.connected("router", archive)
            self.router.call("router", part | {"first": self.ends[0], "last": self.ends[1]} | machines.devices)
        for host, name in zip(self.ends, ("sender", "receiver"), strict=True):
            self.distant[host] = self.connected(name, archive)
            self.kernels[name] = self.distant[host].call(
                "end_host", part | {"name": host, "addresses": self.addresses, "module": machines.module})

    def connected(self, name: str, archive: bytes) -> Distant:
        distant = Distant(name, self.named.ways[name])
        self.undo.callback(distant.close)
        distant.connect(archive)
        return distant

    def call(self, method: str, arguments: dict[str, tuple[Any, ...]]) -> dict[str, Any]:
        """Side by side."""
        for host, theirs in arguments.items():
            self.distant[host].ask(method, *theirs)
        return {host: self.distant[host].answer() for host in arguments}

    def conductor_s(self, host: str, at_s: float) -> float:
        return at_s + self.distant[host].behind_s

    def machine_of(self, host: str) -> str:
        return host

    def start_cross(self) -> None:
        """There is none."""

    def cross_wire_bytes(self) -> int:
        return 0

    def change(self, change: Change) -> None:
        if not self.router:
            raise Failure(f"{self.scenario.name} changes its path, which needs a router: expected [router] in the file of hosts")
        self.router.call("change", self.scenario.changes.index(change))

    def bottleneck_counters(self) -> dict[str, dict[str, int]]:
        return self.router.call("counters") if self.router else {}

    def sample(self, moment: float) -> None:
        """The hosts are asked by the collector; a router that hears nothing for long gives up (agent.SILENCE_S)."""
        if self.router and moment >= self.heard_s + HEARD_EVERY_S:
            self.router.call("clock")
            self.heard_s = moment

    def tables(self) -> dict[str, Samples]:
        return {}

    def machine(self) -> dict[str, Any]:
        return {"kernel": ", ".join(sorted(set(self.kernels.values()))), "lab": "hosts",
                "clocks_ms": {host: round(1000 * distant.error_s, 3) for host, distant in self.distant.items()}}
