# SPDX-License-Identifier: GPL-2.0
"""The virtual lab: User-Mode Linux in virtual time, where code costs none.

Two runs of one command with one seed give the same bytes and the same nanoseconds: same
addresses, same start of time, and the same command line, because that seeds the guest's
random pool. Paths that differ between runs or checkouts must not be seen inside: a longer
one moves what the kernel allocates later, and its hash tables go by addresses. So the guest
finds all that the lab gives it below the working directory of its own kernel's process, and
has it in fixed places. The seed is the task's ABT_SEED.
"""

import shutil
import tempfile
from pathlib import Path

import cache
import processors
from kernels import Kernel
from task import KERNEL_FAILED, BootFailed, Task
from vm import GUEST_DIRECTORY, GUEST_SCRIPT, Size

INIT = Path(__file__).with_name("virtual-init")
SEED = 7
# What the guest has elsewhere than this machine; virtual-init puts it there.
PLACES = {"ABT_OUT": f"{GUEST_DIRECTORY}/out", "ABT_REPO": f"{GUEST_DIRECTORY}/repo"}
BUILD = Path(GUEST_DIRECTORY, "build")
START_OF_TIME_NS = 1_700_000_000_000_000_000
# From then on a guest's programs reach its kernel by a seccomp filter, where the machine has
# that; by ptrace, as before, tests take up to two thirds longer.
SECCOMP_SINCE = (6, 16)
# Always there: the guest walks this path, and the copies of its parts take kernel memory.
TEMPORARY = "/dev/shm"


def run(kernel: Kernel, task: Task, size: Size) -> int:
    """Boot KERNEL, run TASK in it as root, return the task's status."""
    with tempfile.TemporaryDirectory(prefix="tcp_abt-virtual-", dir=TEMPORARY) as name, processors.one() as cpu:
        lab = Path(name) / "lab"
        lab.mkdir()
        fill(lab, kernel, task)
        # The guest's memory is an unlinked file in TMPDIR; HOME gets a socket's directory.
        environment = {"PATH": cache.search_path(), "TMPDIR": TEMPORARY, "HOME": name,
                       "UML_SEED": task.environment["ABT_SEED"]}
        try:
            return task.follow(uml(kernel, size, cpu), environment, lab, cwd=lab)
        except BootFailed as failed:
            failed.report()
            return KERNEL_FAILED


def fill(lab: Path, kernel: Kernel, task: Task) -> None:
    """What the guest finds there: the command, and where the rest is on this machine."""
    module = Path(task.environment["ABT_MODULE"])
    build = module.parents[1]
    task.write(lab, {**PLACES, "ABT_MODULE": str(BUILD / module.relative_to(build))})
    for script, name in ((GUEST_SCRIPT, "guest"), (INIT, "init")):
        shutil.copy(script, lab / name)
    for name, place in (("out", task.out), ("repo", cache.REPO), ("build", build),
                        ("modules", kernel.modules)):
        (lab / name).symlink_to(place)


def uml(kernel: Kernel, size: Size, cpu: int) -> list[str]:
    """Pinned: a guest's system call costs 6 us on one processor, 60 us across two."""
    major, minor = kernel.release.split(".")[:2]
    entry = ["seccomp=auto"] if (int(major), int(minor)) >= SECCOMP_SINCE else []
    return ["taskset", "-c", str(cpu), "setarch", "-R", str(kernel.image), f"mem={size.memory}",
            "rootfstype=hostfs", "rootflags=/", "ro", "init=/proc/self/cwd/init", "con=null",
            "con0=null,fd:1", "loglevel=5", "panic=-1", "time-travel=inf-cpu",
            f"time-travel-start={START_OF_TIME_NS}", *entry]
