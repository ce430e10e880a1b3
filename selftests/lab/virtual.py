# SPDX-License-Identifier: GPL-2.0
"""The virtual lab: User-Mode Linux in virtual time, where code costs none.

Two runs of one command give the same bytes and the same nanoseconds: same seed, same
addresses, same start of time, and the same command line, because that seeds the guest's
random pool. So nothing that differs between runs stands on it: the guest finds its
lab directory as the working directory of its own kernel's process.
"""

import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import cache
from kernels import Kernel
from task import KERNEL_FAILED, BootFailed, Task
from vm import GUEST_SCRIPT, Size

INIT = Path(__file__).with_name("virtual-init")
SEED = "7"
START_OF_TIME_NS = 1_700_000_000_000_000_000


def run(kernel: Kernel, task: Task, size: Size) -> int:
    """Boot KERNEL, run TASK in it as root, return the task's status."""
    with tempfile.TemporaryDirectory(prefix="tcp_abt-virtual-") as name, processor() as cpu:
        lab = Path(name) / "lab"
        lab.mkdir()
        task.write(lab, kernel)
        shutil.copy(GUEST_SCRIPT, lab / "guest")
        (lab / "out").symlink_to(task.out)
        # The guest's memory is an unlinked file in TMPDIR; HOME gets a socket's directory.
        environment = {**os.environ, "TMPDIR": "/dev/shm", "HOME": name, "UML_SEED": SEED}
        try:
            return task.follow(uml(kernel, size, cpu), environment, lab, cwd=lab)
        except BootFailed as failed:
            failed.report()
            return KERNEL_FAILED


def uml(kernel: Kernel, size: Size, cpu: int) -> list[str]:
    """Pinned: a guest's system call costs 6 us on one processor, 60 us across two."""
    return ["taskset", "-c", str(cpu), "setarch", "-R", str(kernel.image), f"mem={size.memory}",
            "rootfstype=hostfs", "rootflags=/", "ro", f"init={INIT}", "con=null",
            "con0=null,fd:1", "loglevel=5", "panic=-1", "time-travel=inf-cpu",
            f"time-travel-start={START_OF_TIME_NS}"]


@contextlib.contextmanager
def processor() -> Iterator[int]:
    """A processor that no other guest of this user is pinned to, else the first."""
    usable = sorted(os.sched_getaffinity(0))
    locks = cache.root() / "locks"
    locks.mkdir(exist_ok=True)
    with contextlib.ExitStack() as opened:
        for cpu in usable:
            lock = opened.enter_context(open(locks / f"cpu-{cpu}", "w", encoding="ascii"))
            with contextlib.suppress(BlockingIOError):
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                yield cpu
                return
        yield usable[0]
