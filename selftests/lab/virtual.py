# SPDX-License-Identifier: GPL-2.0
"""The virtual lab: User-Mode Linux in virtual time, where code costs none.

Two runs of one command with one seed give the same bytes and the same nanoseconds: same
addresses, same start of time, an environment of the kernel's process that is as long, and
the same command line, because that seeds the guest's random pool. So nothing that differs
between runs or checkouts stands on it: the guest finds its lab directory as the working
directory of its own kernel's process. The seed is the task's ABT_SEED.
"""

import shutil
import tempfile
from pathlib import Path

import cache
import processors
from kernels import Kernel
from task import KERNEL_FAILED, BootFailed, Task
from vm import GUEST_SCRIPT, Size

INIT = Path(__file__).with_name("virtual-init")
SEED = 7
START_OF_TIME_NS = 1_700_000_000_000_000_000


def run(kernel: Kernel, task: Task, size: Size) -> int:
    """Boot KERNEL, run TASK in it as root, return the task's status."""
    with tempfile.TemporaryDirectory(prefix="tcp_abt-virtual-") as name, processors.one() as cpu:
        lab = Path(name) / "lab"
        lab.mkdir()
        task.write(lab, kernel)
        shutil.copy(GUEST_SCRIPT, lab / "guest")
        shutil.copy(INIT, lab / "init")
        (lab / "out").symlink_to(task.out)
        # The guest's memory is an unlinked file in TMPDIR; HOME gets a socket's directory.
        environment = {"PATH": cache.search_path(), "TMPDIR": "/dev/shm", "HOME": name,
                       "UML_SEED": task.environment["ABT_SEED"]}
        try:
            return task.follow(uml(kernel, size, cpu), environment, lab, cwd=lab)
        except BootFailed as failed:
            failed.report()
            return KERNEL_FAILED


def uml(kernel: Kernel, size: Size, cpu: int) -> list[str]:
    """Pinned: a guest's system call costs 6 us on one processor, 60 us across two."""
    return ["taskset", "-c", str(cpu), "setarch", "-R", str(kernel.image), f"mem={size.memory}",
            "rootfstype=hostfs", "rootflags=/", "ro", "init=/proc/self/cwd/init", "con=null",
            "con0=null,fd:1", "loglevel=5", "panic=-1", "time-travel=inf-cpu",
            f"time-travel-start={START_OF_TIME_NS}"]
