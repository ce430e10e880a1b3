# SPDX-License-Identifier: GPL-2.0
"""A network namespace that plays one host: one of our own, or the one that we are in."""

from __future__ import annotations

import ctypes
import os
import signal
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress

from .failure import Failure
from .system import command, set_sysctls

PREFIX = "abt-"
CLONE_NEWNET = 0x40000000
LIBC = ctypes.CDLL(None, use_errno=True)


def set_namespace(descriptor: int) -> None:
    if LIBC.setns(descriptor, CLONE_NEWNET) != 0:
        raise OSError(ctypes.get_errno(), "setns")


class ThisNamespace:
    """The network namespace that we are in, as a host of a scenario."""

    def __init__(self, host: str) -> None:
        self.host = host

    def enter(self) -> AbstractContextManager[None]:
        return nullcontext()

    def words(self, words: list[str]) -> list[str]:
        """A command line that runs another there, in a mount namespace of its own."""
        return ["unshare", "--mount", *words]

    def open_proc(self, name: str) -> int | None:
        """A file of /proc/net as this namespace shows it, or None where the kernel has none."""
        with self.enter():
            try:
                return os.open(f"/proc/thread-self/net/{name}", os.O_RDONLY | os.O_CLOEXEC)
            except FileNotFoundError:
                return None

    def set_sysctls(self, values: dict[str, str]) -> None:
        with self.enter():
            set_sysctls(f"host {self.host}", values)

    def wait_listening(self, port: int, program: str, seconds: float = 20) -> None:
        """Until something listens on this TCP port."""
        wanted = f":{port:04X} "
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            with self.enter():
                for table in ("tcp", "tcp6"):
                    with open(f"/proc/thread-self/net/{table}") as file:
                        if any(wanted in line.split(" rem")[0] and " 0A " in line for line in file):
                            return
            time.sleep(0.05)
        raise Failure(f"host {self.host}: {program} does not listen on port {port} after {seconds} s")


class Namespace(ThisNamespace):
    """Made by create(), gone after remove(); enter() makes sockets and files of it."""

    def __init__(self, host: str) -> None:
        super().__init__(host)
        self.name = PREFIX + host
        self.descriptor: int | None = None

    def create(self) -> None:
        command("ip", "netns", "add", self.name)
        self.descriptor = os.open(f"/run/netns/{self.name}", os.O_RDONLY | os.O_CLOEXEC)
        command("ip", "-n", self.name, "link", "set", "lo", "up")

    def remove(self) -> None:
        if self.descriptor is not None:
            os.close(self.descriptor)
            self.descriptor = None
        kill_members(self.name)
        command("ip", "netns", "del", self.name)

    @contextmanager
    def enter(self) -> Iterator[None]:
        home = os.open("/proc/thread-self/ns/net", os.O_RDONLY | os.O_CLOEXEC)
        try:
            set_namespace(self.descriptor)
            try:
                yield
            finally:
                set_namespace(home)
        finally:
            os.close(home)

    def words(self, words: list[str]) -> list[str]:
        return ["ip", "netns", "exec", self.name, *words]


def kill_members(name: str) -> None:
    for attempt in range(50):
        members = [int(word) for word in command("ip", "netns", "pids", name).split()]
        if not members:
            return
        for member in members:
            with suppress(ProcessLookupError):
                os.kill(member, signal.SIGTERM if attempt == 0 else signal.SIGKILL)
        time.sleep(0.1)
    raise Failure(f"namespace {name}: processes {members} do not end")


def remove_leftovers() -> list[str]:
    """Namespaces of a run that was killed; returns their names."""
    names = [line.split()[0] for line in command("ip", "netns", "list").splitlines() if line.startswith(PREFIX)]
    for name in names:
        kill_members(name)
        command("ip", "netns", "del", name)
    return names
