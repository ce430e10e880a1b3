# SPDX-License-Identifier: GPL-2.0
"""A command to run in a lab: what it gets, and how a run of it is watched to the end."""

import contextlib
import os
import re
import selectors
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

import cache

HUNG = 124
KERNEL_FAILED = 125
POLL_SECONDS = 0.05
TERMINATE_SECONDS = 10
TAIL_LINES = 40

# What a kernel says when something in it went wrong; a data race of its own is reported without a module's name.
SPLAT = re.compile(
    r"Kernel panic|\bBUG: (?!KCSAN: [^\[]*$)|\bOops: |Oops\[#|general protection fault|^.{0,30}WARNING: |"
    r"possible (circular|recursive) locking|inconsistent lock state|suspicious RCU usage|"
    r"blocked for more than|detected (expedited )?stalls?|self-detected stall|soft lockup|"
    r"KASAN: |UBSAN: |list_(add|del) corruption|refcount_t: |unregister_netdevice: waiting|"
    r"unreferenced object|scheduling while atomic|sleeping function called from invalid", re.ASCII)


class BootFailed(Exception):
    """The kernel ended before the command began."""

    def __init__(self, task: "Task", console: Path) -> None:
        super().__init__()
        self.task = task
        self.console = console

    def report(self, outlook: str = "") -> None:
        lines = self.console.read_text(errors="replace").splitlines()
        self.task.report(f"the kernel ended before the command began{outlook}",
                         lines[-TAIL_LINES:], self.console)


class Task:
    """COMMAND with its environment; results in OUT; at most SECONDS of wall time."""

    def __init__(self, command: list[str], out: Path, seconds: float,
                 environment: Mapping[str, str], quiet: bool = False) -> None:
        self.command = command
        self.out = out
        self.seconds = seconds
        self.environment = {**environment, "ABT_OUT": str(out), "ABT_REPO": str(cache.REPO)}
        self.quiet = quiet

    def write(self, lab: Path, places: Mapping[str, str] | None = None) -> None:
        """The command as two small shell files that a guest can read.

        PLACES: what the guest has elsewhere than this machine, by the variables that name it.
        """
        there = {**self.environment, **(places or {})}
        settings = {"HOME": "/root", "PATH": cache.search_path(), "LC_ALL": "C.UTF-8", **there}
        (lab / "environment").write_text(
            "".join(f"export {name}={shlex.quote(value)}\n" for name, value in settings.items()))
        moved = [(Path(self.environment[name]), Path(there[name])) for name in ("ABT_OUT", "ABT_REPO")]
        words = [translated(word, moved) for word in self.command]
        (lab / "command").write_text(f"cd {shlex.quote(there['ABT_REPO'])} && exec {shlex.join(words)}\n")
        (lab / "output").touch()

    def follow(self, boot: list[str], environment: Mapping[str, str], lab: Path,
               cwd: Path | None = None, collect: Callable[[], None] = lambda: None) -> int:
        """Run a kernel by BOOT, pass on what the command says, COLLECT what it left, and judge the end."""
        console = self.out / "console.log"
        with (console.open("wb") as log, (lab / "output").open("rb") as output,
              process_group(boot, environment, cwd) as kernel):
            in_time = self.watch(kernel, log, output)
        collect()
        if in_time and not (lab / "began").exists():
            raise BootFailed(self, console)
        status = lab / "status"
        return self.verdict(console, in_time, int(status.read_text()) if status.exists() else None)

    def watch(self, kernel: subprocess.Popen, log: BinaryIO, output: BinaryIO) -> bool:
        """Copy the console and the output until the kernel is gone: did it go in time?"""
        deadline = time.monotonic() + self.seconds
        with selectors.DefaultSelector() as ready:
            ready.register(kernel.stdout, selectors.EVENT_READ)
            while time.monotonic() < deadline:
                ended = False
                if ready.select(POLL_SECONDS):
                    text = os.read(kernel.stdout.fileno(), 65536)
                    log.write(text)
                    log.flush()
                    ended = not text
                self.pass_on(output)
                if ended:
                    return True
        return False

    def pass_on(self, output: BinaryIO) -> None:
        if text := output.read():
            sys.stdout.buffer.write(text)
            sys.stdout.buffer.flush()

    def verdict(self, console: Path, in_time: bool, status: int | None) -> int:
        lines = console.read_text(errors="replace").splitlines()
        splats = [line for line in lines if SPLAT.search(line)]
        tail = lines[min([-TAIL_LINES, *(lines.index(line) - len(lines) for line in splats)]):]
        if not in_time:
            self.report(f"no end after {self.seconds:g} s: stopped", tail, console)
            return HUNG
        if status is None:
            self.report("the kernel ended before the command did", tail, console)
            return KERNEL_FAILED
        if splats:
            self.report("the kernel complained", splats, console)
        return KERNEL_FAILED if splats and status == 0 else status

    def report(self, what: str, lines: list[str], console: Path) -> None:
        if self.quiet:
            return
        cache.say(f"FAILED: {what}; from its console ({console}):")
        for line in lines:
            print(f"lab: | {line}", file=sys.stderr)
        sys.stderr.flush()


def translated(word: str, moved: Iterable[tuple[Path, Path]]) -> str:
    """A word of the command that is a path in a place that the guest has elsewhere: the path there."""
    if word.startswith("/"):
        path = Path(os.path.realpath(word))
        for here, there in moved:
            if path.is_relative_to(here):
                return str(there / path.relative_to(here))
    return word


@contextlib.contextmanager
def process_group(command: list[str], environment: Mapping[str, str] | None = None,
                  cwd: Path | None = None) -> Iterator[subprocess.Popen]:
    """A process and all its children, gone when the block is left in whatever way."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, env=environment, cwd=cwd,
                               start_new_session=True)
    try:
        yield process
    finally:
        for number in (signal.SIGTERM, signal.SIGKILL):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, number)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(TERMINATE_SECONDS)
        process.stdout.close()


def end_on_signals() -> None:
    """Ctrl-C and the like unwind the stack once; clean-up is not interrupted by more."""
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

    def end(caught: int, _frame: object) -> None:
        for number in numbers:
            signal.signal(number, signal.SIG_IGN)
        sys.exit(128 + caught)

    for number in numbers:
        signal.signal(number, end)
