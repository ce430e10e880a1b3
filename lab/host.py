# SPDX-License-Identifier: GPL-2.0
"""The lab `host`: this machine's own kernel, for users' own test hosts."""

import contextlib
import os
import platform
import signal
import subprocess
from pathlib import Path

import cache
from kernels import Kernel
from task import HUNG, Task

# A command that is told to end takes down what it made on this machine first.
CLEANUP_SECONDS = 60


def kernel() -> Kernel:
    if os.geteuid() != 0:
        raise cache.LabError("--lab host needs root: it inserts a module into this machine")
    release = platform.release()
    modules = Path("/lib/modules")
    if not (modules / release / "build/Makefile").exists():
        raise cache.LabError("no headers of the running kernel: "
                             f"apt-get install linux-headers-{release}")
    return Kernel(release, Path(), modules / release / "build", modules)


def run(task: Task) -> int:
    """A session of its own, so that Ctrl-C reaches the command once, from here."""
    settings = {**os.environ, "PATH": cache.search_path(), **task.environment}
    process = subprocess.Popen(task.command, env=settings, cwd=cache.REPO, start_new_session=True)
    try:
        status = process.wait(task.seconds)
        return 128 - status if status < 0 else status
    except subprocess.TimeoutExpired:
        cache.say(f"FAILED: no end after {task.seconds:g} s: stopped")
        return HUNG
    finally:
        end(process)


def end(process: subprocess.Popen) -> None:
    process.terminate()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(CLEANUP_SECONDS)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
