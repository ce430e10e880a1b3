# SPDX-License-Identifier: GPL-2.0
"""Our end on another machine: it does what is asked for through its standard input, a line of JSON a request, and undoes
all of it when that ends, for whatever reason.

    ["end_host", {...}]     what this machine is, first of all
    ["begin", ["F1"]]       then a method of that, with its arguments
    ["end", []]             all is undone, then answered

Each is answered by a line, {"result": ...} or {"failure": "what is wrong"}.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import system
from .endhost import EndHost
from .failure import Failure
from .interruption import end_on_signals, interrupt
from .namespace import ThisNamespace
from .plan import choose
from .router import Router
from .scenario import load
from .traffic import tools
from .variant import MODE

if TYPE_CHECKING:
    from .scenario import Scenario
    from .variant import Variant

Part = dict[str, Any]  # what a request says of the part that this machine plays

SILENCE_S = 300  # whoever conducts asks ten times a second; a line that is down tells nobody
TCP_ABT = "/sys/module/tcp_abt"


def chosen(home: str, part: Part) -> tuple[Scenario, Variant]:
    """The scenario's run that a request names."""
    path = Path(home, "netem_scenarios", part["scenario"])
    scenario = choose(load(path, part["size"]), [part["cell"]] if part["cell"] else None, part["variant"])[0]
    variant = scenario.variants[0]
    return scenario.without(variant.without), variant


@contextmanager
def end_host(home: str, part: Part) -> Iterator[EndHost]:
    """The scenario's host of this name, with its settings, while the block runs."""
    scenario, variant = chosen(home, part)
    namespace = ThisNamespace(part["name"])
    with system.only_run(), system.settings(scenario, variant), module_there(part["module"], variant.module), ExitStack() as undo:
        for values in (scenario.sysctls, variant.knobs, mode_of(variant) | variant.sysctls_of(part["name"])):
            undo.enter_context(system.kept_sysctls(f"host {part['name']}", values))
        folder = Path(undo.enter_context(tempfile.TemporaryDirectory(prefix="tcp_abt-")))
        folder.chmod(0o755)
        host = EndHost(scenario, part["name"], namespace, part["addresses"], folder)
        undo.callback(host.close)
        yield host


def mode_of(variant: Variant) -> dict[str, str]:
    """A module that stays loaded is as good as absent when it is off."""
    return {MODE: "off" if variant.module == "absent" else variant.module} if Path(TCP_ABT).exists() else {}


@contextmanager
def module_there(path: str | None, state: str) -> Iterator[None]:
    """tcp_abt inserted if a variant wants it and it was not; one that is loaded is its administrator's, and stays."""
    if state == "absent" or Path(TCP_ABT).exists():
        yield
        return
    with system.module(["insmod", path] if path else ["modprobe", "tcp_abt"], state):
        yield


@contextmanager
def router(home: str, part: Part) -> Iterator[Router]:
    scenario, _ = chosen(home, part)
    with system.only_run(), ExitStack() as undo:
        found = Router(scenario, part["first"], part["last"], {True: part["forward"], False: part["back"]})
        undo.callback(found.close)
        found.start()
        yield found


PARTS = {"end_host": (end_host, tools), "router": (router, lambda _: ["tc"])}


class Agent:
    def __init__(self, home: str, undo: ExitStack) -> None:
        self.home, self.undo, self.part = home, undo, None

    def do(self, name: str, arguments: list[Any]) -> Any:
        if name in PARTS:
            return self.become(*PARTS[name], *arguments)
        own = {"clock": time.monotonic, "end": self.undo.close}
        return own[name]() if name in own else getattr(self.part, name)(*arguments)

    def become(self, part: Callable[[str, Part], AbstractContextManager[Any]], needed: Callable[[Scenario], list[str]], request: Part) -> str:
        system.need_root()
        system.need_tools(["ip", "modprobe", "insmod", "rmmod", "unshare", *needed(chosen(self.home, request)[0])])
        self.undo.enter_context(system.modules_as_before())
        self.part = self.undo.enter_context(part(self.home, request))
        return os.uname().release


def serve(home: str) -> None:
    """Until the end is asked for, or the input ends, or nothing comes any more."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a program prints is no answer
    end_on_signals()
    signal.signal(signal.SIGALRM, interrupt)
    system.prepare()
    with suppress(KeyboardInterrupt, BrokenPipeError), ExitStack() as undo:
        agent = Agent(home, undo)
        while line := next_line():
            name, arguments = json.loads(line)
            try:
                answer = {"result": agent.do(name, arguments)}
            except (Failure, OSError) as failure:
                answer = {"failure": str(failure)}
            print(json.dumps(answer), file=answers, flush=True)
            if name == "end":
                return


def next_line() -> bytes:
    signal.alarm(SILENCE_S)
    line = sys.stdin.buffer.readline()
    signal.alarm(0)
    return line
