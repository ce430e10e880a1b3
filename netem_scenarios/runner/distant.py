# SPDX-License-Identifier: GPL-2.0
"""An agent of ours on another machine, reached by ssh: what we ask of it, and its clock.

Nothing is installed there: the runner goes over the connection, into a folder that is gone when the connection is. The two
clocks are not taken to be equal. Of some exchanges the one that took the least time tells the difference, to half that time.
"""

from __future__ import annotations

import io
import json
import shlex
import shutil
import subprocess
import tarfile
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, NoReturn

from .failure import Failure

Way = tuple[Any, ...]  # ("ssh", where, sudo?) or ("command", words)

HOME = Path(__file__).resolve().parents[1]
EXCHANGES = 20
END_S = 60  # it undoes what it made
SSH = ("ssh", "-o", "BatchMode=yes", "-o", "ConnectTimeout=20", "-o", "ServerAliveInterval=30", "-o", "ServerAliveCountMax=4")
# The first line there: takes the runner from its input, then serves what follows
BOOT = ("import io, sys, tarfile, tempfile; "
        "sys.version_info >= (3, 11) or sys.exit('Python 3.11 or newer is needed, this is ' + sys.version.split()[0]); "
        "folder = tempfile.TemporaryDirectory(prefix='tcp_abt-'); home = folder.name; "
        "tarfile.open(fileobj=io.BytesIO(sys.stdin.buffer.read(int(sys.stdin.buffer.readline())))).extractall(home); "
        "sys.dont_write_bytecode = True; sys.path.insert(0, home + '/netem_scenarios'); "
        "from runner.agent import serve; serve(home); folder.cleanup()")


def packed(scenario_file: Path) -> bytes:
    """The runner, its programs, profiles and this scenario, as a tar file's bytes."""
    files = {path: path.relative_to(HOME.parent) for path in (*HOME.glob("runner/*.py"), *HOME.glob("*.[ch]"), *(HOME.parent / "sysctl").glob("*.conf"))}
    files[scenario_file] = Path("netem_scenarios", scenario_file.name)
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for path, name in files.items():
            archive.add(path, name)
    return buffer.getvalue()


class Distant:
    """way: ("ssh", where, sudo?) or ("command", words): how a program is run there."""

    def __init__(self, name: str, way: Way) -> None:
        self.name, self.way = name, way
        self.process: subprocess.Popen[bytes] | None = None
        self.undo = ExitStack()
        self.behind_s = self.error_s = 0.0  # our clock less its own, known to within
        self.waiting = False

    def words(self) -> list[str]:
        program = ["python3", "-c", BOOT]
        kind, where, *sudo = self.way
        if kind == "command":
            return [*shlex.split(where), *program]
        return [*SSH, *shlex.split(where), shlex.join([*(["sudo", "-n"] if any(sudo) else []), *program])]

    def connect(self, archive: bytes) -> None:
        words = self.words()
        if shutil.which(words[0]) is None:
            raise Failure(f"{self.name}: no program {words[0]} here, expected one that reaches a host (ssh: apt-get install openssh-client)")
        # a Ctrl-C is ours: we end what it does
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        start_new_session=True)
        try:
            self.process.stdin.write(b"%d\n" % len(archive) + archive)
            self.process.stdin.flush()
        except BrokenPipeError:
            self.fail()
        self.learn_clock()

    def learn_clock(self) -> None:
        for _ in range(EXCHANGES):
            before = time.monotonic()
            there = self.call("clock")
            after = time.monotonic()
            error_s = (after - before) / 2
            if not self.error_s or error_s < self.error_s:
                self.error_s, self.behind_s = error_s, (before + after) / 2 - there

    def ask(self, method: str, *arguments: Any) -> None:
        """Begin what `answer` waits for."""
        self.waiting = True
        try:
            self.process.stdin.write(json.dumps([method, arguments]).encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            self.fail()

    def answer(self) -> Any:
        line = self.process.stdout.readline()
        if not line:
            self.fail()
        self.waiting = False
        answer = json.loads(line)
        if "failure" in answer:
            raise Failure(f"{self.name}: {answer['failure']}")
        return answer["result"]

    def call(self, method: str, *arguments: Any) -> Any:
        self.ask(method, *arguments)
        return self.answer()

    def fail(self) -> NoReturn:
        """The connection ended."""
        self.process.wait(END_S)
        said = self.process.stderr.read().decode(errors="replace").strip()[-600:]
        raise Failure(f"{self.name}: {shlex.join(self.words()[:-1])}: ended with status {self.process.returncode}: {said or 'it said nothing'}")

    def close(self) -> None:
        """It undoes what it did, and says if it could not; in the middle of something, or cut off, it does so by itself."""
        with self.undo:
            if self.process is None:
                return
            self.undo.callback(self.hang_up)
            if not self.waiting and self.process.poll() is None:
                self.call("end")

    def hang_up(self) -> None:
        with self.process.stdout, self.process.stderr, suppress(BrokenPipeError):
            self.process.stdin.close()
        try:
            self.process.wait(END_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise Failure(f"{self.name}: has not undone what it did within {END_S} s") from None
