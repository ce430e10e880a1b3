# SPDX-License-Identifier: GPL-2.0
"""What an experiment asks of the place where its hosts are: namespaces of this machine (lab.py) or other machines (hosts.py)."""

from typing import Any, Protocol, Self

from .link import Change
from .samples import Samples


class Site(Protocol):
    ends: list[str]            # the end hosts
    machines: list[str]        # one end host for each machine that they are on
    addresses: dict[str, str]  # end host -> where the others reach it

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...

    def call(self, method: str, arguments: dict[str, tuple[Any, ...]]) -> dict[str, Any]:
        """end host -> what this method of its EndHost returns; arguments: end host -> those for it."""

    def conductor_s(self, host: str, at_s: float) -> float:
        """A host's time as ours."""

    def machine_of(self, host: str) -> str: ...

    def start_cross(self) -> None: ...

    def cross_wire_bytes(self) -> int: ...

    def change(self, change: Change) -> None: ...

    def bottleneck_counters(self) -> dict[str, dict[str, int]]: ...

    def sample(self, moment: float) -> None: ...

    def tables(self) -> dict[str, Samples]: ...

    def machine(self) -> dict[str, Any]:
        """What is told of it beside the results."""
