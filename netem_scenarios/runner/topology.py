# SPDX-License-Identifier: GPL-2.0
"""Hosts and links: namespaces, veth pairs, qdiscs, routes.

A link is one veth pair with its own /24 (10.77.N.1 near, 10.77.N.2 far); "forward" shapes what
near sends to far, "back" the other way. For example ftp_fairness:

    c1 ---.                                  forward of router-server: tbf, the bottleneck
    c2 ---|                                  (rate, and a queue that counts bytes)
    c3 ---+--- router === server
    c4 ---|                                  back of cN-router: netem, the delay
    gen --'                                  (on the way of the ACKs; large queue)

Rate and delay sit on different devices, because netem's queue counts skbs. Senders leave
segmentation to software before their device (TSO off): the bottleneck sees packets of one MTU. With
`tso = true` it sees what a host with receive offload sees: up to 64 KB a piece, for a tenth of the time.
"""

from __future__ import annotations

import ctypes
import fcntl
import socket
import struct
from typing import TYPE_CHECKING

from .built import Built
from .namespace import Namespace
from .qdisc import fair_words, qdisc_words, tbf_counters
from .system import command, kernel_part

if TYPE_CHECKING:
    from .link import Change, Link
    from .namespace import ThisNamespace
    from .scenario import Scenario

SIOCETHTOOL, ETHTOOL_STSO = 0x8946, 0x1F


class Topology(Built):
    def __init__(self, scenario: Scenario) -> None:
        super().__init__()
        self.scenario = scenario
        self.hosts = {host: Namespace(host) for host in scenario.hosts}
        self.address: dict[str, str] = {}

    def build(self) -> None:
        for namespace in self.hosts.values():
            self.undo.callback(namespace.remove)
            namespace.create()
        for number, link in enumerate(self.scenario.links):
            self.connect(link, number)
        self.route()
        for host, namespace in self.hosts.items():
            namespace.set_sysctls({"net.ipv4.ip_forward": "1" if self.scenario.degree(host) > 1 else "0"})
            namespace.set_sysctls(self.scenario.sysctls)

    def connect(self, link: Link, number: int) -> None:
        mtu = self.scenario.mtu
        near, far = self.hosts[link.near], self.hosts[link.far]
        with kernel_part("veth"):
            command("ip", "-n", near.name, "link", "add", f"to-{link.far}", "mtu", str(mtu), "type", "veth",
                    "peer", "name", f"to-{link.near}", "mtu", str(mtu), "netns", far.name)
        for place, (here, there, shape) in enumerate(((link.near, link.far, link.forward),
                                                      (link.far, link.near, link.back)), 1):
            namespace, device = self.hosts[here], f"to-{there}"
            address = f"10.77.{number}.{place}"
            self.address.setdefault(here, address)
            if not self.scenario.tso:
                turn_tso_off(namespace, device)
            command("ip", "-n", namespace.name, "-batch", "-",
                    text=f"address add {address}/24 dev {device}\nlink set {device} up\n")
            qdisc = qdisc_words(shape, mtu)
            if qdisc:
                with kernel_part(f"sch_{shape.kind}"):
                    command("tc", "-n", namespace.name, "qdisc", "add", "dev", device, "root", "handle", "1:", *qdisc)
            if shape.fair:
                with kernel_part("sch_fq_codel"):
                    command("tc", "-n", namespace.name, "qdisc", "add", "dev", device, "parent", "1:", *fair_words(shape))

    def device(self, host: str) -> str:
        """The one of an end host."""
        return next(f"to-{there}" for link in self.scenario.links
                    for here, there in ((link.near, link.far), (link.far, link.near)) if here == host)

    def change(self, change: Change) -> None:
        for here, there, shape in ((change.near, change.far, change.forward), (change.far, change.near, change.back)):
            if shape is not None:
                command("tc", "-n", self.hosts[here].name, "qdisc", "change", "dev", f"to-{there}", "root",
                        *qdisc_words(shape, self.scenario.mtu))

    def route(self) -> None:
        """Every host gets a route to every link's subnet: the first hop of the shortest way."""
        for host, namespace in self.hosts.items():
            first_hop = self.first_hops(host)
            lines = []
            for number, link in enumerate(self.scenario.links):
                if host in (link.near, link.far):
                    continue
                way = first_hop[link.near] if link.near in first_hop else first_hop[link.far]
                lines.append(f"route add 10.77.{number}.0/24 via {way}\n")
            command("ip", "-n", namespace.name, "-batch", "-", text="".join(lines))

    def first_hops(self, start: str) -> dict[str, str]:
        """host -> address of start's neighbour on the way there (breadth first)."""
        hops: dict[str, str] = {}
        reached = [start]
        for host in reached:
            for number, link in enumerate(self.scenario.links):
                for here, there, place in ((link.near, link.far, 2), (link.far, link.near, 1)):
                    if here == host and there not in reached:
                        reached.append(there)
                        hops[there] = hops.get(host, f"10.77.{number}.{place}")
        return hops

    def bottleneck_counters(self) -> dict[str, dict[str, int]]:
        """Bytes sent and packets dropped by every shaped device, e.g. {"router>server": {...}}."""
        counters = {}
        for link in self.scenario.links:
            for here, there, shape in ((link.near, link.far, link.forward), (link.far, link.near, link.back)):
                if shape.rate_bps is not None:
                    counters[f"{here}>{there}"] = tbf_counters(command(
                        "tc", "-n", self.hosts[here].name, "-s", "-j", "qdisc", "show", "dev", f"to-{there}"))
        return counters


def turn_tso_off(namespace: ThisNamespace, device: str) -> None:
    """ethtool -K DEVICE tso off."""
    value = ctypes.create_string_buffer(struct.pack("=II", ETHTOOL_STSO, 0))
    request = struct.pack("16sP", device.encode(), ctypes.addressof(value))
    with namespace.enter(), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        fcntl.ioctl(control, SIOCETHTOOL, request.ljust(40, b"\0"))
