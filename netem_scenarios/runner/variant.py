# SPDX-License-Identifier: GPL-2.0
"""Variants: what is set on the end hosts, and where the module acts."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .failure import Failure
from .quantity import BYTES

if TYPE_CHECKING:
    from .quantity import Units
    from .table import Table

NAME = re.compile(r"[a-z][a-z0-9_-]{0,19}")
SYSCTL = re.compile(r"net\.[a-z0-9_]+(\.[a-z0-9_]+)+")
MODULE_STATES = ("absent", "off", "observe", "on")
KNOBS = "net.ipv4.tcp_abt."
MODE = KNOBS + "mode"


@dataclass
class Adapter:
    """An emulated adapter (toe_hybrid.ko) at the device of an end host."""
    host: str
    knobs: dict[str, int]  # the module checks their names and ranges


@dataclass
class Daemon:
    """A program that runs beside the traffic."""
    words: list[str]
    ready: str  # text in its log; and then it has to rest for a while


@dataclass
class Variant:
    name: str
    module: str
    profile: dict[str, str]       # the settings of a file of sysctl/
    sysctls: dict[str, str]
    on: list[str] | None     # the end hosts where the module acts; None: all
    host_sysctls: dict[str, dict[str, str]]  # end host -> what is set there alone
    knobs: dict[str, str]  # the module's, in the first namespace: of the pools that all hosts draw on
    without: list[str]  # names of [[flow]] tables that it leaves out
    adapter: Adapter | None
    daemon: Daemon | None

    def sysctls_of(self, host: str) -> dict[str, str]:
        """What is set on this end host; later ones win."""
        mode = {MODE: "off"} if self.on is not None and host not in self.on else {}
        return self.profile | self.sysctls | self.host_sysctls.get(host, {}) | mode

    def parts(self) -> list[str]:
        """The modules that its figures follow from, as lab/state.py names them."""
        return [] if self.module == "absent" else ["module", *(["adapter"] if self.adapter else [])]

    def hosts(self) -> list[str]:
        return [*(self.on or []), *self.host_sysctls, *([self.adapter.host] if self.adapter else [])]


def read_variant(table: Table, units: Units, repository: Path) -> Variant:
    name = table.take("name", str)
    if not NAME.fullmatch(name):
        table.fail("name", name, "expected up to 20 small letters, digits, - and _")
    module = table.take_one_of("module", MODULE_STATES)
    profile = take_profile(table, module, repository)
    on = table.take_texts("on", None)
    if on is not None and module != "on":
        table.fail("on", on, f'expected module = "on" beside it, not "{module}"')
    sysctls = read_sysctls(table.take_table("sysctl"), units)
    hosts = table.take_table("host")
    host_sysctls = {host: read_host(hosts.take_table(host), units) for host in list(hosts.content)}
    knobs = read_knobs(table.take_table("machine"), module, units)
    without = table.take_texts("without", [])
    adapter = read_adapter(table, module)
    daemon = read_daemon(table)
    table.done()
    return Variant(name, module, profile, sysctls, on, host_sysctls, knobs, without, adapter, daemon)


def read_adapter(table: Table, module: str) -> Adapter | None:
    if "adapter" not in table.content:
        return None
    if module == "absent":
        table.fail("adapter", table.content["adapter"], 'it is told of connections by the module, but module = "absent"')
    adapter = table.take_table("adapter")
    host, knobs = adapter.take("host", str), adapter.take_table("knobs")
    adapter.done()
    return Adapter(host, {name: knobs.take(name, int) for name in list(knobs.content)})


def read_daemon(table: Table) -> Daemon | None:
    if "daemon" not in table.content:
        return None
    daemon = table.take_table("daemon")
    command, ready = daemon.take("command", str), daemon.take("ready", str)
    daemon.done()
    return Daemon(shlex.split(command), ready)


def read_knobs(table: Table, module: str, units: Units) -> dict[str, str]:
    knobs = read_host(table, units)
    for key in knobs:
        if not key.startswith(KNOBS) or module == "absent":
            table.fail(f"sysctl: {key}", knobs[key], f'expected keys of {KNOBS}*, which leave with the module, and module not "absent"')
    return knobs


def take_profile(table: Table, module: str, repository: Path) -> dict[str, str]:
    profile = table.take("profile", str, None)
    if profile is None:
        return {}
    path = repository / "sysctl" / f"{profile}.conf"
    if module == "absent":
        table.fail("profile", profile, "a profile sets the module's knobs, but module = \"absent\"")
    if not path.exists():
        table.fail("profile", profile, f"no file sysctl/{profile}.conf")
    return read_profile(path)


def read_profile(path: Path) -> dict[str, str]:
    """A sysctl.d file: key = value lines, # and ; comments."""
    values = {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        line = line.strip()
        if not line or line[0] in "#;":
            continue
        key, equals, value = line.partition("=")
        if not equals:
            raise Failure(f"{path.name}:{number}: {line!r}: expected key = value")
        values[key.strip().removeprefix("-")] = value.strip()
    return values


def read_host(table: Table, units: Units) -> dict[str, str]:
    sysctls = read_sysctls(table.take_table("sysctl"), units)
    table.done()
    return sysctls


def read_sysctls(table: Table, units: Units) -> dict[str, str]:
    """Values as the kernel reads them; amounts ("0.5 bdp") become bytes, lists are joined."""
    return {check_sysctl(table, key): " ".join(sysctl_word(table, key, word, units)
                                               for word in (value if isinstance(value, list) else [value]))
            for key, value in table.content.items()}


def check_sysctl(table: Table, key: str) -> str:
    if not SYSCTL.fullmatch(key):
        table.fail(key, table.content[key], 'expected a quoted key such as "net.ipv4.tcp_rmem"')
    return key


def sysctl_word(table: Table, key: str, word: Any, units: Units) -> str:
    if isinstance(word, int) and not isinstance(word, bool):
        return str(word)
    if isinstance(word, str) and not word[:1].isdigit():
        return word
    try:
        return str(int(units.parse(word, BYTES).value))
    except Failure as failure:
        return table.fail(key, word, failure)
