# SPDX-License-Identifier: GPL-2.0
"""A machine between two hosts, whose two devices do what a scenario's links do: all links of a direction on one device.

    direction with rate and delay: netem (root, handle 1:), and in it tbf (handle 2:): first lost and late, then in the queue
    with one of them:              that (root, handle 1:)

A fair queue is a child of tbf.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .failure import Failure
from .link import Link, Shape
from .qdisc import fair_words, qdisc_words, tbf_counters
from .system import command, kernel_part

if TYPE_CHECKING:
    from .scenario import Scenario

PLAIN = ("noqueue", "pfifo_fast", "mq", "fq_codel", "fq", "pfifo")  # what a device has if nobody chose otherwise


@dataclass
class Hop:
    """A link, and whether its near end is on the first end host's side."""
    link: Link
    along: bool

    def shape(self, forward: bool) -> Shape:
        return self.link.forward if forward == self.along else self.link.back

    def name(self, forward: bool) -> str:
        """Of what sends there, as in a lab's results."""
        here, there = (self.link.near, self.link.far) if forward == self.along else (self.link.far, self.link.near)
        return f"{here}>{there}"


def path(scenario: Scenario, first: str, last: str) -> list[Hop]:
    """The Hops from one end host to the other, or Failure where the links are no path."""
    hops, here, left = [], first, list(scenario.links)
    while here != last:
        nexts = [link for link in left if here in (link.near, link.far)]
        if len(nexts) != 1:
            raise Failure(f"{scenario.name}: its links are no single path from {first} to {last}, as two machines have: "
                          "run it in a lab (make scenario)")
        link = nexts[0]
        left.remove(link)
        hops.append(Hop(link, link.near == here))
        here = link.far if link.near == here else link.near
    return hops


def together(hops: list[Hop], forward: bool) -> tuple[Shape | None, Shape | None]:
    """(Shape with the rate or None, Shape with all delay and loss or None) of a direction."""
    shapes = [hop.shape(forward) for hop in hops]
    rates = [shape for shape in shapes if shape.kind == "tbf"]
    late = [shape for shape in shapes if shape.kind == "netem"]
    if len(rates) > 1 or sum(bool(shape.reorder) for shape in late) > 1:
        raise Failure("a direction with two rates, or that reorders twice, is more than one device of a router can do")
    delay = Shape(delay_s=sum(shape.delay_s for shape in late), reorder=sum(shape.reorder for shape in late),
                  loss=1 - math.prod(1 - shape.loss for shape in late)) if late else None
    return (rates[0] if rates else None), delay


class Router:
    """devices: forward (True towards the second host, False towards the first) -> the device's name."""

    def __init__(self, scenario: Scenario, first: str, last: str, devices: dict[bool, str]) -> None:
        self.hops, self.changes = path(scenario, first, last), scenario.changes
        self.devices, self.mtu = devices, scenario.mtu
        self.shaped: list[str] = []

    def start(self) -> None:
        for forward, device in self.devices.items():
            need_plain(device)
            commands = self.commands(forward)
            if commands:
                self.shaped.append(device)
            for kind, words in commands:
                with kernel_part(f"sch_{kind}"):
                    command("tc", "qdisc", "add", "dev", device, *words)

    def commands(self, forward: bool, new: bool = True) -> list[tuple[str, list[str]]]:
        """(kind of qdisc, words of tc behind the device's name) that make or change a direction; the first one is the root."""
        rate, late = together(self.hops, forward)
        found = [(shape.kind, qdisc_words(shape, self.mtu)) for shape in (late, rate) if shape]
        if rate and rate.fair:
            found.append(("fq_codel", fair_words(rate, new)))
        # the parent of each but the root is the only class of the one before
        return [(kind, [*(["root"] if number == 1 else ["parent", f"{number - 1}:1"]), "handle", f"{number}:", *words])
                for number, (kind, words) in enumerate(found, 1)]

    def change(self, number: int) -> None:
        """A link does from now on what this one of the scenario's changes says."""
        change = self.changes[number]
        hop = next(hop for hop in self.hops if (hop.link.near, hop.link.far) == (change.near, change.far))
        hop.link = Link(hop.link.near, hop.link.far, change.forward or hop.link.forward, change.back or hop.link.back)
        for forward, device in self.devices.items():
            for _, words in self.commands(forward, new=False):
                command("tc", "qdisc", "change", "dev", device, *words)

    def counters(self) -> dict[str, dict[str, int]]:
        """Bytes sent and packets dropped by what limits the rate, as a lab tells them."""
        found = {}
        for forward, device in self.devices.items():
            for hop in self.hops:
                if hop.shape(forward).kind == "tbf":
                    found[hop.name(forward)] = tbf_counters(command("tc", "-s", "-j", "qdisc", "show", "dev", device))
        return found

    def close(self) -> None:
        for device in self.shaped:
            command("tc", "qdisc", "del", "dev", device, "root")


def need_plain(device: str) -> None:
    """What an administrator has put there is not ours to take away."""
    for qdisc in json.loads(command("tc", "-j", "qdisc", "show", "dev", device)):
        if qdisc["kind"] not in PLAIN:
            raise Failure(f"device {device} of the router has the qdisc {qdisc['kind']} already, expected none of its own: "
                          f"tc qdisc del dev {device} root")
